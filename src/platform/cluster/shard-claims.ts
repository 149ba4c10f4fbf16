import type { Pool } from 'pg';
import type { ReceiveInShards } from '#src/kernel/channel/host.ts';
import { createPollingLoop } from '../concurrency/polling-loop.ts';
import { patiently } from '../storage/postgres.ts';
import type { ProcessBus } from './process-bus.ts';
import { ago, GONE_SECONDS } from './processes.ts';
import type { Uses } from '../services.ts';

/** Signals can be lost, so every process also looks by itself. */
const LOOK_MS = 2_000;
/** A lost connection to the database is usually back in this time. Until then the platform's connections are kept. */
const RECONNECT_MS = 5_000;

/** A shard that this process has taken on. */
interface Holding {
  /** Another process may have it. */
  isLost: boolean;
}

interface ShardsDeps extends Uses<'clock' | 'logger.info' | 'logger.warn'> {
  readonly processId: string;
  readonly pool: Pick<Pool, 'query'>;
  readonly bus: Pick<
    ProcessBus,
    | 'tryLock'
    | 'unlock'
    | 'query'
    | 'countHolders'
    | 'isStillConnected'
    | 'onConnected'
    | 'onLost'
    | 'listen'
    | 'publish'
  >;
}

const AGREED = `
  select max(shards) as shards from received_shards
  where channel_id = $1 and account_id = $2
    and process_id in (select id from processes where id <> $3 and seen_at > ${ago(GONE_SECONDS)})`;
const IS_OURS = `
  select 1 from received_shards where channel_id = $1 and account_id = $2 and shard = $3 and shards = $4 and process_id = $5`;
const TAKE = `
  insert into received_shards (channel_id, account_id, shard, shards, process_id)
  values ($1, $2, $3, $4, $5)
  on conflict (channel_id, account_id, shard) do update set
    shards = excluded.shards, process_id = excluded.process_id`;

/**
 * Shares out the shards of a platform's events. Each shard has a lock, and so does the group of processes that receive: the
 * database frees both with the connection, however a process ends. A process takes as many shards as it has to if all
 * receive about as many, and gives up what is more when another process comes.
 */
