import type { Kysely } from 'kysely';
import { past, table, type TableDescriptor } from '#src/platform/storage/descriptor.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    home_visits: HomeVisitsTable;
  }
}

/** People who have opened their page, and what it shows. */
interface HomeVisitsTable {
  channel_id: string;
  user_id: string;
  opened_at: string;
  /** The version of the data that the page shows. Null until it is written. */
  version: string | null;
  written_at: string | null;
}

/** The page of a person who has not opened it for so long no longer follows changes. */
export const HOME_KEPT_DAYS = 90;

export const homeTables: readonly TableDescriptor[] = [
  table<HomeVisitsTable>({
    name: 'home_visits',
    key: ['channel_id', 'user_id'],
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

/** Makes the table of visits to the home page. */
export const createHomeTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('home_visits')
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('opened_at', 'text', (column) => column.notNull())
    .addColumn('version', 'text')
    .addColumn('written_at', 'text')
    .addPrimaryKeyConstraint('home_visits_pk', ['channel_id', 'user_id'])
    .execute();
};
