import type { Kysely } from 'kysely';
import { ownerless, table, type TableDescriptor } from '#src/platform/storage/descriptor.ts';

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

export const welcomeTables: readonly TableDescriptor[] = [
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
];

/** Makes the tables of welcome. */
export const createWelcomeTables = async (db: Kysely<unknown>): Promise<void> => {
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
};
