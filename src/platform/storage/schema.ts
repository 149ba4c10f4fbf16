import type { ColumnType, Kysely } from 'kysely';
import { bigint, bytes, defineTable, text, type RowOf } from './columns.ts';

/** Queries outside of a transaction. A write must go through `Storage.write`: elsewhere it would not be durable. */
export type Reads = Pick<Kysely<Database>, 'selectFrom' | 'getExecutor' | 'isTransaction'>;

/**
 * The tables, the same in both databases. Every area declares its own in its `tables.ts`. Times are ISO 8601 text with
 * milliseconds, which sorts by time; ids and JSON are text, so that a row reads the same everywhere.
 */
export interface Database {
  health: RowOf<typeof healthForm>;
  instance_keys: RowOf<typeof instanceKeysForm>;
  session_holders: RowOf<typeof sessionHoldersForm>;
  sent_files: RowOf<typeof sentFilesForm>;
}

/** One row, written by the readiness check, because only a real write shows that the disk can be written to. */
export const healthForm = defineTable(
  'health',
  {
    id: text(),
    checked_at: text(),
  },
  { key: ['id'] },
);

/** Keys that all processes on one database share. */
export const instanceKeysForm = defineTable(
  'instance_keys',
  {
    id: text(),
    value: text(),
  },
  { key: ['id'] },
);

/** Which process works on a session. Used with PostgreSQL only, where several processes share the database. */
export const sessionHoldersForm = defineTable(
  'session_holders',
  {
    session_key: text(),
    /** Rises with every holder. PostgreSQL gives text. */
    epoch: bigint<ColumnType<number | string, number, number>>(),
    process_id: text(),
    held_since: text(),
  },
  { key: ['session_key'] },
);

export const SENT_FILE_KINDS = ['charts', 'exports'] as const;
export type SentFileKind = (typeof SENT_FILE_KINDS)[number];

/** Pictures and exports, so that every process can send them. Used with PostgreSQL only. */
export const sentFilesForm = defineTable(
  'sent_files',
  {
    kind: text<SentFileKind>(),
    name: text(),
    content: bytes(),
    made_at: text(),
  },
  { key: ['kind', 'name'] },
);

export const toStoredTime = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'millisecond' });
