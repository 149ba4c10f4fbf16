import { FinClawError } from '#src/core/errors.ts';
import type { Clock } from './clock.ts';
import { FairShares } from './fair-shares.ts';

export type LaneId = 'main' | 'cron' | 'subagent';

export interface LaneConfig {
  readonly maxConcurrency: number;
  /** Of one owner: what is beyond it waits, also while the lane has room. */
  readonly maxPerOwner: number;
  readonly maxQueueSize: number;
  readonly timeoutMs: number;
}

/** What wants a slot. */
export interface LaneRun {
  /** One run at a time has it. */
  readonly key: string;
  /** On whose behalf it runs; owners take turns. Default: the key, so that it counts for itself alone. */
  readonly owner?: string;
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
  readonly owner: string;
  readonly grant: (handle: LaneHandle) => void;
}

interface Lane {
  readonly config: LaneConfig;
  /** Key to the token of its one run; a handle whose token is no longer here is stale. */
  readonly active: Map<string, symbol>;
  /** All who wait, in order of arrival. */
  readonly waiting: Set<Waiter>;
  /** Those who wait for the same key, in order. Only the first one competes for a slot, once the key is free. */
  readonly byKey: Map<string, Set<Waiter>>;
  shares: FairShares<Waiter>;
}

const DEFAULTS: Record<LaneId, LaneConfig> = {
  main: { maxConcurrency: 64, maxPerOwner: 4, maxQueueSize: 10_000, timeoutMs: 300_000 },
  cron: { maxConcurrency: 4, maxPerOwner: 2, maxQueueSize: 1_000, timeoutMs: 300_000 },
  subagent: { maxConcurrency: 8, maxPerOwner: 2, maxQueueSize: 100, timeoutMs: 300_000 },
};

/**
 * Caps what runs at once: one run a key, so many runs an owner and a lane. The rest waits, bounded in number and time.
 * Owners take turns, so that nobody waits for all that another one has queued.
 */
export class ConcurrencyLaneManager {
  readonly #lanes: ReadonlyMap<LaneId, Lane>;
  readonly #clock: Clock;

  constructor(clock: Clock, configs: Partial<Record<LaneId, Partial<LaneConfig>>> = {}) {
    this.#clock = clock;
    const ids: readonly LaneId[] = ['main', 'cron', 'subagent'];
    this.#lanes = new Map(
      ids.map((id) => {
        const config = { ...DEFAULTS[id], ...configs[id] };
        const shares = new FairShares<Waiter>(config.maxPerOwner);
        return [id, { config, active: new Map(), waiting: new Set(), byKey: new Map(), shares }];
      }),
    );
  }

  /** Rejects with `LANE_QUEUE_FULL`, `LANE_TIMEOUT`, or the signal's reason. */
  acquire(laneId: LaneId, { key, owner = key }: LaneRun, signal: AbortSignal): Promise<LaneHandle> {
    const lane = this.#lane(laneId);
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const isKeyFree = !lane.active.has(key) && !lane.byKey.has(key);
      if (this.#hasRoom(lane) && isKeyFree && lane.shares.mayHold(owner)) {
        lane.shares.hold(owner);
        resolve(this.#start(lane, key, owner));
        return;
      }
      if (lane.waiting.size >= lane.config.maxQueueSize) {
        reject(new FinClawError(`Lane ${laneId} is full`, 'LANE_QUEUE_FULL', { statusCode: 503 }));
        return;
      }
      const leave = (reason: unknown): void => {
        this.#leave(lane, waiter);
        cleanUp();
        reject(reason);
      };
      const onAbort = (): void => leave(signal.reason);
      const cancelTimer = this.#clock.after(lane.config.timeoutMs, () => {
        const isOwnDoing = !lane.shares.mayHold(owner);
        const message = `No slot in lane ${laneId} within ${lane.config.timeoutMs} ms`;
        leave(
          new FinClawError(message, isOwnDoing ? 'LANE_SHARE_TIMEOUT' : 'LANE_TIMEOUT', { statusCode: 503 }),
        );
      });
      const cleanUp = (): void => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        key,
        owner,
        grant: (handle) => {
          cleanUp();
          resolve(handle);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#wait(lane, waiter);
    });
  }

  /** Forgets all runs of the lane: their keys are free again and their handles are stale. */
  resetGeneration(laneId: LaneId): void {
    const lane = this.#lane(laneId);
    const waiting = [...lane.waiting];
    lane.active.clear();
    lane.waiting.clear();
    lane.byKey.clear();
    lane.shares = new FairShares(lane.config.maxPerOwner);
    for (const waiter of waiting) this.#wait(lane, waiter);
    this.#admit(lane);
  }

  status(): readonly LaneStatus[] {
    return [...this.#lanes].map(([laneId, lane]) => ({
      laneId,
      active: lane.active.size,
      queued: lane.waiting.size,
      maxConcurrency: lane.config.maxConcurrency,
    }));
  }

  #start(lane: Lane, key: string, owner: string): LaneHandle {
    const token = Symbol(key);
    lane.active.set(key, token);
    return {
      release: () => {
        if (lane.active.get(key) !== token) return;
        lane.active.delete(key);
        lane.shares.release(owner);
        this.#compete(lane, key);
        this.#admit(lane);
      },
    };
  }

  #wait(lane: Lane, waiter: Waiter): void {
    lane.waiting.add(waiter);
    const line = lane.byKey.get(waiter.key);
    if (line) {
      line.add(waiter);
      return;
    }
    lane.byKey.set(waiter.key, new Set([waiter]));
    if (!lane.active.has(waiter.key)) this.#compete(lane, waiter.key);
  }

  #leave(lane: Lane, waiter: Waiter): void {
    this.#forget(lane, waiter);
    lane.shares.leave(waiter.owner, waiter);
    if (lane.active.has(waiter.key)) return;
    this.#compete(lane, waiter.key);
    this.#admit(lane);
  }

  /** The first who waits for the key, if anybody does, competes for a slot with those of other keys. */
  #compete(lane: Lane, key: string): void {
    const [first] = lane.byKey.get(key) ?? [];
    if (first) lane.shares.wait(first.owner, first);
  }

  #forget(lane: Lane, waiter: Waiter): void {
    lane.waiting.delete(waiter);
    const line = lane.byKey.get(waiter.key);
    line?.delete(waiter);
    if (line?.size === 0) lane.byKey.delete(waiter.key);
  }

  #admit(lane: Lane): void {
    while (this.#hasRoom(lane)) {
      const waiter = lane.shares.next();
      if (!waiter) return;
      this.#forget(lane, waiter);
      waiter.grant(this.#start(lane, waiter.key, waiter.owner));
    }
  }

  #hasRoom(lane: Lane): boolean {
    return lane.active.size < lane.config.maxConcurrency;
  }

  #lane(laneId: LaneId): Lane {
    const lane = this.#lanes.get(laneId);
    if (!lane) throw new FinClawError(`There is no lane ${laneId}`, 'LANE_UNKNOWN', { isOperational: false });
    return lane;
  }
}
