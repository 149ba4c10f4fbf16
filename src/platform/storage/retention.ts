import { sql } from 'kysely';
import type { Storage } from './database.ts';
import {
  childrenOf,
  type Condition,
  isChildOf,
  keyOf,
  type PurgeStep,
  type PurgeTimes,
  type TableDescriptor,
  type Tx,
} from './descriptor.ts';
import type { Uses } from '../services.ts';

interface RetentionDeps extends Uses<'clock' | 'events' | 'logger'> {
  readonly storage: Pick<Storage, 'db' | 'write' | 'tables' | 'truncateLog'>;
  /** Removes files by their last change; gives the number of each kind. */
  readonly purgeFiles: () => Promise<Readonly<Record<string, number>>>;
  readonly days: number;
}

/** The first purge waits until the start is over. */
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 24 * 3_600_000;
/** The pause between two steps, for messages that arrive meanwhile. */
const PAUSE_MS = 50;

/** Some ten milliseconds of work, which nobody who waits for an answer notices. */
const BATCH = 200;

/** Deletes rows and those of child tables that are kept with their parent; reports the number for each table. */
const purgeFrom = async (
  tx: Tx,
  tables: readonly TableDescriptor[],
  table: TableDescriptor,
  where: Condition,
  count: (name: string, removed: number) => void,
): Promise<void> => {
  const from = sql`delete from ${sql.table(table.name)} where ${where}`;
  const children = childrenOf(tables, table).filter(({ kept }) => kept === 'with its parent');
  if (children.length === 0) {
    const { numAffectedRows = 0n } = await from.execute(tx);
    count(table.name, Number(numAffectedRows));
    return;
  }
  const key = keyOf(table);
  const { rows } = await sql<Record<string, unknown>>`${from} returning ${sql.ref(key)}`.execute(tx);
  count(table.name, rows.length);
  const ids = rows.map((row) => row[key]);
  for (const child of children) await purgeFrom(tx, tables, child, isChildOf(child, ids), count);
};

/** The purge steps of the database: each table by its rule, a batch at a time. */
export const createPurgeSteps = (
  storage: Pick<Storage, 'db' | 'write' | 'tables'>,
  times: PurgeTimes,
): readonly PurgeStep[] => {
  const { tables } = storage;
  return tables.flatMap((table) => {
    const { name, key, kept } = table;
    if (kept === 'forever' || kept === 'with its parent') return [];
    if ('step' in kept) return [kept.step(storage, times, childrenOf(tables, table))];
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const old = sql<boolean>`(${columns}) in (
      select ${columns} from ${sql.table(name)} where ${kept.until(times)} limit ${BATCH})`;
    return [
      async () => {
        const removed: Record<string, number> = {};
        const count = (of: string, rows: number): void => {
          removed[of] = (removed[of] ?? 0) + rows;
        };
        await storage.write((tx) => purgeFrom(tx, tables, table, old, count));
        return { removed, hasMore: removed[name] === BATCH };
      },
    ];
  });
};

/** Removes old data in small steps while the bot works. */
export const createRetention = (deps: RetentionDeps) => {
  const { storage, purgeFiles, days, clock, events, logger } = deps;
  const stopping = new AbortController();
  let running: Promise<Readonly<Record<string, number>>> | undefined;
  let cancelNext: (() => void) | undefined;
  let endPause: (() => void) | undefined;

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(PAUSE_MS, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });

  const workOff = async (step: PurgeStep, count: (kind: string, removed: number) => void): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { removed, hasMore } = await step();
      for (const [kind, found] of Object.entries(removed)) count(kind, found);
      if (!hasMore) return;
      await pause();
    }
  };

  const files: PurgeStep = async () => ({ removed: await purgeFiles(), hasMore: false });

  const purgeAll = async (): Promise<Readonly<Record<string, number>>> => {
    const now = clock.now();
    const limit = now.subtract({ hours: 24 * days });
    const counts: Record<string, number> = {};
    const count = (kind: string, removed: number): void => {
      counts[kind] = (counts[kind] ?? 0) + removed;
    };
    const errors: unknown[] = [];
    for (const step of [...createPurgeSteps(storage, { now, limit }), files]) {
      try {
        await workOff(step, count);
      } catch (error) {
        errors.push(error);
      }
    }
    await storage.truncateLog();
    events.emit('retention:purge', { removed: counts });
    if (errors.length > 0) throw new AggregateError(errors, 'Some old data could not be removed');
    return counts;
  };

  const purge = (): Promise<Readonly<Record<string, number>>> =>
    (running ??= purgeAll().finally(() => {
      running = undefined;
    }));

  const purgeAndGoOn = async (): Promise<void> => {
    try {
      await purge();
    } catch (error) {
      logger.error('Old data could not be removed; the next attempt is in a day', { error });
    }
    if (!stopping.signal.aborted) cancelNext = clock.after(EVERY_MS, () => void purgeAndGoOn());
  };

  return {
    /**
     * Removes what is older than the configured days, except unfinished work. Gives the number of each kind. A step that
     * fails does not stop the others; the purge then rejects at the end.
     */
    purge,
    /** Purges soon after the start, and then once a day. */
    start: () => {
      cancelNext = clock.after(FIRST_AFTER_MS, () => void purgeAndGoOn());
    },
    /** Waits for the current step of a running purge. */
    stop: async () => {
      stopping.abort();
      cancelNext?.();
      endPause?.();
      await running?.catch(() => undefined);
    },
  };
};
