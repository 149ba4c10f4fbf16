import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import {
  createSum,
  type Row,
  type RowSource,
  sumOf,
  sumOfAll,
  type TableRows,
  type TableShape,
  type TableSum,
} from './rows.ts';

/** An empty database that gets the rows of another one. */
export interface RowTarget {
  readonly shapes: readonly TableShape[];
  readonly write: (table: TableShape, rows: readonly Row[]) => Promise<void>;
  readonly putCodeKey: (stored: string) => Promise<void>;
  /** Reads back what was written. */
  readonly readBack: () => Promise<RowSource>;
}

export interface TransferReport {
  readonly tables: number;
  readonly rows: number;
  /** The same for the same rows, whichever database they are in. */
  readonly sha256: string;
}

const notEqual = (what: string): FinClawError =>
  new FinClawError(`${what} Nothing was changed; please report this.`, 'TRANSFER_FAILED');

/** Columns of the other database that this one lacks would be lost. */
const checkShape = (table: TableShape, shapes: readonly TableShape[]): void => {
  const own = shapes.find(({ name }) => name === table.name);
  if (JSON.stringify(own?.columns) !== JSON.stringify(table.columns))
    throw notEqual(`The table ${table.name} does not have the same columns on both sides.`);
};

const compare = async (sums: readonly TableSum[], target: RowTarget, signal: AbortSignal): Promise<void> => {
  const written = new Map(sums.map((sum) => [sum.name, sum]));
  for await (const rows of (await target.readBack()).tables()) {
    const found = await sumOf(rows, signal);
    const expected = written.get(found.name);
    written.delete(found.name);
    if (!expected && found.rows === 0) continue;
    if (found.rows !== expected?.rows)
      throw notEqual(`${found.name} has ${found.rows} rows instead of ${expected?.rows ?? 0}.`);
    if (found.sha256 !== expected.sha256) throw notEqual(`The rows of ${found.name} are not the same.`);
  }
  const [lost] = written.keys();
  if (lost !== undefined) throw notEqual(`The table ${lost} was lost.`);
};

/** PostgreSQL cannot store every text that SQLite can. The operator has to know where it is. */
const writing = async (table: TableShape, written: Promise<void>): Promise<void> => {
  try {
    await written;
  } catch (error) {
    if (error instanceof FinClawError) throw error;
    throw new FinClawError(
      `A row of ${table.name} cannot be stored: ${errorMessage(error)}. Nothing was changed.`,
      'TRANSFER_FAILED',
      { cause: error },
    );
  }
};

/** Writes tables one after the other; at the end all rows are read back, and every row and column is compared. */
export const createTransfer = (target: RowTarget, signal: AbortSignal) => {
  const sums: TableSum[] = [];
  return {
    put: async ({ table, rows }: TableRows): Promise<void> => {
      checkShape(table, target.shapes);
      const sum = createSum(table);
      for await (const batch of rows) {
        signal.throwIfAborted();
        sum.add(batch);
        await writing(table, target.write(table, batch));
      }
      sums.push(sum.end());
    },
    /** Throws if anything differs. */
    end: async (): Promise<TransferReport> => {
      await compare(sums, target, signal);
      const rows = sums.reduce((sum, each) => sum + each.rows, 0);
      return { tables: sums.length, rows, sha256: sumOfAll(sums) };
    },
  };
};

/** Copies a whole database. */
export const transfer = async (
  source: RowSource,
  target: RowTarget,
  signal: AbortSignal,
): Promise<TransferReport> => {
  const { put, end } = createTransfer(target, signal);
  for await (const rows of source.tables()) await put(rows);
  if (source.codeKey !== undefined) await target.putCodeKey(source.codeKey);
  return end();
};
