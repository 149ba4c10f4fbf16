import { createHash } from 'node:crypto';
import { approvalCode, approvalMessages, approvalQuestion } from '#src/kernel/messages/approvals.ts';
import type { ChannelPlugin, ClosedApproval } from '#src/kernel/channel.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import { asId, type ChannelId, type DeliveryId, type MessageId } from '#src/kernel/ids.ts';
import type { ChatType, ReplyPayload, ReplyTarget } from '#src/kernel/message.ts';
import type { ApprovalRequest } from '#src/kernel/ports.ts';
import { withTimeLimit } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { splitMessage } from './response-formatter.ts';

/** What is said to a person beside the answers: short, at once, and not stored. */
export interface DirectMessenger {
  /** A sentence for one person's eyes. Never throws. */
  readonly tell: (target: ReplyTarget, text: string) => Promise<void>;
  /**
   * A question about a tool call, in the channel's own way or in words. Gives the message in which it stands, where
   * the channel says so. Throws where it could not be put.
   */
  readonly ask: (target: ReplyTarget, request: ApprovalRequest) => Promise<MessageId | undefined>;
  /** The question needs no answer any more. Never throws. */
  readonly close: (target: ReplyTarget, closed: ClosedApproval) => Promise<void>;
  /** The private chat with a person; undefined where the channel cannot open one. */
  readonly directTarget: (target: ReplyTarget, chatType: ChatType) => Promise<ReplyTarget | undefined>;
}

const SEND_LIMIT_MS = 10_000;

/**
 * The same words about the same message are the same notice: a platform that tells the message again after a crash, and
 * knows delivery ids, does not show it twice.
 */
const noticeId = (
  { channelId, accountId, chatId, replyToMessageId }: ReplyTarget,
  text: string,
): DeliveryId =>
  replyToMessageId === undefined
    ? newId<DeliveryId>()
    : asId<DeliveryId>(
        createHash('sha256')
          .update(JSON.stringify([channelId, accountId, chatId, replyToMessageId, text]))
          .digest('hex')
          .slice(0, 32),
      );

export const createDirectMessenger = (deps: {
  readonly channelOf: (id: ChannelId) => ChannelPlugin;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}): DirectMessenger => {
  const send = async (
    target: ReplyTarget,
    payload: ReplyPayload,
    deliveryId = newId<DeliveryId>(),
  ): Promise<MessageId> => {
    const channel = deps.channelOf(target.channelId);
    const text =
      channel.phrase?.(payload.text, detectLocale(payload.text, undefined, 'auto')) ?? payload.text;
    const message = { deliveryId, target, payload: { ...payload, text } };
    return (await channel.send(message, AbortSignal.timeout(SEND_LIMIT_MS))).messageId;
  };

  /** In as many parts as it takes: what is to be decided is shown whole, or it is not asked at all. */
  const askInWords = async (
    target: ReplyTarget,
    request: ApprovalRequest,
  ): Promise<{ readonly messageId?: MessageId }> => {
    const { maxMessageLength } = deps.channelOf(target.channelId).capabilities;
    const t = approvalMessages(request.locale);
    const question = `${approvalQuestion(request, deps.clock)}\n${t.byCommand({ code: approvalCode(request.id) })}`;
    let asked = {};
    for (const text of splitMessage(question, maxMessageLength))
      asked = { messageId: await send(target, { text }) };
    return asked;
  };

  return {
    tell: async (target, text) => {
      try {
        await withTimeLimit(
          send(target, { text, ephemeral: true, isHarmless: true }, noticeId(target, text)),
          SEND_LIMIT_MS,
          deps.clock,
        );
      } catch (error) {
        deps.logger.warn('A person could not be told something', { error });
      }
    },
    ask: async (target, request) => {
      const { requestApproval = askInWords } = deps.channelOf(target.channelId);
      const put = async (question: ApprovalRequest): Promise<MessageId | undefined> =>
        (await withTimeLimit(requestApproval(target, question), SEND_LIMIT_MS, deps.clock)).messageId;
      try {
        return await put(request);
      } catch (error) {
        // It may have arrived, and only the answer to that was lost: a channel with a way of its own looks for it.
        const isInDoubt = error instanceof ChannelError && error.failure === 'unreachable';
        if (!isInDoubt || requestApproval === askInWords) throw error;
        return put({ ...request, isRepeated: true });
      }
    },
    close: async (target, closed) => {
      try {
        const closing = deps.channelOf(target.channelId).closeApproval?.(target, closed);
        if (closing) await withTimeLimit(closing, SEND_LIMIT_MS, deps.clock);
      } catch (error) {
        deps.logger.warn('A question could not be taken off', { id: closed.id, error });
      }
    },
    directTarget: async (target, chatType) => {
      const { directTarget } = deps.channelOf(target.channelId);
      const { replyToMessageId: _answered, threadId: _thread, interaction: _gone, ...direct } = target;
      if (directTarget) return directTarget(direct);
      return chatType === 'direct' ? direct : undefined;
    },
  };
};
