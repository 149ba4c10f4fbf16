import type { Kysely } from 'kysely';
import { ownerless, past, type TableDescriptor } from './descriptor.ts';

/** Files that wait to be sent stay longer than two days. */
const SENT_FILES_DAYS = 7;

/** The tables of the storage itself. */
export const storageTables: readonly TableDescriptor[] = [
  ownerless('health', ['id'], 'One row that shows that the database can be written to.'),
  ownerless('instance_keys', ['id'], 'Keys that all processes on one database share.'),
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
];

/** Every schema of FinClaw has it. */
export const FIRST_MIGRATION = '0001-storage';

/** Makes the tables of the storage. */
export const createStorageTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('health')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('checked_at', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('instance_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('session_holders')
    .addColumn('session_key', 'text', (column) => column.primaryKey())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('process_id', 'text', (column) => column.notNull())
    .addColumn('held_since', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('sent_files')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('content', 'bytea', (column) => column.notNull())
    .addColumn('made_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('sent_files_pk', ['kind', 'name'])
    .execute();
};
