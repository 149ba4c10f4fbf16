import type { SessionKey, Timestamp } from '../ids.ts';

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
