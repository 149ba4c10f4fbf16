import { createHash } from 'node:crypto';
import { approvalCode, approvalTexts, approvalQuestion } from '#src/kernel/agent/texts/approvals.ts';
import type { ChannelPlugin, ClosedApproval } from '#src/kernel/channel/channel.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import { asId, type ChannelId, type DeliveryId, type MessageId } from '#src/kernel/ids.ts';
import type { ChatType, ReplyPayload, ReplyTarget } from '#src/kernel/chat/message.ts';
import type { ApprovalRequest } from '#src/kernel/agent/approvals.ts';
import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';
import { withTimeLimit } from '#src/platform/concurrency/abort.ts';
import { newId } from '#src/platform/ids.ts';
import type { Uses } from '#src/platform/services.ts';
import { receiptChoices, receiptText } from './receipts.ts';
import { splitMessage } from './response-formatter.ts';

const SEND_LIMIT_MS = 10_000;

/**
 * The same text about the same message has the same id, so that a platform with delivery ids does not show it twice if the
 * event is delivered again after a crash.
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

/** Sends short messages beside the answers, at once and without storing them. */
export const createDirectMessenger = (
  deps: Uses<'clock' | 'logger'> & { readonly channelOf: (id: ChannelId) => ChannelPlugin },
) => {
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

  /** Splits a long question into several messages, because people must see all of what they approve. */
  const askAsText = async (
    target: ReplyTarget,
    request: ApprovalRequest,
  ): Promise<{ readonly messageId?: MessageId }> => {
    const { maxMessageLength } = deps.channelOf(target.channelId).capabilities;
    const t = approvalTexts(request.locale);
    const question = `${approvalQuestion(request, deps.clock)}\n${t.byCommand({ code: approvalCode(request.id) })}`;
    let asked = {};
    for (const text of splitMessage(question, maxMessageLength))
      asked = { messageId: await send(target, { text }) };
    return asked;
  };

  const tell = async (
    target: ReplyTarget,
    notice: string,
    receipts: readonly ChangeReceipt[] = [],
  ): Promise<boolean> => {
    const text = receipts.length > 0 ? `${notice}\n\n${receiptText(receipts)}` : notice;
    const choices = receiptChoices(receipts);
    const payload = { text, ephemeral: true, isHarmless: true, ...(choices.length > 0 && { choices }) };
    try {
      await withTimeLimit(send(target, payload, noticeId(target, text)), SEND_LIMIT_MS, deps.clock);
      return true;
    } catch (error) {
      deps.logger.warn('A notice could not be sent', { error });
      return false;
    }
  };

  const directTarget = async (target: ReplyTarget, chatType: ChatType): Promise<ReplyTarget | undefined> => {
    const { directTarget: open } = deps.channelOf(target.channelId);
    const { replyToMessageId: _answered, threadId: _thread, interaction: _gone, ...direct } = target;
    if (open) return open(direct);
    return chatType === 'direct' ? direct : undefined;
  };

  return {
    /** Sends a notice to one person, with what was changed for them. Never throws. */
    tell: async (target: ReplyTarget, text: string, receipts?: readonly ChangeReceipt[]) =>
      void (await tell(target, text, receipts)),
    /** Sends something secret to the person in their direct chat. False if it could not be sent. Never throws. */
    tellAlone: async (target: ReplyTarget, chatType: ChatType, text: string): Promise<boolean> => {
      try {
        const direct = await directTarget(target, chatType);
        return direct !== undefined && (await tell(direct, text));
      } catch (error) {
        deps.logger.warn('A direct chat could not be opened', { error });
        return false;
      }
    },
    /**
     * Asks for approval of a tool call, with the channel's own UI or as text. Returns the message id if the channel reports
     * it. Throws if the question could not be sent.
     */
    ask: async (target: ReplyTarget, request: ApprovalRequest): Promise<MessageId | undefined> => {
      const { requestApproval = askAsText } = deps.channelOf(target.channelId);
      const put = async (question: ApprovalRequest): Promise<MessageId | undefined> =>
        (await withTimeLimit(requestApproval(target, question), SEND_LIMIT_MS, deps.clock)).messageId;
      try {
        return await put(request);
      } catch (error) {
        // The question may have arrived although the response was lost: a channel with its own UI searches for it.
        const isInDoubt = error instanceof ChannelError && error.failure === 'unreachable';
        if (!isInDoubt || requestApproval === askAsText) throw error;
        return put({ ...request, isRepeated: true });
      }
    },
    /** Closes an approval request. Never throws. */
    close: async (target: ReplyTarget, closed: ClosedApproval) => {
      try {
        const closing = deps.channelOf(target.channelId).closeApproval?.(target, closed);
        if (closing) await withTimeLimit(closing, SEND_LIMIT_MS, deps.clock);
      } catch (error) {
        deps.logger.warn('An approval request could not be closed', { id: closed.id, error });
      }
    },
    /** The direct chat with a person; undefined if the channel cannot open one. */
    directTarget,
  };
};
