import { type Kysely, sql } from 'kysely';
import { ownerless, past, type TableDescriptor } from '#src/platform/storage/descriptor.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    listings: ListingsTable;
  }
}

/** Instruments that the built-in index lacks and a market source lists. */
interface ListingsTable {
  symbol: string;
  /** JSON. */
  instrument: string;
  offered_at: string;
  /** Null until a person has confirmed that they mean it. */
  confirmed_at: string | null;
}

const unconfirmed = past('offered_at', 24);

export const listingTables: readonly TableDescriptor[] = [
  ownerless('listings', ['symbol'], 'Instruments that the built-in index lacks.', {
    until: (times) => sql<boolean>`confirmed_at is null and ${unconfirmed.until(times)}`,
  }),
];

/** Makes the table of listings. */
export const createListingTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('listings')
    .addColumn('symbol', 'text', (column) => column.primaryKey())
    .addColumn('instrument', 'text', (column) => column.notNull())
    .addColumn('offered_at', 'text', (column) => column.notNull())
    .addColumn('confirmed_at', 'text')
    .execute();
};
