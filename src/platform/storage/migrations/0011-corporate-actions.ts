import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Splits and dividends as a source reports them, and which of them a portfolio does not want to hear about again. */
export const corporateActions: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('corporate_actions')
      .addColumn('symbol', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('action_date', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('currency', 'text')
      .addColumn('price_before', 'text')
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('first_seen_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('corporate_actions_action', ['symbol', 'kind', 'action_date'])
      .execute();
    await db.schema
      .createTable('corporate_action_looks')
      .addColumn('symbol', 'text', (column) => column.primaryKey())
      .addColumn('first_day', 'text', (column) => column.notNull())
      .addColumn('last_day', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('looked_at', 'text', (column) => column.notNull())
      .addColumn('whole_looked_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('dismissed_actions')
      .addColumn('portfolio_id', 'text', (column) => column.notNull())
      .addColumn('symbol', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('action_date', 'text', (column) => column.notNull())
      .addColumn('dismissed_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('dismissed_actions_action', ['portfolio_id', 'symbol', 'kind', 'action_date'])
      .execute();
  },
};
