import { html } from 'hono/html';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { count, note, table } from '../markup.ts';
import type { Page, Section } from '../page.ts';
import { pageTexts } from './texts.ts';

const ratings: Section = {
  id: 'feedback',
  render: async (view) => {
    const { locale } = view;
    const t = pageTexts(locale);
    const list = await view.reports.feedback();
    const isNumber = true;
    return html`${note(t.feedbackNote)}${table(
      {
        id: 'feedback',
        caption: t.allProcesses,
        columns: [
          { title: t.model },
          { title: t.up, isNumber },
          { title: t.down, isNumber },
          { title: t.share, isNumber },
        ],
      },
      list.map(({ model, counts: { up, down } }) => [
        model,
        count(up, view),
        count(down, view),
        up + down === 0
          ? '–'
          : formatFinancialNumber(new Decimal(up).dividedBy(up + down), {
              locale,
              isPercent: true,
              maximumFractionDigits: 0,
            }),
      ]),
      view,
    )}`;
  },
};

export const feedback: Page = { id: 'feedback', sections: [ratings] };
