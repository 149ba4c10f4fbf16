import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who may use the operator page: codes to log in with, and sessions. Secrets are stored as hashes only. */
export const operator: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('operator_codes')
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('roles', 'text', (column) => column.notNull())
      .addColumn('owns_bot', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('operator_sessions')
      .addColumn('session_hash', 'text', (column) => column.primaryKey())
      .addColumn('channel_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('roles', 'text', (column) => column.notNull())
      .addColumn('owns_bot', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute();
  },
};
