import type { PipelineMsgContext } from '#src/core/execution.ts';
import type { ConversationMessage } from '#src/core/model.ts';
import type { Exchanges } from '#src/storage/exchanges.ts';

/**
 * The message without quotes of what the conversation already holds: words of a turn, and what an earlier turn or this
 * one's opening quotes. A reply to such a message keeps a line that points at it, unless it is the newest answer.
 */
export const withoutHeld = async (
  ctx: PipelineMsgContext,
  conversation: readonly ConversationMessage[],
  exchanges: Pick<Exchanges, 'behind'>,
): Promise<PipelineMsgContext> => {
  const { earlier = [], replyToMessageId, opening } = ctx;
  if (earlier.length === 0) return ctx;
  const held = new Set<string>([
    ...conversation.flatMap(({ messageIds }) => messageIds ?? []),
    ...(opening?.known ?? []),
  ]);
  const repliedTo = earlier.find(({ messageId }) => messageId === replyToMessageId);
  let isNewest = false;
  // Answers of the bot are known by the message that they answer.
  if (repliedTo?.isOurs) {
    const answered = await exchanges.behind(ctx, repliedTo.messageId);
    const turns = conversation.flatMap(({ inboxIds }) => (inboxIds ? [inboxIds] : []));
    const turn = turns.findLast((ids) => answered && ids.includes(answered.id));
    if (turn) held.add(repliedTo.messageId);
    isNewest = turn !== undefined && turn === turns.at(-1);
  }
  const left = earlier.flatMap((message) => {
    if (!held.has(message.messageId)) return [message];
    return message === repliedTo && !isNewest ? [{ ...message, isHeld: true as const }] : [];
  });
  const { earlier: _all, ...rest } = ctx;
  return left.length > 0 ? { ...rest, earlier: left } : rest;
};