export const createReceiveInShards =
  ({ processId, pool, bus, clock, logger }: ShardsDeps): ReceiveInShards =>
  async ({ channelId, accountId, shards: wanted }, { begin, end }) => {
    const shards = (await agreedShards(pool, [channelId, accountId, processId])) ?? wanted;
    const all = Array.from({ length: shards }, (_, shard) => shard);
    const group = `receive from ${channelId}`;
    // If two processes should ever differ in the number of shards, each number is received in full. Nothing is lost.
    const lockOf = (shard: number): string => `${group}, shard ${shard} of ${shards}`;
    const { held, locked, noteLocks, locksChange, lock, lose } = createHoldings();
    /** Rises whenever the connection, and every lock with it, is lost. */
    let losses = 0;
    let isInGroup = false;
    let cancelGrace: (() => void) | undefined;
    let isGraceOver = false;

    const giveUp = async (shard: number): Promise<void> => {
      const holding = held.get(shard);
      if (!holding) return;
      held.delete(shard);
      if (!locked.has(shard)) lose(holding);
      await end(shard);
      logger.info('This process has given up a shared task', { task: lockOf(shard) });
      if (locked.delete(shard)) await bus.unlock(lockOf(shard));
      lose(holding);
      void bus.publish('shards', processId);
    };

    const confirm = async (shard: number, holding: Holding): Promise<boolean> => {
      while (!holding.isLost) {
        if (locked.has(shard) && (await bus.isStillConnected()) && locked.has(shard)) return !holding.isLost;
        await locksChange();
      }
      return false;
    };

    const take = async (shard: number): Promise<void> => {
      if (!(await bus.tryLock(lockOf(shard)))) return;
      const lossesBefore = losses;
      const key = [channelId, accountId, shard, shards, processId];
      try {
        const before = held.get(shard);
        if (before) {
          const isOurs = (await bus.query(IS_OURS, key)).length === 1;
          if (isOurs && lossesBefore === losses) lock(shard);
          if (isOurs) return;
          // Another process had it in between.
          held.delete(shard);
          lose(before);
          await end(shard);
        }
        // Without the lock, this would take it from another process.
        if (lossesBefore !== losses) return;
        await bus.query(TAKE, key);
        if (lossesBefore !== losses) return;
        const holding: Holding = { isLost: false };
        held.set(shard, holding);
        lock(shard);
        logger.info('This process has taken on a shared task', { task: lockOf(shard) });
        begin({ shard, shards, confirm: () => confirm(shard, holding) });
      } catch (error) {
        await bus.unlock(lockOf(shard));
        throw error;
      }
    };

    const enterGroup = async (): Promise<boolean> => {
      if (isInGroup) return true;
      isInGroup = await bus.tryLock(group, 'shared');
      if (isInGroup) void bus.publish('shards', processId);
      return isInGroup;
    };

    const share = async (): Promise<void> => {
      if (isGraceOver) {
        isGraceOver = false;
        await Promise.all([...held.keys()].filter((shard) => !locked.has(shard)).map(giveUp));
      }
      if (!(await enterGroup())) return;
      // After a lost connection another process may have got what this one has.
      for (const shard of held.keys()) {
        if (!locked.has(shard)) await take(shard);
        if (!locked.has(shard) && isInGroup) await giveUp(shard);
      }
      if (!isInGroup) return;
      cancelGrace?.();
      cancelGrace = undefined;
      const [processes = 1, ...holders] = await bus.countHolders([group, ...all.map(lockOf)]);
      const most = Math.ceil(shards / Math.max(processes, 1));
      for (const shard of [...held.keys()].slice(most)) await giveUp(shard);
      for (const shard of all)
        if (held.size < most && !held.has(shard) && holders[shard] === 0) await take(shard);
    };

    const loop = createPollingLoop(async () => {
      try {
        await share();
      } catch (error) {
        logger.warn('The messages could not be shared out among the processes; trying again', { error });
      }
      noteLocks();
      return shards === 1 && locked.size === 1 ? undefined : LOOK_MS;
    }, clock);
    const toldBy = (id: string): void => {
      if (id !== processId) loop.wake();
    };
    bus.listen('shards', { told: toldBy });
    /** Left to the loop, so that no shard is taken while it is being given up. */
    const endGrace = (): void => {
      cancelGrace = undefined;
      isGraceOver = true;
      loop.wake();
    };
    // Before others look.
    bus.onConnected(loop.wake);
    bus.onLost(() => {
      losses += 1;
      locked.clear();
      isInGroup = false;
      if (held.size > 0) cancelGrace ??= clock.after(RECONNECT_MS, endGrace);
    });
    await loop.start();

    return {
      stop: async () => {
        await loop.stop();
        cancelGrace?.();
        await Promise.all([...held.keys()].map(giveUp));
        if (isInGroup) await bus.unlock(group, 'shared');
        isInGroup = false;
      },
    };
  };

/** How many shards there are for the other processes. */
const agreedShards = async (
  pool: ShardsDeps['pool'],
  key: readonly string[],
): Promise<number | undefined> => {
  const { rows } = await patiently(() => pool.query<{ readonly shards: number | null }>(AGREED, [...key]));
  return rows[0]?.shards ?? undefined;
};

/** The shards of this process, and whether it still has their locks. */
const createHoldings = () => {
  const held = new Map<number, Holding>();
  /** Those whose lock this process has on its present connection to the database. */
  const locked = new Set<number>();
  let locksChanged = Promise.withResolvers<void>();
  const noteLocks = (): void => {
    locksChanged.resolve();
    locksChanged = Promise.withResolvers();
  };
  /** Those who wait for it go on before any later event. */
  const lock = (shard: number): void => {
    locked.add(shard);
    noteLocks();
  };
  const lose = (holding: Holding): void => {
    holding.isLost = true;
    noteLocks();
  };
  return { held, locked, noteLocks, locksChange: () => locksChanged.promise, lock, lose };
};
