import { FinClawError } from '#src/kernel/errors.ts';
import type { Clock } from './clock.ts';
import { FairShares } from './fair-shares.ts';

/** `main`: answers to people. `cron`: background work. */
export type LaneId = 'main' | 'cron';

export interface LaneConfig {
  readonly maxConcurrency: number;
  /** The limit for one owner. Further runs wait, even while the lane has room. */
  readonly maxPerOwner: number;
  readonly maxQueueSize: number;
  readonly timeoutMs: number;
}

/** A run that needs a slot. */
export interface LaneRun {
  /** Runs with the same key never overlap. */
  readonly key: string;
  /** The person for whom it runs; owners take turns. Default: the key. */
  readonly owner?: string;
}

/** Groups of runs in the `main` lane that have a limit in addition to that of the lane. */
export interface LaneGroups {
  /** The group of a key. */
  readonly of: (key: string) => string;
  /** The limits by group. A group that is not named here has none. */
  readonly maxConcurrency: Readonly<Record<string, number>>;
}

export interface LaneSettings extends Partial<Record<LaneId, Partial<LaneConfig>>> {
  readonly groups?: LaneGroups;
}

/** A slot in a lane. Releasing twice does nothing. */
export interface LaneHandle {
  readonly release: () => void;
}

export interface LaneStatus {
  /** `main`, `cron`, or `main:` and the name of a group. */
  readonly laneId: string;
  readonly active: number;
  readonly queued: number;
  readonly maxConcurrency: number;
}

interface Waiter {
  readonly key: string;
  readonly owner: string;
  readonly group: Group | undefined;
  readonly grant: (handle: LaneHandle) => void;
}

/** Runs that share a limit. */
interface Group {
  readonly maxConcurrency: number;
  active: number;
}

interface Lane {
  readonly config: LaneConfig;
  /** The token of the running run by key. A handle whose token is no longer here is stale. */
  readonly active: Map<string, symbol>;
  /** All waiters, in order of arrival. */
  readonly waiting: Set<Waiter>;
  /** The waiters of each key, in order. Only the first competes for a slot, once the key is free. */
  readonly byKey: Map<string, Set<Waiter>>;
  readonly shares: FairShares<Waiter>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly groupOf: (key: string) => Group | undefined;
}

export const LANE_DEFAULTS: Readonly<Record<LaneId, LaneConfig>> = {
  main: { maxConcurrency: 64, maxPerOwner: 4, maxQueueSize: 10_000, timeoutMs: 300_000 },
  cron: { maxConcurrency: 4, maxPerOwner: 2, maxQueueSize: 1_000, timeoutMs: 300_000 },
};

const hasRoomIn = (group: Group | undefined): boolean => !group || group.active < group.maxConcurrency;

const createLane = (config: LaneConfig, settings: LaneGroups | undefined): Lane => {
  const groups = new Map<string, Group>(
    Object.entries(settings?.maxConcurrency ?? {}).map(([name, maxConcurrency]) => [
      name,
      { maxConcurrency, active: 0 },
    ]),
  );
  return {
    config,
    active: new Map(),
    waiting: new Set(),
    byKey: new Map(),
    shares: new FairShares(config.maxPerOwner),
    groups,
    groupOf: settings && groups.size > 0 ? (key) => groups.get(settings.of(key)) : () => undefined,
  };
};

/**
 * Limits what runs at the same time: one run for each key, and a maximum for each owner, group and lane. Further runs wait,
 * limited in number and time. Owners take turns, so that nobody waits for everything that another owner has queued.
 */
export class ConcurrencyLaneManager {
  readonly #lanes: Readonly<Record<LaneId, Lane>>;
  readonly #clock: Clock;

  constructor(clock: Clock, { groups, ...configs }: LaneSettings = {}) {
    this.#clock = clock;
    this.#lanes = {
      main: createLane({ ...LANE_DEFAULTS.main, ...configs.main }, groups),
      cron: createLane({ ...LANE_DEFAULTS.cron, ...configs.cron }, undefined),
    };
  }

  /** Rejects with `LANE_QUEUE_FULL`, `LANE_TIMEOUT`, `LANE_SHARE_TIMEOUT` or the signal's reason. */
  acquire(laneId: LaneId, { key, owner = key }: LaneRun, signal: AbortSignal): Promise<LaneHandle> {
    const lane = this.#lanes[laneId];
    const group = lane.groupOf(key);
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const isKeyFree = !lane.active.has(key) && !lane.byKey.has(key);
      if (this.#hasRoom(lane) && isKeyFree && hasRoomIn(group) && lane.shares.mayHold(owner)) {
        lane.shares.hold(owner);
        resolve(this.#start(lane, { key, owner, group }));
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
        group,
        grant: (handle) => {
          cleanUp();
          resolve(handle);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#wait(lane, waiter);
    });
  }

  status(): readonly LaneStatus[] {
    return Object.entries(this.#lanes).flatMap(([laneId, { config, active, waiting, groups }]) => [
      { laneId, active: active.size, queued: waiting.size, maxConcurrency: config.maxConcurrency },
      ...[...groups].map(([name, group]) => ({
        laneId: `${laneId}:${name}`,
        active: group.active,
        queued: [...waiting].filter((waiter) => waiter.group === group).length,
        maxConcurrency: group.maxConcurrency,
      })),
    ]);
  }

  #start(lane: Lane, { key, owner, group }: Omit<Waiter, 'grant'>): LaneHandle {
    const token = Symbol(key);
    lane.active.set(key, token);
    if (group) group.active += 1;
    return {
      release: () => {
        if (lane.active.get(key) !== token) return;
        lane.active.delete(key);
        if (group) group.active -= 1;
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

  /** Lets the first waiter of a key, if there is one, compete for a slot with those of other keys. */
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
      const waiter =
        lane.groups.size > 0 ? lane.shares.next(({ group }) => hasRoomIn(group)) : lane.shares.next();
      if (!waiter) return;
      this.#forget(lane, waiter);
      waiter.grant(this.#start(lane, waiter));
    }
  }

  #hasRoom(lane: Lane): boolean {
    return lane.active.size < lane.config.maxConcurrency;
  }
}
