import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Instruments that the built-in index lacks and a market source lists. */
export const listings: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('listings')
      .addColumn('symbol', 'text', (column) => column.primaryKey())
      .addColumn('instrument', 'text', (column) => column.notNull())
      .addColumn('offered_at', 'text', (column) => column.notNull())
      .addColumn('confirmed_at', 'text')
      .execute();
  },
};
