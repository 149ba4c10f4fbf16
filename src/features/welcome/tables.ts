import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { ownerless, table, type TableGroup } from '#src/platform/storage/tables/descriptor.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    welcomed_people: WelcomedPeopleTable;
    welcomed_chats: WelcomedChatsTable;
  }
}

/** People to whom the bot has introduced itself. */
interface WelcomedPeopleTable {
  channel_id: string;
  user_id: string;
  at: string;
}

/** Servers and channels in which the bot has introduced itself. */
interface WelcomedChatsTable {
  channel_id: string;
  account_id: string;
  subject: string;
  at: string;
}

const welcomes: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('welcomed_people')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('welcomed_people_pk', ['channel_id', 'user_id'])
      .execute();
    await db.schema
      .createTable('welcomed_chats')
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('welcomed_chats_pk', ['channel_id', 'account_id', 'subject'])
      .execute();
    // People who have talked with the bot before need no welcome.
    await sql`insert into welcomed_people (channel_id, user_id, at)
      select channel_id, user_id, min(at) from (
        select channel_id, user_id, told_at as at from privacy_notes
        union all
        select channel_id, sender_id as user_id, accepted_at as at from inbox where chat_id = sender_id
      ) as known group by channel_id, user_id`.execute(db);
  },
};

export const welcomeTables: TableGroup = {
  tables: [
    table<WelcomedPeopleTable>({
      name: 'welcomed_people',
      key: ['channel_id', 'user_id'],
      owner: { by: 'identity', channel: 'channel_id', user: 'user_id' },
      exported: { not: 'It says only that the bot has introduced itself.' },
      erased: 'delete',
      kept: 'forever',
    }),
    ownerless(
      'welcomed_chats',
      ['channel_id', 'account_id', 'subject'],
      'It says in which servers and channels the bot has introduced itself.',
    ),
  ],
  migrations: { '0019-welcomes': welcomes },
};
