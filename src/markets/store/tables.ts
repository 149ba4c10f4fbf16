import { sql } from 'kysely';
import { ownerless, past, type TableDescriptor } from '#src/platform/storage/descriptor.ts';
import { defineTable, nullable, text, type RowOf } from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    listings: RowOf<typeof listingsForm>;
  }
}

/** Instruments that the built-in index lacks and a market source lists. */
const listingsForm = defineTable(
  'listings',
  {
    symbol: text(),
    /** JSON. */
    instrument: text(),
    offered_at: text(),
    /** Null until a person has confirmed that they mean it. */
    confirmed_at: nullable(text()),
  },
  { key: ['symbol'] },
);

const unconfirmed = past('offered_at', 24);

export const listingTables: readonly TableDescriptor[] = [
  ownerless(listingsForm, 'Instruments that the built-in index lacks.', {
    until: (times) => sql<boolean>`confirmed_at is null and ${unconfirmed.until(times)}`,
  }),
];
