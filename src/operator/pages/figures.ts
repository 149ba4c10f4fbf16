import { html } from 'hono/html';
import { count, facts, note } from '../markup.ts';
import type { Page, Section } from '../page.ts';
import { pageMessages } from './messages.ts';

const numbers: Section = {
  id: 'figures',
  isLive: true,
  isOfThisProcess: true,
  render: async (view) => {
    const t = pageMessages(view.locale);
    const { numbers: found } = await view.reports.status();
    return html`${facts([
      [t.checked, count(found.checked, view), t.checkedNote],
      [t.repaired, count(found.repaired, view), t.repairedNote],
      [t.marked, count(found.marked, view), t.markedNote],
      [t.struck, count(found.struck, view), t.struckNote],
    ])}${note(t.figuresNote)}`;
  },
};

export const figures: Page = { id: 'figures', sections: [numbers] };
