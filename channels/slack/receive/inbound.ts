import {
  type AccountId,
  asId,
  type ChatId,
  type EventId,
  type MessageId,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import {
  asPassedOn,
  type ChatType,
  type MsgContext,
  type MediaAttachment,
  type MessageChange,
} from '#src/kernel/chat/message.ts';
import { mediaKindOf } from '#src/platform/files/media.ts';
import type { SlackPerson, SlackPlace } from '../directory.ts';
import { bodyOf, forwardsIn, isOwn, type Self } from './message-words.ts';
import { SLACK, type SlackIdentity } from '../settings.ts';
import {
  FILE_SCHEME,
  instantOf,
  isTs,
  type SlackFile,
  type SlackMessage,
  type SlackMessageEvent,
} from '../wire.ts';

/** Complete words only: a preview with more behind it would cut off the question. */
const wordsOf = ({ transcription }: SlackFile): string | undefined => {
  const { status, preview } = transcription ?? {};
  const words = preview?.has_more === false ? preview.content?.trim() : undefined;
  return status === 'complete' && words !== '' ? words : undefined;
};

/** Recorded in Slack's app. Some clients give a clip without a picture the type of a video. */
const spokenIn = (file: SlackFile): Partial<MediaAttachment> => {
  if (file.subtype !== 'slack_audio') return {};
  const words = wordsOf(file);
  return { kind: 'audio', isVoice: true, ...(words === undefined ? {} : { words }) };
};

const toMedia = (file: SlackFile): readonly MediaAttachment[] => {
  if (file.mode === 'tombstone' || file.mode === 'hidden_by_limit') return [];
  const address = file.url_private_download ?? file.url_private;
  const url = file.file_access === 'check_file_info' ? undefined : address;
  if (url === undefined && file.id === undefined) return [];
  const mimeType = file.mimetype || 'application/octet-stream';
  return [
    {
      kind: mediaKindOf(mimeType),
      mimeType,
      name: file.name || file.title || file.id || 'file',
      url: url ?? `${FILE_SCHEME}${file.id}`,
      ...(file.size === undefined ? {} : { sizeBytes: file.size }),
      ...(file.alt_txt ? { altText: file.alt_txt } : {}),
      ...(file.duration_ms === undefined ? {} : { durationSeconds: file.duration_ms / 1_000 }),
      ...spokenIn(file),
    },
  ];
};

/** The files of a message and of its forwarded messages. Without `self`, forwarded files may be the bot's own. */
export const mediaOf = (message: SlackMessage, self?: Self): readonly MediaAttachment[] => [
  ...(message.files ?? []).flatMap((file) =>
    file.user === message.user ? toMedia(file) : toMedia(file).map(asPassedOn),
  ),
  ...forwardsIn(message, self).flatMap(({ files, isFromOthers }) => {
    const media = files.flatMap(toMedia).map(asPassedOn);
    return isFromOthers ? media : media.map((file) => ({ ...file, isMaybeOurs: true as const }));
  }),
];

/** The subtypes of written messages. Joins, topics, pins and the like are system messages. */
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
  /** The id of the person, else of the app. */
  readonly author: string;
  readonly message: SlackMessage;
  readonly chatType: ChatType | undefined;
}

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

/** Mentions carry no channel type; the id of a direct chat begins with D. */
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
  if (!isTs(ts) || author === undefined) return ignored('a change without author or time');
  if ((after ?? before)?.bot_id !== undefined || before?.bot_id !== undefined)
    return ignored('an app changed its own message');
  if (isGone) return { kind: 'changed', channel, author, ts, change: { kind: 'deleted' }, chatType };
  if (after === undefined || !WRITTEN.has(after.subtype)) return ignored('a system message');
  // Previews, pins and reply counts are reported as changes too, although the author changed nothing.
  const body = bodyOf(after);
  if (before !== undefined && bodyOf(before) === body) return ignored('the text did not change');
  return { kind: 'changed', channel, author, ts, change: { kind: 'edited', body }, chatType };
};

