import type { Actor, NotAdmitted } from './actor.ts';
import type { Form } from './command.ts';
import type { FeedbackMode, Verdict } from './feedback.ts';
import type { CommandDefinition, FilledOptions, SuggestionSource } from './command-definition.ts';
import type { HomePages } from './home.ts';
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
  MsgContext,
  MediaAttachment,
  MessageChange,
  OutboundMessage,
  ReplyPayload,
  ReplyTarget,
} from './message.ts';
import type { Rating } from './operations.ts';
import type { Welcomes } from './welcome.ts';
import type { ApprovalOutcome, ApprovalRequest, ApprovalVerdict, Keys, QueueControl } from './ports.ts';

export interface ChannelCapabilities {
  readonly maxMessageLength: number;
  readonly supportsMarkdown: boolean;
  readonly supportsTables: boolean;
  /** Shows recent closes as a line of blocks below a price. They cost a request to the market source. */
  readonly showsSparklines?: boolean;
  /** Its one person started the program: they own the data directory, and need neither a welcome nor a note on privacy. */
  readonly isOwnersTerminal?: boolean;
  /** All messages of a chat arrive at one process, however many receive. */
  readonly keepsChatsTogether?: boolean;
  /** In channels every conversation is a thread, and slash commands are outside of threads. */
  readonly talksInThreads?: boolean;
  /** The history of a thread may lack its root, so both are read at the same time. */
  readonly keepsRootsApart?: boolean;
  /** Renders `ReplyPayload.cards`. */
  readonly supportsCards?: boolean;
  /** Renders `ReplyPayload.choices` as buttons. Otherwise the person is told what to type. */
  readonly supportsChoices?: boolean;
  /** Shows `ReplyPayload.choices` with the numbers of `numberedChoices`, and a typed number picks one of them. */
  readonly numbersChoices?: boolean;
  /** In a shared chat, the answer to a press can be shown to one person alone. */
  readonly answersPressesAlone?: boolean;
  /** What people in groups see of an answer in the making where nothing is configured. Default: `status`. */
  readonly liveMode?: LiveMode;
  /** Where readers of a model's answer are asked for a verdict if nothing is configured. Default: the channel cannot ask. */
  readonly feedbackMode?: FeedbackMode;
}

/** The gateway's decision on a message. The adapter acknowledges the event to the platform only after this. */
export type Receipt =
  | {
      readonly outcome: 'accepted';
      readonly sessionKey: SessionKey;
      /** Resolves (never rejects) when processing has ended, whatever the outcome. */
      readonly settled: Promise<void>;
    }
  | { readonly outcome: 'duplicate' }
  /** `isTold`: the sender was told the reason. */
  | { readonly outcome: 'dropped'; readonly reason: string; readonly isTold?: boolean };

/** A shard of a platform's events that this process receives. */
export interface ReceivedShard {
  /** Counts from 0. */
  readonly part: number;
  readonly parts: number;
  /**
   * Whether this process still has the part. A process that was suspended may have lost it, and not know yet. Resolves when the
   * database has answered, or the part is lost.
   */
  readonly confirm: () => Promise<boolean>;
}

/**
 * Shares the events of a platform among the processes that receive, in parts: each part has one process at a time. The
 * first process says how many parts there are, and all others keep to it. Calls `begin` when this process gets a part, and
 * `end` when it gives it up; `end` never rejects, and others wait for it. Resolves when the first parts are shared out.
 */
export type ReceiveInShards = (
  of: { readonly channelId: ChannelId; readonly accountId: AccountId; readonly parts: number },
  turn: {
    readonly begin: (part: ReceivedShard) => void;
    readonly end: (part: number) => Promise<void>;
  },
) => Promise<{
  /** Gives up all parts. */
  readonly stop: () => Promise<void>;
}>;

