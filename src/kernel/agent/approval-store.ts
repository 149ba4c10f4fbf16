import type {
  ApprovalId,
  ChannelId,
  InboxId,
  MessageId,
  PersonRef,
  SessionKey,
  Timestamp,
  TurnId,
  UserId,
} from '../ids.ts';
import type { Locale } from '../locale.ts';
import type { ReplyTarget } from '../chat/message.ts';

/** `started`: the approved call has begun and may have taken effect. */
export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'started';

/** The approval of one tool call, bound to its exact arguments by their hash. */
export interface Approval {
  readonly id: ApprovalId;
  readonly inboxId: InboxId;
  readonly turnId: TurnId;
  readonly callId: string;
  readonly sessionKey: SessionKey;
  readonly channelId: ChannelId;
  readonly askedBy: UserId;
  /** The requester's name, where other people see the question. */
  readonly requesterName: string | undefined;
  readonly toolName: string;
  readonly inputHash: string;
  readonly summary: string;
  readonly reason: string;
  readonly locale: Locale;
  readonly target: ReplyTarget;
  readonly status: ApprovalStatus;
  readonly decidedBy: string | undefined;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** The platform's message that holds the question, where the channel reported it. */
  readonly messageId?: MessageId | undefined;
}

export type DecisionOutcome =
  /** `isLast`: no other call of its message is undecided, so the message is pending again. */
  { readonly outcome: 'recorded'; readonly isLast: boolean } | { readonly outcome: 'too-late' };

export interface ApprovalStore {
  /** Stores a new approval, or gives the one that already exists for this call. */
  readonly request: (approval: Omit<Approval, 'status' | 'decidedBy'>) => Promise<Approval>;
  readonly get: (id: ApprovalId) => Promise<Approval | undefined>;
  /** Records the message that holds the question. Its outcome is shown there, and a reply to it is for the bot. */
  readonly askedIn: (id: ApprovalId, messageId: MessageId) => Promise<void>;
  readonly ofCall: (turnId: TurnId, callId: string) => Promise<Approval | undefined>;
  /** The words of the voice messages in the turn of this message. Undefined if it has none. */
  readonly heardIn: (inboxId: InboxId) => Promise<string | undefined>;
  /**
   * Decides a pending approval of a suspended message; before that, nobody has been asked. The last decision of a
   * message makes its inbox row pending again, with no attempts counted, in the same transaction. A message that has
   * ended in the meantime stays ended.
   */
  readonly decide: (
    id: ApprovalId,
    status: 'approved' | 'denied' | 'expired',
    by: string,
    at: Timestamp,
    /** An operator, whose decisions are audited. */
    operator?: PersonRef,
  ) => Promise<DecisionOutcome>;
  /** Called before a call that must not run twice. False where it was not approved, or was started before. */
  readonly start: (id: ApprovalId) => Promise<boolean>;
  /** Undecided approvals of suspended messages, the oldest first; of one session or of all. */
  readonly pending: (sessionKey?: SessionKey) => Promise<readonly Approval[]>;
  /**
   * Denies what waits in a session. Its suspended messages end as done, their turns as failed. Gives the approvals that
   * were given up, the oldest first.
   */
  readonly giveUp: (
    sessionKey: SessionKey,
    which: GivenUp,
    by: string,
    at: Timestamp,
  ) => Promise<readonly Approval[]>;
}

export interface GivenUp {
  /** Only approvals of this person. */
  readonly askedBy?: UserId | undefined;
  /** Only messages that were accepted before this one, with questions asked before it. */
  readonly before?: InboxId | undefined;
  /** Also messages whose approvals were decided but that have not continued yet. */
  readonly isDecidedToo?: boolean;
}
