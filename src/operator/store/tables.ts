import { past, table, type TableDescriptor } from '#src/platform/storage/descriptor.ts';
import { defineTable, nullable, text, type RowOf } from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    operator_codes: RowOf<typeof operatorCodesForm>;
    operator_sessions: RowOf<typeof operatorSessionsForm>;
  }
}

/** Codes from `/dashboard`. */
const operatorCodesForm = defineTable(
  'operator_codes',
  {
    code_hash: text(),
    channel_id: text(),
    user_id: text(),
    /** The roles of the person when the code was issued, as JSON. */
    roles: text(),
    expires_at: text(),
  },
  { key: ['code_hash'] },
);

/** Sessions of the operator page. */
const operatorSessionsForm = defineTable(
  'operator_sessions',
  {
    session_hash: text(),
    /** Null: somebody who knows the token. */
    channel_id: nullable(text()),
    user_id: nullable(text()),
    roles: text(),
    created_at: text(),
    expires_at: text(),
  },
  { key: ['session_hash'] },
);

const identity = { by: 'identity', channel: 'channel_id', user: 'user_id' } as const;

/** Who may use the operator page. Secrets are stored as hashes only. */
export const operatorTables: readonly TableDescriptor[] = [
  table(operatorCodesForm, {
    owner: identity,
    isSecret: true,
    exported: { not: 'It is a secret that lasts two minutes.' },
    erased: 'delete',
    kept: past('expires_at'),
  }),
  table(operatorSessionsForm, {
    owner: identity,
    isSecret: true,
    exported: { not: 'It is a secret that lasts twelve hours. The audit log says who logged in.' },
    erased: 'delete',
    kept: past('expires_at'),
  }),
];
