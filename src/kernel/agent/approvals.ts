import type { Locale } from '../locale.ts';
import type { ApprovalId, InboxId, PersonRef, SessionKey, Timestamp, UserId } from '../ids.ts';

/** A tool call that waits for a person's approval. */
export interface ApprovalRequest {
  readonly id: ApprovalId;
  readonly toolName: string;
  /** The action with its exact arguments, to which the decision is bound. */
  readonly summary: string;
  /** Why approval is needed. */
  readonly reason: string;
  readonly askedBy: UserId;
  /** Named in chats that others read. */
  readonly requesterName?: string;
  /** The words of the voice messages that led to the call. They are shown first, because they may be misheard. */
  readonly heard?: string;
  readonly locale: Locale;
  /** The earliest time at which the person can have seen the question. */
  readonly askedAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** An earlier process may have asked without recording the message. A channel that can search for it does so first. */
  readonly isRepeated: boolean;
}

export type ApprovalVerdict = 'approved' | 'denied';

/** The deciding person, authenticated by the platform. */
export interface Decider extends PersonRef {
  readonly userRoles: readonly string[];
  /** Decides on the operator page, so the decision is written to the audit log too. */
  readonly isOperator?: boolean;
}

export type ApprovalOutcome =
  /** `settled` resolves (never rejects) when the resumed run has ended, or at once if it waits for other approvals. */
  | { readonly outcome: 'recorded'; readonly settled: Promise<void> }
  /** Neither the requester nor one of the configured approvers. */
  | { readonly outcome: 'refused' }
  /** Already decided or expired. */
  | { readonly outcome: 'too-late' }
  | { readonly outcome: 'unknown' };

/** Port: approvals of tool calls. Nothing is approved without a person's decision. */
export interface Approvals {
  readonly decide: (id: ApprovalId, verdict: ApprovalVerdict, by: Decider) => Promise<ApprovalOutcome>;
  /** Undecided requests of a conversation that a person was asked about, oldest first. */
  readonly pending: (sessionKey: SessionKey) => Promise<readonly ApprovalRequest[]>;
  /** Undecided requests of all conversations that this person may decide. */
  readonly pendingFor: (by: Decider) => Promise<readonly ApprovalRequest[]>;
  /** Gives up waiting requests: their calls are not made. Returns how many there were. */
  readonly giveUp: (sessionKey: SessionKey, which: GiveUp) => Promise<number>;
}

export interface GiveUp {
  /** The person who caused it. */
  readonly by: UserId;
  /** Only requests of this person. */
  readonly askedBy?: UserId;
  /** Only requests of messages accepted before this one. */
  readonly before?: InboxId;
  /** Also decided requests whose run has not resumed yet. */
  readonly isDecidedToo?: boolean;
}
