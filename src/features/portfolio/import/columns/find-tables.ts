import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Sheet, SheetRow } from '../sheet.ts';
import { isSumLine } from './row-kinds.ts';
import { type Decimals, decimalsOf, isSerial, looksLikeDate } from './cells.ts';
import {
  type Column,
  type Header,
  headerOf,
  isHeadingLine,
  NUMBER_COLUMNS,
  RATE_COLUMNS,
} from './column-headings.ts';

/** One transaction: a line, or the two or three lines that some brokers use, side by side. */
export interface TableRecord {
  /** The first line. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface TransactionTable {
  readonly header: Header;
  readonly records: readonly TableRecord[];
  /** The text above the table, which may name its currency: `달러 거래내역`. */
  readonly title: string;
  /** Tables of the same account continue each other. */
  readonly account: string;
  readonly hasSerialDates: boolean;
  readonly decimals: Decimals;
  /** Saxo writes amounts with a comma and rates with a point. */
  readonly rateDecimals: Decimals;
  /** The required number of cells of a record if shifted cells could go unnoticed. */
  readonly width: number | undefined;
  /** The section of a statement, which says what its lines are. */
  readonly section: string | undefined;
  /** The line that sums up the table. */
  readonly total: TableRecord | undefined;
}

interface Block {
  readonly header: Header;
  /** The number of lines of a record. */
  readonly height: number;
  readonly width: number;
  /** The line of a record that has the date. */
  readonly dateLine: number;
  readonly dateCell: number;
  /** The number of heading rows. */
  readonly headings: number;
}

const MAX_HEIGHT = 3;

const padded = (cells: readonly string[], width: number): readonly string[] =>
  cells.length >= width ? cells.slice(0, width) : [...cells, ...Array<string>(width - cells.length).fill('')];

/** Merges group headings into the headings below them: `매수` over `수량` and `단가` makes `매수 수량`. */
const mergedHeadings = (upper: readonly string[], lower: readonly string[]): readonly string[] => {
  let group = '';
  return Array.from({ length: Math.max(upper.length, lower.length) }, (_, index) => {
    const [above = '', below = ''] = [upper[index], lower[index]];
    if (above !== '') group = above;
    return below === '' ? above : `${group} ${below}`.trim();
  });
};

const isGroupLine = (cells: readonly string[]): boolean =>
  cells.includes('') && cells.some((cell) => cell !== '');

const filledIn = (cells: readonly string[]): number => cells.filter((cell) => cell !== '').length;
const PAGE = /^\d{1,4} ?\/ ?\d{1,4}$/u;
const END_OF_PRINT = /^-? ?출력 ?끝 ?-?$/u;

/** False for a title, a sum or a page number. */
const isData = ({ cells }: SheetRow): boolean => !isSumLine(cells) && filledIn(cells) > 1;

const isEnd = ({ cells }: SheetRow): boolean => {
  const only = cells.find((cell) => cell !== '') ?? '';
  return filledIn(cells) === 1 && (PAGE.test(only) || END_OF_PRINT.test(only));
};

/** Whether records take `height` lines: then exactly one line of each has a date. */
const isTall = (below: readonly SheetRow[], height: number, dateLine: number, dateCell: number): boolean => {
  const data = below.filter(isData);
  const first = data[0]?.index ?? 0;
  const isDated = ({ cells }: SheetRow): boolean => looksLikeDate(cells[dateCell] ?? '');
  const others = data.filter(({ index }) => (index - first) % height !== dateLine);
  const dated = data.filter(({ index }) => (index - first) % height === dateLine);
  return others.length > 0 && dated.length > 0 && dated.every(isDated) && !others.some(isDated);
};

/**
 * The headings that begin at a row: on one line; on two lines, groups above columns; or on as many lines as a record
 * takes, which the first records below show.
 */
