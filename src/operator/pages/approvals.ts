import { html } from 'hono/html';
import { type ApprovalId, asId } from '#src/kernel/ids.ts';
import type { OperatorActions } from '#src/kernel/operations/operator.ts';
import { actionForm, note, table, time } from '../markup.ts';
import type { Notice } from '../texts.ts';
import type { Action, Page, Section } from '../page.ts';
import { pageTexts } from './texts.ts';

/** A chat shows the action as a quotation. */
const unquoted = (summary: string): string => summary.replaceAll(/^> ?/gm, '');

const waiting: Section = {
  id: 'approvals',
  render: async (view) => {
    const t = pageTexts(view.locale);
    const list = await view.reports.approvals(view.operator);
    return html`${note(t.approvalsNote)}${table(
      {
        id: 'approvals',
        caption: t.oldestFirst,
        columns: [
          { title: t.tool },
          { title: t.channel },
          { title: t.person },
          { title: t.askedAt },
          { title: t.expiresAt },
          { title: t.do },
        ],
      },
      list.map(({ id, toolName, channelId, person, askedAt, expiresAt, summary }) => {
        const button = (action: string, label: string, question: string) =>
          actionForm('approvals', id, { action, label, question, about: `${toolName}, ${person}` }, view);
        return [
          html`<code>${toolName}</code
            >${summary === undefined ? '' : html`<p class="words">${unquoted(summary)}</p>`}`,
          channelId,
          person,
          time(askedAt, view),
          time(expiresAt, view),
          summary === undefined
            ? t.onlyApprovers
            : html`${button('approve', t.approve, t.approveQuestion)}${button('deny', t.deny, t.denyQuestion)}`,
        ];
      }),
      view,
    )}`;
  },
};

const NOTICES = {
  refused: 'decision-refused',
  'too-late': 'decision-late',
  unknown: 'decision-unknown',
} as const satisfies Record<string, Notice>;

const decide = async (
  verdict: 'approve' | 'deny',
  ...[form, by, actions]: readonly [
    URLSearchParams,
    Parameters<OperatorActions['decide']>[2],
    OperatorActions,
  ]
): Promise<{ readonly notice: Notice }> => {
  const outcome = await actions.decide(asId<ApprovalId>(form.get('id') ?? ''), verdict, by);
  if (outcome !== 'done') return { notice: NOTICES[outcome] };
  return { notice: verdict === 'approve' ? 'approved' : 'denied' };
};

const approve: Action = {
  question: (locale) => pageTexts(locale).approveQuestion,
  run: (...given) => decide('approve', ...given),
};

const deny: Action = {
  question: (locale) => pageTexts(locale).denyQuestion,
  run: (...given) => decide('deny', ...given),
};

export const approvals: Page = { id: 'approvals', sections: [waiting], actions: { approve, deny } };
