import { html } from 'hono/html';
import { count, note, table } from '../markup.ts';
import type { Page, Section } from '../page.ts';
import { pageTexts } from './texts.ts';

const counts: Section = {
  id: 'plans',
  render: async (view) => {
    const t = pageTexts(view.locale);
    const list = await view.reports.plans();
    const isNumber = true;
    return html`${note(t.plansNote)}${table(
      {
        id: 'plans',
        caption: t.allProcesses,
        columns: [{ title: t.channel }, { title: t.alerts, isNumber }, { title: t.briefings, isNumber }],
      },
      list.map(({ channelId, alerts, briefings }) => [
        channelId,
        count(alerts, view),
        count(briefings, view),
      ]),
      view,
    )}`;
  },
};

export const plans: Page = { id: 'plans', sections: [counts] };
