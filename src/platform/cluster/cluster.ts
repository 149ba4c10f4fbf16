import { randomUUID } from 'node:crypto';
import type { OtherProcesses } from '#src/kernel/channel/host.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Role } from '#src/kernel/operations/status.ts';
import { type Clock, type Moment, momentOf, sinceMs } from '../concurrency/clock.ts';
import type { FinClawLogger } from '../logging/logger.ts';
import { unusableDatabase } from '../storage/migrate.ts';
import { openPool, patiently, requireVersion } from '../storage/postgres.ts';
import { createLease, type Lease } from './lease.ts';
import { createProcessBus, isLockHeld, type ProcessBus } from './process-bus.ts';
import { createAsNewest } from './newest.ts';
import { createReceiveInShards } from './shard-claims.ts';
import { createProcesses, type Processes } from './processes.ts';
import { openSessionJobs, type SessionJobs } from './session-jobs.ts';
import { raceAbort } from '../concurrency/abort.ts';
import { sleepWithAbort } from '../concurrency/retry.ts';
import { SerialQueue } from '../concurrency/serial-queue.ts';
import type { SharedSettings } from '../storage/shared-settings.ts';
import type { Uses } from '../services.ts';

/** Several processes on one PostgreSQL database, as one of them sees it. */
export interface Cluster {
  /** New at every start. */
  readonly processId: string;
  readonly role: Role;
  readonly bus: ProcessBus;
  readonly jobs: SessionJobs;
  readonly shareSettings: ShareSettings;
  readonly processes: Pick<Processes, 'list' | 'isShared' | 'isReceivedBySeveral' | 'onJoined'>;
  readonly lostSince: Receivers['lostSince'];
  /** Whether this process watches the alerts and writes the briefings of all. */
  readonly isLeading: () => boolean;
  /** Takes on a task that only one process may have, and keeps it. False if another process has it. */
  readonly takeTask: (task: string) => Promise<boolean>;
  readonly receiveInShards: OtherProcesses['receiveInShards'];
  readonly takeTurn: OtherProcesses['takeTurn'];
  readonly asNewest: OtherProcesses['asNewest'];
  /** Says how the number of sessions is counted that this process works on. */
  readonly countSessions: (count: () => number) => void;
  readonly close: () => Promise<void>;
}

/** The answers of a terminal must appear where the question was typed, so there is only one. */
export const TERMINAL_TASK = 'terminal chat';

export const terminalInUse = (): FinClawError =>
  new FinClawError(
    'Another terminal chat is running on this PostgreSQL database. Stop it first, or give this one its own DATABASE_URL.',
    'TERMINAL_IN_USE',
  );

/** Whether a process on the database has the task. */
export const isTaskTaken = async (databaseUrl: string, task: string): Promise<boolean> => {
  const pool = await openPool(databaseUrl, { max: 1, queryTimeoutMs: QUERY_TIMEOUT_MS });
  try {
    return await isLockHeld(pool, task);
  } catch (error) {
    throw unusableDatabase(error);
  } finally {
    await pool.end();
  }
};

const CONNECTIONS = 3;
const QUERY_TIMEOUT_MS = 10_000;

interface ClusterDeps extends Uses<'clock' | 'logger'> {
  readonly databaseUrl: string;
  readonly version: string;
  readonly role: Role;
  /** The platforms that this process is on. */
  readonly channelIds: readonly string[];
  /** Those of them whose chats arrive at one process each. */
  readonly undividedIds: readonly string[];
}

export const openCluster = async (deps: ClusterDeps): Promise<Cluster> => {
  const { databaseUrl, version, role, channelIds, undividedIds, clock, logger } = deps;
  const processId = randomUUID();
  // Claims are renewed even if every connection for messages is in use.
  const pool = await openPool(databaseUrl, { max: CONNECTIONS, queryTimeoutMs: QUERY_TIMEOUT_MS });
  let sessions: (() => number) | undefined;
  const bus = createProcessBus({ connectionString: databaseUrl, pool, clock, logger });
  const jobs = await openSessionJobs({ pool, logger });
  const leases: Pick<Lease, 'stop'>[] = [];
  const lease = (name: string): Lease => {
    const opened = createLease({ name, bus, clock, logger });
    leases.push(opened);
    return opened;
  };
  const leadership = lease('alerts and briefings');
  const processes = createProcesses({
    self: { id: processId, role, version, channels: channelIds },
    undivided: new Set(undividedIds),
    sessions: () => sessions?.() ?? 0,
    pool,
    bus,
    clock,
    logger,
  });
  const divided = channelIds.filter((id) => !undividedIds.includes(id));
  const receivers = createReceivers({
    channelIds: role === 'worker' ? [] : divided,
    bus,
    processes,
    clock,
    logger,
  });
  const close = async (): Promise<void> => {
    await Promise.all(leases.map(({ stop }) => stop()));
    await processes.stop();
    await bus.stop();
    await jobs.stop();
    await pool.end();
  };
  try {
    await patiently(() => requireVersion(pool));
    await patiently(bus.start);
    await jobs.start(channelIds);
    // The leader also answers: alerts are sent by workers.
    await Promise.all([role !== 'gateway' && leadership.start(), processes.start()]);
  } catch (error) {
    await close();
    throw error instanceof FinClawError ? error : unusableDatabase(error);
  }
  return {
    processId,
    role,
    bus,
    jobs,
    shareSettings: createShareSettings(bus, logger),
    processes,
    lostSince: receivers.lostSince,
    isLeading: leadership.isHeld,
    takeTask: async (task) => {
      const only = lease(task);
      await only.start();
      return only.isHeld();
    },
    receiveInShards: async (of, turn) => {
      const opened = await createReceiveInShards({ processId, pool, bus, clock, logger })(of, turn);
      leases.push(opened);
      return opened;
    },
    takeTurn: createSharedRateLimit(bus, clock),
    asNewest: createAsNewest({ processes, bus, clock, logger }),
    countSessions: (count) => {
      sessions = count;
    },
    close,
  };
};

