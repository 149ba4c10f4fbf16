import type { SessionKey, Timestamp, UserId } from './ids.ts';
import type { ReplyPayload, ReplyTarget } from './message.ts';

export interface QueueStatus {
  readonly isRunning: boolean;
  readonly waiting: number;
}

/** How messages that arrive during a run are treated. */
export type QueueMode = 'queue' | 'followup' | 'collect' | 'steer' | 'steer-backlog' | 'interrupt';

/** Port: the running and waiting work of a session. */
export interface QueueControl {
  /** Aborts what runs and resolves when it has ended; `idle` when nothing ran. */
  readonly stop: (sessionKey: SessionKey) => Promise<'stopped' | 'idle'>;
  readonly status: (sessionKey: SessionKey) => QueueStatus;
  readonly mode: (sessionKey: SessionKey) => QueueMode;
}

/** Port: the memory of a conversation. */
export interface Conversations {
  /** Sets the history aside, so that the next message starts anew. False when there was none. */
  readonly reset: (sessionKey: SessionKey) => Promise<boolean>;
}

/**
 * Port: a message that is not an answer (an alert, a briefing), durable before it is sent.
 * @public
 */
export interface Notifier {
  readonly notify: (target: ReplyTarget, payload: ReplyPayload, at?: Timestamp) => Promise<void>;
}

export interface ApprovalRequest {
  readonly id: string;
  readonly toolName: string;
  /** The exact arguments in words; the decision is bound to them. */
  readonly summary: string;
  readonly askedBy: UserId;
  readonly expiresAt: Timestamp;
}

/**
 * Port: a person's decision on a tool call. Nothing is ever approved without one.
 * @public
 */
export interface Approvals {
  readonly ask: (request: ApprovalRequest, target: ReplyTarget) => Promise<void>;
  /** Goes on with the runs whose decision fell while the process was away. */
  readonly resume: () => Promise<void>;
  readonly decide: (
    id: string,
    verdict: 'approved' | 'denied',
    by: UserId,
  ) => Promise<'recorded' | 'refused' | 'expired'>;
}

/**
 * Port: all that is stored about one person, read and removed by that person alone.
 * @public
 */
export interface UserData {
  readonly export: (userId: UserId) => Promise<Readonly<Record<string, unknown>>>;
  readonly delete: (userId: UserId) => Promise<{ readonly rowsDeleted: number }>;
}
