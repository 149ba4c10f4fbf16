import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What chat platforms need: sends in doubt, live messages, questions with a place, servers with settings. */
export const platforms: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('outbox').addColumn('first_tried_at', 'text').execute();
    await db.schema.alterTable('outbox').addColumn('replaces', 'text').execute();
    await db.schema.alterTable('approvals').addColumn('message_id', 'text').execute();

    await db.schema
      .createTable('guild_settings')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('guild_id', 'text', (column) => column.notNull())
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('updated_by', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('guild_settings_guild', ['channel_id', 'guild_id'])
      .execute();

    await db.schema
      .createTable('channel_progress')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('seen_until', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_progress_account', ['channel_id', 'account_id'])
      .execute();

    await db.schema
      .createTable('erased_events')
      .addColumn('event_hash', 'text', (column) => column.primaryKey())
      .addColumn('erased_at', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('live_messages')
      .addColumn('inbox_id', 'text', (column) => column.primaryKey())
      .addColumn('delivery_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text')
      .addColumn('opened_at', 'text', (column) => column.notNull())
      .execute();
  },
};
