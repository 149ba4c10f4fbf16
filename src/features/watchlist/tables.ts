import {
  countLabel,
  exportedDetails,
  type LinkRule,
  table,
  type TableDescriptor,
  type UnlinkRule,
} from '#src/platform/storage/descriptor.ts';
import { defineTable, text, type RowOf } from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    watchlist_entries: RowOf<typeof watchlistEntriesForm>;
  }
}

const watchlistEntriesForm = defineTable(
  'watchlist_entries',
  {
    owner_id: text(),
    symbol: text(),
    instrument: text(),
    added_at: text(),
  },
  { key: ['owner_id', 'symbol'] },
);

/** An instrument that both people had is listed once. */
const merge: LinkRule = async (tx, from, to) => {
  await tx
    .updateTable('watchlist_entries')
    .set({ owner_id: to })
    .where('owner_id', '=', from)
    .where('symbol', 'not in', (is) =>
      is.selectFrom('watchlist_entries as other').select('other.symbol').where('other.owner_id', '=', to),
    )
    .execute();
  await tx.deleteFrom('watchlist_entries').where('owner_id', '=', from).execute();
};

/** Both keep the whole watchlist, because nobody can tell who added which instrument. */
const copy: UnlinkRule = async (tx, _person, from, to) => {
  const rows = await tx
    .selectFrom('watchlist_entries')
    .select(['symbol', 'instrument', 'added_at'])
    .where('owner_id', '=', from)
    .execute();
  if (rows.length === 0) return;
  await tx
    .insertInto('watchlist_entries')
    .values(rows.map((row) => ({ ...row, owner_id: to })))
    .onConflict((conflict) => conflict.columns(['owner_id', 'symbol']).doNothing())
    .execute();
};

export const watchlistTables: readonly TableDescriptor[] = [
  table(watchlistEntriesForm, {
    owner: { by: 'account', column: 'owner_id', link: merge, unlink: copy },
    counted: { as: 'watched' },
    labels: [
      countLabel(
        'watched',
        { title: 'On your watchlist', one: 'on your watchlist', many: 'on your watchlist' },
        { title: '관심종목', unit: '개' },
      ),
    ],
    exported: {
      as: 'watchlist',
      order: ['added_at', 'symbol'],
      row: (row) => ({ ...exportedDetails(row.instrument), addedAt: row.added_at }),
    },
    erased: 'delete',
    kept: 'forever',
  }),
];
