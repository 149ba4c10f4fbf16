import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Keys that all processes on one database share, sealed where there is a secret key. */
export const instanceKeys: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('instance_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
  },
};
