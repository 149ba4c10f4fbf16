import {
  type AccountId,
  asId,
  type ChatId,
  type EventId,
  type MessageId,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { ChatType, InboundMessage, MessageChange } from '#src/kernel/message.ts';
import type { Person, Place } from './directory.ts';
import { bodyOf, forwardedIn, mediaOf, textOf } from './message-text.ts';
import { SLACK, type SlackIdentity } from './settings.ts';
import { instantOf, isTs, type SlackMessage, type SlackMessageEvent } from './wire.ts';

/** A message that somebody wrote. Joins, topics, pins and the like are not. */
const WRITTEN: ReadonlySet<string | undefined> = new Set([
  undefined,
  'file_share',
  'me_message',
  'thread_broadcast',
  'bot_message',
]);

export interface PostedMessage {
  readonly channel: string;
  readonly ts: string;
  /** Of the person, or of the app where there is none. */
  readonly author: string;
  readonly message: SlackMessage;
  readonly chatType: ChatType | undefined;
}

/** What an event of the `message` family means to us. */
export type MessageEvent =
  | { readonly kind: 'said'; readonly said: PostedMessage }
  | {
      readonly kind: 'changed';
      readonly channel: string;
      readonly author: string;
      readonly ts: string;
      readonly change: { readonly kind: 'edited'; readonly body: string } | { readonly kind: 'deleted' };
      readonly chatType: ChatType | undefined;
    }
  | { readonly kind: 'ignored'; readonly why: string };

const CHAT_TYPES: Readonly<Record<string, ChatType>> = {
  im: 'direct',
  app_home: 'direct',
  mpim: 'group',
  channel: 'channel',
  group: 'channel',
};

/** A mention names no type; that of a private chat shows in its id. */
const chatTypeOf = (channel: string, channelType: string | undefined): ChatType | undefined =>
  channel.startsWith('D') ? 'direct' : CHAT_TYPES[channelType ?? ''];

const ignored = (why: string): MessageEvent => ({ kind: 'ignored', why });

const changeOf = (event: SlackMessageEvent, channel: string): MessageEvent => {
  const chatType = chatTypeOf(channel, event.channel_type);
  const before = event.previous_message;
  const after = event.message;
  const isGone = event.subtype === 'message_deleted' || after?.subtype === 'tombstone';
  const ts = isGone ? (event.deleted_ts ?? before?.ts ?? after?.ts) : after?.ts;
  const author = before?.user ?? after?.user;
  if (!isTs(ts) || author === undefined) return ignored('a change of nothing');
  if ((after ?? before)?.bot_id !== undefined || before?.bot_id !== undefined)
    return ignored('an app changed its own message');
  if (isGone) return { kind: 'changed', channel, author, ts, change: { kind: 'deleted' }, chatType };
  if (after === undefined || !WRITTEN.has(after.subtype)) return ignored('a system message');
  // Previews, pins and the count of replies are changes too, and not the author's.
  if (before !== undefined && (before.text ?? '') === (after.text ?? ''))
    return ignored('its words are the same');
  return { kind: 'changed', channel, author, ts, change: { kind: 'edited', body: bodyOf(after) }, chatType };
};

/** Pure, and never throws: what cannot be understood is ignored. */
export const readMessageEvent = (event: SlackMessageEvent): MessageEvent => {
  const { channel, subtype, ts } = event;
  if (typeof channel !== 'string' || channel === '') return ignored('no channel');
  if (subtype === 'message_changed' || subtype === 'message_deleted') return changeOf(event, channel);
  if (!WRITTEN.has(subtype) || event.hidden === true)
    return ignored(`a system message: ${subtype ?? 'hidden'}`);
  const author = event.user ?? event.bot_id;
  if (!isTs(ts) || author === undefined) return ignored('no author or time');
  if (textOf(event) === '' && mediaOf(event).length === 0) return ignored('empty');
  const chatType = chatTypeOf(channel, event.channel_type);
  return { kind: 'said', said: { channel, ts, author, message: event, chatType } };
};

/** All that is known around what was said. */
export interface Surroundings {
  readonly self: SlackIdentity;
  readonly person: Person | undefined;
  readonly place: Place | undefined;
}

/** The bot's own. */
export const isOwn = ({ user, bot_id: botId }: SlackMessage, self: SlackIdentity): boolean =>
  user === self.userId || (botId !== undefined && botId === self.botId);

const mentions = ({ text = '', type }: SlackMessage, userId: string): boolean =>
  type === 'app_mention' || text.includes(`<@${userId}>`) || text.includes(`<@${userId}|`);

/**
 * What every way to speak to the bot has in common. In a channel that is shared with another workspace, `toldTeam` is
 * the one that Slack names for the sender.
 */
export const senderOf = (
  userId: string,
  { self, person }: Pick<Surroundings, 'self' | 'person'>,
  toldTeam: string | undefined,
): Pick<
  InboundMessage,
  | 'channelId'
  | 'accountId'
  | 'senderId'
  | 'senderName'
  | 'senderRoles'
  | 'guildId'
  | 'senderGuildId'
  | 'managesGuild'
  | 'locale'
  | 'timeZone'
> => {
  const team = toldTeam ?? person?.teamId;
  const isGuest = team !== undefined && team !== self.teamId;
  return {
    channelId: SLACK,
    accountId: asId<AccountId>(self.teamId),
    senderId: asId<UserId>(userId),
    senderName: person?.name ?? userId,
    senderRoles: [],
    guildId: self.teamId,
    ...(isGuest ? { senderGuildId: team } : {}),
    ...(person?.isAdmin && !isGuest ? { managesGuild: true } : {}),
    ...(person?.locale ? { locale: person.locale } : {}),
    ...(person?.timeZone ? { timeZone: person.timeZone } : {}),
  };
};

/** The event id is the message's own: a mention comes as two events about one message. */
export const toInboundMessage = (said: PostedMessage, around: Surroundings): InboundMessage => {
  const { channel, ts, author, message } = said;
  const { self, person, place } = around;
  const chatType = said.chatType ?? place?.chatType ?? 'channel';
  const isDirect = chatType === 'direct';
  const thread = message.thread_ts ?? (isDirect ? undefined : ts);
  const isReply = message.thread_ts !== undefined && message.thread_ts !== ts;
  const isFromSelf = isOwn(message, self);
  const media = mediaOf(message, self);
  const forwarded = forwardedIn(message, self);
  const team = message.user_team ?? message.source_team ?? person?.teamId ?? message.team;
  const { senderName, ...sender } = senderOf(author, around, team);
  return {
    ...sender,
    senderName: person ? senderName : message.username || senderName,
    id: asId<EventId>(ts),
    messageId: asId<MessageId>(ts),
    chatId: asId<ChatId>(isDirect ? author : channel),
    chatType,
    ...(thread === undefined ? {} : { threadId: asId<ThreadId>(thread) }),
    isFromSelf,
    ...(message.bot_id !== undefined || person?.isBot ? { isFromBot: true } : {}),
    ...(mentions(message, self.userId) || (isReply && message.parent_user_id === self.userId)
      ? { mentionsBot: true }
      : {}),
    ...(isReply ? { replyToMessageId: asId<MessageId>(message.thread_ts ?? ts) } : {}),
    ...(isDirect || !place?.name ? {} : { groupSubject: place.name }),
    body: bodyOf(message),
    ...(forwarded.length > 0 ? { forwarded } : {}),
    ...(media.length > 0 ? { media } : {}),
    timestamp: instantOf(ts),
  };
};

export const toMessageChange = (
  changed: MessageEvent & { readonly kind: 'changed' },
  self: SlackIdentity,
  place: Place | undefined,
): MessageChange => ({
  channelId: SLACK,
  accountId: asId<AccountId>(self.teamId),
  chatId: asId<ChatId>((changed.chatType ?? place?.chatType) === 'direct' ? changed.author : changed.channel),
  messageId: asId<MessageId>(changed.ts),
  ...changed.change,
});
