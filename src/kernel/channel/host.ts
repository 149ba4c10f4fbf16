import type { Actor, NotAdmitted } from '../chat/actor.ts';
import type { Form } from '../chat/command.ts';
import type { Verdict } from '../chat/feedback.ts';
import type { CommandDefinition, FilledOptions, SuggestionSource } from '../chat/command-definition.ts';
import type { HomePages } from '../people/home.ts';
import type { AccountId, ApprovalId, ChannelId, ChatId, SessionKey, ThreadId, Timestamp } from '../ids.ts';
import type { ChatType, MsgContext, MessageChange } from '../chat/message.ts';
import type { Rating } from '../people/feedback.ts';
import type { Welcomes } from '../people/welcome.ts';
import type { ApprovalOutcome, ApprovalVerdict } from '../agent/approvals.ts';
import type { Keys } from '../agent/keys.ts';
import type { QueueControl } from '../chat/queue.ts';

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
  readonly shard: number;
  readonly shards: number;
  /**
   * Whether this process still has the shard. A process that was suspended may have lost it, and not know yet. Resolves when the
   * database has answered, or the shard is lost.
   */
  readonly confirm: () => Promise<boolean>;
}

/**
 * Shares the events of a platform among the processes that receive, in shards: each has one process at a time. The
 * first process says how many shards there are, and all others keep to it. Calls `begin` when this process gets a shard, and
 * `end` when it gives it up; `end` never rejects, and others wait for it. Resolves when the first shards are shared out.
 */
export type ReceiveInShards = (
  of: { readonly channelId: ChannelId; readonly accountId: AccountId; readonly shards: number },
  turn: {
    readonly begin: (shard: ReceivedShard) => void;
    readonly end: (shard: number) => Promise<void>;
  },
) => Promise<{
  /** Gives up all shards. */
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
