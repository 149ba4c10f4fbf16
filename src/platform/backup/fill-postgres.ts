import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import { FinClawError } from '#src/kernel/errors.ts';
import { CODE_KEY_ROW, sealedCodeKey } from '../storage/person-codes.ts';
import { createMigrations, unusableDatabase } from '../storage/migrate.ts';
import { openPool, requireVersion } from '../storage/postgres.ts';
import type { Database } from '../storage/schema.ts';
import type { TableDescriptor } from '../storage/descriptor.ts';
import { postgresRows, type Query, quoted } from './postgres-rows.ts';
import { KEY_TABLE, type Row, type TableShape } from './rows.ts';
import type { RowTarget } from './transfer.ts';

export interface TargetSchema {
  readonly tables: readonly TableDescriptor[];
  /** Those of the source: the schema becomes as old as that. */
  readonly migrations: Readonly<Record<string, Migration>>;
  readonly secretKeys: readonly string[];
}

const queryIn =
  (tx: Transaction<Database>): Query =>
  (text, values = []) =>
    tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]));

const requireEmpty = async (query: Query): Promise<void> => {
  const { rows } = await query(
    // A new database may hold views and tables of extensions.
    `select nspname as table_schema, relname as table_name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind in ('r', 'p') and nspname in (current_schema(), 'pgboss')
       and not exists (select 1 from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
     order by 1, 2 limit 1`,
  );
  const [found] = rows;
  if (found)
    throw new FinClawError(
      `The PostgreSQL database is not empty: it has the table ${String(found['table_schema'])}.${String(found['table_name'])}. Make a new one with: createdb NAME`,
      'TARGET_NOT_EMPTY',
    );
};

const valueOf = ({ columns }: TableShape, row: Row): readonly unknown[] =>
  row.map((cell, index) =>
    cell !== null && columns[index]?.kind === 'bytes' ? Buffer.from(cell, 'base64') : cell,
  );

const insert = async (query: Query, table: TableShape, rows: readonly Row[]): Promise<void> => {
  const width = table.columns.length;
  const places = rows
    .map((_row, line) => `(${table.columns.map((_, index) => `$${line * width + index + 1}`).join(', ')})`)
    .join(', ');
  const columns = table.columns.map(({ name }) => quoted(name)).join(', ');
  await query(
    `insert into ${quoted(table.name)} (${columns}) values ${places}`,
    rows.flatMap((row) => valueOf(table, row)),
  );
};

const shapesIn = async (query: Query, tables: readonly TableDescriptor[]): Promise<readonly TableShape[]> => {
  const shapes: TableShape[] = [];
  for await (const { table } of (await postgresRows(query, tables)).tables()) shapes.push(table);
  return shapes;
};

/** Fills an empty PostgreSQL database in one transaction: after a failure it is as empty as before. */
export const fillPostgres = async <T>(
  databaseUrl: string,
  { tables, migrations, secretKeys }: TargetSchema,
  fill: (target: RowTarget, query: Query) => Promise<T>,
): Promise<T> => {
  const pool = await openPool(databaseUrl, { max: 1 });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    await requireVersion(pool).catch((error: unknown) => {
      throw error instanceof FinClawError ? error : unusableDatabase(error);
    });
    return await db.transaction().execute(async (tx) => {
      const query = queryIn(tx);
      await query('set local idle_in_transaction_session_timeout = 0');
      await requireEmpty(query);
      await createMigrations(tx, migrations, { isPostgres: true }).run();
      const target: RowTarget = {
        shapes: await shapesIn(query, tables),
        write: (table, rows) => insert(query, table, rows),
        putCodeKey: async (stored) =>
          void (await query(`insert into ${KEY_TABLE} (id, value) values ($1, $2)`, [
            CODE_KEY_ROW,
            sealedCodeKey(stored, secretKeys),
          ])),
        readBack: () => postgresRows(query, tables),
      };
      return fill(target, query);
    });
  } finally {
    await db.destroy();
  }
};
