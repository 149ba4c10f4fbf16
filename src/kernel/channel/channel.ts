import type { Locale } from '../locale.ts';
import type { ApprovalId, ChannelId, MessageId, Timestamp, UserId } from '../ids.ts';
import type {
  EarlierMessage,
  MediaAttachment,
  OutboundMessage,
  ReplyPayload,
  ReplyTarget,
} from '../chat/message.ts';
import type { ApprovalRequest, ApprovalVerdict } from '../agent/approvals.ts';
import type { ChannelCapabilities } from '../chat/capabilities.ts';
import type { ChannelHost } from './host.ts';
import type { LiveOptions, LiveAnswer } from '../chat/live-answer.ts';

/** How an approval request ended. */
export interface ClosedApproval {
  readonly id: ApprovalId;
  /** The message with the question, if known. */
  readonly messageId?: MessageId;
  readonly request: ApprovalRequest;
  readonly verdict: ApprovalVerdict | 'expired' | 'given-up';
  /** Absent if nobody decided. */
  readonly decidedBy?: UserId;
  readonly at: Timestamp;
}

/** How many messages before a mention are quoted at most. */
export const EARLIER_MESSAGES = 20;

export interface HistoryQuery {
  readonly target: ReplyTarget;
  /** The message that mentions the bot. Messages before it are wanted. */
  readonly before: MessageId;
  /** The message it replies to, which is wanted however old it is. */
  readonly replyToMessageId?: MessageId;
  readonly limit: number;
}

/** `left`: the recipient is no longer in the chat. `bot-removed`: the bot is not, or the chat does not exist. */
export type Membership = 'member' | 'left' | 'bot-removed';

/** Whether the recipient is still in the chat of a notification. Never throws; in doubt the answer is `member`. */
export type MembershipCheck = (target: ReplyTarget) => Promise<Membership>;

/** A platform. The bot works without the optional members. */
export interface ChannelPlugin {
  readonly id: ChannelId;
  readonly capabilities: ChannelCapabilities;
  /**
   * Connects and begins to receive. An unreachable platform is no error: this resolves after a moment and keeps trying
   * in the background. Throws an operational `FinClawError` for what only the operator can fix (a wrong token).
   */
  readonly start: (host: ChannelHost) => Promise<void>;
  /** Stops receiving. `send` works until `close`, so that answers in progress arrive. */
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly isConnected: () => boolean;
  /** Whether the platform names this person as an owner of the bot. Never rejects; false if the platform does not answer. */
  readonly ownsBot?: (userId: UserId) => Promise<boolean>;
  /** Why it will not be connected before an operator acts, as a sentence for them. Undefined while it tries. */
  readonly problem?: () => string | undefined;
  /**
   * Throws `ChannelError` if the platform refused or is unreachable; the caller decides on a retry. An ephemeral
   * payload is shown to `recipientId` alone; a platform without such messages sends it to their direct chat.
   */
  readonly send: (
    message: OutboundMessage,
    signal: AbortSignal,
  ) => Promise<{ readonly messageId: MessageId }>;

  /** The bytes of an attachment. Throws `MEDIA_TOO_LARGE` above `maxBytes`. */
  readonly readMedia?: (media: MediaAttachment, maxBytes: number, signal: AbortSignal) => Promise<Uint8Array>;
  /** Earlier messages, oldest first. */
  readonly readHistory?: (query: HistoryQuery, signal: AbortSignal) => Promise<readonly EarlierMessage[]>;
  /** The message that started the target's thread. Undefined if there is none or it was deleted. */
  readonly readRoot?: (target: ReplyTarget, signal: AbortSignal) => Promise<EarlierMessage | undefined>;
  readonly addReaction?: (target: ReplyTarget, emoji: string) => Promise<void>;
  readonly removeReaction?: (target: ReplyTarget, emoji: string) => Promise<void>;
  readonly sendTyping?: (target: ReplyTarget) => Promise<void>;
  readonly openLive?: (target: ReplyTarget, options: LiveOptions) => LiveAnswer;
  /** Asks for approval with the channel's own UI. Without it, the bot asks in text and waits for `/approve`. */
  readonly requestApproval?: (
    target: ReplyTarget,
    request: ApprovalRequest,
  ) => Promise<{ readonly messageId?: MessageId }>;
  /** Closes the question after the request was decided or given up. */
  readonly closeApproval?: (target: ReplyTarget, closed: ClosedApproval) => Promise<void>;
  /**
   * Whether the recipient and the bot can still read the chat, which is not a direct chat. Throws `ChannelError` if
   * the platform does not answer.
   */
  readonly membership?: (target: ReplyTarget, signal: AbortSignal) => Promise<Membership>;
  /** Rewrites commands in a text in the platform's notation. Absent: people type them as they are. */
  readonly phrase?: (text: string, locale: Locale) => string;
  /** Writes an answer without sending it, so that the first one is sent as fast as the others. */
  readonly warmUp?: (answer: ReplyPayload) => void;
  /** The direct chat with the recipient. */
  readonly directTarget?: (target: ReplyTarget) => Promise<ReplyTarget>;
}
