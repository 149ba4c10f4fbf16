import type { CommandIn } from './command-definition.ts';
import type { Locale } from './locale.ts';
import type {
  AccountId,
  ApprovalId,
  ChannelId,
  ChatId,
  DeliveryId,
  EventId,
  InboxId,
  MessageId,
  SessionKey,
  ThreadId,
  Timestamp,
  UserId,
} from './ids.ts';
import type { ZoneSource } from './time-zone.ts';

export type ChatType = 'direct' | 'group' | 'channel';

/** Where something is said. */
export type ChatPlace = Pick<InboundMessage, 'channelId' | 'chatId' | 'chatType'>;

export interface MediaAttachment {
  readonly kind: 'image' | 'audio' | 'video' | 'file';
  readonly mimeType: string;
  readonly name: string;
  /** Where to read it: a platform address or a path below the data directory. */
  readonly url: string;
  readonly sizeBytes?: number;
  readonly altText?: string;
  /** It came in a forwarded message that the bot may have written: it gives no web addresses. */
  readonly isMaybeOurs?: true;
}

/**
 * How an interaction is answered, as long as the platform allows: 15 minutes (Discord), 30 (Slack). After that,
 * and where it is refused, the answer goes to the person's direct chat, never to the channel.
 */
export interface InteractionReply {
  /** Discord: the interaction's token. Slack: its `response_url`. Never shown, never logged. */
  readonly token: string;
  /** It was acknowledged as an answer that only the requester sees; that cannot be changed afterwards. */
  readonly isPrivate: boolean;
}

/** Words of somebody else that a person passed on. */
export interface ForwardedText {
  readonly authorName?: string;
  readonly text: string;
  /** The platform says that somebody other than the bot wrote it. Absent: the bot may have, so it gives no web addresses. */
  readonly isFromOthers?: true;
}

/**
 * A typed answer to a question of the bot, in place of a button. It is read once, on arrival, and stored with the
 * message, so that it means the same after a restart.
 */
export type TypedReply =
  | {
      readonly kind: 'decision';
      readonly approvalId: ApprovalId;
      readonly verdict: 'approved' | 'denied';
    }
  /** Neither a yes nor a no: the question is asked again. */
  | { readonly kind: 'unclear'; readonly approvalIds: readonly ApprovalId[] }
  /** A yes or a no while several questions are open. */
  | {
      readonly kind: 'which';
      readonly verdict: 'approved' | 'denied';
      readonly approvalIds: readonly ApprovalId[];
    }
  /** One answer to each of several questions: `yes to both`, `둘 다`. */
  | {
      readonly kind: 'decisions';
      readonly verdict: 'approved' | 'denied';
      readonly approvalIds: readonly ApprovalId[];
    }
  | { readonly kind: 'expired'; readonly approvalId: ApprovalId }
  /** A no to what a command asked. */
  | { readonly kind: 'declined' };

/** What every adapter makes of its platform's event. Plain data: it is stored in the inbox as it is. */
export interface InboundMessage {
  readonly id: EventId;
  readonly messageId: MessageId;
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly chatId: ChatId;
  readonly chatType: ChatType;
  readonly threadId?: ThreadId;
  readonly senderId: UserId;
  readonly senderName: string;
  readonly senderRoles: readonly string[];
  /** True for the bot's own messages echoed by the platform. */
  readonly isFromSelf: boolean;
  readonly isFromBot?: boolean;
  /** The bot was addressed by name. */
  readonly mentionsBot?: boolean;
  readonly replyToMessageId?: MessageId;
  /** A Discord guild or a Slack team: the one whose settings hold in this place. */
  readonly guildId?: string;
  /** Where the sender belongs to another one, as a guest of Slack Connect does: theirs. */
  readonly senderGuildId?: string;
  /** The sender runs that guild (Discord: may manage the server; Slack: an admin of the workspace). */
  readonly managesGuild?: boolean;
  /** It came as a slash command or a press of a button: this is how it is answered. */
  readonly interaction?: InteractionReply;
  /** The name of the channel, as its people chose it. */
  readonly groupSubject?: string;
  /** The name of the thread, as its people chose it. */
  readonly threadTitle?: string;
  /** The sender's own words. */
  readonly body: string;
  readonly forwarded?: readonly ForwardedText[];
  readonly media?: readonly MediaAttachment[];
  /** The language the platform reports for the sender, where it does. */
  readonly locale?: Locale;
  /** The sender's language tag as the platform reports it: `ko`, `en-GB`. */
  readonly languageTag?: string;
  /** The server's language tag. */
  readonly guildLanguageTag?: string;
  /** The zone of the sender's profile on the platform, where there is one. */
  readonly timeZone?: string;
  /** Set by the gateway: the message answers a question of the bot and does not go to the model. */
  readonly reply?: TypedReply;
  /** Set by the gateway: it, or the answer to it, was deleted on the platform later. It is not quoted any more. */
  readonly isDeleted?: true;
  readonly timestamp: Timestamp;
}

