import { FinClawError } from '#src/core/errors.ts';
import type { Clock } from './clock.ts';

export type LaneId = 'main' | 'cron' | 'subagent';

export interface LaneConfig {
  readonly maxConcurrency: number;
  readonly maxQueueSize: number;
  readonly timeoutMs: number;
}

/** A slot in a lane. Releasing twice, or after the lane was reset, does nothing. */
export interface LaneHandle {
  readonly release: () => void;
}

export interface LaneStatus {
  readonly laneId: LaneId;
  readonly active: number;
  readonly queued: number;
  readonly maxConcurrency: number;
}

interface Waiter {
  readonly key: string;
  readonly grant: () => void;
}

interface Lane {
  readonly config: LaneConfig;
  /** Key to the token of its one run; a handle whose token is no longer here is stale. */
  readonly active: Map<string, symbol>;
  waiting: Waiter[];
}

const DEFAULTS: Record<LaneId, LaneConfig> = {
  main: { maxConcurrency: 64, maxQueueSize: 10_000, timeoutMs: 300_000 },
  cron: { maxConcurrency: 4, maxQueueSize: 1_000, timeoutMs: 300_000 },
  subagent: { maxConcurrency: 8, maxQueueSize: 100, timeoutMs: 300_000 },
};

/** Caps what runs at once: one run a key, so many runs a lane; the rest waits, bounded in number and time. */
export class ConcurrencyLaneManager {
  readonly #lanes: ReadonlyMap<LaneId, Lane>;
  readonly #clock: Clock;

  constructor(clock: Clock, configs: Partial<Record<LaneId, Partial<LaneConfig>>> = {}) {
    this.#clock = clock;
    const ids: readonly LaneId[] = ['main', 'cron', 'subagent'];
    this.#lanes = new Map(
      ids.map((id) => [id, { config: { ...DEFAULTS[id], ...configs[id] }, active: new Map(), waiting: [] }]),
    );
  }

  /** Rejects with `LANE_QUEUE_FULL`, `LANE_TIMEOUT`, or the signal's reason. */
  acquire(laneId: LaneId, key: string, signal: AbortSignal): Promise<LaneHandle> {
    const lane = this.#lane(laneId);
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      if (this.#isFree(lane, key)) {
        resolve(this.#start(lane, key));
        return;
      }
      if (lane.waiting.length >= lane.config.maxQueueSize) {
        reject(new FinClawError(`Lane ${laneId} is full`, 'LANE_QUEUE_FULL', { statusCode: 503 }));
        return;
      }
      const leave = (reason: unknown): void => {
        lane.waiting = lane.waiting.filter((other) => other !== waiter);
        cleanUp();
        reject(reason);
      };
      const onAbort = (): void => leave(signal.reason);
      const cancelTimer = this.#clock.after(lane.config.timeoutMs, () =>
        leave(
          new FinClawError(`No slot in lane ${laneId} within ${lane.config.timeoutMs} ms`, 'LANE_TIMEOUT', {
            statusCode: 503,
          }),
        ),
      );
      const cleanUp = (): void => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        key,
        grant: () => {
          cleanUp();
          resolve(this.#start(lane, key));
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      lane.waiting.push(waiter);
    });
  }

  /** Forgets all runs of the lane: their keys are free again and their handles are stale. */
  resetGeneration(laneId: LaneId): void {
    const lane = this.#lane(laneId);
    lane.active.clear();
    this.#admit(lane);
  }

  status(): readonly LaneStatus[] {
    return [...this.#lanes].map(([laneId, lane]) => ({
      laneId,
      active: lane.active.size,
      queued: lane.waiting.length,
      maxConcurrency: lane.config.maxConcurrency,
    }));
  }

  #start(lane: Lane, key: string): LaneHandle {
    const token = Symbol(key);
    lane.active.set(key, token);
    return {
      release: () => {
        if (lane.active.get(key) !== token) return;
        lane.active.delete(key);
        this.#admit(lane);
      },
    };
  }

  /** In order of arrival, passing over those whose key is still running. */
  #admit(lane: Lane): void {
    const stillWaiting: Waiter[] = [];
    for (const waiter of lane.waiting) {
      if (this.#isFree(lane, waiter.key)) waiter.grant();
      else stillWaiting.push(waiter);
    }
    lane.waiting = stillWaiting;
  }

  #isFree(lane: Lane, key: string): boolean {
    return lane.active.size < lane.config.maxConcurrency && !lane.active.has(key);
  }

  #lane(laneId: LaneId): Lane {
    const lane = this.#lanes.get(laneId);
    if (!lane) throw new FinClawError(`There is no lane ${laneId}`, 'LANE_UNKNOWN', { isOperational: false });
    return lane;
  }
}
