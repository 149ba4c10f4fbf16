import { type Kysely, sql, SqliteAdapter } from 'kysely';

/** Makes the tables of the agent. */
export const createAgentTables = async (db: Kysely<unknown>): Promise<void> => {
  // The key is also the order in which a conversation is read.
  const entries = db.schema
    .createTable('transcript_entries')
    .addColumn('session_key', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('turn_id', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('left_at', 'text')
    .addPrimaryKeyConstraint('transcript_entries_key', ['session_key', 'state', 'position', 'version']);
  // SQLite then stores the rows by their key, so those of a conversation lie together. Otherwise they would lie among
  // the rows of all the others, in the order of arrival, and loading would read a page of the file for every entry.
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await (isSqlite ? entries.modifyEnd(sql`without rowid`) : entries).execute();

  await db.schema
    .createTable('session_settings')
    .addColumn('session_key', 'text', (column) => column.primaryKey())
    .addColumn('model', 'text')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('chosen_by_admin', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

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
    .addColumn('reserved_pico_usd', 'bigint')
    .addColumn('request_id', 'text')
    .addColumn('response_id', 'text')
    .execute();
  await db.schema.createIndex('usage_at').on('usage').column('at').execute();
  await db.schema
    .createIndex('usage_open')
    .on('usage')
    .column('at')
    .where(sql.ref('reserved_pico_usd'), 'is not', null)
    .execute();
  await db.schema.createIndex('usage_user').on('usage').columns(['channel_id', 'user_id', 'at']).execute();

  await db.schema
    .createTable('budget_days')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('spent_pico_usd', 'bigint', (column) => column.notNull())
    .addColumn('reserved_pico_usd', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('budget_days_scope', ['day', 'scope'])
    .execute();

  await db.schema
    .createTable('usage_days')
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('failed', 'bigint', (column) => column.notNull())
    .addColumn('unpriced', 'bigint', (column) => column.notNull())
    .addColumn('input_tokens', 'bigint', (column) => column.notNull())
    .addColumn('output_tokens', 'bigint', (column) => column.notNull())
    .addColumn('cost_pico_usd', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_days_pk', ['time_zone', 'day', 'channel_id', 'user_id', 'model'])
    .execute();
  await db.schema
    .createIndex('usage_days_of_person')
    .on('usage_days')
    .columns(['channel_id', 'user_id'])
    .execute();

  await db.schema
    .createTable('usage_day_totals')
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('failed', 'bigint', (column) => column.notNull())
    .addColumn('unpriced', 'bigint', (column) => column.notNull())
    .addColumn('input_tokens', 'bigint', (column) => column.notNull())
    .addColumn('output_tokens', 'bigint', (column) => column.notNull())
    .addColumn('cost_pico_usd', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_day_totals_pk', ['time_zone', 'day', 'channel_id', 'model'])
    .execute();

  await db.schema
    .createTable('usage_sums')
    .addColumn('time_zone', 'text', (column) => column.primaryKey())
    .addColumn('summed_until', 'text', (column) => column.notNull())
    .execute();
};
