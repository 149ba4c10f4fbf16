import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Keys of model providers, what their use cost, and what was chosen for a conversation. */
export const engine: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('auth_profiles')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('sealed_key', 'text', (column) => column.notNull())
      .addColumn('is_active', 'integer', (column) => column.notNull())
      .addColumn('priority', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('last_used_at', 'text')
      .addColumn('failure_count', 'integer', (column) => column.notNull())
      .addColumn('cooldown_until', 'text')
      .execute();

    await db.schema
      .createTable('usage')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('session_key', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('profile_id', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('input_tokens', 'bigint', (column) => column.notNull())
      .addColumn('output_tokens', 'bigint', (column) => column.notNull())
      .addColumn('cache_read_tokens', 'bigint', (column) => column.notNull())
      .addColumn('cache_write_tokens', 'bigint', (column) => column.notNull())
      .addColumn('cost_pico_usd', 'bigint')
      .execute();
    await db.schema.createIndex('usage_at').on('usage').columns(['at']).execute();
    await db.schema.createIndex('usage_user').on('usage').columns(['channel_id', 'user_id', 'at']).execute();

    await db.schema
      .createTable('session_settings')
      .addColumn('session_key', 'text', (column) => column.primaryKey())
      .addColumn('model', 'text')
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute();
  },
};
