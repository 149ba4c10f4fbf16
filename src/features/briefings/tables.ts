import {
  countLabel,
  exportedDetails,
  table,
  type TableGroup,
} from '#src/platform/storage/tables/descriptor.ts';

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

export const briefingTables: TableGroup = {
  tables: [
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
  ],
};