/** A platform brings what was not acknowledged again for so long: Slack for some six minutes. */
const COMES_AGAIN_MS = 6 * 60_000;

/** The others that receive messages of one platform. */
interface Watch {
  /** Their connections to the database. */
  others: ReadonlySet<number>;
  /** When all of them were there. */
  seenAt: Temporal.Instant;
  /** The last loss: when it was noticed, and a moment before it. */
  lost: { readonly noticed: Moment; readonly before: Temporal.Instant } | undefined;
}

/**
 * Notices at once that a process which received messages beside this one is gone, however it ended: the database frees its
 * lock with its connection.
 */
type Receivers = ReturnType<typeof createReceivers>;

interface ReceiversDeps extends Uses<'clock' | 'logger.warn'> {
  /** The platforms of which this process receives some of the messages, and others receive the rest. */
  readonly channelIds: readonly string[];
  readonly bus: Pick<ProcessBus, 'tryLock' | 'otherHolders' | 'onConnected'>;
  readonly processes: Pick<Processes, 'onJoined'>;
}

const lockOf = (channelId: string): string => `receive from ${channelId}`;

/** Must be created before the link is started, so that this process is seen before it receives anything. */
const createReceivers = ({ channelIds, bus, processes, clock, logger }: ReceiversDeps) => {
  const watches = new Map(
    channelIds.map((id): [string, Watch] => [
      id,
      { others: new Set(), seenAt: clock.now(), lost: undefined },
    ]),
  );
  const failed = (error: unknown): void =>
    logger.warn('It is not known which processes receive messages; asking again', { error });

  const look = async (channelId: string, watch: Watch): Promise<void> => {
    const askedAt = clock.now();
    const others = new Set(await bus.otherHolders(lockOf(channelId)));
    if ([...watch.others].some((each) => !others.has(each)))
      watch.lost = { noticed: momentOf(clock), before: watch.seenAt };
    watch.others = others;
    watch.seenAt = askedAt;
  };

  bus.onConnected(() => {
    for (const id of channelIds) bus.tryLock(lockOf(id), 'shared').catch(failed);
  });
  processes.onJoined(() => {
    for (const [id, watch] of watches) look(id, watch).catch(failed);
  });

  return {
    /** A moment before the last loss, as long as messages may come again that the lost process had not stored. Never rejects. */
    lostSince: async (channelId: string): Promise<Temporal.Instant | undefined> => {
      const watch = watches.get(channelId);
      if (!watch) return undefined;
      if (watch.others.size > 0) await look(channelId, watch).catch(failed);
      const { lost } = watch;
      return lost && sinceMs(lost.noticed, clock) < COMES_AGAIN_MS ? lost.before : undefined;
    },
  };
};

const LOOK_MS = 250;

/** A rate limit that all processes share. The process whose turn it is keeps a lock for the pause after its turn. */
const createSharedRateLimit = (
  bus: Pick<ProcessBus, 'tryLock' | 'unlock'>,
  clock: Clock,
): OtherProcesses['takeTurn'] => {
  // A process gets its own lock again, so its turns wait for each other here.
  const own = new SerialQueue();
  return async (what, pauseMs, signal) => {
    const leave = await own.enter(what, (before) => raceAbort(before, signal));
    try {
      while (!(await bus.tryLock(what))) await sleepWithAbort(LOOK_MS, clock, signal);
    } catch (error) {
      leave();
      throw error;
    }
    clock.after(pauseMs, () => void bus.unlock(what).then(leave));
  };
};

type ShareSettings = (kind: string) => SharedSettings;

export const createShareSettings =
  (bus: Pick<ProcessBus, 'publish' | 'listen'>, logger: Pick<FinClawLogger, 'error'>): ShareSettings =>
  (kind) => ({
    changed: () => bus.publish('settings', kind),
    onChanged: (reload) => {
      /** One after the other, so that an older reading does not come last. */
      let reading: Promise<void> = Promise.resolve();
      const again = (): void => {
        reading = reading
          .then(reload)
          .catch((error: unknown) =>
            logger.error('A change by another process could not be applied here', { what: kind, error }),
          );
      };
      bus.listen('settings', {
        told: (what) => {
          if (what === kind) again();
        },
        gap: again,
      });
    },
  });
