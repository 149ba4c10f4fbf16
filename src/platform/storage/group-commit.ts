import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';
import type { SqliteSession } from './sqlite.ts';

type Work<T> = (tx: Transaction<Database>) => Promise<T>;

/**
 * Runs work in a transaction; durable when it resolves. Work that throws is rolled back alone. The work must wait for
 * nothing but the transaction: neither for a query outside of it nor for another write.
 */
export type Write = <T>(work: Work<T>) => Promise<T>;

/** For a database that runs many transactions at a time and groups their commits itself. */
export const eachForItself =
  (db: Kysely<Database>): Write =>
  (work) =>
    db.transaction().execute(work);

/** Reads wait while a batch runs, so it must end even if writes keep coming. */
const MAX_BATCH = 256;

interface Waiting {
  /** Runs the work; gives a function that resolves the caller's promise once it is durable. Rejects as the work does. */
  readonly run: (tx: Transaction<Database>) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/**
 * For SQLite, where each commit makes the whole process wait for the disk. Writes of the same turn of the event loop
 * share one transaction and one commit, in order of arrival; those that arrive while it runs join it. A single write
 * waits only for the rest of its turn.
 *
 * The first write of a transaction needs no savepoint, because there is nothing before it to keep. Alone it costs no
 * more than a transaction of its own.
 */
export const createGroupCommit = (
  db: Kysely<Database>,
  session: SqliteSession,
  schedule: (flush: () => void) => void = setImmediate,
): Write => {
  let waiting: Waiting[] = [];
  let isScheduled = false;
  /** The work that the current call belongs to, while it runs. */
  const current = new AsyncLocalStorage<{ isRunning: boolean }>();

  /** Undefined if only this work was rolled back. Throws if the database gave up the whole transaction. */
  const runOne = async (tx: Transaction<Database>, next: Waiting, hasOthers: boolean) => {
    if (hasOthers) session.run('savepoint one');
    const place = { isRunning: true };
    try {
      const settle = await current.run(place, next.run, tx);
      if (hasOthers) session.run('release one');
      if (!session.isInTransaction()) throw new Error('The database gave up a transaction');
      return settle;
    } catch (error) {
      // A full disk may end the whole transaction, also for work that had succeeded.
      if (!session.isInTransaction()) throw error;
      if (hasOthers) {
        session.run('rollback to one');
        session.run('release one');
      } else {
        session.run('rollback');
        session.run('begin immediate');
      }
      next.reject(error);
      return undefined;
    } finally {
      place.isRunning = false;
    }
  };

  const commitTogether = async (): Promise<void> => {
    const begun: Waiting[] = [];
    const settling: (() => void)[] = [];
    try {
      await db.transaction().execute(async (tx) => {
        for (let next = waiting[0]; next && begun.length < MAX_BATCH; next = waiting[0]) {
          waiting.shift();
          begun.push(next);
          const settle = await runOne(tx, next, settling.length > 0);
          if (settle) settling.push(settle);
        }
      });
    } catch (error) {
      // If no transaction could begin, the waiting writes would otherwise wait for ever.
      const failed = begun.length > 0 ? begun : waiting.splice(0);
      for (const { reject } of failed) reject(error);
      return;
    }
    for (const settle of settling) settle();
  };

  const flush = async (): Promise<void> => {
    await commitTogether();
    isScheduled = waiting.length > 0;
    if (isScheduled) schedule(() => void flush());
  };

  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      // The transaction waits for this work, and this work would wait for the next transaction.
      if (current.getStore()?.isRunning) throw new Error('A write inside of a write would wait for itself');
      const run = async (tx: Transaction<Database>): Promise<() => void> => {
        const value = await work(tx);
        return () => resolve(value);
      };
      waiting.push({ run, reject });
      if (isScheduled) return;
      isScheduled = true;
      schedule(() => void flush());
    });
};
