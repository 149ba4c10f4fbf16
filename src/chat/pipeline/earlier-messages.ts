import { type ChannelPlugin, EARLIER_MESSAGES } from '#src/kernel/channel/channel.ts';
import type { ThreadOpening } from '#src/kernel/agent/execution.ts';
import { type EarlierMessage, type TurnContext, replyTargetOf } from '#src/kernel/chat/message.ts';
import type { MarkupReader } from '#src/platform/text/platform-markup.ts';
import { withoutKeys } from '#src/platform/text/mask-secrets.ts';
import type { CommandRegistry } from '../commands/command-registry.ts';

/**
 * Only for a mention in a group: in a thread with the bot the conversation already has the messages, and an interaction
 * has no message before it.
 */
export const wantsEarlier = (
  { mentionsBot, chatType, interaction }: TurnContext,
  { readHistory }: Pick<ChannelPlugin, 'readHistory'>,
): boolean => readHistory !== undefined && mentionsBot && chatType !== 'direct' && interaction === undefined;

/** The platform's messages before a mention. Undefined if they are not needed. */
export const readEarlier = (
  ctx: TurnContext,
  channel: Pick<ChannelPlugin, 'readHistory'>,
  signal: AbortSignal,
): Promise<readonly EarlierMessage[]> | undefined =>
  wantsEarlier(ctx, channel)
    ? channel.readHistory?.(
        {
          target: replyTargetOf({ ...ctx, threadId: ctx.messageThreadId }),
          before: ctx.messageId,
          ...(ctx.replyToMessageId ? { replyToMessageId: ctx.replyToMessageId } : {}),
          limit: EARLIER_MESSAGES,
        },
        signal,
      )
    : undefined;

export interface EarlierDeps {
  readonly registry: Pick<CommandRegistry, 'commandIn'>;
  readonly markup: Pick<MarkupReader, 'readable'>;
}

/** Commands to the bot are not quoted, since their answers may have been for their senders only. */
const isQuotable = (
  { text, typed, isOurs }: EarlierMessage,
  { commandIn }: Pick<CommandRegistry, 'commandIn'>,
): boolean => text.trim() !== '' && (isOurs || commandIn(typed ?? text) === null);

/** The message for the model: without keys, and with times in the person's zone. */
const asQuoted = (
  { typed: _typed, ...message }: EarlierMessage,
  { timeZone }: TurnContext,
  { readable }: Pick<MarkupReader, 'readable'>,
): EarlierMessage => ({
  ...message,
  text: withoutKeys(readable(message.text, timeZone)),
});

/**
 * The messages after the bot's own newest one, because the conversation has the earlier ones. The message that the person
 * replies to is always included. Some platforms report a thread's first message as the one replied to; that does not
 * count.
 */
export const newMessages = (
  ctx: TurnContext,
  history: readonly EarlierMessage[],
  { registry, markup }: EarlierDeps,
): readonly EarlierMessage[] => {
  const { messageId, merged, replyToMessageId, messageThreadId } = ctx;
  const ofThisTurn = new Set([messageId, ...merged.map((each) => each.messageId)]);
  const others = history.filter((each) => !ofThisTurn.has(each.messageId));
  const isRepliedTo = (each: EarlierMessage): boolean =>
    each.messageId === replyToMessageId && each.messageId !== (messageThreadId as string | undefined);
  const lastOurs = others.findLastIndex(
    ({ isOurs, isAside, text }) => isOurs && !isAside && text.trim() !== '',
  );
  const wanted = others.filter(
    (each, index) => (index > lastOurs || isRepliedTo(each)) && isQuotable(each, registry),
  );
  return wanted
    .filter((each, index) => index >= wanted.length - EARLIER_MESSAGES || isRepliedTo(each))
    .map((each) => asQuoted(each, ctx, markup));
};

/** The thread's root message, from the history or read from the platform. */
export const rootOf = async (
  ctx: TurnContext,
  { erasedAt }: ThreadOpening,
  channel: Pick<ChannelPlugin, 'capabilities' | 'readRoot'>,
  history: Promise<readonly EarlierMessage[]> | undefined,
  { registry, markup }: EarlierDeps,
  signal: AbortSignal,
): Promise<EarlierMessage | undefined> => {
  const read = () => channel.readRoot?.(replyTargetOf({ ...ctx, threadId: ctx.messageThreadId }), signal);
  const ahead = channel.capabilities.keepsRootsApart ? read() : undefined;
  // Nobody awaits it if the history has the root.
  ahead?.catch(() => undefined);
  const listed = (await history?.catch(() => [])) ?? [];
  const root =
    listed.find(({ messageId }) => messageId === (ctx.messageThreadId as string | undefined)) ??
    (await (ahead ?? read()));
  const isErased = erasedAt !== undefined && root && Temporal.Instant.compare(root.at, erasedAt) <= 0;
  return root && !isErased && isQuotable(root, registry)
    ? { ...asQuoted(root, ctx, markup), root: 'itself' }
    : undefined;
};

/** Platforms mark up the same words differently, so only letters and digits are compared. */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '');

/**
 * The bot's answer that was posted as this message. The program adds notes to the model's text, so the answer must be
 * most of the message, but not all of it.
 */
const answerPostedAs = (
  root: EarlierMessage,
  messages: readonly EarlierMessage[],
): EarlierMessage | undefined => {
  if (!root.isOurs) return undefined;
  const posted = lettersOf(root.text);
  return messages.findLast(({ isOurs, text }) => {
    const letters = lettersOf(text);
    return isOurs && letters.length * 2 > posted.length && posted.includes(letters);
  });
};

/**
 * Adds the root message. If it is an answer in the parent's turns, that turn is marked instead: Slack does not report the
 * id of the answer to a slash command.
 */
export const withRoot = (opening: ThreadOpening, root: EarlierMessage): ThreadOpening => {
  const { messages, known } = opening;
  const twin = answerPostedAs(root, messages);
  return {
    ...opening,
    messages: twin
      ? messages.map((each) => (each === twin ? { ...each, root: 'itself' } : each))
      : [root, ...messages].toSorted((a, b) => Temporal.Instant.compare(a.at, b.at)),
    known: [...known, root.messageId],
  };
};
