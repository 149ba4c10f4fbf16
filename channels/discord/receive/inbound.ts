import { type APIMessage, ChannelType, MessageType } from 'discord.js';
import { type AccountId, asId, type ChatId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import type { ForwardedText, MsgContext, MessageChange } from '#src/kernel/chat/message.ts';
import type { Identity } from '../connect/connection.ts';
import { type ChannelFacts, isThread, type Languages, type Standing } from '../directory.ts';
import { cardsIn, forwardedIn, mediaOf, shownIn, typedIn } from './message-words.ts';
import { DISCORD } from '../settings.ts';
import { timeOf } from '../snowflake.ts';
import { type DiscordMessage, isWhole, listIn } from '../wire.ts';

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

/** Whether a program wrote it, or Discord itself. */
export const isByProgram = ({ author, webhook_id: webhookId }: Partial<DiscordMessage>): boolean =>
  author?.bot === true || author?.system === true || typeof webhookId === 'string';

export type DiscordPlace = Pick<
  MsgContext,
  'chatId' | 'chatType' | 'threadId' | 'guildId' | 'groupSubject' | 'threadTitle'
>;

/** A direct chat has the person's id; a thread has the id of its channel. */
export const placeOf = (
  channel: ChannelFacts,
  guildId: string | undefined,
  personId: string,
): DiscordPlace => {
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

/** What a person passes on to the bot by the menu of a message. */
export const passedOn = (about: APIMessage, applicationId: string): readonly ForwardedText[] => {
  const { author } = about;
  const text = shownIn(about);
  const said: ForwardedText = {
    authorName: author.global_name ?? author.username,
    text,
    ...(author.id === applicationId ? {} : { isFromOthers: true }),
  };
  return [...(text === '' ? [] : [said]), ...forwardedIn(about)];
};

const mentionsBot = (message: DiscordMessage, { self, isOwnRole }: Surroundings): boolean =>
  listIn(message.mentions).some(({ id }) => id === self.botId) ||
  (Array.isArray(message.mention_roles) ? message.mention_roles : []).some(isOwnRole) ||
  message.referenced_message?.author?.id === self.botId;

/** Expects a message for which `isSaid` holds. */
export const toInboundMessage = (message: DiscordMessage, around: Surroundings): MsgContext => {
  const { author, member, message_reference: reference } = message;
  const { self, standing, languages } = around;
  const media = mediaOf(message);
  const isFromBot = isByProgram(message);
  // Below the words of a person, cards are previews of what others wrote.
  const preview = isFromBot ? '' : cardsIn(message);
  const forwarded = [
    ...forwardedIn(message),
    ...(preview === '' ? [] : [{ text: preview, isFromOthers: true as const }]),
  ];
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
    isFromBot,
    mentionsBot: mentionsBot(message, around),
    ...(place.chatType === 'direct' ? {} : { managesGuild: standing.managesGuild }),
    ...(around.ownsBot ? { ownsBot: true } : {}),
    ...(isReply ? { replyToMessageId: asId<MessageId>(reference.message_id ?? '') } : {}),
    body: isFromBot ? shownIn(message) : typedIn(message),
    ...(forwarded.length > 0 ? { forwarded } : {}),
    ...(media.length > 0 ? { media } : {}),
    ...languages,
    timestamp: timeOf(message.id),
  };
};

/** False if the platform made the change (it added a link preview), or a program did. */
export const isEdit = (message: Partial<DiscordMessage>): message is DiscordMessage =>
  isWhole(message) &&
  typeof message.content === 'string' &&
  typeof message.edited_timestamp === 'string' &&
  !isByProgram(message);

export const toEdit = (message: DiscordMessage, chatId: ChatId, self: Identity): MessageChange => ({
  kind: 'edited',
  channelId: DISCORD,
  accountId: asId<AccountId>(self.applicationId),
  chatId,
  messageId: asId<MessageId>(message.id),
  body: typedIn(message),
});
