import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What is a person's own: ledgers, alerts, lists, briefings; who they are on several platforms; what was done with it. */
export const personalFinance: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('identity_links')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('linked_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('identity_links_person', ['channel_id', 'user_id'])
      .execute();
    await db.schema.createIndex('identity_links_owner').on('identity_links').column('owner_id').execute();
    await db.schema
      .createTable('link_codes')
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('portfolios')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull())
      .addColumn('base_currency', 'text', (column) => column.notNull())
      .addColumn('cost_method', 'text', (column) => column.notNull())
      .addColumn('allows_short', 'integer', (column) => column.notNull())
      .addColumn('is_default', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addUniqueConstraint('portfolios_name', ['owner_id', 'name_key'])
      .execute();
    await db.schema
      .createTable('transactions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('portfolio_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('reverses', 'text')
      .addColumn('trade_date', 'text')
      .addColumn('instrument', 'text')
      .addColumn('details', 'text', (column) => column.notNull())
      .addColumn('recorded_at', 'text', (column) => column.notNull())
      .addUniqueConstraint('transactions_client', ['portfolio_id', 'client_id'])
      .addUniqueConstraint('transactions_number', ['portfolio_id', 'number'])
      .addUniqueConstraint('transactions_reverses', ['reverses'])
      .execute();
    await db.schema
      .createTable('pending_imports')
      .addColumn('code', 'text', (column) => column.primaryKey())
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('portfolio_id', 'text')
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('alerts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('symbol', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('side', 'text', (column) => column.notNull())
      .addColumn('memory', 'text', (column) => column.notNull())
      .addColumn('details', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text')
      .addColumn('snoozed_until', 'text')
      .addColumn('fired_count', 'integer', (column) => column.notNull())
      .addColumn('last_fired_at', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addUniqueConstraint('alerts_request', ['owner_id', 'request_id'])
      .execute();
    await db.schema.createIndex('alerts_status').on('alerts').columns(['status', 'symbol']).execute();
    await db.schema
      .createTable('alert_firings')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('alert_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('fired_at', 'text', (column) => column.notNull())
      .addUniqueConstraint('alert_firings_number', ['alert_id', 'number'])
      .execute();

    await db.schema
      .createTable('watchlist_entries')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('symbol', 'text', (column) => column.notNull())
      .addColumn('instrument', 'text', (column) => column.notNull())
      .addColumn('added_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('watchlist_entries_symbol', ['owner_id', 'symbol'])
      .execute();

    await db.schema
      .createTable('briefings')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('details', 'text', (column) => column.notNull())
      .addColumn('next_at', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addUniqueConstraint('briefings_request', ['owner_id', 'request_id'])
      .execute();
    await db.schema.createIndex('briefings_due').on('briefings').column('next_at').execute();

    await db.schema
      .createTable('audit')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('person_hash', 'text', (column) => column.notNull())
      .addColumn('details', 'text', (column) => column.notNull())
      .execute();

    await db.schema.alterTable('notifications').addColumn('claimed_until', 'text').execute();
  },
};