const blockAt = (rows: readonly SheetRow[], at: number): Block | undefined => {
  const first = rows[at]?.cells;
  if (!first || first.every((cell) => cell === '')) return undefined;
  const second = rows[at + 1]?.cells ?? [];
  const both =
    isHeadingLine(second) && isGroupLine(first) ? headerOf(mergedHeadings(first, second)) : undefined;
  if (!both && !isHeadingLine(first)) return undefined;

  let count = 1;
  while (count < MAX_HEIGHT && isHeadingLine(rows[at + count]?.cells ?? [])) count += 1;
  for (let height = count; height > 1; height -= 1) {
    const lines = rows.slice(at, at + height).map(({ cells }) => cells);
    const width = Math.max(...lines.map((cells) => cells.length));
    const header = headerOf(lines.flatMap((cells) => padded(cells, width)));
    const place = header?.columns.get('date')?.[0];
    if (!header || place === undefined) continue;
    const [dateLine, dateCell] = [Math.floor(place / width), place % width];
    if (isTall(rows.slice(at + height, at + height * 5), height, dateLine, dateCell))
      return { header, height, width, dateLine, dateCell, headings: height };
  }
  const alone = headerOf(first);
  const isMerged = both !== undefined && (alone === undefined || both.columns.size > alone.columns.size);
  const header = isMerged ? both : alone;
  const dateCell = header?.columns.get('date')?.[0];
  if (!header || dateCell === undefined) return undefined;
  return { header, height: 1, width: first.length, dateLine: 0, dateCell, headings: isMerged ? 2 : 1 };
};

/** Some files state dollars below the won of the same transaction: `($ 180.50)`. */
const DOLLARS = /^\(\$ ?[\d,.]+\)$/u;
const isInDollars = ({ cells }: SheetRow): boolean =>
  cells.some((cell) => DOLLARS.test(cell)) && cells.every((cell) => cell === '' || DOLLARS.test(cell));

const withDollars = (cells: readonly string[], dollars: readonly string[]): readonly string[] =>
  cells.map((cell, index) => (dollars[index] ? dollars[index].slice(1, -1) : cell));

const ACCOUNT = /(?:계좌|account)/iu;

const recordsOf = function* (rows: readonly SheetRow[], block: Block): Steps<readonly TableRecord[]> {
  const { height, width, dateLine, dateCell } = block;
  const records: TableRecord[] = [];
  if (height === 1) {
    for (const row of rows) {
      yield;
      const last = records.at(-1);
      if (last && isInDollars(row))
        records[records.length - 1] = { ...last, cells: withDollars(last.cells, row.cells) };
      else if (isData(row)) records.push({ line: row.line, cells: row.cells });
    }
    return records;
  }
  const byIndex = new Map(rows.map((row) => [row.index, row]));
  for (const row of rows) {
    yield;
    const isDated = looksLikeDate(row.cells[dateCell] ?? '');
    if (!isDated || isSumLine(row.cells)) continue;
    const lines = Array.from({ length: height }, (_, offset) => byIndex.get(row.index - dateLine + offset));
    const cells = lines.flatMap((line) => padded(line?.cells ?? [], width));
    records.push({ line: lines[0]?.line ?? row.line, cells });
  }
  return records;
};

const sumOf = (rows: readonly SheetRow[]): TableRecord | undefined => {
  const sums = rows.filter(({ cells }) => /^transactions total$/iu.test(cells[0] ?? ''));
  return sums.length === 1 ? sums[0] : undefined;
};

/** Orders and their executions are listed together; only the first of these levels that occurs counts. */
const DETAILS = ['execution', 'order', 'trade'] as const;

const oneDetail = (header: Header, records: readonly TableRecord[]): readonly TableRecord[] => {
  const at = header.columns.get('detail')?.[0];
  if (at === undefined) return records;
  const detailOf = ({ cells }: TableRecord): string => (cells[at] ?? '').toLowerCase();
  const wanted = DETAILS.find((detail) => records.some((record) => detailOf(record) === detail));
  return wanted === undefined ? records : records.filter((record) => detailOf(record) === wanted);
};

