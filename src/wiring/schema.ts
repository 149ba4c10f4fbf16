import { FEATURE_TABLES, createFeatureTables } from '../features/tables.ts';
import type { Schema } from '../platform/storage/database.ts';
import { conversationTables, keyTables, usageDayTables, usageTables } from '../agent/store/tables.ts';
import { guildTables, messageTables, notificationTables, queueTables } from '../chat/store/tables.ts';
import { clusterTables, createClusterTables } from '../platform/cluster/tables.ts';
import { createAgentTables } from '../agent/store/create-tables.ts';
import { createChatTables } from '../chat/store/create-tables.ts';
import { createPeopleTables } from '../people/store/create-tables.ts';
import { createListingTables, listingTables } from '../markets/store/tables.ts';
import { createOperatorTables, operatorTables } from '../operator/store/tables.ts';
import { peopleTables, supportTables } from '../people/store/tables.ts';
import { createStorageTables, FIRST_MIGRATION, storageTables } from '../platform/storage/tables.ts';

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
    [FIRST_MIGRATION]: { up: createStorageTables },
    '0002-chat': { up: createChatTables },
    '0003-agent': { up: createAgentTables },
    '0004-people': { up: createPeopleTables },
    '0005-markets': { up: createListingTables },
    '0006-features': { up: createFeatureTables },
    '0007-cluster': { up: createClusterTables },
    '0008-operator': { up: createOperatorTables },
  },
};
