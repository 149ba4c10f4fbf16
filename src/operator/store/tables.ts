import type { Kysely } from 'kysely';
import { past, table, type TableDescriptor } from '#src/platform/storage/descriptor.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    operator_codes: OperatorCodesTable;
    operator_sessions: OperatorSessionsTable;
  }
}

/** Codes from `/dashboard`. */
interface OperatorCodesTable {
  code_hash: string;
  channel_id: string;
  user_id: string;
  /** The roles of the person when the code was issued, as JSON. */
  roles: string;
  expires_at: string;
}

/** Sessions of the operator page. */
interface OperatorSessionsTable {
  session_hash: string;
  /** Null: somebody who knows the token. */
  channel_id: string | null;
  user_id: string | null;
  roles: string;
  created_at: string;
  expires_at: string;
}

const identity = { by: 'identity', channel: 'channel_id', user: 'user_id' } as const;

/** Who may use the operator page. Secrets are stored as hashes only. */
export const operatorTables: readonly TableDescriptor[] = [
  table<OperatorCodesTable>({
    name: 'operator_codes',
    key: ['code_hash'],
    owner: identity,
    isSecret: true,
    exported: { not: 'It is a secret that lasts two minutes.' },
    erased: 'delete',
    kept: past('expires_at'),
  }),
  table<OperatorSessionsTable>({
    name: 'operator_sessions',
    key: ['session_hash'],
    owner: identity,
    isSecret: true,
    exported: { not: 'It is a secret that lasts twelve hours. The audit log says who logged in.' },
    erased: 'delete',
    kept: past('expires_at'),
  }),
];

/** Makes the tables of the operator page. */
export const createOperatorTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('operator_codes')
    .addColumn('code_hash', 'text', (column) => column.primaryKey())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('operator_sessions')
    .addColumn('session_hash', 'text', (column) => column.primaryKey())
    .addColumn('channel_id', 'text')
    .addColumn('user_id', 'text')
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();
};
