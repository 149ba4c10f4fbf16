import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, Transaction } from 'kysely';
import { createFullDiskWatch } from './full-disk.ts';
import type { Database } from './schema.ts';
import type { SqliteSession } from './sqlite.ts';

type Work<T> = (tx: Transaction<Database>) => Promise<T>;

/**
 * When a write resolves. `durable`: it survives a power cut. `committed`: it survives the end of the process, and a power
 * cut once a later write is durable, because the log is written in order. `committed` is for steps of a turn that nobody
 * outside learns of before such a later write.
 */
type Durability = 'durable' | 'committed';

/**
 * Runs work in a transaction; durable when it resolves, unless told otherwise. Work that throws is rolled back alone. The
 * work must wait for nothing but the transaction: neither for a query outside of it nor for another write. It may run
 * again after a rollback, so it must have no other effect than its queries.
 */
export type Write = <T>(work: Work<T>, durability?: Durability) => Promise<T>;

/** Reads wait while a batch runs, so it must end even if writes keep coming. */
const MAX_BATCH = 256;
/** A batch begins in the first turn of the event loop that brings no write, and after this time at the latest. */
const MAX_GATHERING_MS = 15;

interface Waiting {
  /** Runs the work; gives a function that resolves the caller's promise. Rejects as the work does. */
  readonly run: (tx: Transaction<Database>) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
  readonly durability: Durability;
}

/** A write that is committed and not yet on disk. */
interface Unflushed {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface GroupCommitOptions {
  /** Makes all that was committed durable, without blocking the event loop. */
  readonly flush: () => Promise<void>;
  /** Called once, when a flush has failed and every later write is refused. */
  readonly onFailure?: ((failure: Error) => void) | undefined;
  /** Called when a write found the disk full. That write alone is refused; the next ones are tried. */
  readonly onFull?: ((error: unknown) => void) | undefined;
}

/**
 * Resolves writes once they are on disk. Writes that are committed during a flush share the next one. After a failed flush
 * nobody knows what is on disk, and the system reports the failure only once: it may keep the pages in its cache and call
 * them clean. So every later write is refused. A restart recovers from the log again and copies it into the database with
 * a new flush.
 */
const createFlusher = ({ flush, onFailure }: GroupCommitOptions) => {
  let unflushed: Unflushed[] = [];
  let isFlushing = false;
  let failure: Error | undefined;

  const flushAll = async (): Promise<void> => {
    isFlushing = true;
    while (unflushed.length > 0) {
      const covered = unflushed;
      unflushed = [];
      try {
        if (failure) throw failure;
        await flush();
        for (const { resolve } of covered) resolve();
      } catch (error) {
        const isFirst = failure === undefined;
        failure ??= new Error('The disk failed to store data', { cause: error });
        for (const { reject } of covered) reject(failure);
        if (isFirst) onFailure?.(failure);
      }
    }
    isFlushing = false;
  };

  return {
    add: (committed: readonly Unflushed[]): void => {
      unflushed.push(...committed);
      if (!isFlushing && unflushed.length > 0) void flushAll();
    },
    failure: (): Error | undefined => failure,
  };
};

/**
 * For SQLite, where each commit would otherwise be flushed alone. Writes of the same turn of the event loop share one
 * transaction, in order of arrival. So do those of the next turns, as long as each turn brings more, and those that arrive
 * while the transaction runs. A single write waits only for the rest of its turn, and costs no more than a transaction of
 * its own. The disk is flushed off the event loop, once for all that was committed meanwhile.
 */
export const createGroupCommit = (
  db: Kysely<Database>,
  session: SqliteSession,
  { flush, onFailure, onFull }: GroupCommitOptions,
): Write => {
  let waiting: Waiting[] = [];
  let isScheduled = false;
  const disk = createFlusher({ flush, onFailure });
  const noteFullDisk = createFullDiskWatch(onFull);
  /** The work that the current call belongs to, while it runs. */
  const current = new AsyncLocalStorage<{ isRunning: boolean }>();

  const runOne = async (tx: Transaction<Database>, { run }: Waiting): Promise<() => void> => {
    const place = { isRunning: true };
    try {
      const resolve = await current.run(place, run, tx);
      // A full disk may end the whole transaction, also for work that had succeeded.
      if (!session.isInTransaction()) throw new Error('The database gave up a transaction');
      return resolve;
    } finally {
      place.isRunning = false;
    }
  };

  /** Work that throws is told so, and what ran before it runs again, in a transaction without it. */
  const commitTogether = async (): Promise<void> => {
    const begun: Waiting[] = [];
    const committed: (Unflushed & Pick<Waiting, 'durability'>)[] = [];
    let running: Waiting | undefined;
    try {
      await db.transaction().execute(async (tx) => {
        for (let next = waiting[0]; next && begun.length < MAX_BATCH; next = waiting[0]) {
          waiting.shift();
          begun.push(next);
          running = next;
          const resolve = await runOne(tx, next);
          running = undefined;
          committed.push({ ...next, resolve });
        }
      });
    } catch (error) {
      noteFullDisk(error);
      if (running) {
        running.reject(error);
        waiting.unshift(...begun.slice(0, -1));
        return;
      }
      // If no transaction could begin, the waiting writes would otherwise wait for ever.
      const failed = begun.length > 0 ? begun : waiting.splice(0);
      for (const { reject } of failed) reject(error);
      return;
    }
    for (const { durability, resolve } of committed) if (durability === 'committed') resolve();
    disk.add(committed.filter(({ durability }) => durability === 'durable'));
  };

  const commitWaiting = async (): Promise<void> => {
    await commitTogether();
    isScheduled = waiting.length > 0;
    if (isScheduled) schedule();
  };

  const schedule = (): void => {
    const startedAtMs = performance.now();
    let count = waiting.length;
    const look = (): void => {
      const isGrowing = waiting.length > count;
      count = waiting.length;
      if (isGrowing && performance.now() - startedAtMs < MAX_GATHERING_MS) setImmediate(look);
      else void commitWaiting();
    };
    setImmediate(look);
  };

  return <T>(work: Work<T>, durability: Durability = 'durable') =>
    new Promise<T>((resolve, reject) => {
      // The transaction waits for this work, and this work would wait for the next transaction.
      if (current.getStore()?.isRunning) throw new Error('A write inside of a write would wait for itself');
      const failure = disk.failure();
      if (failure) throw failure;
      const run = async (tx: Transaction<Database>): Promise<() => void> => {
        const value = await work(tx);
        return () => resolve(value);
      };
      waiting.push({ run, reject, durability });
      if (isScheduled) return;
      isScheduled = true;
      schedule();
    });
};