/** Slack itself, which tells what happened to channels and the like. It says of both that they are no bots. */
const OF_SLACK: ReadonlySet<string> = new Set(['USLACK', 'USLACKBOT']);

/** Pure; never throws. Events of an unknown form are ignored. */
export const readMessageEvent = (event: SlackMessageEvent): MessageEvent => {
  const { channel, subtype, ts } = event;
  if (typeof channel !== 'string' || channel === '') return ignored('no channel');
  if (subtype === 'message_changed' || subtype === 'message_deleted') return changeOf(event, channel);
  if (!WRITTEN.has(subtype) || event.hidden === true)
    return ignored(`a system message: ${subtype ?? 'hidden'}`);
  const author = event.user ?? event.bot_id;
  if (!isTs(ts) || author === undefined) return ignored('no author or time');
  if (OF_SLACK.has(author)) return ignored('a notice of Slack');
  // A message of which nothing can be read is received: the person is told.
  const isSomething = [event.text, event.blocks, event.attachments].some((part) => part?.length);
  if (!isSomething && mediaOf(event).length === 0) return ignored('empty');
  const chatType = chatTypeOf(channel, event.channel_type);
  return { kind: 'said', said: { channel, ts, author, message: event, chatType } };
};

/** Facts about a message that it does not contain. */
interface Surroundings {
  readonly self: SlackIdentity;
  readonly person: SlackPerson | undefined;
  readonly place: SlackPlace | undefined;
}

const mentions = (message: SlackMessage, userId: string): boolean => {
  const body = bodyOf(message);
  return message.type === 'app_mention' || body.includes(`<@${userId}>`) || body.includes(`<@${userId}|`);
};

/** Whether it names the bot, or is a reply in a thread that the bot began. */
export const isForBot = (message: SlackMessage, { userId }: Pick<Self, 'userId'>): boolean => {
  const { ts, thread_ts: thread, parent_user_id: parent } = message;
  return mentions(message, userId) || (thread !== undefined && thread !== ts && parent === userId);
};

/**
 * The fields that messages, commands and buttons share. In a channel shared with another workspace, `toldTeam` is the
 * workspace that Slack names for the sender.
 */
export const senderOf = (
  userId: string,
  { self, person }: Pick<Surroundings, 'self' | 'person'>,
  toldTeam: string | undefined,
): Pick<
  MsgContext,
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

/** The event id is that of the message, because a mention arrives as two events about one message. */
export const toInboundMessage = (said: PostedMessage, around: Surroundings): MsgContext => {
  const { channel, ts, author, message } = said;
  const { self, person, place } = around;
  const chatType = said.chatType ?? place?.chatType ?? 'channel';
  const isDirect = chatType === 'direct';
  const thread = message.thread_ts ?? (isDirect ? undefined : ts);
  const isReply = message.thread_ts !== undefined && message.thread_ts !== ts;
  const isFromSelf = isOwn(message, self);
  const media = mediaOf(message, self);
  const forwarded = forwardsIn(message, self).flatMap(({ texts, isFromOthers }) =>
    texts.map((text) => ({ ...text, ...(isFromOthers ? { isFromOthers: true as const } : {}) })),
  );
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
    ...(isForBot(message, self) ? { mentionsBot: true } : {}),
    ...(isReply ? { replyToMessageId: asId<MessageId>(message.thread_ts ?? ts) } : {}),
    ...(isDirect || !place?.name ? {} : { groupSubject: place.name }),
    body: bodyOf(message, self),
    ...(forwarded.length > 0 ? { forwarded } : {}),
    ...(media.length > 0 ? { media } : {}),
    timestamp: instantOf(ts),
  };
};

export const toMessageChange = (
  changed: MessageEvent & { readonly kind: 'changed' },
  self: SlackIdentity,
  place: SlackPlace | undefined,
): MessageChange => ({
  channelId: SLACK,
  accountId: asId<AccountId>(self.teamId),
  chatId: asId<ChatId>((changed.chatType ?? place?.chatType) === 'direct' ? changed.author : changed.channel),
  messageId: asId<MessageId>(changed.ts),
  ...changed.change,
});
