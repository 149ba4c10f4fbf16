import { type APIMessage, MessageType } from 'discord.js';
import type { HistoryQuery } from '#src/kernel/channel/channel.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { EarlierMessage, ReplyTarget } from '#src/kernel/chat/message.ts';
import { type Listed, threadIn } from '#src/platform/recent-messages.ts';
import { isRefusal } from '../api.ts';
import type { DiscordRecentMessages } from './recent-messages.ts';
import { isSaid } from './inbound.ts';
import { forwardedIn, mediaOf, shownIn, typedIn } from './message-words.ts';
import { channelOf, type DiscordOutboundDeps } from '../send/outbound.ts';
import { type DiscordDirectory, isForum } from '../directory.ts';
import { byAge, timeOf } from '../snowflake.ts';
import { isWhole, joined, listIn, textIn } from '../wire.ts';

const MAX_LIMIT = 100;
/** Stands for the server of a chat that has none, where nothing is heard. */
const DIRECT = '@me';

/** Replaces the ids of mentions by names. */
const readable = (
  text: string,
  mentions: APIMessage['mentions'] | undefined,
  guildId: string | undefined,
  directory: DiscordDirectory,
): string => {
  const names = new Map(
    listIn(mentions).map(({ id, global_name: name, username }) => [id, textIn(name) || textIn(username)]),
  );
  return text
    .replaceAll(/<@!?(\d+)>/g, (_found, id: string) => `@${names.get(id) || 'someone'}`)
    .replaceAll(/<@&(\d+)>/g, (_found, id: string) => {
      const name = guildId === undefined ? undefined : directory.roleName(guildId, id);
      return `@${name ?? 'role'}`;
    })
    .replaceAll(/<#(\d+)>/g, (_found, id: string) => `#${directory.known(id)?.name ?? 'channel'}`)
    .replaceAll(/<a?:(\w{2,32}):\d+>/g, (_found, name: string) => `:${name}:`);
};

const textOf = (message: APIMessage, guildId: string | undefined, directory: DiscordDirectory): string => {
  const files = mediaOf(message).map(({ name }) => `[${name}]`);
  const forwarded = forwardedIn(message).map(({ text }) => `> ${text}`);
  const text = joined([shownIn(message), joined(forwarded, '\n')], '\n');
  return joined([readable(text, message.mentions, guildId, directory), ...files], '\n');
};

/** The message itself, or the one a thread was started from. Other system messages are left out. */
const userMessages = (message: APIMessage): readonly APIMessage[] => {
  if (!isWhole(message)) return [];
  if (isSaid(message)) return [message];
  const { type, referenced_message: starter } = message;
  return type === MessageType.ThreadStarterMessage && isWhole(starter) ? [starter] : [];
};

const botIdOf = ({ self }: DiscordOutboundDeps): string => {
  const me = self();
  // Without its id, messages of the bot would be taken for messages of others.
  if (!me) throw new Error('the id of the bot is not known yet');
  return me.botId;
};

const toEarlier = (
  message: APIMessage,
  guildId: string | undefined,
  { directory }: DiscordOutboundDeps,
  botId: string,
): EarlierMessage => ({
  messageId: asId<MessageId>(message.id),
  authorName: message.author.global_name ?? message.author.username,
  isOurs: message.author.id === botId,
  isAside: message.interaction_metadata !== undefined,
  text: textOf(message, guildId, directory),
  ...(forwardedIn(message).length > 0 ? { isForward: true as const } : {}),
  typed: typedIn(message),
  at: timeOf(message.id),
});

/** Reads the first message of a thread. It has the thread's id; for a forum post it is in the thread, else in the channel. */
export const readRoot = async (
  { chatId, threadId }: ReplyTarget,
  deps: DiscordOutboundDeps,
  signal: AbortSignal,
): Promise<EarlierMessage | undefined> => {
  const botId = botIdOf(deps);
  if (threadId === undefined) return undefined;
  const thread = deps.directory.known(threadId);
  const channelId = isForum(thread?.parentType) ? threadId : chatId;
  try {
    const message = await deps.messages.get(channelId, threadId, signal);
    return isWhole(message) && isSaid(message) ? toEarlier(message, thread?.guildId, deps, botId) : undefined;
  } catch (error) {
    // Some threads were not started from a message, or it was deleted.
    if (isRefusal(error)) return undefined;
    throw error;
  }
};

/** Earlier messages, the oldest first: as the bot heard them, or read from Discord. */
export const readHistory = async (
  { target, before, replyToMessageId, limit }: HistoryQuery,
  deps: DiscordOutboundDeps & {
    readonly recentIn: (guildId: string | undefined) => Pick<DiscordRecentMessages, 'messages' | 'repliedTo'>;
  },
  signal: AbortSignal,
): Promise<readonly EarlierMessage[]> => {
  const { messages, directory } = deps;
  const botId = botIdOf(deps);
  const channelId = await channelOf(target, directory, signal);
  const guildId = directory.known(channelId)?.guildId;
  const cached = deps.recentIn(guildId);
  const asked = Math.min(limit, MAX_LIMIT);
  const list = async (): Promise<Listed<APIMessage>> => {
    const listed = await messages.list(channelId, { before, limit: asked }, signal);
    return {
      messages: listed.map((message) => ({ id: message.id, message })),
      isWhole: listed.length < asked,
    };
  };
  const place = threadIn(guildId ?? DIRECT, channelId);
  const found = await cached.messages.before(place, before, asked, list);
  const recent = found.slice(-asked);
  const isMissing = replyToMessageId && !recent.some(({ id }) => id === replyToMessageId);
  // The history is still useful if the answered message was deleted.
  const answered = isMissing
    ? (found.find(({ id }) => id === replyToMessageId) ??
      cached.repliedTo(replyToMessageId) ??
      (await messages.get(channelId, replyToMessageId, signal).catch(() => undefined)))
    : undefined;
  signal.throwIfAborted();
  return [...recent, ...(answered ? [answered] : [])]
    .flatMap(userMessages)
    .toSorted(byAge)
    .map((message) => toEarlier(message, guildId, deps, botId))
    .filter(({ text }) => text !== '');
};
