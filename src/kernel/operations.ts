import type { RatedAnswer, Verdict } from './feedback.ts';
import type { Locale } from './locale.ts';
import type { ChannelId, InboxId, PersonRef, SessionKey, Timestamp, TurnId, UserId } from './ids.ts';
import type { MediaAttachment, ReplyTarget } from './message.ts';
import type { NamedIdentity } from './account-services.ts';
import type { QueueLoad } from './ports.ts';

/** How one stage of one message went. */
export interface StageTrace {
  readonly stage: string;
  readonly action: string;
  readonly durationMs: number;
}

/** How one message went through the pipeline. */
export interface RunTrace {
  readonly startedAt: Timestamp;
  readonly durationMs: number;
  readonly success: boolean;
  readonly stages: readonly StageTrace[];
  /** Why processing ended before the last stage. */
  readonly reason?: string;
  readonly errorId?: string;
}

/** Port: traces of the last messages of each conversation, for `/debug last`. In memory only. */
export interface RecentRuns {
  /** Newest first, without the current message. */
  readonly last: (sessionKey: SessionKey) => readonly RunTrace[];
}

/** Reasons for giving up a message, as they are stored. Others are errors of the pipeline. */
export const GIVE_UP_REASONS = {
  crashes: 'The process ended again and again while it worked on this message',
  restored: 'A backup was restored that does not say whether this message was answered',
} as const;

export interface DeadLetter {
  readonly inboxId: InboxId;
  readonly channelId: ChannelId;
  readonly attempts: number;
  readonly reason: string;
  readonly errorId: string;
  readonly at: Timestamp;
}

/** The posts that a platform has refused for one reason since the start. */
export interface RefusedPosts {
  readonly channelId: ChannelId;
  /** The platform's own. */
  readonly code: string;
  readonly count: number;
  /** Of the last one. */
  readonly at: Timestamp;
  readonly errorId: string;
}

/** The checked answers since the start and their numbers, by what became of them. */
export interface NumberCounts {
  readonly answers: number;
  /** Answers that the model was asked to look at again. A rise is a fault of the check or of the model. */
  readonly toRepair: number;
  /** Those that are neither list numbers nor parameters nor parts of names. */
  readonly checked: number;
  /** A fact of a tool has it. */
  readonly supported: number;
  /** It stands in a text of the conversation. */
  readonly quoted: number;
  readonly derived: number;
  /** The model was asked whether it is meant so: a fact of exactly that thing says otherwise. */
  readonly asked: number;
  /** Without a source in the first answer, and right or left out in the corrected one. */
  readonly repaired: number;
  readonly marked: number;
}

export const NO_NUMBERS: NumberCounts = {
  answers: 0,
  toRepair: 0,
  checked: 0,
  supported: 0,
  quoted: 0,
  derived: 0,
  asked: 0,
  repaired: 0,
  marked: 0,
};

/** What a process does. A `gateway` receives messages, a `worker` answers them. */
export const ROLES = ['all', 'gateway', 'worker'] as const;
export type Role = (typeof ROLES)[number];

export interface ProcessStatus {
  readonly id: string;
  readonly role: Role;
  readonly version: string;
  readonly channels: readonly string[];
  /** The conversations that it works on at the moment. */
  readonly sessions: number;
  readonly startedAt: Timestamp;
  /** The one that reports. */
  readonly isSelf: boolean;
  /** It watches the alerts and writes the briefings of all. Known of itself only. */
  readonly isLeading: boolean;
}

