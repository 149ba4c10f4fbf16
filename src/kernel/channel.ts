import type { Form } from './command.ts';
import type { CommandDefinition, SuggestionSource } from './command-definition.ts';
import type { Locale } from './locale.ts';
import type {
  AccountId,
  ApprovalId,
  ChannelId,
  ChatId,
  DeliveryId,
  MessageId,
  SessionKey,
  ThreadId,
  Timestamp,
  UserId,
} from './ids.ts';
import type {
  ChatType,
  EarlierMessage,
  InboundMessage,
  MediaAttachment,
  MessageChange,
  OutboundMessage,
  ReplyTarget,
} from './message.ts';
import type { ApprovalRequest, Approvals, ApprovalVerdict, Keys, QueueControl } from './ports.ts';

export interface ChannelCapabilities {
  readonly maxMessageLength: number;
  readonly supportsMarkdown: boolean;
  readonly supportsTables: boolean;
  /** In a channel each conversation is a thread, and a slash command stands in none. */
  readonly talksInThreads?: boolean;
  /** It draws `ReplyPayload.cards`. */
  readonly supportsCards?: boolean;
  /** It shows `ReplyPayload.choices` as buttons. Otherwise the person is told what to type. */
  readonly supportsChoices?: boolean;
}

/** How the gateway answered to a message; the adapter acknowledges the platform only after it has this. */
export type Receipt =
  | {
      readonly outcome: 'accepted';
      readonly sessionKey: SessionKey;
      /** Resolves (never rejects) when the message has been worked off, whatever came of it. */
      readonly settled: Promise<void>;
    }
  | { readonly outcome: 'duplicate' }
  /** `isTold`: its sender has been told why. */
  | { readonly outcome: 'dropped'; readonly reason: string; readonly isTold?: boolean };

/** What the app offers to a channel. */
export interface ChannelHost {
  /** Resolves once the message is durable or refused. Rejects only if it could not be stored: do not acknowledge then. */
  readonly receive: (message: InboundMessage) => Promise<Receipt>;
  /** A message was edited or deleted: where it still waits, it changes or goes. Rejects only if that could not be stored. */
  readonly revise: (change: MessageChange) => Promise<'changed' | 'withdrawn' | 'too-late'>;
  readonly queue: Pick<QueueControl, 'stop'>;
  /** For channels where a key can be entered unseen; it must never become a message. */
  readonly keys: Pick<Keys, 'add'>;
  /** For channels that ask for a decision in their own way. */
  readonly approvals: Pick<Approvals, 'decide'>;
  /** All that can be called by name, for platforms that want to know beforehand. */
  readonly commands: () => readonly CommandDefinition[];
  /** What a person who is typing an option may mean, the likeliest first, at most `limit`. Never throws. */
  readonly suggest: (
    source: SuggestionSource,
    typed: string,
    sender: FormSender,
    limit: number,
  ) => readonly Suggestion[];
  readonly forms: Forms;
  /** Until when events were received, and where people were talking: for those that were missed. */
  readonly progress: ChannelProgress;
  /** What answers, for those who greet. */
  readonly describeModel: () => { readonly name: string; readonly isOffline: boolean };
  /** Whether prices are real; `undecided`: the first question will show. */
  readonly describeMarket: () => 'live' | 'sample' | 'undecided';
  /** The person asked the program to end (console: end of input, Ctrl-C). */
  readonly requestShutdown: () => void;
}

export interface Suggestion {
  readonly label: string;
  /** What is put in for it. */
  readonly value: string;
}

/** A person as their platform vouches for them. */
export type FormSender = Pick<InboundMessage, 'channelId' | 'accountId' | 'senderId' | 'senderRoles'> & {
  readonly locale: Locale;
};

/** Port: the forms behind commands, such as the one for a new key. */
export interface Forms {
  /** The form that this command, so called, asks for; undefined: none, it is an ordinary message. At once: no look-up. */
  readonly open: (commandText: string, sender: FormSender) => Form | undefined;
  /** Says what came of it, for the sender's eyes alone. Never throws. */
  readonly submit: (
    formId: string,
    values: Readonly<Record<string, string>>,
    sender: FormSender,
  ) => Promise<string>;
}

/** A place in which the bot was spoken to. */
export interface ActiveChat {
  /** Of a direct chat the person's id. */
  readonly chatId: ChatId;
  readonly chatType: ChatType;
  readonly threadId?: ThreadId;
}

/** Port: how far a channel has heard. */
export interface ChannelProgress {
  /** When the newest event was received, as far as it is stored; undefined at the first start. */
  readonly seenUntil: (channelId: ChannelId, accountId: AccountId) => Promise<Timestamp | undefined>;
  /** An event was received. Stored now and then: cheap, returns at once, never throws. */
  readonly saw: (channelId: ChannelId, accountId: AccountId, at: Timestamp) => void;
  /**
   * Something was received and is not stored yet. Until the returned function is called, nothing after `from` counts as
   * seen (without it: nothing new at all), so that a crash cannot make the next start pass over it.
   */
  readonly hold: (channelId: ChannelId, accountId: AccountId, from?: Timestamp) => () => void;
  /** Where messages were accepted since then, the newest first, at most 200. */
  readonly activeChats: (
    channelId: ChannelId,
    accountId: AccountId,
    since: Timestamp,
  ) => Promise<readonly ActiveChat[]>;
}

