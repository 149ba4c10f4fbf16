import type { PersonRef } from '../ids.ts';
import type { MarketAnswer, Audience } from '../chat/answer.ts';
import { type TurnContext, replyTargetOf, type ReplyTarget } from '../chat/message.ts';
import type { ZoneSource } from '../time.ts';
import type { ToolExecutionContext } from '../agent/tool.ts';

/** The person whose account data a query reads or changes, and for whom the answer is written. */
export interface Requester extends PersonRef, Omit<Audience, keyof PersonRef> {
  readonly name: string;
  /** How the time zone is known. Absent: it is certainly the person's own. */
  readonly zoneFrom?: ZoneSource;
  /** In a direct chat, where nobody else reads the answer. */
  readonly isDirect: boolean;
  /** The place of the request. */
  readonly target: ReplyTarget;
  /** Idempotency key: a request that is delivered twice has the same id. */
  readonly requestId: string;
}

/** A query about a person's account data. Only that person may see the answer. */
export type AccountQuery<Request, Answer = MarketAnswer> = (
  request: Request,
  requester: Requester,
  signal: AbortSignal,
) => Promise<Answer>;

export type EmptyRequest = Readonly<Record<string, never>>;

/** `all` needs `isSure`; before that the answer shows what would be removed. */
export interface RemoveRequest {
  readonly which: string;
  readonly isSure?: boolean | undefined;
  /** It was picked from this page of the list, which is shown again without it. */
  readonly page?: number | undefined;
}

export const requesterOfMessage = (ctx: TurnContext): Requester => ({
  channelId: ctx.channelId,
  userId: ctx.senderId,
  name: ctx.senderName,
  locale: ctx.locale,
  timeZone: ctx.timeZone,
  ...(ctx.zoneFrom && { zoneFrom: ctx.zoneFrom }),
  isDirect: ctx.chatType === 'direct',
  target: replyTargetOf({ ...ctx, threadId: ctx.messageThreadId }),
  requestId: ctx.inboxId,
});

/** `callKey` tells the calls of one turn apart. */
export const requesterOfCall = (context: ToolExecutionContext, callKey: string): Requester => ({
  channelId: context.channelId,
  userId: context.userId,
  name: context.userName,
  locale: context.locale,
  timeZone: context.timeZone,
  ...(context.zoneFrom && { zoneFrom: context.zoneFrom }),
  isDirect: context.chatType === 'direct',
  target: context.target,
  requestId: `${context.turnId}:${callKey}`,
});
