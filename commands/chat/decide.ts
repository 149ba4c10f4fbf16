import { approvalAction, approvalCode, approvalMessages } from '#src/kernel/messages/approvals.ts';
import type { CommandResult } from '#src/kernel/command.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import type { ApprovalRequest, Approvals, ApprovalVerdict } from '#src/kernel/ports.ts';
import { shortened } from '#src/kernel/text.ts';

export interface DecideDeps {
  readonly approvals: Pick<Approvals, 'pending' | 'pendingFor' | 'decide'>;
}

const COMMANDS = { approved: 'approve', denied: 'deny' } as const satisfies Record<ApprovalVerdict, string>;

const listOf = (requests: readonly ApprovalRequest[], verdict: ApprovalVerdict): string =>
  requests
    .map((request) => {
      const { id, requesterName } = request;
      const whose = requesterName === undefined ? '' : ` (${shortened(requesterName)})`;
      return `- \`/${COMMANDS[verdict]} ${approvalCode(id)}\` — ${approvalAction(request)}${whose}`;
    })
    .join('\n');

const personal = (content: string): CommandResult => ({ content, ephemeral: true });

/**
 * What `/approve` and `/deny` have in common. Only exactly one question is ever decided: where it is not
 * clear which one is meant, nothing is.
 */
export const decide = async (
  { approvals }: DecideDeps,
  verdict: ApprovalVerdict,
  args: readonly string[],
  ctx: MsgContext,
): Promise<CommandResult> => {
  const t = approvalMessages(ctx.locale);
  const { channelId, senderId: userId, userRoles } = ctx;
  const by = { channelId, userId, userRoles };
  const pending = await approvals.pending(ctx.sessionKey);
  const code = args.join(' ').replaceAll('`', '').trim().toLowerCase();
  const hasCode = ({ id }: ApprovalRequest): boolean => approvalCode(id) === code;
  const here = code === '' ? pending : pending.filter(hasCode);
  // An approver may decide from anywhere, but has to say what.
  const meant = here.length > 0 || code === '' ? here : (await approvals.pendingFor(by)).filter(hasCode);
  if (meant.length === 0 && pending.length === 0) {
    if (code !== '') return personal(t.unknown());
    // A slash command of Slack is never in the thread in which the question stands.
    const own = (await approvals.pendingFor(by)).filter(({ askedBy }) => askedBy === userId);
    const isElsewhere = ctx.chatType !== 'direct' && own.length > 0;
    return personal(isElsewhere ? t.waiting({ codes: listOf(own, verdict) }) : t.nothing());
  }

  const [request, ...others] = meant;
  if (!request) return personal(`${t.unknown()}\n${t.waiting({ codes: listOf(pending, verdict) })}`);
  if (others.length > 0) return personal(t.several({ codes: listOf(meant, verdict) }));

  const { outcome } = await approvals.decide(request.id, verdict, by);
  switch (outcome) {
    case 'recorded':
      // The run that waited goes on and answers by itself: nobody waits for it here.
      return personal(t[verdict]({ what: approvalAction(request) }));
    case 'refused':
      return personal(t.notYours());
    case 'too-late':
      return personal(t.tooLate());
    case 'unknown':
      return personal(t.unknown());
  }
  return outcome satisfies never;
};
