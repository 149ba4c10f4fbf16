import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { CODE_KEY_ROW, codeKeyIn } from '../storage/person-codes.ts';
import { toStoredTime } from '../storage/schema.ts';
import { namesIn } from '../storage/sent-files.ts';
import type { TableDescriptor } from '../storage/descriptor.ts';
import { SENT_FILE_KINDS } from '../storage/schema.ts';
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

const ROWS_AT_ONCE = 200;

const named = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function* rowsOf(
  database: DatabaseSync,
  { name, key, columns }: TableShape,
): AsyncGenerator<readonly Row[]> {
  const where = name === KEY_TABLE ? `where id <> '${CODE_KEY_ROW}'` : '';
  const listed = columns.map((column) => named(column.name)).join(', ');
  const statement = database.prepare(
    `select ${listed} from ${named(name)} ${where} order by ${key.map(named).join(', ')}`,
  );
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  let batch: Row[] = [];
  for (const cells of statement.iterate() as Iterable<unknown>) {
    batch.push((cells as readonly unknown[]).map(toCell));
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The files of a data directory, as the rows that PostgreSQL would have. */
async function* fileRows(dataDir: string, { columns }: TableShape): AsyncGenerator<readonly Row[]> {
  for (const kind of [...SENT_FILE_KINDS].toSorted(byBytes)) {
    for (const name of [...(await namesIn(join(dataDir, kind)))].toSorted(byBytes)) {
      const path = join(dataDir, kind, name);
      const facts = await stat(path);
      if (!facts.isFile() || name.endsWith('.part')) continue;
      const madeAt = Temporal.Instant.fromEpochMilliseconds(Math.round(facts.mtimeMs));
      const content = (await readFile(path)).toString('base64');
      const cells: Readonly<Record<string, string>> = { kind, name, content, made_at: toStoredTime(madeAt) };
      yield [columns.map((column) => cells[column.name] ?? null)];
    }
  }
}

const typesOf = (database: DatabaseSync, table: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    database
      .prepare('select name, type from pragma_table_info(?)')
      .all(table)
      .map(({ name, type }) => [String(name), String(type)]),
  );

/** None, if the file is empty or of another program. */
const migrationsIn = (database: DatabaseSync): readonly string[] =>
  'name' in typesOf(database, 'kysely_migration')
    ? database
        .prepare('select name from kysely_migration order by name')
        .all()
        .map(({ name }) => String(name))
    : [];

/** The rows of a data directory that nobody else uses, in the form that both databases share. */
export const directoryRows = (
  database: DatabaseSync,
  dataDir: string,
  tables: readonly TableDescriptor[],
): RowSource => {
  const shapes = copiedTables(tables).flatMap((table) => {
    const types = typesOf(database, table.name);
    return Object.keys(types).length > 0 ? [shapeOf(table, types)] : [];
  });
  return {
    migrations: migrationsIn(database),
    codeKey: codeKeyIn(dataDir),
    tables: async function* () {
      for (const table of shapes)
        yield {
          table,
          rows: table.name === FILE_TABLE ? fileRows(dataDir, table) : rowsOf(database, table),
        };
    },
  };
};
