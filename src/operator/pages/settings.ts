import { html } from 'hono/html';
import type { EffectiveSetting } from '#src/kernel/operations/status.ts';
import { note, optionsOf, table } from '../markup.ts';
import type { Page, Section } from '../page.ts';
import { pageTexts } from './texts.ts';

const ORIGINS = ['default', 'file', 'environment'] as const satisfies readonly EffectiveSetting['source'][];
const MAX_SEARCH_CHARS = 100;

const inForce: Section = {
  id: 'settings',
  render: async (view) => {
    const t = pageTexts(view.locale);
    const typed = (view.query.get('find') ?? '').slice(0, MAX_SEARCH_CHARS);
    const origin = ORIGINS.find((one) => one === view.query.get('origin'));
    const wanted = typed.trim().toLowerCase();
    const shown = view.reports.settings.filter(
      ({ path, value, source }) =>
        (origin === undefined || source === origin) && `${path}\n${value}`.toLowerCase().includes(wanted),
    );
    return html`<form class="filter" method="get" action="/operator/settings">
        <p>
          <label for="find">${t.find}</label
          ><input id="find" name="find" value="${typed}" maxlength="${MAX_SEARCH_CHARS}" />
        </p>
        <p>
          <label for="origin">${t.origin}</label
          ><select id="origin" name="origin">
            ${optionsOf([['', t.all], ...ORIGINS.map((one) => [one, t.origins[one]] as const)], origin ?? '')}
          </select>
        </p>
        <p><button>${t.filter}</button></p>
      </form>
      ${note(t.settingsNote)}${table(
        {
          id: 'settings',
          caption: t.settingsShown({ shown: shown.length, count: view.reports.settings.length }),
          columns: [{ title: t.setting }, { title: t.value }, { title: t.origin }],
        },
        shown.map(({ path, value, source }) => [html`<code>${path}</code>`, value, t.origins[source]]),
        view,
      )}`;
  },
};

export const settings: Page = { id: 'settings', sections: [inForce] };
