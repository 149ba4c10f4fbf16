import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How the provider called a request to a model, and its answer. */
export const providerIds: Migration = {
  up: async (db: Kysely<unknown>) => {
    // One at a time: SQLite adds one column a statement.
    await db.schema.alterTable('usage').addColumn('request_id', 'text').execute();
    await db.schema.alterTable('usage').addColumn('response_id', 'text').execute();
  },
};
