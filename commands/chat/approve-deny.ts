import {
  approvalAction,
  approvalCode,
  approvalTexts,
  approvalProblem,
} from '#src/kernel/agent/texts/approvals.ts';
import type { Command, CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Localized } from '#src/kernel/locale.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { ApprovalRequest, ApprovalVerdict } from '#src/kernel/agent/approvals.ts';
import { shortened } from '#src/kernel/text.ts';
import type { Uses } from '#src/platform/services.ts';
import { ephemeral } from '../shared/results.ts';

type DecideDeps = Uses<'approvals.pending' | 'approvals.pendingFor' | 'approvals.decide'>;

const definitionOf = (name: string, alias: string, description: Localized): CommandDefinition => ({
  name,
  aliases: [alias],
  description,
  usage: { ko: `/${name} [코드]`, en: `/${name} [code]` },
  category: 'general',
  options: [
    {
      name: 'code',
      nameKo: '코드',
      description: {
        ko: '질문에 적힌 코드 (하나뿐이면 비워 두세요)',
        en: 'the code in the question; leave it out where there is only one',
      },
      type: 'text',
    },
  ],
  isPrivate: true,
});

export const approveDefinition = definitionOf('approve', '승인', {
  ko: '결정을 기다리는 작업을 허용합니다',
  en: 'approves the waiting action',
});

export const denyDefinition = definitionOf('deny', '거절', {
  ko: '결정을 기다리는 작업을 거절합니다',
  en: 'refuses the waiting action',
});

const DEFINITIONS: Readonly<Record<ApprovalVerdict, CommandDefinition>> = {
  approved: approveDefinition,
  denied: denyDefinition,
};

const listOf = (requests: readonly ApprovalRequest[], verdict: ApprovalVerdict): string =>
  requests
    .map((request) => {
      const { id, requesterName } = request;
      const whose = requesterName === undefined ? '' : ` (${shortened(requesterName)})`;
      return `- \`/${DEFINITIONS[verdict].name} ${approvalCode(id)}\` — ${approvalAction(request)}${whose}`;
    })
    .join('\n');

/** Decides exactly one question; if several may be meant, none. */
const decide = async (
  { approvals }: DecideDeps,
  verdict: ApprovalVerdict,
  args: readonly string[],
  ctx: TurnContext,
): Promise<CommandResult> => {
  const t = approvalTexts(ctx.locale);
  const { channelId, senderId: userId, userRoles } = ctx;
  const by = { channelId, userId, userRoles };
  const pending = await approvals.pending(ctx.sessionKey);
  const code = args.join(' ').replaceAll('`', '').trim().toLowerCase();
  const hasCode = ({ id }: ApprovalRequest): boolean => approvalCode(id) === code;
  const here = code === '' ? pending : pending.filter(hasCode);
  // An approver may decide from any chat, but only with the code.
  const meant = here.length > 0 || code === '' ? here : (await approvals.pendingFor(by)).filter(hasCode);
  if (meant.length === 0 && pending.length === 0) {
    if (code !== '') return ephemeral(t.unknown());
    // A Slack slash command is never in the thread of the question.
    const own = (await approvals.pendingFor(by)).filter(({ askedBy }) => askedBy === userId);
    const isElsewhere = ctx.chatType !== 'direct' && own.length > 0;
    return ephemeral(isElsewhere ? t.waiting({ codes: listOf(own, verdict) }) : t.nothing());
  }

  const [request, ...others] = meant;
  if (!request) return ephemeral(`${t.unknown()}\n${t.waiting({ codes: listOf(pending, verdict) })}`);
  if (others.length > 0) return ephemeral(t.several({ codes: listOf(meant, verdict) }));

  // The run that waited continues by itself and answers separately.
  const outcome = await approvals.decide(request.id, verdict, by);
  return ephemeral(approvalProblem(outcome, ctx.locale) ?? t[verdict]({ what: approvalAction(request) }));
};

const commandOf =
  (verdict: ApprovalVerdict) =>
  (deps: DecideDeps): Command => ({
    definition: DEFINITIONS[verdict],
    execute: (args, ctx) => decide(deps, verdict, args, ctx),
  });

export const approve = commandOf('approved');
export const deny = commandOf('denied');