/** Another message of the same sender that is part of this one's turn. */
export interface MergedMessage {
  readonly inboxId: InboxId;
  readonly messageId: MessageId;
  /** What the model reads of it. */
  readonly body: string;
}

/** What happened on the platform to a message after it was sent. */
export type MessageChange = Pick<InboundMessage, 'channelId' | 'accountId' | 'chatId' | 'messageId'> &
  ({ readonly kind: 'edited'; readonly body: string } | { readonly kind: 'deleted' });

/** One accepted message on its way through the pipeline. */
export interface MsgContext {
  readonly inboxId: InboxId;
  /** The others of its turn, in order; their words are in `rawBody` too. Empty for a message by itself. */
  readonly merged: readonly MergedMessage[];
  readonly messageId: MessageId;
  /** What the model reads; keeps its line breaks. */
  readonly bodyForAgent: string;
  /** Exactly what the platform sent. */
  readonly rawBody: string;
  readonly senderId: UserId;
  readonly senderName: string;
  readonly userRoles: readonly string[];
  readonly isAdmin: boolean;
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly chatId: ChatId;
  readonly chatType: ChatType;
  readonly sessionKey: SessionKey;
  /** In a thread: the conversation of the chat in which the thread was opened. */
  readonly parentSessionKey?: SessionKey;
  readonly groupSubject?: string;
  readonly messageThreadId?: ThreadId;
  readonly threadTitle?: string;
  readonly guildId?: string;
  readonly managesGuild: boolean;
  /** The bot was addressed by name, in a place where others talk. */
  readonly mentionsBot: boolean;
  /** What the message is a reply to. */
  readonly replyToMessageId?: MessageId;
  readonly interaction?: InteractionReply;
  readonly forwarded?: readonly ForwardedText[];
  readonly media?: readonly MediaAttachment[];
  readonly locale: Locale;
  readonly timeZone: string;
  /** Where the zone comes from. Absent: it is certainly the person's own. */
  readonly zoneFrom?: ZoneSource;
  readonly timestamp: Timestamp;
  /** The command in `rawBody`, parsed when the message arrived; null for a question. Absent: nobody has parsed it yet. */
  readonly command?: CommandIn | null;
}

/** A quote or a portfolio, for platforms that draw such things. Numbers are formatted; text is plain, no Markdown. */
export interface Card {
  readonly title: string;
  /** The one line that matters: the price and its change. */
  readonly headline: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** From where and as of when; says so where it is sample data. */
  readonly footer: string;
  readonly tone: 'up' | 'down' | 'flat';
}

/** Longer commands fit into no button: platforms keep a button's value short. */
export const MAX_PRESSED_CHARS = 80;

/** Something to press instead of typing it. */
export interface Choice {
  readonly label: string;
  /** What pressing it says, as if the person had written it: `/price 005380.KS`. At most 80 characters. */
  readonly command: string;
  /**
   * What can be typed instead of pressing it: a yes, a no, or its place among those that are `pick`. Absent: it can
   * only be pressed.
   */
  readonly answers?: 'yes' | 'no' | 'pick';
}

