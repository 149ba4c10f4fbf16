import { accountTables } from './accounts.ts';
import type { TableGroup } from './descriptor.ts';
import { messageTables } from './messages.ts';
import { sharedTables } from './shared.ts';

/**
 * Every table of the database. In this order rows are counted, shown, exported, moved, erased and purged:
 * notifications come before the alerts that they tell of.
 */
export const withPlatformTables = (features: readonly TableGroup[]): readonly TableGroup[] => [
  messageTables,
  accountTables,
  ...features,
  sharedTables,
];
