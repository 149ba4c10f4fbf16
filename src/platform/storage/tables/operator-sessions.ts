import { past, table, type TableGroup } from './descriptor.ts';

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
  /** 1: an administrator because they registered the bot, not by the configuration. */
  owns_bot: number;
  expires_at: string;
}

/** Sessions of the operator page. */
interface OperatorSessionsTable {
  session_hash: string;
  /** Null: somebody who knows the token. */
  channel_id: string | null;
  user_id: string | null;
  roles: string;
  owns_bot: number;
  created_at: string;
  expires_at: string;
}

const identity = { by: 'identity', channel: 'channel_id', user: 'user_id' } as const;

export const operatorSessionTables: TableGroup = {
  tables: [
    table<OperatorCodesTable>({
      name: 'operator_codes',
      key: ['code_hash'],
      owner: identity,
      exported: { not: 'It is a secret that lasts two minutes.' },
      erased: 'delete',
      kept: past('expires_at'),
    }),
    table<OperatorSessionsTable>({
      name: 'operator_sessions',
      key: ['session_hash'],
      owner: identity,
      exported: { not: 'It is a secret that lasts twelve hours. The audit log says who logged in.' },
      erased: 'delete',
      kept: past('expires_at'),
    }),
  ],
};
