import { approvalCode, questionOf } from '#src/core/approval-code.ts';
import type { ChannelPlugin } from '#src/core/channel.ts';
import { texts } from '#src/core/i18n.ts';
import type { ApprovalId, ChannelId, DeliveryId } from '#src/core/ids.ts';
import type { ChatType, ReplyPayload, ReplyTarget } from '#src/core/message.ts';
import type { ApprovalRequest } from '#src/core/ports.ts';
import type { Clock } from '#src/infra/clock.ts';
import { withTimeLimit } from '#src/infra/hook-runner.ts';
import { newId } from '#src/infra/ids.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { splitMessage } from './response-formatter.ts';

/** What is said to a person beside the answers: short, at once, and not stored. */
export interface Reach {
  /** A sentence for one person's eyes. Never throws. */
  readonly tell: (target: ReplyTarget, text: string) => Promise<void>;
  /** A question about a tool call, in the channel's own way or in words. Throws where it could not be put. */
  readonly ask: (target: ReplyTarget, request: ApprovalRequest) => Promise<void>;
  /** The question needs no answer any more. Never throws. */
  readonly close: (target: ReplyTarget, id: ApprovalId) => Promise<void>;
  /** The private chat with a person; undefined where the channel cannot open one. */
  readonly directTarget: (target: ReplyTarget, chatType: ChatType) => Promise<ReplyTarget | undefined>;
}

const SEND_LIMIT_MS = 10_000;

export const createReach = (deps: {
  readonly channelOf: (id: ChannelId) => ChannelPlugin;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}): Reach => {
  const send = async (target: ReplyTarget, payload: ReplyPayload): Promise<void> => {
    const message = { deliveryId: newId<DeliveryId>(), target, payload };
    await deps.channelOf(target.channelId).send(message, AbortSignal.timeout(SEND_LIMIT_MS));
  };

  /** In as many parts as it takes: what is to be decided is shown whole, or it is not asked at all. */
  const askInWords = async (target: ReplyTarget, request: ApprovalRequest): Promise<void> => {
    const { maxMessageLength } = deps.channelOf(target.channelId).capabilities;
    const words = texts(request.locale).approvals;
    const question = `${questionOf(request, deps.clock)}\n${words.byCommand({ code: approvalCode(request.id) })}`;
    for (const text of splitMessage(question, maxMessageLength)) await send(target, { text });
  };

  return {
    tell: async (target, text) => {
      try {
        await withTimeLimit(send(target, { text, ephemeral: true }), SEND_LIMIT_MS, deps.clock);
      } catch (error) {
        deps.logger.warn('A person could not be told something', { error });
      }
    },
    ask: async (target, request) => {
      const { requestApproval } = deps.channelOf(target.channelId);
      const asking = requestApproval ? requestApproval(target, request) : askInWords(target, request);
      await withTimeLimit(asking, SEND_LIMIT_MS, deps.clock);
    },
    close: async (target, id) => {
      try {
        const closing = deps.channelOf(target.channelId).closeApproval?.(target, id);
        if (closing) await withTimeLimit(closing, SEND_LIMIT_MS, deps.clock);
      } catch (error) {
        deps.logger.warn('A question could not be taken off', { id, error });
      }
    },
    directTarget: async (target, chatType) => {
      const { directTarget } = deps.channelOf(target.channelId);
      const { replyToMessageId: _answered, threadId: _thread, ...direct } = target;
      if (directTarget) return directTarget(direct);
      return chatType === 'direct' ? direct : undefined;
    },
  };
};
