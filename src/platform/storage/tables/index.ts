import type { Migration } from 'kysely/migration';
import { accountTables } from './accounts.ts';
import { alertTables } from './alerts.ts';
import { briefingTables } from './briefings.ts';
import type { TableDescriptor, TableGroup } from './descriptor.ts';
import { messageTables } from './messages.ts';
import { portfolioTables } from './portfolios.ts';
import { sharedTables } from './shared.ts';
import { watchlistTables } from './watchlist.ts';

/**
 * Every table of the database. In this order rows are counted, shown, exported, moved, erased and purged:
 * notifications come before the alerts that they tell of.
 */
const GROUPS: readonly TableGroup[] = [
  messageTables,
  accountTables,
  portfolioTables,
  alertTables,
  watchlistTables,
  briefingTables,
  sharedTables,
];

export const TABLES: readonly TableDescriptor[] = GROUPS.flatMap(({ tables }) => tables);

/** Migrations that come with their tables. */
export const tableMigrations: Readonly<Record<string, Migration>> = Object.assign(
  {},
  ...GROUPS.map(({ migrations }) => migrations ?? {}),
);