/** One table below each heading line; holdings and other tables are skipped. */
const tablesIn = function* (
  { name, rows, hasSerialDates, isLoose }: Sheet,
  section?: string,
): Steps<readonly TransactionTable[]> {
  const found: {
    readonly block: Block;
    readonly rows: SheetRow[];
    readonly title: string;
    readonly account: string;
  }[] = [];
  let titles: string[] = [name];
  let account = '';
  let isReading = true;
  let at = 0;
  while (at < rows.length) {
    yield;
    const row = rows[at];
    if (!row) break;
    const block = blockAt(rows, at);
    if (block) {
      found.push({ block, rows: [], title: titles.join(' '), account });
      isReading = true;
      at += block.headings;
      continue;
    }
    at += 1;
    if (isEnd(row)) continue;
    // The headings of holdings, fees or notices end the table above.
    if (isHeadingLine(row.cells)) {
      isReading = false;
      continue;
    }
    const isTitle = filledIn(row.cells) === 1 || ACCOUNT.test(row.cells[0] ?? '');
    if (isTitle) {
      const text = row.cells.filter((cell) => cell !== '').join(' ');
      // Titles belong to the next table only.
      if (found.at(-1)?.rows.length !== 0) titles = [name];
      titles.push(text.slice(0, 100));
      if (ACCOUNT.test(text)) account = text.slice(0, 100);
    }
    if (isReading && !isTitle) found.at(-1)?.rows.push(row);
  }
  const tables: TransactionTable[] = [];
  for (const { block, rows: own, title, account: of } of found) {
    const { header } = block;
    const records = oneDetail(header, yield* recordsOf(own, block));
    const cellsOf = (columns: readonly number[]): readonly string[] =>
      records.flatMap(({ cells }) => columns.map((column) => cells[column] ?? ''));
    yield;
    const dates = cellsOf([block.dateCell]);
    const positionsOf = (all: readonly Column[]): readonly number[] =>
      all.flatMap((column) => header.columns.get(column) ?? []);
    tables.push({
      header,
      records,
      title,
      account: of,
      // In a text file, numbers are dates only if all dates are numbers.
      hasSerialDates: hasSerialDates || (block.height === 1 && dates.length > 0 && dates.every(isSerial)),
      decimals: decimalsOf(cellsOf(positionsOf(NUMBER_COLUMNS))),
      rateDecimals: decimalsOf(cellsOf(positionsOf(RATE_COLUMNS))),
      width: isLoose ? block.width : undefined,
      section,
      total: sumOf(own),
    });
  }
  return tables;
};

/** The sections of an Interactive Brokers activity statement that hold transactions. */
const SECTIONS: ReadonlySet<string> = new Set([
  'Trades',
  'Dividends',
  'Withholding Tax',
  'Deposits & Withdrawals',
  'Fees',
  'Other Fees',
  'Transaction Fees',
  'Sales Tax Details',
  'Interest',
  'Corporate Actions',
  'Transfers',
]);

/** The cash in one currency at the start or end of the period, as the statement says. */
export interface StatedCash {
  readonly currency: string;
  readonly kind: 'starting' | 'ending';
  readonly amount: string;
}

const CASH_LINES: Readonly<Record<string, StatedCash['kind']>> = {
  'starting cash': 'starting',
  'ending cash': 'ending',
};

const statedCashIn = ({
  cells: [section, kind, line = '', currency = '', amount = ''],
}: SheetRow): readonly StatedCash[] => {
  const which = section === 'Cash Report' && kind === 'Data' ? CASH_LINES[line.toLowerCase()] : undefined;
  return which !== undefined && /^[A-Z]{3}$/u.test(currency) ? [{ currency, kind: which, amount }] : [];
};

/** The first two cells of a statement's line name the section and the kind of line. */
const isStatement = ({ rows }: Sheet): boolean =>
  rows.some(({ cells }) => SECTIONS.has(cells[0] ?? '') && cells[1] === 'Header');

interface FoundTables {
  readonly tables: TransactionTable[];
  readonly stated: StatedCash[];
}

/** Finds the tables of transactions in all sheets, and the cash that statements state. */
export const findTables = function* (sheets: readonly Sheet[]): Steps<FoundTables> {
  const found: FoundTables = { tables: [], stated: [] };
  for (const sheet of sheets) {
    if (!isStatement(sheet)) {
      found.tables.push(...(yield* tablesIn(sheet)));
      continue;
    }
    const bySection = Map.groupBy(sheet.rows, ({ cells }) => cells[0] ?? '');
    for (const section of SECTIONS) {
      const rows = (bySection.get(section) ?? [])
        .filter(({ cells }) => cells[1] === 'Header' || cells[1] === 'Data')
        .map((row) => ({ ...row, cells: row.cells.slice(2) }));
      found.tables.push(...(yield* tablesIn({ ...sheet, rows }, section)));
    }
    found.stated.push(...sheet.rows.flatMap(statedCashIn));
  }
  return found;
};
