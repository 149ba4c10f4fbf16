import {
  type APIAttachment,
  type APIGuildMember,
  type APIMessage,
  ChannelType,
  MessageType,
} from 'discord.js';
import { type AccountId, asId, type ChatId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import type { ForwardedText, InboundMessage, MediaAttachment, MessageChange } from '#src/kernel/message.ts';
import type { Identity } from './connection.ts';
import { type ChannelFacts, isThread, type Languages, type Standing } from './channel-info.ts';
import { DISCORD } from './settings.ts';
import { timeOf } from './snowflake.ts';

/** A message as the gateway and REST tell of it; REST leaves out the member. */
export type DiscordMessage = APIMessage & {
  readonly guild_id?: string;
  readonly member?: Partial<APIGuildMember>;
};

/** What is known around a message, and is not in it. */
export interface Surroundings {
  readonly self: Identity;
  readonly channel: ChannelFacts;
  readonly standing: Standing;
  readonly isOwnRole: (roleId: string) => boolean;
  readonly languages: Languages;
}

/** What people and programs say; all other kinds are notes of Discord's own ("… joined", "… pinned a message"). */
const SAID: ReadonlySet<MessageType> = new Set([
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
]);

export const isSaid = ({ type }: Pick<DiscordMessage, 'type'>): boolean => SAID.has(type);

type Place = Pick<
  InboundMessage,
  'chatId' | 'chatType' | 'threadId' | 'guildId' | 'groupSubject' | 'threadTitle'
>;

/** Of a direct chat the person is the chat; a thread belongs to its channel. */
export const placeOf = (channel: ChannelFacts, guildId: string | undefined, personId: string): Place => {
  const isDirect = guildId === undefined && channel.guildId === undefined;
  if (isDirect) {
    return channel.type === ChannelType.GroupDM
      ? { chatId: asId<ChatId>(channel.id), chatType: 'group' }
      : { chatId: asId<ChatId>(channel.recipientId ?? personId), chatType: 'direct' };
  }
  const inThread = isThread(channel) && channel.parentId !== undefined;
  const subject = inThread ? channel.parentName : channel.name;
  return {
    chatId: asId<ChatId>(inThread ? (channel.parentId ?? channel.id) : channel.id),
    chatType: 'channel',
    ...(inThread ? { threadId: asId<ThreadId>(channel.id) } : {}),
    guildId: guildId ?? channel.guildId ?? '',
    ...(subject === undefined ? {} : { groupSubject: subject }),
    ...(inThread && channel.name !== undefined ? { threadTitle: channel.name } : {}),
  };
};

const kindOf = (mimeType: string): MediaAttachment['kind'] => {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
};

export const toMedia = (file: APIAttachment): MediaAttachment => {
  const mimeType = file.content_type?.split(';')[0]?.trim() || 'application/octet-stream';
  return {
    kind: kindOf(mimeType),
    mimeType,
    name: file.filename,
    url: file.url,
    sizeBytes: file.size,
    ...(file.description ? { altText: file.description } : {}),
  };
};

type Words = Pick<DiscordMessage, 'content' | 'attachments' | 'sticker_items'>;

/** A sticker is no picture that a model is meant to read: it is named, and that is all. */
const mediaIn = ({ attachments, sticker_items: stickers }: Partial<Words>): readonly MediaAttachment[] => [
  ...(attachments ?? []).map(toMedia),
  ...(stickers ?? []).map(({ id, name }): MediaAttachment => ({
    kind: 'file',
    mimeType: 'application/x-sticker',
    name: `sticker: ${name}`,
    url: `https://cdn.discordapp.com/stickers/${id}.png`,
  })),
];

export const mediaOf = (message: Partial<DiscordMessage>): readonly MediaAttachment[] => [
  ...mediaIn(message),
  ...(message.message_snapshots ?? [])
    .flatMap(({ message: forwarded }) => mediaIn(forwarded))
    .map((file) => ({ ...file, isMaybeOurs: true as const })),
];

/** What a message passes on. Discord does not say who wrote it, so none of it is marked as words of others. */
export const forwardedIn = ({ message_snapshots: passedOn = [] }: Partial<DiscordMessage>) =>
  passedOn
    .map(({ message: { content } }): ForwardedText => ({ text: content.trim() }))
    .filter(({ text }) => text !== '');

/** The author's own words. */
export const bodyOf = (message: Partial<DiscordMessage>): string => {
  const poll = message.poll;
  const question = poll
    ? [poll.question.text ?? '', ...poll.answers.map(({ poll_media: { text } }) => `- ${text ?? ''}`)]
    : [];
  return [message.content ?? '', ...(question.length > 0 ? [question.join('\n')] : [])]
    .filter((part) => part !== '')
    .join('\n\n');
};

const mentionsBot = (message: DiscordMessage, { self, isOwnRole }: Surroundings): boolean =>
  (message.mentions ?? []).some(({ id }) => id === self.botId) ||
  (message.mention_roles ?? []).some(isOwnRole) ||
  message.referenced_message?.author?.id === self.botId;

/** A message in our words. The caller has made sure that somebody said it. */
export const toInboundMessage = (message: DiscordMessage, around: Surroundings): InboundMessage => {
  const { author, member, message_reference: reference } = message;
  const { self, standing, languages } = around;
  const media = mediaOf(message);
  const forwarded = forwardedIn(message);
  // What is forwarded, or comes from a channel that is followed, points somewhere too.
  const isReply = message.type === MessageType.Reply && reference?.message_id !== undefined;
  const place = placeOf(around.channel, message.guild_id, author.id);
  return {
    id: asId(message.id),
    messageId: asId(message.id),
    channelId: DISCORD,
    accountId: asId<AccountId>(self.applicationId),
    ...place,
    senderId: asId(author.id),
    senderName: member?.nick ?? author.global_name ?? author.username,
    senderRoles: standing.roles,
    isFromSelf: author.id === self.botId,
    isFromBot: author.bot === true || message.webhook_id !== undefined,
    mentionsBot: mentionsBot(message, around),
    ...(place.chatType === 'direct' ? {} : { managesGuild: standing.managesGuild }),
    ...(isReply ? { replyToMessageId: asId<MessageId>(reference.message_id ?? '') } : {}),
    body: bodyOf(message),
    ...(forwarded.length > 0 ? { forwarded } : {}),
    ...(media.length > 0 ? { media } : {}),
    ...languages,
    timestamp: timeOf(message.id),
  };
};

type EditedMessage = Partial<DiscordMessage> &
  Pick<DiscordMessage, 'id' | 'channel_id' | 'author' | 'content'>;

/** False where the platform itself changed something (a link got its preview), or a program did. */
export const isEdit = (message: Partial<DiscordMessage>): message is EditedMessage => {
  const { id, channel_id: channelId, author, content, edited_timestamp: editedAt } = message;
  const isWhole = id !== undefined && channelId !== undefined && content !== undefined;
  const isByPerson = author !== undefined && author.bot !== true && message.webhook_id === undefined;
  return isWhole && isByPerson && typeof editedAt === 'string';
};

export const toEdit = (message: EditedMessage, chatId: ChatId, self: Identity): MessageChange => ({
  kind: 'edited',
  channelId: DISCORD,
  accountId: asId<AccountId>(self.applicationId),
  chatId,
  messageId: asId<MessageId>(message.id),
  body: bodyOf(message),
});
