import { damaged } from './sealed-file.ts';
import type { Part } from './archive.ts';
import { lineOf, type Row, type TableRows, type TableShape } from './rows.ts';

const FOLDER = 'rows/';

/** The table of a part; undefined for a part without rows. */
export const tableIn = (name: string): string | undefined =>
  name.startsWith(FOLDER) ? name.slice(FOLDER.length) : undefined;

async function* encode({ table, rows }: TableRows, count: (rows: number) => void): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(table)}\n`);
  for await (const batch of rows) {
    count(batch.length);
    yield Buffer.from(batch.map(lineOf).join(''));
  }
}

/** One table as a part: a line that describes it, and a line for each row. */
export const rowPart = (rows: TableRows, count: (rows: number) => void): Part => ({
  name: `${FOLDER}${rows.table.name}`,
  content: encode(rows, count),
});

const NEW_LINE = '\n'.charCodeAt(0);

/** A row holds at most a file of 20 MB, in base64. A forged one could unpack to more than fits into memory. */
const MAX_LINE_BYTES = 256 * 1_024 * 1_024;

async function* linesOf(content: AsyncIterable<Buffer>, path: string): AsyncGenerator<readonly string[]> {
  let begun: Buffer[] = [];
  let size = 0;
  for await (const piece of content) {
    const end = piece.lastIndexOf(NEW_LINE);
    size += piece.length;
    if (size > MAX_LINE_BYTES) throw damaged(path, 'a row in it is too long');
    if (end < 0) {
      begun.push(piece);
      continue;
    }
    const whole = Buffer.concat([...begun, piece.subarray(0, end)]);
    begun = [piece.subarray(end + 1)];
    size = piece.length - end - 1;
    yield whole.toString().split('\n');
  }
}

const parse = <T>(line: string, path: string): T => {
  try {
    return JSON.parse(line) as T;
  } catch {
    throw damaged(path, 'a row cannot be read');
  }
};

/** Reads a part of rows to its end. */
export const readRowPart = async (content: AsyncIterable<Buffer>, path: string): Promise<TableRows> => {
  const batches = linesOf(content, path);
  const first = await batches.next();
  const [head = '', ...left] = first.done ? [] : first.value;
  const rowsIn = (lines: readonly string[]): readonly Row[] => lines.map((line) => parse<Row>(line, path));
  return {
    table: parse<TableShape>(head, path),
    rows: (async function* () {
      if (left.length > 0) yield rowsIn(left);
      for await (const lines of batches) yield rowsIn(lines);
    })(),
  };
};
