import type { Locale } from './locale.ts';
import type { ChannelId, InboxId, SessionKey, Timestamp, TurnId, UserId } from './ids.ts';
import type { MediaAttachment, ReplyTarget } from './message.ts';
import type { NamedIdentity } from './account-services.ts';
import type { PersonRef } from './ids.ts';
import type { QueueLoad } from './ports.ts';

/** One stage of one message, as it went. */
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
  /** Why it ended before the last stage. */
  readonly reason?: string;
  readonly errorId?: string;
}

/** Port: the last messages of each conversation, for `/debug last`. In memory only. */
export interface RecentRuns {
  /** The newest first, not the one that is under way. */
  readonly last: (sessionKey: SessionKey) => readonly RunTrace[];
}

export interface DeadLetter {
  readonly inboxId: InboxId;
  readonly channelId: ChannelId;
  readonly attempts: number;
  readonly reason: string;
  readonly errorId: string;
  readonly at: Timestamp;
}

/** How the program is doing, for administrators. */
export interface SystemStatus {
  readonly version: string;
  readonly uptimeMs: number;
  readonly memoryBytes: number;
  readonly channels: readonly { readonly id: ChannelId; readonly isConnected: boolean }[];
  readonly queue: QueueLoad;
  readonly lanes: readonly {
    readonly laneId: string;
    readonly active: number;
    readonly queued: number;
    readonly maxConcurrency: number;
  }[];
  /** Of providers and tools; those that are closed and have no failures are left out. */
  readonly breakers: readonly { readonly name: string; readonly state: 'closed' | 'open' | 'half-open' }[];
  /** Messages of all conversations by what they wait for. */
  readonly inbox: { readonly pending: number; readonly suspended: number };
  readonly deadLetters: { readonly count: number; readonly newest: readonly DeadLetter[] };
  /** In the order of loading. A plugin that could not be loaded has its file and the reason instead of a name. */
  readonly plugins: readonly (
    | { readonly name: string; readonly failures: number }
    | { readonly file: string; readonly reason: string }
  )[];
}

/** Port: for `/status`. */
export interface StatusReports {
  readonly current: () => Promise<SystemStatus>;
}

/** One setting in force, as `/config` shows it: secrets are masked already. */
export interface EffectiveSetting {
  /** `pipeline.timeoutSeconds`, or the name of a variable. */
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

/** Port: who may write directly where that needs an administrator's word. */
export interface Pairings {
  /** The person it belongs to may write from now on; undefined for a code that is wrong, used or too old. */
  readonly confirm: (code: string, by: UserId) => Promise<Pairing | undefined>;
  /** The person it belongs to is not let in, and cannot ask again for a day; undefined as above. */
  readonly deny: (code: string, by: UserId) => Promise<Pairing | undefined>;
  /** Those that wait, the oldest first. */
  readonly pending: () => Promise<readonly Pairing[]>;
  /** Takes the word back. False where that person was not let in. */
  readonly revoke: (channelId: ChannelId, userId: UserId) => Promise<boolean>;
}

/**
 * Port: what is kept about a person, for `/privacy`: their messages and settings on this platform, and what they own,
 * which linked identities share. Messages of a linked identity are counted, exported and erased from its own platform.
 */
export interface AccountData {
  readonly retentionDays: number;
  /** How the counts are shown, in this order. */
  readonly labels: readonly CountLabel[];
  /** How much there is of each kind. */
  readonly counts: (channelId: ChannelId, userId: UserId) => Promise<AccountDataCounts>;
  /** All of it, at once and for good; linked identities are told. What others wrote in shared conversations stays. */
  readonly erase: (channelId: ChannelId, userId: UserId) => Promise<AccountDataCounts>;
  /** All of it as one file for the person alone. No secret is in it. */
  readonly export: (
    channelId: ChannelId,
    userId: UserId,
    locale: Locale,
    timeZone: string,
  ) => Promise<MediaAttachment>;
}

/** How many there are of each kind, by the names that the tables give their rows. */
export type AccountCounts = Readonly<Record<string, number>>;

/** How one count is shown. It comes with the table whose rows are counted. */
export interface CountLabel extends Readonly<Record<Locale, CountWords>> {
  /** Which of the counts. */
  readonly of: string;
}

interface CountWords {
  /** A line of what `/privacy` lists. */
  readonly line: (count: number, all: AccountCounts) => string;
  /** Within a sentence, `3 alerts`. Absent where `/privacy delete` removes no rows, or says it in another way. */
  readonly amount?: (count: number, all: AccountCounts) => string;
}

/** `AccountCounts`, with who shares them. */
export interface AccountDataCounts {
  readonly hasProfile: boolean;
  /** Those who share what the account owns. */
  readonly others: readonly NamedIdentity[];
  readonly [kind: string]: number | boolean | readonly NamedIdentity[];
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
  /** Somebody who runs a channel removed what another person had set there. */
  | 'channel-remove';

/** Never anything but how many of what: whoever reads it learns nothing about anybody. */
export type AuditCounts = Readonly<Record<string, number>>;

export interface AuditEntry {
  readonly at: Timestamp;
  readonly action: AuditAction;
  /** A code in the place of the person: the same for the same one. */
  readonly person: string;
  readonly details: AuditCounts;
}

/** Port: what was done with people's data and access, for `/debug audit`. */
export interface AuditTrail {
  /** Durable when it resolves. */
  readonly record: (
    action: AuditAction,
    person: PersonRef,
    details: AuditCounts,
    at: Timestamp,
  ) => Promise<void>;
  /** The newest first. */
  readonly recent: (limit: number) => Promise<readonly AuditEntry[]>;
  /** Tools that read somebody's data for them; `recent` is without these, for there are many. */
  readonly recentReads: (limit: number) => Promise<readonly AuditEntry[]>;
}

/** Port: leaves a line where a tool reads personal data. */
export interface AccountReads {
  /** One line a turn and tool. Durable when it resolves; never rejects. */
  readonly note: (toolName: string, reader: PersonRef & { readonly turnId: TurnId }) => Promise<void>;
}

/** Port: whether money is left to ask a model. */
export interface BudgetCheck {
  readonly check: (channelId: ChannelId, userId: UserId) => Promise<'ok' | 'user' | 'total'>;
}
