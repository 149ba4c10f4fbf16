import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import {
  type ChatType,
  type TurnContext,
  type ReplyTarget,
  replyTargetOf,
} from '#src/kernel/chat/message.ts';
import { formatMoment } from '#src/kernel/time.ts';
import type { Dashboard } from '#src/kernel/operations/operator.ts';
import type { Uses } from '#src/platform/services.ts';
import { adminCommand, ephemeral, usageOf } from '../shared/results.ts';
import { dashboardTexts } from './texts.ts';

interface DashboardDeps extends Uses<'audit.record' | 'clock.now'> {
  /** Undefined if the page is off. */
  readonly dashboard: Dashboard | undefined;
  /** Writes to the person in their direct chat without storing it. False if that is not possible. */
  readonly tellAlone: (target: ReplyTarget, chatType: ChatType, text: string) => Promise<boolean>;
}

const REVOKE: ReadonlySet<string> = new Set(['revoke', '--revoke', '해제']);

/** The code goes to the direct chat alone, from wherever it was asked for: only in a server does a person have roles. */
const issue = async (
  { dashboard: page, tellAlone, audit, clock }: DashboardDeps,
  ctx: TurnContext,
): Promise<string> => {
  const t = dashboardTexts(ctx.locale);
  if (!page) return t.off();
  const person = { channelId: ctx.channelId, userId: ctx.senderId };
  const { code, url, expiresAt } = await page.issueCode(person, ctx.userRoles);
  await audit.record('dashboard-code', person, {}, clock.now());
  const target = replyTargetOf({ ...ctx, threadId: ctx.messageThreadId });
  const isSent = await tellAlone(target, ctx.chatType, t.code({ code }));
  if (!isSent) return t.notSent();
  const isHere = ctx.chatType === 'direct' && ctx.messageThreadId === undefined;
  return t.sent({ isHere, url, at: formatMoment(expiresAt, ctx) });
};

const revoke = async (
  { dashboard: page, audit, clock }: DashboardDeps,
  { channelId, senderId, locale }: TurnContext,
): Promise<string> => {
  if (!page) return dashboardTexts(locale).off();
  const person = { channelId, userId: senderId };
  const count = await page.endSessions(person);
  await audit.record('dashboard-revoke', person, { count }, clock.now());
  return dashboardTexts(locale).revoked({ count });
};

export const dashboardDefinition: CommandDefinition = {
  name: 'dashboard',
  aliases: ['대시보드'],
  description: {
    ko: '운영 페이지에 로그인할 코드를 받거나 내 세션을 끝냅니다',
    en: 'a login code for the operator page',
  },
  usage: { ko: '/dashboard [revoke]', en: '/dashboard [revoke]' },
  category: 'admin',
  requiredRoles: ['admin'],
  options: [
    {
      name: 'revoke',
      nameKo: '해제',
      description: { ko: '운영 페이지의 내 세션을 모두 끝냅니다', en: 'ends your sessions' },
      type: 'flag',
    },
  ],
  isPrivate: true,
};

export const dashboard = (deps: DashboardDeps): Command =>
  adminCommand(dashboardDefinition, async (args, ctx, _signal, flags) => {
    const [first = '', ...rest] = args.map((arg) => arg.toLowerCase());
    if (flags?.get('revoke') !== undefined || (REVOKE.has(first) && rest.length === 0))
      return ephemeral(await revoke(deps, ctx));
    return first === '' ? ephemeral(await issue(deps, ctx)) : usageOf(dashboardDefinition, ctx.locale);
  });
