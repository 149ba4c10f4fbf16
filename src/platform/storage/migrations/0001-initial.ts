import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Inbox, turns, outbox, and the row of the readiness check. */
export const initial: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('inbox')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('chat_id', 'text', (column) => column.notNull())
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('session_key', 'text', (column) => column.notNull())
      .addColumn('agent_id', 'text', (column) => column.notNull())
      .addColumn('matched_by', 'text', (column) => column.notNull())
      .addColumn('sender_id', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('error_id', 'text')
      .addColumn('accepted_at', 'text', (column) => column.notNull())
      .addColumn('settled_at', 'text')
      // A Slack timestamp is unique only inside its conversation, so the chat is part of the key.
      .addUniqueConstraint('inbox_event', ['channel_id', 'account_id', 'chat_id', 'event_id'])
      .execute();
    await db.schema.createIndex('inbox_status').on('inbox').columns(['status', 'id']).execute();

    await db.schema
      .createTable('turns')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('inbox_id', 'text', (column) => column.notNull().unique())
      .addColumn('session_key', 'text', (column) => column.notNull())
      .addColumn('sender_id', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('started_at', 'text', (column) => column.notNull())
      .addColumn('ended_at', 'text')
      .execute();

    await db.schema
      .createTable('outbox')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('inbox_id', 'text', (column) => column.notNull())
      .addColumn('part_index', 'integer', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('platform_message_id', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('sent_at', 'text')
      .addUniqueConstraint('outbox_part', ['inbox_id', 'part_index'])
      .execute();

    await db.schema
      .createTable('health')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('checked_at', 'text', (column) => column.notNull())
      .execute();
  },
};
