import { FEATURE_TABLES } from '../features/tables.ts';
import { createTables } from '../platform/storage/columns.ts';
import type { Schema } from '../platform/storage/database.ts';
import type { TableDescriptor } from '../platform/storage/descriptor.ts';
import { conversationTables, keyTables, usageDayTables, usageTables } from '../agent/store/tables.ts';
import { guildTables, messageTables, notificationTables, queueTables } from '../chat/store/tables.ts';
import { clusterTables } from '../platform/cluster/tables.ts';
import { listingTables } from '../markets/store/tables.ts';
import { operatorTables } from '../operator/store/tables.ts';
import { peopleTables, supportTables } from '../people/store/tables.ts';
import { FIRST_MIGRATION, storageTables } from '../platform/storage/tables.ts';

const making = (tables: readonly TableDescriptor[]): Schema['known'][string] => ({
  up: (db) => createTables(db, tables),
});

/** The whole database: every area's tables, and the steps that make them. */
export const SCHEMA: Schema = {
  /**
   * In the order in which rows are counted, shown, exported, moved, erased and purged. Notifications come before the
   * alerts that they report.
   */
  tables: [
    ...messageTables,
    ...conversationTables,
    ...queueTables,
    ...usageTables,
    ...notificationTables,
    ...peopleTables,
    ...FEATURE_TABLES,
    ...storageTables,
    ...keyTables,
    ...guildTables,
    ...listingTables,
    ...clusterTables,
    ...operatorTables,
    ...usageDayTables,
    ...supportTables,
  ],
  /**
   * Migrations run in the order of their names. A released one is never changed, only followed. It only adds something,
   * because versions before it may run on the same database.
   */
  known: {
    [FIRST_MIGRATION]: making(storageTables),
    '0002-chat': making([...messageTables, ...queueTables, ...notificationTables, ...guildTables]),
    '0003-agent': making([...conversationTables, ...keyTables, ...usageTables, ...usageDayTables]),
    '0004-people': making([...peopleTables, ...supportTables]),
    '0005-markets': making(listingTables),
    '0006-features': making(FEATURE_TABLES),
    '0007-cluster': making(clusterTables),
    '0008-operator': making(operatorTables),
  },
};
