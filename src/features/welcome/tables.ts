import { ownerless, table, type TableDescriptor } from '#src/platform/storage/descriptor.ts';
import { defineTable, text, type RowOf } from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    welcomed_people: RowOf<typeof welcomedPeopleForm>;
    welcomed_chats: RowOf<typeof welcomedChatsForm>;
  }
}

/** People to whom the bot has introduced itself. */
const welcomedPeopleForm = defineTable(
  'welcomed_people',
  {
    channel_id: text(),
    user_id: text(),
    at: text(),
  },
  { key: ['channel_id', 'user_id'] },
);

/** Servers and channels in which the bot has introduced itself. */
const welcomedChatsForm = defineTable(
  'welcomed_chats',
  {
    channel_id: text(),
    account_id: text(),
    subject: text(),
    at: text(),
  },
  { key: ['channel_id', 'account_id', 'subject'] },
);

export const welcomeTables: readonly TableDescriptor[] = [
  table(welcomedPeopleForm, {
    owner: { by: 'identity', channel: 'channel_id', user: 'user_id' },
    exported: { not: 'It says only that the bot has introduced itself.' },
    erased: 'delete',
    kept: 'forever',
  }),
  ownerless(welcomedChatsForm, 'It says in which servers and channels the bot has introduced itself.'),
];
