import type { ChannelId, InboxId, Timestamp } from '../ids.ts';
import type { QueueLoad } from '../chat/queue.ts';

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
