import type { TableDescriptor } from '../storage/descriptor.ts';
import { CODE_KEY_ROW } from '../storage/person-codes.ts';
import { openPool } from '../storage/postgres.ts';
import { unusableDatabase } from '../storage/migrate.ts';
import { requireOurs } from './source-schema.ts';
import {
  copiedTables,
  FILE_TABLE,
  KEY_TABLE,
  type Row,
  type RowSource,
  shapeOf,
  type TableShape,
  toCell,
} from './rows.ts';

/** Runs a statement in one transaction of PostgreSQL. */
export type Query = (
  text: string,
  values?: readonly unknown[],
) => Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;

const ROWS_AT_ONCE = 200;
/** Files may have 20 MB each. */
const FILES_AT_ONCE = 1;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const orderOf = ({ key, columns }: TableShape): string =>
  key
    .map((name) => {
      // Texts by their bytes, as SQLite does it.
      const isText = columns.find((column) => column.name === name)?.kind === 'text';
      return isText ? `${quoted(name)} collate "C"` : quoted(name);
    })
    .join(', ');

async function* rowsOf(query: Query, table: TableShape): AsyncGenerator<readonly Row[]> {
  const { name, columns } = table;
  const where = name === KEY_TABLE ? `where id <> '${CODE_KEY_ROW}'` : '';
  const cursor = quoted(`finclaw ${name}`);
  const listed = columns.map((column) => quoted(column.name)).join(', ');
  await query(
    `declare ${cursor} no scroll cursor for select ${listed} from ${quoted(name)} ${where} order by ${orderOf(table)}`,
  );
  for (;;) {
    const { rows } = await query(
      `fetch ${name === FILE_TABLE ? FILES_AT_ONCE : ROWS_AT_ONCE} from ${cursor}`,
    );
    if (rows.length === 0) break;
    yield rows.map((row) => columns.map((column) => toCell(row[column.name])));
  }
  await query(`close ${cursor}`);
}

const typesOf = async (query: Query): Promise<ReadonlyMap<string, Record<string, string>>> => {
  const { rows } = await query(
    `select table_name, column_name, data_type from information_schema.columns
     where table_schema = current_schema() order by table_name, column_name`,
  );
  const types = new Map<string, Record<string, string>>();
  for (const { table_name: table, column_name: column, data_type: type } of rows)
    types.getOrInsertComputed(String(table), () => ({}))[String(column)] = String(type);
  return types;
};

/** The rows as one transaction sees them. Tables that the schema does not have yet are left out. */
export const postgresRows = async (query: Query, tables: readonly TableDescriptor[]): Promise<RowSource> => {
  const types = await typesOf(query);
  const shapes = copiedTables(tables).flatMap((table) => {
    const found = types.get(table.name);
    return found ? [shapeOf(table, found)] : [];
  });
  const migrations = types.has('kysely_migration')
    ? (await query('select name from kysely_migration order by name collate "C"')).rows
    : [];
  const key = types.has(KEY_TABLE)
    ? (await query(`select value from ${KEY_TABLE} where id = '${CODE_KEY_ROW}'`)).rows[0]
    : undefined;
  return {
    migrations: migrations.map(({ name }) => String(name)),
    codeKey: key && String(key['value']),
    tables: async function* () {
      for (const table of shapes) yield { table, rows: rowsOf(query, table) };
    },
  };
};

/** Long enough for a full disk cache to be written; short enough for a process that hangs. */
const IDLE = "set local idle_in_transaction_session_timeout = '10min'";

/**
 * Reads the whole database of DATABASE_URL as it is at one moment, however long that takes. Nobody waits for it. Throws if it
 * is not FinClaw's.
 */
export const withPostgresSnapshot = async <T>(
  databaseUrl: string,
  tables: readonly TableDescriptor[],
  read: (source: RowSource, query: Query) => Promise<T>,
): Promise<T> => {
  const pool = await openPool(databaseUrl, { max: 1 });
  try {
    const client = await pool.connect().catch((error: unknown) => {
      throw unusableDatabase(error);
    });
    try {
      const query: Query = (text, values) => client.query(text, values ? [...values] : undefined);
      await query('begin isolation level repeatable read read only');
      await query(IDLE);
      const source = await postgresRows(query, tables);
      requireOurs(source.migrations, 'the PostgreSQL database, whose address is in DATABASE_URL');
      return await read(source, query);
    } finally {
      // The end of the connection ends the transaction, whatever state it is in.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
};
