import { html } from 'hono/html';
import { privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import type { AuditAction } from '#src/kernel/operations/audit.ts';
import { note, table, time } from '../markup.ts';
import type { Page, Section } from '../page.ts';
import { pageTexts } from './texts.ts';

const MAX_SHOWN = 100;

const entries: Section = {
  id: 'audit',
  render: async (view) => {
    const t = pageTexts(view.locale);
    const labels: Partial<Record<AuditAction, string>> = privacyTexts(view.locale).audit.actions;
    const names: Readonly<Record<string, string>> = t.detailNames;
    const list = await view.reports.audit(MAX_SHOWN);
    return html`${note(t.auditNote)}${table(
      {
        id: 'audit',
        caption: t.newestFirst,
        columns: [{ title: t.at }, { title: t.action }, { title: t.person }, { title: t.details }],
      },
      list.map(({ at, action, person, details }) => [
        time(at, view),
        labels[action] ?? action,
        person,
        Object.entries(details)
          .map(([name, value]) => `${names[name] ?? name}: ${value}`)
          .join(', '),
      ]),
      view,
    )}`;
  },
};

export const audit: Page = { id: 'audit', sections: [entries] };
