import type { InboxId, SessionKey, TurnId, UserId } from '../ids.ts';

export type TurnStatus = 'open' | 'suspended' | 'complete' | 'failed';

export interface Turn {
  readonly id: TurnId;
  readonly status: TurnStatus;
}

export interface NewTurn {
  readonly id: TurnId;
  readonly inboxId: InboxId;
  readonly sessionKey: SessionKey;
  readonly senderId: UserId;
}

export interface TurnStore {
  /** Begins the turn of this message, or gives the one that a crash left behind. */
  readonly open: (turn: NewTurn, at: Temporal.Instant) => Promise<Turn>;
  /** Whether a turn of this message exists. */
  readonly isBegun: (inboxId: InboxId) => Promise<boolean>;
  /** The session of the turn that answers this message. */
  readonly sessionOf: (inboxId: InboxId) => Promise<SessionKey | undefined>;
  /** Whether a turn of this session, other than that of this message, has ended with an answer. */
  readonly hasEnded: (sessionKey: SessionKey, except: InboxId) => Promise<boolean>;
  /** Must be called only after the turn's last transcript entry is stored. */
  readonly finish: (id: TurnId, status: 'complete' | 'failed', at: Temporal.Instant) => Promise<void>;
  /** Suspends the turn until a person has decided. */
  readonly suspend: (id: TurnId) => Promise<void>;
  /** Continues the turn after a decision. False where it was given up in the meantime. */
  readonly reopen: (id: TurnId, inboxId: InboxId) => Promise<boolean>;
  /** The senders of the turns of a session, as far as they are kept. */
  readonly sendersIn: (sessionKey: SessionKey) => Promise<ReadonlyMap<TurnId, UserId>>;
  /** The open and suspended turns of a session. */
  readonly liveIn: (sessionKey: SessionKey) => Promise<ReadonlySet<TurnId>>;
}
