import type { Locale } from './i18n.ts';
import type {
  AccountId,
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

export type ChatType = 'direct' | 'group' | 'channel';

export interface MediaAttachment {
  readonly kind: 'image' | 'audio' | 'video' | 'file';
  readonly mimeType: string;
  readonly name: string;
  /** Where to read it: a platform address or a path below the data directory. */
  readonly url: string;
  readonly sizeBytes?: number;
  readonly altText?: string;
}

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
  readonly senderUsername?: string;
  readonly senderRoles: readonly string[];
  /** True for the bot's own messages echoed by the platform. */
  readonly isFromSelf: boolean;
  readonly isFromBot?: boolean;
  /** The bot was addressed by name. */
  readonly mentionsBot?: boolean;
  readonly replyToMessageId?: MessageId;
  /** A Discord guild or a Slack team. */
  readonly guildId?: string;
  readonly groupSubject?: string;
  readonly groupMembers?: readonly string[];
  readonly isForum?: boolean;
  readonly body: string;
  readonly media?: readonly MediaAttachment[];
  /** The language the platform reports for the sender, where it does. */
  readonly locale?: Locale;
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
  /** The others of its turn, in order; their words are in `body` too. Empty for a message by itself. */
  readonly merged: readonly MergedMessage[];
  readonly messageId: MessageId;
  /** As the person wrote it, mentions of the bot removed. */
  readonly body: string;
  /** What the model reads; keeps its line breaks. */
  readonly bodyForAgent: string;
  /** Exactly what the platform sent. */
  readonly rawBody: string;
  /** One line, whitespace-normal: what command parsing sees. */
  readonly commandBody?: string;
  readonly from: string;
  readonly senderId: UserId;
  readonly senderName: string;
  readonly senderUsername?: string;
  readonly userRoles: readonly string[];
  readonly isAdmin: boolean;
  readonly provider: string;
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly chatId: ChatId;
  readonly chatType: ChatType;
  readonly sessionKey: SessionKey;
  readonly parentSessionKey?: SessionKey;
  readonly groupSubject?: string;
  readonly groupMembers?: readonly string[];
  readonly messageThreadId?: ThreadId;
  readonly isForum?: boolean;
  readonly media?: readonly MediaAttachment[];
  readonly locale: Locale;
  readonly timeZone: string;
  readonly timestamp: Timestamp;
  readonly isHeartbeat?: boolean;
  readonly isCommand?: boolean;
  readonly commandAuthorized?: boolean;
}

export interface ReplyPayload {
  readonly text: string;
  readonly media?: readonly MediaAttachment[];
  /** Shown to the sender alone; a platform that cannot do that sends it to the direct chat instead. */
  readonly ephemeral?: boolean;
  /** A sentence of ours that ends an answer which could not be given whole. */
  readonly isClosing?: boolean;
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
}

type ReplySource = Pick<InboundMessage, 'channelId' | 'accountId' | 'chatId' | 'messageId' | 'senderId'> & {
  readonly threadId?: ThreadId | undefined;
};

export const replyTargetOf = (source: ReplySource): ReplyTarget => ({
  channelId: source.channelId,
  accountId: source.accountId,
  chatId: source.chatId,
  ...(source.threadId ? { threadId: source.threadId } : {}),
  replyToMessageId: source.messageId,
  recipientId: source.senderId,
});

/** One platform message: one part of an answer. Sending it twice with the same id must be safe to detect. */
export interface OutboundMessage {
  readonly deliveryId: DeliveryId;
  readonly target: ReplyTarget;
  readonly payload: ReplyPayload;
}
