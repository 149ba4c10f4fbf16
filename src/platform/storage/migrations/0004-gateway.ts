import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What became of messages that share a turn; who may write; what was chosen and told by chat. */
export const gateway: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('inbox')
      .addColumn('message_id', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await db.schema.alterTable('inbox').addColumn('taken_by', 'text').execute();
    await db.schema
      .createIndex('inbox_message')
      .on('inbox')
      .columns(['channel_id', 'account_id', 'chat_id', 'message_id'])
      .execute();
    await db.schema
      .createIndex('inbox_sender')
      .on('inbox')
      .columns(['channel_id', 'sender_id', 'accepted_at'])
      .execute();
    await db.schema.createIndex('inbox_session').on('inbox').columns(['session_key', 'status']).execute();
    await db.schema.createIndex('inbox_taken').on('inbox').column('taken_by').execute();
    await db.schema.createIndex('outbox_message').on('outbox').column('platform_message_id').execute();

    await db.schema
      .createTable('dead_letters')
      .addColumn('inbox_id', 'text', (column) => column.primaryKey())
      .addColumn('session_key', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('sender_id', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('error_id', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('pairings')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('user_name', 'text', (column) => column.notNull())
      .addColumn('code', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decided_at', 'text')
      .addPrimaryKeyConstraint('pairings_person', ['channel_id', 'user_id'])
      .execute();

    await db.schema
      .createTable('awaited_inputs')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('chat_id', 'text', (column) => column.notNull())
      .addColumn('thread_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('awaited_inputs_place', [
        'channel_id',
        'account_id',
        'chat_id',
        'thread_id',
        'user_id',
      ])
      .execute();

    await db.schema
      .createTable('queue_modes')
      .addColumn('scope', 'text', (column) => column.primaryKey())
      .addColumn('mode', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('privacy_notes')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('told_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('privacy_notes_person', ['channel_id', 'user_id'])
      .execute();
  },
};
