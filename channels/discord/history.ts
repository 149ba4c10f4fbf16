import { type APIMessage, ChannelType, MessageType } from 'discord.js';
import type { HistoryQuery } from '#src/kernel/channel.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { EarlierMessage, ReplyTarget } from '#src/kernel/message.ts';
import { type Listed, threadIn } from '#src/platform/heard-messages.ts';
import { isRefusal } from './api.ts';
import type { DiscordHeard } from './heard.ts';
import { bodyOf, forwardedIn, isSaid, mediaOf } from './inbound.ts';
import { channelOf, type OutboundDeps } from './outbound.ts';
import type { Directory } from './directory.ts';
import { byAge, timeOf } from './snowflake.ts';

const MAX_LIMIT = 100;
/** Stands for the server of a chat that has none, where nothing is heard. */
const DIRECT = '@me';

/** Replaces the ids of mentions by names. */
const readable = (
  text: string,
  mentions: APIMessage['mentions'] | undefined,
  guildId: string | undefined,
  directory: Directory,
): string => {
  const names = new Map(
    (mentions ?? []).map(({ id, global_name: name, username }) => [id, name ?? username]),
  );
  return text
    .replaceAll(/<@!?(\d+)>/g, (_found, id: string) => `@${names.get(id) ?? 'someone'}`)
    .replaceAll(/<@&(\d+)>/g, (_found, id: string) => {
      const name = guildId === undefined ? undefined : directory.roleName(guildId, id);
      return `@${name ?? 'role'}`;
    })
    .replaceAll(/<#(\d+)>/g, (_found, id: string) => `#${directory.known(id)?.name ?? 'channel'}`)
    .replaceAll(/<a?:(\w{2,32}):\d+>/g, (_found, name: string) => `:${name}:`);
};

/** A link that a card of the bot brings. */
const LINK = /\[([^[\]\n]{1,300})\]\(https?:[^()\s]{1,500}\)/gu;

const embedText = ({ embeds = [] }: Partial<APIMessage>): string =>
  embeds
    .map(({ title, description, fields = [] }) =>
      [title, description, ...fields.map(({ name, value }) => `${name}: ${value.replaceAll(LINK, '$1')}`)]
        .filter((part) => part !== undefined && part !== '')
        .join('\n'),
    )
    .join('\n\n');

/** Cards of the bot are a part of what it said. Cards of others are previews, unless they said nothing else. */
const textOf = (
  message: APIMessage,
  guildId: string | undefined,
  directory: Directory,
  botId: string,
): string => {
  const files = mediaOf(message).map(({ name }) => `[${name}]`);
  const forwarded = forwardedIn(message).map(({ text }) => `> ${text}`);
  const words = [bodyOf(message), ...forwarded].filter((part) => part !== '').join('\n');
  const hasCards = words === '' || message.author.id === botId;
  const text = [words, ...(hasCards ? [embedText(message)] : [])].filter((part) => part !== '').join('\n\n');
  return [readable(text, message.mentions, guildId, directory), ...files]
    .filter((part) => part.trim() !== '')
    .join('\n');
};

/** The message itself, or the one a thread was started from. Other system messages are left out. */
const userMessages = (message: APIMessage): readonly APIMessage[] => {
  if (isSaid(message)) return [message];
  const isStarter = message.type === MessageType.ThreadStarterMessage;
  return isStarter && message.referenced_message ? [message.referenced_message] : [];
};

const botIdOf = ({ self }: OutboundDeps): string => {
  const me = self();
  // Without its id, messages of the bot would be taken for messages of others.
  if (!me) throw new Error('the id of the bot is not known yet');
  return me.botId;
};

const toEarlier = (
  message: APIMessage,
  guildId: string | undefined,
  { directory }: OutboundDeps,
  botId: string,
): EarlierMessage => ({
  messageId: asId<MessageId>(message.id),
  authorName: message.author.global_name ?? message.author.username,
  isOurs: message.author.id === botId,
  isAside: message.interaction_metadata !== undefined,
  text: textOf(message, guildId, directory, botId),
  ...(forwardedIn(message).length > 0 ? { isForward: true as const } : {}),
  typed: bodyOf(message),
  at: timeOf(message.id),
});

const FORUMS: ReadonlySet<ChannelType | undefined> = new Set([
  ChannelType.GuildForum,
  ChannelType.GuildMedia,
]);

/** Reads the first message of a thread. It has the thread's id; for a forum post it is in the thread, else in the channel. */
export const readRoot = async (
  { chatId, threadId }: ReplyTarget,
  deps: OutboundDeps,
  signal: AbortSignal,
): Promise<EarlierMessage | undefined> => {
  const botId = botIdOf(deps);
  if (threadId === undefined) return undefined;
  const thread = deps.directory.known(threadId);
  const channelId = FORUMS.has(thread?.parentType) ? threadId : chatId;
  try {
    const message = await deps.messages.get(channelId, threadId, signal);
    return isSaid(message) ? toEarlier(message, thread?.guildId, deps, botId) : undefined;
  } catch (error) {
    // Some threads were not started from a message, or it was deleted.
    if (isRefusal(error)) return undefined;
    throw error;
  }
};

/** Earlier messages, the oldest first: as the bot heard them, or read from Discord. */
export const readHistory = async (
  { target, before, replyToMessageId, limit }: HistoryQuery,
  deps: OutboundDeps & {
    readonly heardIn: (guildId: string | undefined) => Pick<DiscordHeard, 'messages' | 'repliedTo'>;
  },
  signal: AbortSignal,
): Promise<readonly EarlierMessage[]> => {
  const { messages, directory } = deps;
  const botId = botIdOf(deps);
  const channelId = await channelOf(target, directory, signal);
  const guildId = directory.known(channelId)?.guildId;
  const heard = deps.heardIn(guildId);
  const asked = Math.min(limit, MAX_LIMIT);
  const list = async (): Promise<Listed<APIMessage>> => {
    const listed = await messages.list(channelId, { before, limit: asked }, signal);
    return {
      messages: listed.map((message) => ({ id: message.id, message })),
      isWhole: listed.length < asked,
    };
  };
  const place = threadIn(guildId ?? DIRECT, channelId);
  const found = await heard.messages.before(place, before, asked, list);
  const recent = found.slice(-asked);
  const isMissing = replyToMessageId && !recent.some(({ id }) => id === replyToMessageId);
  // The history is still useful if the answered message was deleted.
  const answered = isMissing
    ? (found.find(({ id }) => id === replyToMessageId) ??
      heard.repliedTo(replyToMessageId) ??
      (await messages.get(channelId, replyToMessageId, signal).catch(() => undefined)))
    : undefined;
  signal.throwIfAborted();
  return [...recent, ...(answered ? [answered] : [])]
    .flatMap(userMessages)
    .toSorted(byAge)
    .map((message) => toEarlier(message, guildId, deps, botId))
    .filter(({ text }) => text !== '');
};
