import type { Verdict } from '../chat/feedback.ts';
import type { ApprovalId, ChannelId, InboxId, PersonRef, Timestamp } from '../ids.ts';
import type { LogLine } from './log.ts';
import type { Decimal } from '../money.ts';
import type { AuditEntry } from './audit.ts';
import type { DeadLetter, EffectiveSetting, RefusedPosts, SystemStatus } from './status.ts';
import type { Keys, KeyStatus } from '../agent/keys.ts';

/** Who uses the operator page: an administrator of a platform, or whoever knows the token. */
export type Operator =
  | { readonly kind: 'admin'; readonly person: PersonRef; readonly roles: readonly string[] }
  | { readonly kind: 'token' };

/** Stands for the people who are summed up together, because others cost more. */
export const OTHER_PEOPLE = 'others';

/** What the models used on one day, of one model, channel and person. */
export interface DailyUsage {
  /** A day in the operator's time zone. */
  readonly day: Temporal.PlainDate;
  readonly model: string;
  readonly channelId: ChannelId;
  /** A stable pseudonym, as in the audit log; another one if the person's data was deleted; or `OTHER_PEOPLE`. */
  readonly person: string;
  readonly requestCount: number;
  readonly failedCount: number;
  /** Those of the provider's cache included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: Decimal;
  /** Requests whose price is not known. They are not part of the cost. */
  readonly unpricedCount: number;
}

export interface UsageReport {
  readonly timeZone: string;
  readonly days: readonly DailyUsage[];
}

/** What the models have cost today, and the limits of a day. */
export interface Spending {
  readonly todayUsd: Decimal;
  readonly limits: { readonly perUserUsd: Decimal | undefined; readonly perDayUsd: Decimal | undefined };
}

/** A tool call that waits for a decision. */
export interface WaitingApproval {
  readonly id: ApprovalId;
  readonly toolName: string;
  readonly channelId: ChannelId;
  /** A pseudonym. */
  readonly person: string;
  readonly askedAt: Timestamp;
  readonly expiresAt: Timestamp;
  /**
   * The action with its exact arguments, for an operator who may decide on it. Undefined for others, because arguments may
   * quote a conversation.
   */
  readonly summary: string | undefined;
}

export interface PlanCounts {
  readonly channelId: ChannelId;
  readonly alerts: number;
  readonly briefings: number;
}

export interface MarketSourceStatus {
  readonly name: string;
  readonly state: 'closed' | 'open' | 'half-open';
}

export interface FeedbackCounts {
  readonly model: string;
  readonly counts: Readonly<Record<Verdict, number>>;
}

/** A conversation that a person lets operators read for a day. */
export interface SharedConversation {
  readonly id: string;
  /** A pseudonym. */
  readonly person: string;
  readonly channelId: ChannelId;
  readonly sharedAt: Timestamp;
  readonly expiresAt: Timestamp;
}

export interface SharedMessage {
  readonly at: Timestamp;
  readonly from: 'person' | 'bot' | 'tool';
  readonly text: string;
}

/** Port: what the operator page shows. All of it may throw, and the page then says which part is missing. */
export interface OperatorReports {
  readonly status: () => Promise<SystemStatus>;
  /** The last days, today included. */
  readonly usage: (days: number) => Promise<UsageReport>;
  readonly spending: () => Promise<Spending>;
  readonly keys: () => Promise<readonly KeyStatus[]>;
  /** Newest first. */
  readonly deadLetters: (
    limit: number,
  ) => Promise<{ readonly count: number; readonly newest: readonly DeadLetter[] }>;
  /** Of this process, the last one first. */
  readonly refusedPosts: () => readonly RefusedPosts[];
  /** Oldest first, as this operator sees them. */
  readonly approvals: (by: Operator) => Promise<readonly WaitingApproval[]>;
  readonly plans: () => Promise<readonly PlanCounts[]>;
  readonly market: () => {
    readonly kind: 'live' | 'sample' | 'undecided';
    readonly sources: readonly MarketSourceStatus[];
  };
  readonly settings: readonly EffectiveSetting[];
  readonly feedback: () => Promise<readonly FeedbackCounts[]>;
  /** Of this process, newest last. */
  readonly log: () => readonly LogLine[];
  /** Newest first. */
  readonly audit: (limit: number) => Promise<readonly AuditEntry[]>;
  readonly shares: () => Promise<readonly SharedConversation[]>;
  /** The name of a person as their platform gave it with their last message. */
  readonly nameOf: (person: PersonRef) => Promise<string | undefined>;
}

/** Port: what operators do. Each writes to the audit log in the transaction of the change, or before it. */
export interface OperatorActions {
  /** Answers a message again that was given up. `gone`: it was replayed, discarded or deleted meanwhile. */
  readonly replay: (id: InboxId, by: Operator) => Promise<'done' | 'gone'>;
  readonly discard: (id: InboxId, by: Operator) => Promise<'done' | 'gone'>;
  /** Turns a key off and on. */
  readonly setKeyActive: (id: string, isActive: boolean, by: Operator) => ReturnType<Keys['setActive']>;
  /** Leaves a key alone for a while, or ends its rest with 0. */
  readonly restKey: (id: string, minutes: number, by: Operator) => Promise<'done' | 'unknown'>;
  /** `refused`: the operator is not an approver. The token never is. */
  readonly decide: (
    id: ApprovalId,
    verdict: 'approve' | 'deny',
    by: Operator,
  ) => Promise<'done' | 'refused' | 'too-late' | 'unknown'>;
  /** The person is told who read it. Undefined: not shared any more. */
  readonly readShare: (id: string, by: Operator) => Promise<readonly SharedMessage[] | undefined>;
  readonly recordLogin: (by: Operator) => Promise<void>;
  readonly recordLogout: (by: Operator, isEverywhere: boolean) => Promise<void>;
}

export interface DashboardCode {
  readonly code: string;
  readonly expiresAt: Timestamp;
  /** Where to type it. */
  readonly url: string;
}

/** Port: ways into the operator page, for `/dashboard`. */
export interface Dashboard {
  /** A new code replaces the person's earlier one. */
  readonly issueCode: (person: PersonRef, roles: readonly string[]) => Promise<DashboardCode>;
  /** Ends all sessions of the person. Returns how many there were. */
  readonly endSessions: (person: PersonRef) => Promise<number>;
}
