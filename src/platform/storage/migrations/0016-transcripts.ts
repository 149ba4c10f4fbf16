import { type Kysely, sql, SqliteAdapter } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The entries of conversations. The key is also the order in which a conversation is read. */
export const transcripts: Migration = {
  up: async (db: Kysely<unknown>) => {
    const table = db.schema
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
    await (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute();
  },
};
