import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Linking asks first and tells both sides; a portfolio goes with the identity that began it when a link ends. */
export const identity: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('link_codes').addColumn('contact', 'text').execute();
    await db.schema.alterTable('identity_links').addColumn('contact', 'text').execute();
    await db.schema
      .createTable('link_questions')
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('sides', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_questions_asked', ['code_hash', 'channel_id', 'user_id'])
      .execute();

    await db.schema.alterTable('portfolios').addColumn('begun_by', 'text').execute();
    // Nobody can tell any more who of several linked identities began a portfolio: those stay without a value.
    await sql`update portfolios set begun_by = owner_id
      where owner_id not in (select owner_id from identity_links)`.execute(db);
  },
};