/** The other processes on the same database, which are on the same platforms. */
export interface OtherProcesses {
  /** True: this process only sends. */
  readonly onlySends: boolean;
  readonly receiveInShards: ReceiveInShards;
  /** Resolves when no process has done this for so long. Rejects with the signal's reason. */
  readonly takeTurn: (what: string, pauseMs: number, signal: AbortSignal) => Promise<void>;
  /**
   * For what all processes would write in the same place, such as the commands of a platform: `work` runs in one process
   * at a time, and must not write if a newer version runs. It is then called a second time, when that is certain.
   */
  readonly asNewest: (
    what: string,
    work: (mayWrite: boolean) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Called when another process has come, which may receive some of the messages from here on. */
  readonly onJoined: (listener: () => void) => void;
  /**
   * A moment before a process was lost that received messages of this platform, as long as the platform may bring again
   * what that process had not stored. Never rejects.
   */
  readonly lostSince: (channelId: string) => Promise<Temporal.Instant | undefined>;
}

/** The services that the app gives to a channel. */
export interface ChannelHost {
  /** Resolves when the message is stored or refused. Rejects only if storing failed: then do not acknowledge it. */
  readonly receive: (message: MsgContext) => Promise<Receipt>;
  /** Applies an edit or a deletion to a message that still waits. Rejects only if storing failed. */
  readonly revise: (change: MessageChange) => Promise<'changed' | 'withdrawn' | 'too-late'>;
  /** Whether nothing that was written before this message has been accepted in its conversation. */
  readonly beginsConversation: (message: MsgContext) => Promise<boolean>;
  readonly queue: Pick<QueueControl, 'stop'>;
  /** For channels with hidden input. A key must never become a message. */
  readonly keys: Pick<Keys, 'add'>;
  /**
   * What to tell somebody who may not act here; undefined if they may. For what a channel does by itself, such as opening a
   * form: everything below asks first. Never rejects.
   */
  readonly refusalFor: (actor: Actor) => Promise<string | undefined>;
  /** For channels with their own approval UI. */
  readonly approvals: {
    readonly decide: (
      id: ApprovalId,
      verdict: ApprovalVerdict,
      by: Actor,
    ) => Promise<ApprovalOutcome | NotAdmitted>;
  };
  /** For platforms on which commands must be registered. */
  readonly commands: () => readonly CommandDefinition[];
  /**
   * Autocompletion for a command option: the best matches first, at most `limit`. Its other options may decide what they
   * are. Never throws.
   */
  readonly suggest: (
    source: SuggestionSource,
    typed: string,
    actor: Actor,
    limit: number,
    filled?: FilledOptions,
  ) => Promise<readonly Suggestion[]>;
  readonly forms: Forms;
  /** For channels that ask readers what they think of an answer. */
  readonly feedback: {
    readonly rate: (answerId: string, verdict: Verdict, by: Actor) => Promise<Rating>;
  };
  /** For channels that hear when the bot is added somewhere, or when somebody opens their direct chat. Absent: it is off. */
  readonly welcomes?: Welcomes | undefined;
  /** For platforms that show each person a page of their own. */
  readonly home: HomePages;
  /** For catching up on events that were missed while disconnected. */
  readonly progress: ChannelProgress;
  /** The default model, for greetings. */
  readonly describeModel: () => { readonly name: string; readonly isOffline: boolean };
  /** Whether prices are real. `undecided` until the first query. */
  readonly describeMarket: () => 'live' | 'sample' | 'undecided';
  /** Reports an event of the platform that the channel could not read or handle. Never throws. */
  readonly eventFailed: (channelId: ChannelId, event: string, error: unknown) => void;
  /** Reports a post that the platform refused with this code, even if it then arrives in another form. Never throws. */
  readonly postRefused: (channelId: ChannelId, code: string, error: unknown) => void;
  /** Absent if no other process can work on the database. */
  readonly others?: OtherProcesses | undefined;
  /** The person ended the program (console: end of input, Ctrl-C). */
  readonly requestShutdown: () => void;
}

export interface Suggestion {
  readonly label: string;
  /** The text that is inserted. */
  readonly value: string;
}

/** Port: forms of commands, such as the one for a new key. */
export interface Forms {
  /** The form of this command call, without I/O. Undefined: treat it as an ordinary message. */
  readonly open: (commandText: string, actor: Actor) => Form | undefined;
  /** Returns the result for the sender alone. Never throws. */
  readonly submit: (
    formId: string,
    values: Readonly<Record<string, string>>,
    actor: Actor,
  ) => Promise<string>;
}

/** A chat in which somebody talked to the bot. */
export interface ActiveChat {
  /** In a direct chat, the person's id. */
  readonly chatId: ChatId;
  readonly chatType: ChatType;
  readonly threadId?: ThreadId;
}

/** Port: how far a channel has received events. */
export interface ChannelProgress {
  /** When the newest stored event was received; undefined at the first start. */
  readonly seenUntil: (channelId: ChannelId, accountId: AccountId) => Promise<Timestamp | undefined>;
  /** Records that an event was received. Returns at once and never throws; it is stored in intervals. */
  readonly saw: (channelId: ChannelId, accountId: AccountId, at: Timestamp) => void;
  /**
   * Marks an event that is not stored yet. Until the returned function is called, nothing after `from` (without it:
   * nothing new) counts as seen, so that the next start catches up on it after a crash.
   */
  readonly hold: (channelId: ChannelId, accountId: AccountId, from?: Timestamp) => () => void;
  /** Another process receives from now on. What this one has seen or holds, and has not stored, no longer counts. */
  readonly forget: (channelId: ChannelId, accountId: AccountId) => void;
  /** Chats in which messages were accepted since then, newest first, at most 200. */
  readonly activeChats: (
    channelId: ChannelId,
    accountId: AccountId,
    since: Timestamp,
  ) => Promise<readonly ActiveChat[]>;
}

/** What people see while an answer is generated. */
export const LIVE_MODES = ['off', 'status', 'stream'] as const;
export type LiveMode = (typeof LIVE_MODES)[number];

export interface LiveOptions {
  readonly mode: Exclude<LiveMode, 'off'>;
  readonly locale: Locale;
  /** The delivery id of the live message. It stays the same after a restart. */
  readonly deliveryId: DeliveryId;
  /** A live message that an earlier process posted: it is continued. */
  readonly messageId?: MessageId;
  /** Set if an earlier process may have posted the message without recording its id. */
  readonly inDoubtSince?: Timestamp;
  /** Called and awaited when the message is posted, so that its id is recorded. May be called late or never. */
  readonly onPosted: (messageId: MessageId) => Promise<void>;
}

/**
 * How the live message ends. `replaced`: the answer follows and replaces it. `dropped`: it is removed. `kept`: the process
 * shuts down, and the next one continues it.
 */
export type LiveEnd = 'replaced' | 'dropped' | 'kept';

/**
 * Shows an answer while it is generated. Calls return at once and never throw. Updates that are outdated before the
 * platform could show them are skipped. Nothing is shown after `end`.
 */
export interface LiveAnswer {
  /** The current activity in a few words: "삼성전자 시세 조회 중…". */
  readonly showStatus: (status: string) => void;
  /** The whole answer so far; after a restart of the answer it may be shorter than before. Mode `stream` only. */
  readonly showText: (text: string) => void;
  /**
   * Resolves when the message is final, and returns it if one is left. If the answer follows, it waits for nothing else:
   * a status that arrives late is removed in the background.
   */
  readonly end: (how: LiveEnd) => Promise<MessageId | undefined>;
}

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
