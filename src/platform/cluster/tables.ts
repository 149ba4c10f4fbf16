import type { Kysely } from 'kysely';
import type { Role } from '#src/kernel/operations.ts';
import { ownerless, past, type TableDescriptor } from '../storage/descriptor.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    processes: ProcessesTable;
    received_parts: ReceivedPartsTable;
  }
}

/** The processes on the database. Used with PostgreSQL only. */
interface ProcessesTable {
  id: string;
  role: Role;
  /** With commit and date: processes compare them. */
  version: string;
  /** The platforms that it is on, separated by commas. */
  channels: string;
  /** How many sessions it works on. */
  held: number;
  started_at: string;
  /** By the clock of the database. */
  seen_at: string;
}

/** Which process receives a part of a platform's events. Used with PostgreSQL only. */
interface ReceivedPartsTable {
  channel_id: string;
  account_id: string;
  part: number;
  parts: number;
  process_id: string;
}

/** Several processes on one database. With SQLite the tables stay empty. */
export const clusterTables: readonly TableDescriptor[] = [
  ownerless('processes', ['id'], 'The processes that work on the database.', past('seen_at', 24)),
  ownerless(
    'received_parts',
    ['channel_id', 'account_id', 'part'],
    'It says which process receives which events.',
  ),
];

/** Makes the tables of processes. */
export const createClusterTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('processes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('channels', 'text', (column) => column.notNull())
    .addColumn('held', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('received_parts')
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('parts', 'integer', (column) => column.notNull())
    .addColumn('process_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('received_parts_pk', ['channel_id', 'account_id', 'part'])
    .execute();
};
