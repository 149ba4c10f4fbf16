import type { ColumnType } from 'kysely';
import type { Role } from '#src/kernel/operations.ts';
import { ownerless, past, type TableGroup } from './descriptor.ts';

/** Files that wait to be sent stay longer than two days. */
const SENT_FILES_DAYS = 7;

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    processes: ProcessesTable;
    session_holders: SessionHoldersTable;
    sent_files: SentFilesTable;
    received_parts: ReceivedPartsTable;
  }
}

/** The processes on the database. Used with PostgreSQL only. */
interface ProcessesTable {
  id: string;
  role: Role;
  version: string;
  /** The newest change of the schema that it knows. */
  newest_migration: string;
  /** The platforms that it is on, separated by commas. */
  channels: string;
  /** How many sessions it works on. */
  held: number;
  started_at: string;
  /** By the clock of the database. */
  seen_at: string;
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

/** Which process receives a part of a platform's events, and how far it has come. Used with PostgreSQL only. */
interface ReceivedPartsTable {
  channel_id: string;
  account_id: string;
  part: number;
  parts: number;
  process_id: string;
  /** What the next process needs to go on, as the channel writes it. */
  state: string | null;
  stored_at: string;
}

/** Several processes on one database. With SQLite the tables stay empty. */
export const processTables: TableGroup = {
  tables: [
    ownerless('processes', ['id'], 'The processes that work on the database.', past('seen_at', 24)),
    ownerless(
      'session_holders',
      ['session_key'],
      'It says which process works on a conversation, and is gone a day later.',
      past('held_since', 24),
      { session_key: 'a direct chat by its person, until the next day' },
    ),
    ownerless(
      'sent_files',
      ['kind', 'name'],
      'Files of messages, removed after two days or with the messages of a person.',
      past('made_at', SENT_FILES_DAYS * 24),
    ),
    ownerless(
      'received_parts',
      ['channel_id', 'account_id', 'part'],
      'It says which process receives which events, and how far it has come.',
      past('stored_at', 24),
    ),
  ],
};
