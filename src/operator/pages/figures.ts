import { html } from 'hono/html';
import type { NumberCounts } from '#src/kernel/operations/status.ts';
import { count, facts, note } from '../markup.ts';
import type { Page, Section } from '../page.ts';
import { pageTexts } from './texts.ts';

const PERCENT = 100;

const shareOf = ({ answers, toRepair }: NumberCounts): string =>
  answers === 0 ? '–' : `${((toRepair / answers) * PERCENT).toFixed(1)} %`;

const numbers: Section = {
  id: 'figures',
  isLive: true,
  isOfThisProcess: true,
  render: async (view) => {
    const t = pageTexts(view.locale);
    const { numbers: found } = await view.reports.status();
    return html`${facts([
      [t.answersRepaired, shareOf(found), t.answersRepairedNote({ answers: found.answers })],
      [t.checked, count(found.checked, view), t.checkedNote],
      [t.supported, count(found.supported, view), t.supportedNote],
      [t.quoted, count(found.quoted, view), t.quotedNote],
      [t.derived, count(found.derived, view), t.derivedNote],
      [t.asked, count(found.asked, view), t.askedNote],
      [t.repaired, count(found.repaired, view), t.repairedNote],
      [t.marked, count(found.marked, view), t.markedNote],
    ])}${note(t.figuresNote)}`;
  },
};

export const figures: Page = { id: 'figures', sections: [numbers] };
