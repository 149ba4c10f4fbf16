import { html } from 'hono/html';
import { badge, note, table } from '../markup.ts';
import type { Page, Section } from '../page.ts';
import { pageTexts } from './texts.ts';
import { BREAKER_TONES } from './queue.ts';

const market: Section = {
  id: 'market',
  isLive: true,
  isOfThisProcess: true,
  render: async (view) => {
    const t = pageTexts(view.locale);
    const { kind, sources: list } = view.reports.market();
    const text = t.marketKinds[kind];
    if (kind === 'sample' && list.length === 0) return html`<p class="sample"><strong>${text}</strong></p>`;
    return html`${kind === 'sample' ? html`<p class="sample"><strong>${text}</strong></p>` : note(text)}${table(
      { id: 'market', caption: t.sourceCaption, columns: [{ title: t.sourceName }, { title: t.state }] },
      list.map(({ name, state }) => [name, badge(t.sourceStates[state], BREAKER_TONES[state])]),
      view,
    )}`;
  },
};

export const sources: Page = { id: 'sources', sections: [market] };
