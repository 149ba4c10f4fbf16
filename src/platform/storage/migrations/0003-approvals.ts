import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Questions to people about tool calls, messages for later, and what people told about themselves. */
export const approvals: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('approvals')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('inbox_id', 'text', (column) => column.notNull())
      .addColumn('turn_id', 'text', (column) => column.notNull())
      .addColumn('call_id', 'text', (column) => column.notNull())
      .addColumn('session_key', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('asked_by', 'text', (column) => column.notNull())
      .addColumn('asker_name', 'text')
      .addColumn('tool_name', 'text', (column) => column.notNull())
      .addColumn('input_hash', 'text', (column) => column.notNull())
      .addColumn('summary', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decided_at', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      // One question a call: a run that is taken up again does not ask twice.
      .addUniqueConstraint('approvals_call', ['turn_id', 'call_id'])
      .execute();
    await db.schema
      .createIndex('approvals_status')
      .on('approvals')
      .columns(['status', 'session_key'])
      .execute();
    await db.schema.createIndex('approvals_inbox').on('approvals').columns(['inbox_id', 'status']).execute();
    await db.schema.createIndex('turns_session').on('turns').columns(['session_key', 'status']).execute();

    await db.schema
      .createTable('notifications')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('due_at', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('sent_at', 'text')
      .execute();
    await db.schema
      .createIndex('notifications_due')
      .on('notifications')
      .columns(['status', 'due_at'])
      .execute();
    await db.schema
      .createIndex('notifications_user')
      .on('notifications')
      .columns(['channel_id', 'user_id', 'status'])
      .execute();

    await db.schema
      .createTable('profiles')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('profile', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('profiles_person', ['channel_id', 'user_id'])
      .execute();
  },
};
