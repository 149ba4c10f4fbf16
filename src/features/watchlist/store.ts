import type { Transaction } from 'kysely';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { OwnerId, Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { lockOwner } from '#src/platform/storage/owned.ts';
import type { Database } from '#src/platform/storage/schema.ts';

export interface WatchlistStore {
  /** In the order in which they were added. */
  readonly list: (ownerId: OwnerId) => Promise<readonly Instrument[]>;
  /** Gives the instruments that were new. Where the list would exceed `limit`, it gives `full` and adds none. */
  readonly add: (
    ownerId: OwnerId,
    instruments: readonly Instrument[],
    limit: number,
  ) => Promise<readonly Instrument[] | 'full'>;
  /** Gives the symbols that were on the list. */
  readonly remove: (ownerId: OwnerId, symbols: readonly string[]) => Promise<readonly string[]>;
  readonly clear: (ownerId: OwnerId) => Promise<number>;
}

/** Microseconds, finer than the clock, keep the order of instruments that were added at the same moment. */
const toFineTime = (at: Timestamp): string => at.toString({ smallestUnit: 'microsecond' });

const addAll = async (
  tx: Transaction<Database>,
  ownerId: OwnerId,
  instruments: readonly Instrument[],
  limit: number,
  now: Timestamp,
): Promise<readonly Instrument[] | 'full'> => {
  await lockOwner(tx, 'watchlist_entries', { owner_id: ownerId, instrument: '', added_at: '' }, 'symbol');
  const rows = await tx
    .selectFrom('watchlist_entries')
    .select(['symbol', 'added_at'])
    .where('owner_id', '=', ownerId)
    .orderBy('added_at')
    .execute();
  const seen = new Set(rows.map(({ symbol }) => symbol));
  const added = instruments.filter(({ symbol }) => !seen.has(symbol) && seen.add(symbol));
  if (added.length === 0) return [];
  if (seen.size > limit) return 'full';
  const last = rows.at(-1);
  const afterLast = last && Temporal.Instant.from(last.added_at).add({ microseconds: 1 });
  const first = afterLast && Temporal.Instant.compare(afterLast, now) > 0 ? afterLast : now;
  await tx
    .insertInto('watchlist_entries')
    .values(
      added.map((instrument, index) => ({
        owner_id: ownerId,
        symbol: instrument.symbol,
        instrument: JSON.stringify(instrument),
        added_at: toFineTime(first.add({ microseconds: index })),
      })),
    )
    .execute();
  return added;
};

export const createWatchlistStore = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
): WatchlistStore => ({
  list: async (ownerId) => {
    const rows = await db
      .selectFrom('watchlist_entries')
      .select('instrument')
      .where('owner_id', '=', ownerId)
      .orderBy('added_at')
      .orderBy('symbol')
      .execute();
    return rows.map(({ instrument }) => JSON.parse(instrument) as Instrument);
  },

  add: (ownerId, instruments, limit) => write((tx) => addAll(tx, ownerId, instruments, limit, clock.now())),

  remove: async (ownerId, symbols) => {
    if (symbols.length === 0) return [];
    const rows = await write((tx) =>
      tx
        .deleteFrom('watchlist_entries')
        .where('owner_id', '=', ownerId)
        .where('symbol', 'in', symbols)
        .returning('symbol')
        .execute(),
    );
    const removed = new Set(rows.map(({ symbol }) => symbol));
    return [...new Set(symbols)].filter((symbol) => removed.has(symbol));
  },

  clear: async (ownerId) => {
    const { numDeletedRows } = await write((tx) =>
      tx.deleteFrom('watchlist_entries').where('owner_id', '=', ownerId).executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  },
});
