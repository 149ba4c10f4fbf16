import type { ColumnType, Kysely } from 'kysely';

/** Queries outside of a transaction. A write must go through `Storage.write`: elsewhere it would not be durable. */
export type Reads = Pick<Kysely<Database>, 'selectFrom' | 'getExecutor' | 'isTransaction'>;

/**
 * The tables, the same in both databases. Every area declares its own in its `tables.ts`. Times are ISO 8601 text with
 * milliseconds, which sorts by time; ids and JSON are text, so that a row reads the same everywhere.
 */
export interface Database {
  health: HealthTable;
  instance_keys: InstanceKeysTable;
  session_holders: SessionHoldersTable;
  sent_files: SentFilesTable;
}

/** One row, written by the readiness check, because only a real write shows that the disk can be written to. */
interface HealthTable {
  id: string;
  checked_at: string;
}

/** Keys that all processes on one database share. */
interface InstanceKeysTable {
  id: string;
  value: string;
}

/** Which process works on a session. Used with PostgreSQL only, where several processes share the database. */
interface SessionHoldersTable {
  session_key: string;
  /** Rises with every holder. PostgreSQL gives text. */
  epoch: ColumnType<number | string, number, number>;
  process_id: string;
  held_since: string;
}

export const SENT_FILE_KINDS = ['charts', 'exports'] as const;
export type SentFileKind = (typeof SENT_FILE_KINDS)[number];

/** Pictures and exports, so that every process can send them. Used with PostgreSQL only. */
interface SentFilesTable {
  kind: SentFileKind;
  name: string;
  content: Uint8Array;
  made_at: string;
}

export const toStoredTime = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'millisecond' });
