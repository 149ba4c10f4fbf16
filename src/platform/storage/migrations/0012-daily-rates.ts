import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Exchange rates of past days, from live sources alone. They belong to nobody. */
export const dailyRates: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('daily_rates')
      .addColumn('base', 'text', (column) => column.notNull())
      .addColumn('quote', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('close_day', 'text')
      .addColumn('rate', 'text')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('stored_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('daily_rates_day', ['base', 'quote', 'day'])
      .execute();
  },
};
