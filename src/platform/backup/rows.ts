import { createHash } from 'node:crypto';
import { FinClawError } from '#src/kernel/errors.ts';
import type { TableDescriptor } from '../storage/descriptor.ts';

/** The same for both databases: what a column holds. */
export type CellKind = 'text' | 'integer' | 'bytes';

interface Column {
  readonly name: string;
  readonly kind: CellKind;
}

export interface TableShape {
  readonly name: string;
  /** The primary key. Rows are read in its order, texts by their bytes. */
  readonly key: readonly string[];
  /** In the order of their names. */
  readonly columns: readonly Column[];
}

/** Integers as digits, bytes in base64: the same text for the same value, whichever database it is from. */
export type Row = readonly (string | null)[];

export interface TableRows {
  readonly table: TableShape;
  /** In batches, to be read once. */
  readonly rows: AsyncIterable<readonly Row[]>;
}

/** The rows of a whole database at one moment. */
export interface RowSource {
  readonly migrations: readonly string[];
  /** The key behind the codes of people, as PostgreSQL stores it: sealed, or in the open. */
  readonly codeKey: string | undefined;
  readonly tables: () => AsyncIterable<TableRows>;
}

/** Which process does what: with the processes, these rows have lost their meaning. */
const OF_PROCESSES = new Set(['processes', 'session_holders', 'received_shards']);

/** Holds the key behind the codes, which travels apart: with SQLite it is a file. */
export const KEY_TABLE = 'instance_keys';
/** With SQLite its rows are files. */
export const FILE_TABLE = 'sent_files';

export const copiedTables = (tables: readonly TableDescriptor[]): readonly TableDescriptor[] =>
  tables.filter(({ name }) => !OF_PROCESSES.has(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));

const isOfSchema = (table: string): boolean => table.startsWith('kysely_');

/** The number of rows in all tables, without those that say how old the schema is. */
export const countRows = (rows: Readonly<Record<string, number>>): number =>
  Object.entries(rows).reduce((sum, [table, count]) => (isOfSchema(table) ? sum : sum + count), 0);

export const shapeOf = (
  { name, key }: Pick<TableDescriptor, 'name' | 'key'>,
  types: Readonly<Record<string, string>>,
): TableShape => ({
  name,
  key,
  columns: Object.entries(types)
    .map(([column, type]) => ({ name: column, kind: kindOf(type, `${name}.${column}`) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
});

const KINDS: Readonly<Record<string, CellKind>> = {
  text: 'text',
  'character varying': 'text',
  integer: 'integer',
  bigint: 'integer',
  smallint: 'integer',
  bytea: 'bytes',
  blob: 'bytes',
};

const kindOf = (type: string, column: string): CellKind => {
  const kind = KINDS[type.toLowerCase()];
  if (kind) return kind;
  throw new FinClawError(`The column ${column} has the type ${type}, which no backup knows`, 'BACKUP_TYPE', {
    isOperational: false,
  });
};

/** The cell of a row as a driver gave it. */
export const toCell = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'string' ? value : `${value as number | bigint}`;
};

export const lineOf = (row: Row): string => `${JSON.stringify(row)}\n`;

/** The sum over the rows of a table: equal sums mean equal rows. */
export interface TableSum {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
}

/** Adds up rows while they are read. */
export const createSum = ({ name, columns }: TableShape) => {
  const hash = createHash('sha256').update(lineOf(columns.map((column) => column.name)));
  let rows = 0;
  return {
    add: (batch: readonly Row[]): void => {
      rows += batch.length;
      for (const row of batch) hash.update(lineOf(row));
    },
    end: (): TableSum => ({ name, rows, sha256: hash.digest('hex') }),
  };
};

export const sumOf = async ({ table, rows }: TableRows, signal: AbortSignal): Promise<TableSum> => {
  const sum = createSum(table);
  for await (const batch of rows) {
    signal.throwIfAborted();
    sum.add(batch);
  }
  return sum.end();
};

/** One number for all tables. */
export const sumOfAll = (sums: readonly TableSum[]): string =>
  createHash('sha256')
    .update(
      sums
        .map(({ name, rows, sha256 }) => `${name} ${rows} ${sha256}\n`)
        .toSorted()
        .join(''),
    )
    .digest('hex');