/** The state of the program, for administrators. */
export interface SystemStatus {
  /** With commit and date. */
  readonly version: string;
  readonly uptimeMs: number;
  readonly memoryBytes: number;
  readonly channels: readonly {
    readonly id: ChannelId;
    readonly isConnected: boolean;
    readonly problem?: string | undefined;
  }[];
  readonly queue: QueueLoad;
  readonly lanes: readonly {
    readonly laneId: string;
    readonly active: number;
    readonly queued: number;
    readonly maxConcurrency: number;
  }[];
  /** Of providers and tools, without closed ones that have no failures. */
  readonly breakers: readonly { readonly name: string; readonly state: 'closed' | 'open' | 'half-open' }[];
  /** The processes on the database, the oldest first. Empty if there can be only one. */
  readonly processes: readonly ProcessStatus[];
  /** Counts over all conversations. */
  readonly inbox: { readonly pending: number; readonly suspended: number };
  readonly numbers: NumberCounts;
  readonly deadLetters: { readonly count: number; readonly newest: readonly DeadLetter[] };
  /** In loading order. A plugin that could not be loaded has its file and the reason instead of a name. */
  readonly plugins: readonly (
    | { readonly name: string; readonly failures: number }
    | { readonly file: string; readonly reason: string }
  )[];
}

export interface StatusReports {
  readonly current: () => Promise<SystemStatus>;
}

/** An effective setting for `/config`, with secrets masked. */
export interface EffectiveSetting {
  /** `pipeline.timeoutSeconds`, or the name of an environment variable. */
  readonly path: string;
  readonly value: string;
  readonly source: 'default' | 'file' | 'environment';
}

export interface Pairing {
  readonly code: string;
  readonly channelId: ChannelId;
  readonly userId: UserId;
  readonly userName: string;
  readonly target: ReplyTarget;
  readonly locale: Locale;
  readonly expiresAt: Timestamp;
}

/** Port: pairing, by which administrators let people write to the bot directly. */
export interface Pairings {
  /** Lets the code's owner in. Undefined for a code that is wrong, used or expired. */
  readonly confirm: (code: string, by: UserId) => Promise<Pairing | undefined>;
  /** Declines the code's owner, who cannot ask again for a day. Undefined as for `confirm`. */
  readonly deny: (code: string, by: UserId) => Promise<Pairing | undefined>;
  /** Open requests, oldest first. */
  readonly pending: () => Promise<readonly Pairing[]>;
  /** Withdraws the access. False if the person was not paired. */
  readonly revoke: (channelId: ChannelId, userId: UserId) => Promise<boolean>;
}

/**
 * Port: everything stored about a person, for `/privacy`: their messages and settings on this platform, and the account
 * data that linked identities share. Messages of a linked identity are handled on its own platform.
 */
export interface AccountData {
  readonly retentionDays: number;
  /** Labels for the counts, in display order. */
  readonly labels: readonly CountLabel[];
  readonly counts: (channelId: ChannelId, userId: UserId) => Promise<AccountDataCounts>;
  /** Deletes all of it and notifies linked identities. What others wrote in shared conversations stays. */
  readonly erase: (channelId: ChannelId, userId: UserId) => Promise<AccountDataCounts>;
  /** Exports all of it as one file for the person alone, without secrets. */
  readonly export: (
    channelId: ChannelId,
    userId: UserId,
    locale: Locale,
    timeZone: string,
  ) => Promise<MediaAttachment>;
}

/** Row counts by the kind that each table names. */
export type AccountCounts = Readonly<Record<string, number>>;

/** The texts for one count. Each table brings its own. */
export interface CountLabel extends Readonly<Record<Locale, CountWords>> {
  /** The key in the counts. */
  readonly of: string;
}

interface CountWords {
  /** A line of `/privacy`. */
  readonly line: (count: number, all: AccountCounts) => string;
  /** Part of a sentence, `3 alerts`. Absent if `/privacy delete` removes no such rows or reports them otherwise. */
  readonly amount?: (count: number, all: AccountCounts) => string;
}

/** `AccountCounts` with the identities that share the data. */
export interface AccountDataCounts {
  readonly hasProfile: boolean;
  /** The other linked identities. */
  readonly others: readonly NamedIdentity[];
  readonly [kind: string]: number | boolean | readonly NamedIdentity[];
}

export interface BackupFacts {
  readonly file: string;
  readonly bytes: number;
  readonly madeAt: Timestamp;
  /** Made before a new version changed the database. */
  readonly isFromUpgrade: boolean;
}

