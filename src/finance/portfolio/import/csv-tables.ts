import type { Steps } from '#src/infra/steps.ts';
import { isSumLine } from './broker-words.ts';
import type { CsvRow } from './csv.ts';
import { type Header, headerOf } from './csv-columns.ts';

/** Lines of transactions below the names of their columns. */
export interface TransactionTable {
  readonly header: Header;
  readonly rows: readonly CsvRow[];
}

export interface FoundTables {
  readonly tables: readonly TransactionTable[];
  /** Parts of the file that hold transactions and are not read, by their names there. */
  readonly leftOut: readonly string[];
}

/** What Interactive Brokers has beside trades. */
const OTHER_SECTIONS: ReadonlySet<string> = new Set([
  'Dividends',
  'Withholding Tax',
  'Deposits & Withdrawals',
  'Fees',
  'Transaction Fees',
  'Interest',
  'Corporate Actions',
  'Transfers',
]);

const isData = ({ cells }: CsvRow): boolean =>
  !isSumLine(cells) && cells.filter((cell) => cell !== '').length > 1;

/** An order and its parts are told of side by side: one of them counts. */
const DETAILS = ['execution', 'order', 'trade'] as const;

const oneDetail = ({ header, rows }: TransactionTable): TransactionTable => {
  const at = header.columns.get('detail')?.[0];
  if (at === undefined) return { header, rows };
  const detailOf = ({ cells }: CsvRow): string => (cells[at] ?? '').toLowerCase();
  const wanted = DETAILS.find((detail) => rows.some((row) => detailOf(row) === detail));
  return { header, rows: wanted === undefined ? rows : rows.filter((row) => detailOf(row) === wanted) };
};

/** One table below each line that names columns; titles above the first, and holdings, are not read. */
const plainTables = function* (rows: readonly CsvRow[]): Steps<readonly TransactionTable[]> {
  const tables: { readonly header: Header; readonly rows: CsvRow[] }[] = [];
  for (const row of rows) {
    yield;
    const header = headerOf(row);
    if (header) tables.push({ header, rows: [] });
    else if (isData(row)) tables.at(-1)?.rows.push(row);
  }
  return tables;
};

const isSection = ({ cells }: CsvRow, section: string, kind: string): boolean =>
  cells[0] === section && cells[1] === kind;

/** An activity statement names the section and what a line is in its first two cells. */
const statementTables = (rows: readonly CsvRow[]): Steps<readonly TransactionTable[]> =>
  plainTables(rows.filter((row) => isSection(row, 'Trades', 'Header') || isSection(row, 'Trades', 'Data')));

export const findTables = function* (rows: readonly CsvRow[]): Steps<FoundTables> {
  const isStatement = rows.some((row) => isSection(row, 'Trades', 'Header'));
  const tables = yield* isStatement ? statementTables(rows) : plainTables(rows);
  const leftOut = isStatement
    ? new Set(
        rows.flatMap(({ cells: [section = '', kind] }) =>
          kind === 'Data' && OTHER_SECTIONS.has(section) ? [section] : [],
        ),
      )
    : [];
  return { tables: tables.map(oneDetail), leftOut: [...leftOut] };
};
