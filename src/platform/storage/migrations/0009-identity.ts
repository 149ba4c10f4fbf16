import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** As `sharedChatOf` makes it of the place in which something is told. */
const chatKeyIn = (details: string): string | undefined => {
  const { target } = JSON.parse(details) as { readonly target?: Readonly<Record<string, unknown>> };
  if (!target || target['isDirect'] === true) return undefined;
  return JSON.stringify([target['channelId'], target['accountId'], target['chatId']]);
};

/**
 * Linking asks first and tells both sides; a portfolio goes with the identity that began it when a link ends. Alerts and
 * briefings are found by the channel in which they are told.
 */
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

    for (const table of ['alerts', 'briefings'] as const) {
      await db.schema.alterTable(table).addColumn('chat_key', 'text').execute();
      await db.schema.createIndex(`${table}_chat`).on(table).column('chat_key').execute();
      const { rows } = await sql<{
        id: string;
        details: string;
      }>`select id, details from ${sql.table(table)}`.execute(db);
      for (const { id, details } of rows) {
        const key = chatKeyIn(details);
        if (key !== undefined)
          await sql`update ${sql.table(table)} set chat_key = ${key} where id = ${id}`.execute(db);
      }
    }
  },
};