export type BackupOutcome =
  | {
      readonly status: 'made';
      readonly file: string;
      readonly bytes: number;
      readonly tookMs: number;
      readonly rows: number;
      readonly isEncrypted: boolean;
      /** How many there are now. */
      readonly kept: number;
    }
  | { readonly status: 'running' }
  /** The reason is a sentence for operators. */
  | { readonly status: 'failed'; readonly reason: string };

/** Port: backups of all data, for `/backup`. */
export interface Backups {
  /** Hours between automatic backups; 0 for none. */
  readonly everyHours: number;
  /** Makes one, and reads it back. Only one is made at a time. */
  readonly make: () => Promise<BackupOutcome>;
  /** Newest first. */
  readonly list: () => Promise<readonly BackupFacts[]>;
}

export type AuditAction =
  | 'tool-read'
  | 'privacy-export'
  | 'privacy-delete'
  | 'link-code'
  | 'link'
  | 'link-off'
  | 'pair'
  | 'pair-deny'
  | 'pair-revoke'
  /** An administrator had a backup of everything made. */
  | 'backup'
  /** A channel manager removed an alert or briefing of another person. */
  | 'channel-remove'
  | 'support-share'
  | 'support-revoke'
  | 'dashboard-code'
  | 'dashboard-revoke'
  | OperatorAuditAction;

/** What operators do on their page. */
export type OperatorAuditAction =
  | 'operator-login'
  | 'operator-logout'
  | 'operator-logout-all'
  | 'message-replay'
  | 'message-discard'
  | 'key-on'
  | 'key-off'
  | 'key-rest'
  | 'key-wake'
  | 'approval-approve'
  | 'approval-deny'
  | 'support-read';

/** Counts only, so that the audit log reveals no personal data. */
export type AuditCounts = Readonly<Record<string, number>>;

/** Counts, and ids of what an operator changed. No id is that of a person. */
export type AuditDetails = Readonly<Record<string, number | string>>;

export interface AuditEntry {
  readonly at: Timestamp;
  readonly action: AuditAction;
  /** A stable pseudonym; `token` for an operator who is known by nothing else. */
  readonly person: string;
  readonly details: AuditDetails;
}

/** Port: the audit log of access to personal data, for `/debug audit`. */
export interface AuditTrail {
  /** Durable when it resolves. */
  readonly record: (
    action: AuditAction,
    person: PersonRef,
    details: AuditCounts,
    at: Timestamp,
  ) => Promise<void>;
  /** Newest first, without tool reads. */
  readonly recent: (limit: number) => Promise<readonly AuditEntry[]>;
  /** Tool reads are listed separately because there are many. */
  readonly recentReads: (limit: number) => Promise<readonly AuditEntry[]>;
}

/** Port: logs that a tool read personal data. */
export interface AccountReads {
  /** One entry per turn and tool. Durable when it resolves; never rejects. */
  readonly note: (toolName: string, reader: PersonRef & { readonly turnId: TurnId }) => Promise<void>;
}

/** What became of a press of 👍 or 👎, with a sentence for the person who pressed. */
export interface Rating {
  readonly outcome: 'stored' | 'unknown' | 'failed';
  readonly text: string;
}

/** One verdict, for operators. It names nobody. */
export interface ExportedVerdict extends RatedAnswer {
  readonly channel: string;
  readonly verdict: Verdict;
  readonly at: Timestamp;
}

/** Port: what people think of answers. */
export interface Feedback {
  /** Keeps one verdict for each person and answer: the newest. Never throws. */
  readonly rate: (
    answerId: string,
    verdict: Verdict,
    by: PersonRef & { readonly locale: Locale },
  ) => Promise<Rating>;
  /** All stored verdicts as a file for operators. Undefined if there are none. */
  readonly export: () => Promise<
    { readonly file: MediaAttachment; readonly counts: Readonly<Record<Verdict, number>> } | undefined
  >;
}

export interface BudgetCheck {
  readonly check: (channelId: ChannelId, userId: UserId) => Promise<'ok' | 'user' | 'total'>;
  /** The share of a person's daily budget that is spent. Undefined: there is no limit for each person. */
  readonly used: (channelId: ChannelId, userId: UserId) => Promise<number | undefined>;
}
