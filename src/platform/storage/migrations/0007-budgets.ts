import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What was spent and reserved in a day, requests that are booked before they are sent, and whether an administrator
 * chose a conversation's model.
 */
export const budgets: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('budget_days')
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('spent_pico_usd', 'bigint', (column) => column.notNull())
      .addColumn('reserved_pico_usd', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('budget_days_scope', ['day', 'scope'])
      .execute();

    await db.schema.alterTable('usage').addColumn('reserved_pico_usd', 'bigint').execute();
    await db.schema
      .createIndex('usage_open')
      .on('usage')
      .column('at')
      .where(sql.ref('reserved_pico_usd'), 'is not', null)
      .execute();

    await db.schema
      .alterTable('session_settings')
      .addColumn('chosen_by_admin', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    // In shared conversations only administrators could choose up to now.
    await sql`update session_settings set chosen_by_admin = 1 where session_key not like '%:direct:%'`.execute(
      db,
    );
  },
};
