import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Several processes on one database: who they are, which of them does what, and the files that they send. */
export const manyProcesses: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('processes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('newest_migration', 'text', (column) => column.notNull())
      .addColumn('channels', 'text', (column) => column.notNull())
      .addColumn('held', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('session_holders')
      .addColumn('session_key', 'text', (column) => column.primaryKey())
      .addColumn('epoch', 'bigint', (column) => column.notNull())
      .addColumn('process_id', 'text', (column) => column.notNull())
      .addColumn('held_since', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .alterTable('inbox')
      .addColumn('was_parked', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('sent_files')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('content', 'bytea', (column) => column.notNull())
      .addColumn('made_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('sent_files_pk', ['kind', 'name'])
      .execute();
    await db.schema
      .createTable('received_parts')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('parts', 'integer', (column) => column.notNull())
      .addColumn('process_id', 'text', (column) => column.notNull())
      .addColumn('state', 'text')
      .addColumn('stored_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('received_parts_pk', ['channel_id', 'account_id', 'part'])
      .execute();
  },
};
