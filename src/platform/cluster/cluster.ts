import { randomUUID } from 'node:crypto';
import type { OtherProcesses } from '#src/kernel/channel/host.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Role } from '#src/kernel/operations/status.ts';
import type { Clock } from '../concurrency/clock.ts';
import type { FinClawLogger } from '../logging/logger.ts';
import { unusableDatabase } from '../storage/migrate.ts';
import { openPool, patiently, requireVersion } from '../storage/postgres.ts';
import { createLease, type Lease } from './lease.ts';
import { createProcessBus, isLockHeld, type ProcessBus } from './process-bus.ts';
import { createAsNewest } from './newest.ts';
import { createReceiveInShards } from './shard-claims.ts';
import { createProcesses, type Processes } from './processes.ts';
import { createReceivers, type Receivers } from './receivers.ts';
import { openSessionJobs, type SessionJobs } from './session-jobs.ts';
import { createShareSettings, type ShareSettings } from './shared-settings.ts';
import { createSharedRateLimit } from './shared-rate-limit.ts';

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

interface ClusterDeps {
  readonly databaseUrl: string;
  readonly version: string;
  readonly role: Role;
  /** The platforms that this process is on. */
  readonly channelIds: readonly string[];
  /** Those of them whose chats arrive at one process each. */
  readonly undividedIds: readonly string[];
  readonly clock: Clock;
  readonly logger: FinClawLogger;
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