/** What is shown while an answer is made. */
export const LIVE_MODES = ['off', 'status', 'stream'] as const;
export type LiveMode = (typeof LIVE_MODES)[number];

export interface LiveOptions {
  readonly mode: Exclude<LiveMode, 'off'>;
  readonly locale: Locale;
  /** The id under which the live message is posted, if one is: the same one after a restart. */
  readonly deliveryId: DeliveryId;
  /** An earlier process had posted it: it is gone on with. */
  readonly messageId?: MessageId;
  /** An earlier process may have posted it and could not record where. */
  readonly inDoubtSince?: Timestamp;
  /** Called (and awaited) as soon as a message is there, so that it can be recorded. May be called late or never. */
  readonly onPosted: (messageId: MessageId) => Promise<void>;
}

/**
 * What is shown of an answer while it is being made. Calls return at once and never throw; what is outdated before
 * the platform could show it is left out. Nothing is shown after `end`.
 */
export interface LiveAnswer {
  /** What is being done, in a few words: "삼성전자 시세 조회 중…". */
  readonly showStatus: (status: string) => void;
  /** The answer so far, whole: also where it begins anew, and is shorter than before. Mode `stream` only. */
  readonly showText: (text: string) => void;
  /**
   * Resolves when nothing more will be shown. `replaced`: the answer follows and takes the place of the message.
   * `dropped`: nothing follows in its place, and what was posted goes away. Gives the message if one is left.
   */
  readonly end: (how: 'replaced' | 'dropped') => Promise<MessageId | undefined>;
}

/** How a question about a tool call ended. */
export interface ClosedApproval {
  readonly id: ApprovalId;
  /** Where it was asked, if that is known. */
  readonly messageId?: MessageId;
  readonly request: ApprovalRequest;
  readonly verdict: ApprovalVerdict | 'expired' | 'given-up';
  /** A person's id on the platform it was decided on; absent where nobody did. */
  readonly decidedBy?: UserId;
  readonly at: Timestamp;
}

/** Which earlier messages are asked for. */
export interface HistoryQuery {
  readonly target: ReplyTarget;
  /** The message that calls the bot: what stands before it is wanted. */
  readonly before: MessageId;
  /** What it is a reply to: wanted too, however old. */
  readonly replyToMessageId?: MessageId;
  readonly limit: number;
}

/** `left`: the recipient is not there any more. `bot-removed`: the bot is not, or there is no such chat. */
export type Membership = 'member' | 'left' | 'bot-removed';

/** Whether somebody is still where something of theirs is told. Never throws: in doubt they are. */
export type MembershipCheck = (target: ReplyTarget) => Promise<Membership>;

/** A platform. Everything behind the required part is optional: the bot does without what is missing. */
export interface ChannelPlugin {
  readonly id: ChannelId;
  readonly capabilities: ChannelCapabilities;
  /**
   * Connects and begins to receive. A platform that is out of reach is no error: it resolves after a moment, and
   * goes on trying. Throws an operational `FinClawError` for what only the operator can mend (a wrong token).
   */
  readonly start: (host: ChannelHost) => Promise<void>;
  /** Stops receiving; `send` still works until `close`, so that answers under way arrive. */
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly isConnected: () => boolean;
  /**
   * Throws `ChannelError` when the platform refused or was out of reach; the caller decides on a retry. An
   * ephemeral payload is shown to `recipientId` alone, or goes to their direct chat where the platform cannot.
   */
  readonly send: (
    message: OutboundMessage,
    signal: AbortSignal,
  ) => Promise<{ readonly messageId: MessageId }>;

  /** The bytes of something that came with a message of this channel. More than `maxBytes` is `MEDIA_TOO_LARGE`. */
  readonly readMedia?: (media: MediaAttachment, maxBytes: number, signal: AbortSignal) => Promise<Uint8Array>;
  /** What was said before, the oldest first. */
  readonly readHistory?: (query: HistoryQuery, signal: AbortSignal) => Promise<readonly EarlierMessage[]>;
  /** The message that the target's thread hangs on. Undefined where there is none, or it is gone. */
  readonly readRoot?: (target: ReplyTarget, signal: AbortSignal) => Promise<EarlierMessage | undefined>;
  readonly addReaction?: (target: ReplyTarget, emoji: string) => Promise<void>;
  readonly removeReaction?: (target: ReplyTarget, emoji: string) => Promise<void>;
  readonly sendTyping?: (target: ReplyTarget) => Promise<void>;
  readonly openLive?: (target: ReplyTarget, options: LiveOptions) => LiveAnswer;
  /** Asks a person in the channel's own way. Without it, the bot asks in words and waits for `/approve`. */
  readonly requestApproval?: (
    target: ReplyTarget,
    request: ApprovalRequest,
  ) => Promise<{ readonly messageId?: MessageId }>;
  /** It has been decided, or given up: nobody needs to answer any more. */
  readonly closeApproval?: (target: ReplyTarget, closed: ClosedApproval) => Promise<void>;
  /**
   * Whether the recipient, and the bot, can still read the chat of a target that is no direct chat. Throws
   * `ChannelError` where the platform does not say.
   */
  readonly membership?: (target: ReplyTarget, signal: AbortSignal) => Promise<Membership>;
  /** Rewrites the commands in a text as this platform calls them. Absent: people type them as they are. */
  readonly phrase?: (text: string, locale: Locale) => string;
  /** The private chat with a person, for what only they should read. */
  readonly directTarget?: (target: ReplyTarget) => Promise<ReplyTarget>;
}
