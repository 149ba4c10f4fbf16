import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The entries of conversations. The key is also the order in which a conversation is read. */
export const transcripts: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('transcript_entries')
      .addColumn('session_key', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('turn_id', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('left_at', 'text')
      .addPrimaryKeyConstraint('transcript_entries_key', ['session_key', 'state', 'position', 'version'])
      .execute();
  },
};
