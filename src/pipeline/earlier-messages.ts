import type { ChannelPlugin } from '#src/core/channel.ts';
import { type EarlierMessage, type MsgContext, replyTargetOf } from '#src/core/message.ts';
import { withoutKeys } from '#src/infra/mask-secrets.ts';
import type { CommandRegistry } from './command-registry.ts';
import { readableMarkup } from './platform-markup.ts';

const MAX_MESSAGES = 20;

/**
 * Only where the bot was called by name into a talk of others: a thread that it takes part in is in the
 * conversation, and what came through an interaction stands behind no message.
 */
export const wantsEarlier = (
  { mentionsBot, chatType, interaction }: MsgContext,
  { readHistory }: Pick<ChannelPlugin, 'readHistory'>,
): boolean => readHistory !== undefined && mentionsBot && chatType !== 'direct' && interaction === undefined;

/**
 * What is new to the conversation: all that was said behind the bot's own newest message in it, for that and what
 * stood before it is known. What the person replied to is always in it: "this" means it. What was a command to the
 * bot is no talk: it may hold what its sender alone was to see the answer to.
 */
const newTo = (
  { messageId, merged, replyToMessageId }: MsgContext,
  history: readonly EarlierMessage[],
  { commandIn }: Pick<CommandRegistry, 'commandIn'>,
): readonly EarlierMessage[] => {
  const ofThisTurn = new Set([messageId, ...merged.map((each) => each.messageId)]);
  const isTalk = ({ text, typed, isOurs }: EarlierMessage): boolean =>
    text.trim() !== '' && (isOurs || commandIn(typed ?? text) === null);
  const others = history.filter((each) => !ofThisTurn.has(each.messageId) && isTalk(each));
  const isRepliedTo = (each: EarlierMessage): boolean => each.messageId === replyToMessageId;
  const lastOurs = others.findLastIndex((each) => each.isOurs && !each.isAside);
  const firstKept = Math.max(lastOurs + 1, others.length - MAX_MESSAGES);
  return others.filter((each, index) => index >= firstKept || isRepliedTo(each));
};

/** What others said before the message. Undefined where it is not wanted; rejects where it could not be had. */
export const earlierMessages = (
  ctx: MsgContext,
  channel: Pick<ChannelPlugin, 'readHistory'>,
  registry: Pick<CommandRegistry, 'commandIn'>,
  signal: AbortSignal,
): Promise<readonly EarlierMessage[]> | undefined => {
  if (!wantsEarlier(ctx, channel)) return undefined;
  const asked = channel.readHistory?.(
    {
      target: replyTargetOf({ ...ctx, threadId: ctx.messageThreadId }),
      before: ctx.messageId,
      ...(ctx.replyToMessageId ? { replyToMessageId: ctx.replyToMessageId } : {}),
      limit: MAX_MESSAGES,
    },
    signal,
  );
  return asked?.then((history) =>
    newTo(ctx, history, registry).map(({ typed: _typed, ...each }) => ({
      ...each,
      // Times that a platform shows to everybody in their own zone, as the person has them.
      text: withoutKeys(readableMarkup(each.text, ctx.timeZone)),
    })),
  );
};
