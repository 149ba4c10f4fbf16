import type { InboxId, SessionKey, UserId } from '../ids.ts';
import type { MergedMessage, TurnContext } from './message.ts';

export interface QueueStatus {
  readonly isRunning: boolean;
  readonly waiting: number;
  /** The sender of the running message. */
  readonly startedBy?: UserId;
}

/** How messages that arrive during a run are handled. */
export const QUEUE_MODES = ['queue', 'followup', 'collect', 'steer', 'steer-backlog', 'interrupt'] as const;
export type QueueMode = (typeof QUEUE_MODES)[number];

/** Port: the running and waiting turns of a session. */
export interface QueueControl {
  /** Aborts the running turn and resolves when it has ended; `idle` if none ran. */
  readonly stop: (sessionKey: SessionKey) => Promise<'stopped' | 'idle'>;
  /** Aborts the running turn and starts no other one until `work` is done. */
  readonly whileStopped: <T>(sessionKey: SessionKey, work: () => Promise<T>) => Promise<T>;
  readonly status: (sessionKey: SessionKey) => QueueStatus;
  /** Running turns in the threads of the session's chat, without the session itself. */
  readonly runningInThreads: (sessionKey: SessionKey) => Promise<readonly RunningTurn[]>;
  /** Totals over all sessions. */
  readonly load: () => QueueLoad;
}

export interface RunningTurn {
  readonly sessionKey: SessionKey;
  readonly startedBy: UserId;
}

export interface QueueLoad {
  readonly sessions: number;
  readonly running: number;
  readonly waiting: number;
}

export type QueueModeScope = 'session' | 'channel' | 'agent';

export type QueuePlace = Pick<TurnContext, 'sessionKey' | 'channelId' | 'chatId' | 'guildId'>;

export interface QueueModeInForce {
  readonly mode: QueueMode;
  /** `guild`: set for the server or workspace with `/settings`. */
  readonly setFor: QueueModeScope | 'guild' | 'default';
}

/** Port: the queue mode. Session overrides channel, channel overrides guild, guild overrides agent. */
export interface QueueModes {
  readonly of: (place: QueuePlace) => QueueModeInForce;
  /** Null resets the choice. Durable when it resolves. */
  readonly choose: (place: QueuePlace, scope: QueueModeScope, mode: QueueMode | null) => Promise<void>;
}

/** Port: adds messages that a person writes during their own turn to that turn, if the queue mode allows it. */
export interface Steering {
  /**
   * Moves the waiting messages, in order, from the queue into the turn of this message. They stay in it after a crash.
   */
  readonly take: (sessionKey: SessionKey, inboxId: InboxId) => Promise<readonly MergedMessage[]>;
}
