/** A CSV row with its location, for error messages. */
export interface CsvRow<Column extends string> {
  readonly file: string;
  readonly line: number;
  readonly values: Readonly<Record<Column, string>>;
}

/** Lists all problems with file and line, so that they can be fixed in one go. */
export class SymbolDataError extends Error {
  override readonly name = 'SymbolDataError';
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/gy;

/** Cells of one line. Null if it is malformed. */
const cellsOf = (line: string): readonly string[] | null => {
  const cells = Array.from(line.matchAll(CELL), ([whole, quoted, plain]) => ({
    length: whole.length,
    text: quoted?.replaceAll('""', '"') ?? plain ?? '',
  }));
  const isWhole = cells.reduce((sum, { length }) => sum + length, 0) === line.length;
  return isWhole ? cells.map(({ text }) => text.trim()) : null;
};

/** Reads the rows below a header with exactly these columns in this order. Rows cannot span lines. */
export const readCsv = <Column extends string>(
  file: string,
  text: string,
  columns: readonly Column[],
): readonly CsvRow<Column>[] => {
  const [header = '', ...lines] = text.replace(/\n$/, '').split('\n');
  const wanted = columns.join(',');
  if (header.trim() !== wanted)
    throw new SymbolDataError([`${file}:1: the columns must be "${wanted}", not "${header.trim()}"`]);
  const problems: string[] = [];
  const rows = lines.flatMap((line, index): readonly CsvRow<Column>[] => {
    const cells = cellsOf(line);
    if (cells?.length !== columns.length) {
      problems.push(`${file}:${index + 2}: expected ${columns.length} values: ${line}`);
      return [];
    }
    const values = Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? '']));
    return [{ file, line: index + 2, values: values as Record<Column, string> }];
  });
  if (problems.length > 0) throw new SymbolDataError(problems);
  return rows;
};
