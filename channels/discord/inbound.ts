import {
  type APIAttachment,
  type APIGuildMember,
  type APIMessage,
  ChannelType,
  MessageFlags,
  MessageType,
} from 'discord.js';
import { type AccountId, asId, type ChatId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import type { ForwardedText, InboundMessage, MediaAttachment, MessageChange } from '#src/kernel/message.ts';
import { mediaKindOf } from '#src/platform/media.ts';
import type { Identity } from './connection.ts';
import { type ChannelFacts, isThread, type Languages, type Standing } from './directory.ts';
import { DISCORD } from './settings.ts';
import { timeOf } from './snowflake.ts';

/** A message of the gateway or of REST; REST leaves out the member. */
export type DiscordMessage = APIMessage & {
  readonly guild_id?: string;
  readonly member?: Partial<APIGuildMember>;
};

/** Facts about a message that it does not contain. */
export interface Surroundings {
  readonly self: Identity;
  readonly channel: ChannelFacts;
  readonly standing: Standing;
  readonly ownsBot: boolean;
  readonly isOwnRole: (roleId: string) => boolean;
  readonly languages: Languages;
}

/** Messages of people and programs; all other types are system messages ("… joined", "… pinned a message"). */
const SAID: ReadonlySet<MessageType> = new Set([
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
]);

export const isSaid = ({ type }: Pick<DiscordMessage, 'type'>): boolean => SAID.has(type);

export type Place = Pick<
  InboundMessage,
  'chatId' | 'chatType' | 'threadId' | 'guildId' | 'groupSubject' | 'threadTitle'
>;

/** A direct chat has the person's id; a thread has the id of its channel. */
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

export const toMedia = (file: APIAttachment): MediaAttachment => {
  const mimeType = file.content_type?.split(';')[0]?.trim() || 'application/octet-stream';
  return {
    kind: mediaKindOf(mimeType),
    mimeType,
    name: file.filename,
    url: file.url,
    sizeBytes: file.size,
    ...(file.description ? { altText: file.description } : {}),
    ...(file.duration_secs === undefined ? {} : { durationSeconds: file.duration_secs }),
  };
};

/** Discord sets the flag on a message that is one recording, made in its app. */
const isVoiceMessage = ({ flags }: Partial<DiscordMessage>): boolean =>
  ((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0;

const asSpoken = (file: MediaAttachment): MediaAttachment =>
  file.kind === 'audio' ? { ...file, isVoice: true } : file;

/** Stickers are named but not sent to the model as pictures. */
const mediaIn = ({
  attachments,
  sticker_items: stickers,
}: Partial<Pick<DiscordMessage, 'attachments' | 'sticker_items'>>): readonly MediaAttachment[] => [
  ...(attachments ?? []).map(toMedia),
  ...(stickers ?? []).map(({ id, name }): MediaAttachment => ({
    kind: 'file',
    mimeType: 'application/x-sticker',
    name: `sticker: ${name}`,
    url: `https://cdn.discordapp.com/stickers/${id}.png`,
  })),
];

export const mediaOf = (message: Partial<DiscordMessage>): readonly MediaAttachment[] => [
  ...(isVoiceMessage(message) ? mediaIn(message).map(asSpoken) : mediaIn(message)),
  ...(message.message_snapshots ?? [])
    .flatMap(({ message: forwarded }) => mediaIn(forwarded))
    .map((file) => ({ ...file, isMaybeOurs: true as const })),
];

/** Forwarded messages. Discord does not name their authors, so none is marked as written by others. */
export const forwardedIn = ({ message_snapshots: passedOn = [] }: Partial<DiscordMessage>) =>
  passedOn
    .map(({ message: { content } }): ForwardedText => ({ text: content.trim() }))
    .filter(({ text }) => text !== '');

/** The author's own text, polls included. */
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

/** Expects a message for which `isSaid` holds. */
export const toInboundMessage = (message: DiscordMessage, around: Surroundings): InboundMessage => {
  const { author, member, message_reference: reference } = message;
  const { self, standing, languages } = around;
  const media = mediaOf(message);
  const forwarded = forwardedIn(message);
  // Forwarded messages and those of followed channels have a reference too.
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
    ...(around.ownsBot ? { ownsBot: true } : {}),
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

/** False if the platform made the change (it added a link preview), or a program did. */
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
