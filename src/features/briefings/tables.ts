import type { Kysely } from 'kysely';
import {
  countLabel,
  exportedDetails,
  table,
  type TableDescriptor,
} from '#src/platform/storage/descriptor.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    briefings: BriefingsTable;
  }
}

interface BriefingsTable {
  id: string;
  owner_id: string;
  channel_id: string;
  user_id: string;
  request_id: string;
  details: string;
  next_at: string;
  created_at: string;
  /** The channel that it is sent to (`sharedChatOf`); null in direct chats. */
  chat_key: string | null;
}

export const briefingTables: readonly TableDescriptor[] = [
  table<BriefingsTable>({
    name: 'briefings',
    key: ['id'],
    owner: {
      by: 'account',
      column: 'owner_id',
      link: 'move',
      // A briefing is sent to its identity, so it moves with that identity.
      unlink: (tx, { channelId, userId }, from, to) =>
        tx
          .updateTable('briefings')
          .set({ owner_id: to })
          .where('owner_id', '=', from)
          .where('channel_id', '=', channelId)
          .where('user_id', '=', userId)
          .execute(),
    },
    mentions: { user_id: 'the identity of the owner that is told' },
    counted: { as: 'briefings' },
    labels: [
      countLabel('briefings', { title: 'Briefings', one: 'briefing' }, { title: '브리핑', unit: '개' }),
    ],
    exported: {
      as: 'briefings',
      order: ['created_at', 'id'],
      row: (row) => ({
        id: row.id,
        ...exportedDetails(row.details),
        nextAt: row.next_at,
        createdAt: row.created_at,
      }),
    },
    erased: 'delete',
    kept: 'forever',
  }),
];

/** Makes the tables of briefings. */
export const createBriefingTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('briefings')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('next_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('chat_key', 'text')
    .addUniqueConstraint('briefings_request', ['owner_id', 'request_id'])
    .execute();
  await db.schema.createIndex('briefings_chat').on('briefings').column('chat_key').execute();
  await db.schema.createIndex('briefings_due').on('briefings').column('next_at').execute();
};
