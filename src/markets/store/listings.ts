import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

export interface Listing {
  readonly instrument: Instrument;
  /** A person has confirmed that they mean this instrument. */
  readonly isConfirmed: boolean;
}

/** Instruments that the built-in index lacks, as a source lists them. It does not record who asked. */
export type ListingStore = ReturnType<typeof createListingStore>;

export const createListingStore = ({ db, write }: Storage, clock: Clock) => ({
  find: async (symbol: string): Promise<Listing | undefined> => {
    const row = await db.selectFrom('listings').selectAll().where('symbol', '=', symbol).executeTakeFirst();
    return (
      row && { instrument: JSON.parse(row.instrument) as Instrument, isConfirmed: row.confirmed_at !== null }
    );
  },
  /** An offered instrument can be confirmed after a restart too. A confirmed one stays confirmed. */
  offer: async (instrument: Instrument) => {
    const row = { instrument: JSON.stringify(instrument), offered_at: toStoredTime(clock.now()) };
    await write((tx) =>
      tx
        .insertInto('listings')
        .values({ symbol: instrument.symbol, confirmed_at: null, ...row })
        .onConflict((conflict) => conflict.column('symbol').doUpdateSet(row))
        .execute(),
    );
  },
  confirm: async (symbol: string) => {
    await write((tx) =>
      tx
        .updateTable('listings')
        .set({ confirmed_at: toStoredTime(clock.now()) })
        .where('symbol', '=', symbol)
        .where('confirmed_at', 'is', null)
        .execute(),
    );
  },
});
