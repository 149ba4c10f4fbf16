import type { Role } from '#src/kernel/operations/status.ts';
import { ownerless, past, type TableDescriptor } from '../storage/descriptor.ts';
import { defineTable, integer, text, type RowOf } from '../storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    processes: RowOf<typeof processesForm>;
    received_shards: RowOf<typeof receivedShardsForm>;
  }
}

/** The processes on the database. Used with PostgreSQL only. */
const processesForm = defineTable(
  'processes',
  {
    id: text(),
    role: text<Role>(),
    /** With commit and date: processes compare them. */
    version: text(),
    /** The platforms that it is on, separated by commas. */
    channels: text(),
    /** How many sessions it works on. */
    held: integer(),
    started_at: text(),
    /** By the clock of the database. */
    seen_at: text(),
  },
  { key: ['id'] },
);

/** Which process receives a shard of a platform's events. Used with PostgreSQL only. */
const receivedShardsForm = defineTable(
  'received_shards',
  {
    channel_id: text(),
    account_id: text(),
    shard: integer(),
    shards: integer(),
    process_id: text(),
  },
  { key: ['channel_id', 'account_id', 'shard'] },
);

/** Several processes on one database. With SQLite the tables stay empty. */
export const clusterTables: readonly TableDescriptor[] = [
  ownerless(processesForm, 'The processes that work on the database.', past('seen_at', 24)),
  ownerless(receivedShardsForm, 'It says which process receives which events.'),
];
