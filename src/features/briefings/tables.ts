import {
  countLabel,
  exportedDetails,
  table,
  type TableDescriptor,
} from '#src/platform/storage/descriptor.ts';
import { defineTable, nullable, text, type RowOf } from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    briefings: RowOf<typeof briefingsForm>;
  }
}

const briefingsForm = defineTable(
  'briefings',
  {
    id: text(),
    owner_id: text(),
    channel_id: text(),
    user_id: text(),
    request_id: text(),
    details: text(),
    next_at: text(),
    created_at: text(),
    /** The channel that it is sent to (`sharedChatOf`); null in direct chats. */
    chat_key: nullable(text()),
  },
  {
    key: ['id'],
    unique: {
      briefings_request: ['owner_id', 'request_id'],
    },
    indexes: {
      briefings_chat: ['chat_key'],
      briefings_due: ['next_at'],
    },
  },
);

export const briefingTables: readonly TableDescriptor[] = [
  table(briefingsForm, {
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
