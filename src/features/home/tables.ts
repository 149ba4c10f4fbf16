import { past, table, type TableDescriptor } from '#src/platform/storage/descriptor.ts';
import { defineTable, nullable, text, type RowOf } from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    home_visits: RowOf<typeof homeVisitsForm>;
  }
}

/** People who have opened their page, and what it shows. */
const homeVisitsForm = defineTable(
  'home_visits',
  {
    channel_id: text(),
    user_id: text(),
    opened_at: text(),
    /** The version of the data that the page shows. Null until it is written. */
    version: nullable(text()),
    written_at: nullable(text()),
  },
  { key: ['channel_id', 'user_id'] },
);

/** The page of a person who has not opened it for so long no longer follows changes. */
export const HOME_KEPT_DAYS = 90;

export const homeTables: readonly TableDescriptor[] = [
  table(homeVisitsForm, {
    owner: { by: 'identity', channel: 'channel_id', user: 'user_id' },
    exported: {
      as: 'home',
      order: ['user_id'],
      row: ({ opened_at }) => ({ openedAt: opened_at }),
      isSingle: true,
    },
    erased: 'delete',
    kept: past('opened_at', HOME_KEPT_DAYS * 24),
  }),
];
