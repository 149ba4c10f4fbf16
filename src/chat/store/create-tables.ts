import type { Kysely } from 'kysely';

/** Makes the tables of chat. */
export const createChatTables = async (db: Kysely<unknown>): Promise<void> => {
  await createMessageTables(db);
  await createPlaceTables(db);
};

/** Messages on their way: accepted, answered, asked about, given up. */
const createMessageTables = async (db: Kysely<unknown>): Promise<void> => {
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
    .addColumn('message_id', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('taken_by', 'text')
    .addColumn('was_parked', 'integer', (column) => column.notNull().defaultTo(0))
    // A Slack timestamp is unique only inside its conversation, so the chat is part of the key.
    .addUniqueConstraint('inbox_event', ['channel_id', 'account_id', 'chat_id', 'event_id'])
    .execute();
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
  await db.schema.createIndex('inbox_status').on('inbox').columns(['status', 'id']).execute();
  await db.schema.createIndex('inbox_taken').on('inbox').column('taken_by').execute();

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
  await db.schema.createIndex('turns_session').on('turns').columns(['session_key', 'status']).execute();

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
    .addColumn('first_tried_at', 'text')
    .addColumn('replaces', 'text')
    .addUniqueConstraint('outbox_part', ['inbox_id', 'part_index'])
    .execute();
  await db.schema.createIndex('outbox_message').on('outbox').column('platform_message_id').execute();

  await db.schema
    .createTable('live_messages')
    .addColumn('inbox_id', 'text', (column) => column.primaryKey())
    .addColumn('delivery_id', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text')
    .addColumn('opened_at', 'text', (column) => column.notNull())
    .execute();

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
    .addColumn('message_id', 'text')
    // One question a call: a run that is taken up again does not ask twice.
    .addUniqueConstraint('approvals_call', ['turn_id', 'call_id'])
    .execute();
  await db.schema.createIndex('approvals_inbox').on('approvals').columns(['inbox_id', 'status']).execute();
  await db.schema
    .createIndex('approvals_status')
    .on('approvals')
    .columns(['status', 'session_key'])
    .execute();

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
};

/** What is kept beside messages: of people, chats, channels and servers. */
const createPlaceTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('erased_events')
    .addColumn('event_hash', 'text', (column) => column.primaryKey())
    .addColumn('erased_at', 'text', (column) => column.notNull())
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
    .createTable('channel_progress')
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('seen_until', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_progress_account', ['channel_id', 'account_id'])
    .execute();

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
    .addColumn('claimed_until', 'text')
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
    .createTable('guild_settings')
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('guild_id', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('updated_by', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('guild_settings_guild', ['channel_id', 'guild_id'])
    .execute();
};
