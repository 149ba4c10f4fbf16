import { type APIMessage, ChannelType, MessageType } from 'discord.js';
import type { HistoryQuery } from '#src/kernel/channel.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { EarlierMessage, ReplyTarget } from '#src/kernel/message.ts';
import { isRefusal } from './api.ts';
import { bodyOf, forwardedIn, isSaid, mediaOf } from './inbound.ts';
import { channelOf, type OutboundDeps } from './outbound.ts';
import type { Places } from './channel-info.ts';
import { byAge, timeOf } from './snowflake.ts';

const MAX_LIMIT = 100;

type Readable = Pick<APIMessage, 'mentions'> & { readonly guildId?: string | undefined };

/** Mentions as names: an id says nothing to who reads it. */
const readable = (text: string, { mentions, guildId }: Readable, places: Places): string => {
  const names = new Map(
    (mentions ?? []).map(({ id, global_name: name, username }) => [id, name ?? username]),
  );
  return text
    .replaceAll(/<@!?(\d+)>/g, (_found, id: string) => `@${names.get(id) ?? 'someone'}`)
    .replaceAll(/<@&(\d+)>/g, (_found, id: string) => {
      const name = guildId === undefined ? undefined : places.roleName(guildId, id);
      return `@${name ?? 'role'}`;
    })
    .replaceAll(/<#(\d+)>/g, (_found, id: string) => `#${places.known(id)?.name ?? 'channel'}`)
    .replaceAll(/<a?:(\w{2,32}):\d+>/g, (_found, name: string) => `:${name}:`);
};

/** What cards of the bot say, where the message says nothing else. */
const embedText = ({ embeds = [] }: Partial<APIMessage>): string =>
  embeds
    .map(({ title, description, fields = [] }) =>
      [title, description, ...fields.map(({ name, value }) => `${name}: ${value}`)]
        .filter((part) => part !== undefined && part !== '')
        .join('\n'),
    )
    .join('\n\n');

const textOf = (message: APIMessage, guildId: string | undefined, places: Places): string => {
  const files = mediaOf(message).map(({ name }) => `[${name}]`);
  const forwarded = forwardedIn(message).map(({ text }) => `> ${text}`);
  const words =
    [bodyOf(message), ...forwarded].filter((part) => part !== '').join('\n') || embedText(message);
  return [readable(words, { mentions: message.mentions, guildId }, places), ...files]
    .filter((part) => part.trim() !== '')
    .join('\n');
};

/** A thread begins with the message it was made from; Discord tells of it as a note that points there. */
const told = (message: APIMessage): readonly APIMessage[] => {
  if (isSaid(message)) return [message];
  const isStarter = message.type === MessageType.ThreadStarterMessage;
  return isStarter && message.referenced_message ? [message.referenced_message] : [];
};

type HistoryDeps = Pick<OutboundDeps, 'messages' | 'places' | 'botId'>;

const botIdOf = ({ botId }: HistoryDeps): string => {
  const id = botId();
  // The bot's own words would pass for words of others.
  if (id === undefined) throw new Error('Discord has not said yet who the bot is');
  return id;
};

const toEarlier = (
  message: APIMessage,
  guildId: string | undefined,
  { places }: HistoryDeps,
  botId: string,
): EarlierMessage => ({
  messageId: asId<MessageId>(message.id),
  authorName: message.author.global_name ?? message.author.username,
  isOurs: message.author.id === botId,
  isAside: message.interaction_metadata !== undefined,
  text: textOf(message, guildId, places),
  ...(forwardedIn(message).length > 0 ? { isForward: true as const } : {}),
  typed: bodyOf(message),
  at: timeOf(message.id),
});

const FORUMS: ReadonlySet<ChannelType | undefined> = new Set([
  ChannelType.GuildForum,
  ChannelType.GuildMedia,
]);

/**
 * The message that a thread was opened on has the thread's id, and stands in the channel; that of a forum's post stands
 * in the post itself.
 */
export const readRoot = async (
  { chatId, threadId }: ReplyTarget,
  deps: HistoryDeps,
  signal: AbortSignal,
): Promise<EarlierMessage | undefined> => {
  const botId = botIdOf(deps);
  if (threadId === undefined) return undefined;
  const thread = deps.places.known(threadId);
  const channelId = FORUMS.has(thread?.parentType) ? threadId : chatId;
  try {
    const message = await deps.messages.get(channelId, threadId, signal);
    return isSaid(message) ? toEarlier(message, thread?.guildId, deps, botId) : undefined;
  } catch (error) {
    // Not every thread hangs on a message, and some of those were deleted.
    if (isRefusal(error)) return undefined;
    throw error;
  }
};

/** What was said before, the oldest first. */
export const readHistory = async (
  { target, before, replyToMessageId, limit }: HistoryQuery,
  deps: HistoryDeps,
  signal: AbortSignal,
): Promise<readonly EarlierMessage[]> => {
  const { messages, places } = deps;
  const botId = botIdOf(deps);
  const channelId = await channelOf(target, places, signal);
  const listed = await messages.list(channelId, { before, limit: Math.min(limit, MAX_LIMIT) }, signal);
  const isMissing = replyToMessageId && !listed.some(({ id }) => id === replyToMessageId);
  // It may have been deleted: that is no reason to know nothing.
  const answered = isMissing
    ? await messages.get(channelId, replyToMessageId, signal).catch(() => undefined)
    : undefined;
  signal.throwIfAborted();
  const guildId = places.known(channelId)?.guildId;
  return [...listed, ...(answered ? [answered] : [])]
    .flatMap(told)
    .toSorted(byAge)
    .map((message) => toEarlier(message, guildId, deps, botId))
    .filter(({ text }) => text !== '');
};