export interface ReplyPayload {
  readonly text: string;
  /** Drawn below the text. Only channels that have the capability get them. */
  readonly cards?: readonly Card[];
  /** Of what is told later, on whatever channel: stands in the place of `text` where the cards are drawn. */
  readonly textWithCards?: string;
  readonly choices?: readonly Choice[];
  /** What to type on a platform without buttons. */
  readonly typed?: string;
  readonly media?: readonly MediaAttachment[];
  /** Shown to the sender alone; a platform that cannot do that sends it to the direct chat instead. */
  readonly ephemeral?: boolean;
  /** Ephemeral only to spare the others: where the platform cannot do that, it is said in the chat all the same. */
  readonly isHarmless?: boolean;
  /** A sentence of ours that ends an answer which could not be given whole. */
  readonly isClosing?: boolean;
  /** The reader's language: colours and notes beside the text follow it. */
  readonly locale?: Locale;
  /** The one person to mention and notify. No other mention in the text notifies anybody. */
  readonly mentions?: UserId;
}

/** Where an answer goes: to the message, in its chat and thread. */
export interface ReplyTarget {
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly chatId: ChatId;
  readonly threadId?: ThreadId;
  readonly replyToMessageId?: MessageId;
  /** Who an ephemeral payload is for. */
  readonly recipientId: UserId;
  /** It is the private chat with the recipient; `chatId` is then the person's id, not that of a channel. */
  readonly isDirect?: true;
  /** For a direct chat: the chat of the request. The person is told there if the direct chat is closed. */
  readonly askedIn?: { readonly chatId: ChatId; readonly threadId?: ThreadId };
  /** Answer through this, as long as it lasts. `replyToMessageId` is then no message that could be pointed at. */
  readonly interaction?: InteractionReply;
}

type ReplySource = Pick<
  InboundMessage,
  'channelId' | 'accountId' | 'chatId' | 'chatType' | 'messageId' | 'senderId' | 'interaction'
> & {
  readonly threadId?: ThreadId | undefined;
};

export const replyTargetOf = (source: ReplySource): ReplyTarget => ({
  channelId: source.channelId,
  accountId: source.accountId,
  chatId: source.chatId,
  ...(source.threadId ? { threadId: source.threadId } : {}),
  replyToMessageId: source.messageId,
  recipientId: source.senderId,
  ...(source.chatType === 'direct' ? { isDirect: true } : {}),
  ...(source.interaction ? { interaction: source.interaction } : {}),
});

/** One platform message: one part of an answer. Sending it twice with the same id must be safe to detect. */
export interface OutboundMessage {
  readonly deliveryId: DeliveryId;
  readonly target: ReplyTarget;
  readonly payload: ReplyPayload;
  /** It takes the place of this message (what was shown live of the answer): an edit, and no new message. */
  readonly replaces?: MessageId;
  /** It was tried before, first at this time, and may have arrived: the channel looks before it sends again. */
  readonly inDoubtSince?: Timestamp;
}

/** Something that was said before a message that goes to the model. */
export interface EarlierMessage {
  readonly messageId: MessageId;
  readonly authorName: string;
  /** The bot's own. */
  readonly isOurs: boolean;
  /** The bot's own, but no part of a talk: what a slash command was answered with. */
  readonly isAside?: boolean;
  /** As people read it: with the names of those who are mentioned, and of files. */
  readonly text: string;
  /** As it was typed, where that differs: what was a command is told from it. */
  readonly typed?: string;
  /** Words of a forwarded message are in the text, and the bot may have written those: it gives no web addresses. */
  readonly isForward?: true;
  /** The thread was opened on it, or on another message of its turn. */
  readonly root?: 'itself' | 'same-turn';
  /** The person who writes now wrote it. */
  readonly isSenders?: true;
  /** The conversation already holds its words, so the quote only points at it. */
  readonly isHeld?: true;
  readonly at: Timestamp;
}
