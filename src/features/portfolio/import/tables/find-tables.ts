import type { Steps } from '#src/platform/cooperative-tasks.ts';
import type { Sheet, SheetRow } from '../files/sheet.ts';
import { isSumLine } from '../records/row-kinds.ts';
import { hasCommaDecimals, isSerial, looksLikeDate } from '../records/cells.ts';
import { type Header, headerOf, isHeadingLine, NUMBER_COLUMNS } from './column-headings.ts';

/** One transaction: a line, or the two or three that some brokers take for it, side by side. */
export interface TableRecord {
  /** Where it begins. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Transactions below the names of their columns. */
export interface TransactionTable {
  readonly header: Header;
  readonly records: readonly TableRecord[];
  /** What stands above it and tells which money is meant: `달러 거래내역`. */
  readonly title: string;
  /** Tables with the same name are of one account, and go on after each other. */
  readonly account: string;
  readonly hasSerialDates: boolean;
  /** Numbers are written `1.234,50`. */
  readonly hasCommaDecimals: boolean;
  /** Cells a record must have, where a shift could go unseen. */
  readonly width: number | undefined;
  /** What every line is, where its section says so. */
  readonly section: string | undefined;
  /** What the table itself says its lines add up to. */
  readonly total: TableRecord | undefined;
}

interface Block {
  readonly header: Header;
  /** Lines of one record. */
  readonly height: number;
  readonly width: number;
  /** Which of these lines has the date, and in which cell. */
  readonly dateLine: number;
  readonly dateCell: number;
  /** Rows that the names take. */
  readonly headings: number;
}

const MAX_HEIGHT = 3;

const padded = (cells: readonly string[], width: number): readonly string[] =>
  cells.length >= width ? cells.slice(0, width) : [...cells, ...Array<string>(width - cells.length).fill('')];

/** Names of groups above names of columns: `매수` over `수량` and `단가` makes `매수 수량`. */
const mergedHeadings = (upper: readonly string[], lower: readonly string[]): readonly string[] => {
  let group = '';
  return Array.from({ length: Math.max(upper.length, lower.length) }, (_, index) => {
    const [above = '', below = ''] = [upper[index], lower[index]];
    if (above !== '') group = above;
    return below === '' ? above : `${group} ${below}`.trim();
  });
};

const isGroupLine = (cells: readonly string[]): boolean =>
  cells.some((cell, index) => cell === '' && index < cells.length) && cells.some((cell) => cell !== '');

const filledIn = (cells: readonly string[]): number => cells.filter((cell) => cell !== '').length;
const PAGE = /^\d{1,4} ?\/ ?\d{1,4}$/u;
const END_OF_PRINT = /^-? ?출력 ?끝 ?-?$/u;

/** A line of a table, and not a title, a sum or the number of a page. */
const isData = ({ cells }: SheetRow): boolean => !isSumLine(cells) && filledIn(cells) > 1;

const isEnd = ({ cells }: SheetRow): boolean => {
  const only = cells.find((cell) => cell !== '') ?? '';
  return filledIn(cells) === 1 && (PAGE.test(only) || END_OF_PRINT.test(only));
};

/** With one line for a transaction every line has its date; with several one of them has it. */
const isTall = (below: readonly SheetRow[], height: number, dateLine: number, dateCell: number): boolean => {
  const data = below.filter(isData);
  const first = data[0]?.index ?? 0;
  const isDated = ({ cells }: SheetRow): boolean => looksLikeDate(cells[dateCell] ?? '');
  const others = data.filter(({ index }) => (index - first) % height !== dateLine);
  const dated = data.filter(({ index }) => (index - first) % height === dateLine);
  return others.length > 0 && dated.length > 0 && dated.every(isDated) && !others.some(isDated);
};

/**
 * The names of columns that begin at a row: on one line; on two, one below the other; or on as many lines as a record
 * takes, which the first records below show.
 */
const blockAt = (rows: readonly SheetRow[], at: number): Block | undefined => {
  const first = rows[at]?.cells;
  if (!first || first.every((cell) => cell === '')) return undefined;
  const second = rows[at + 1]?.cells ?? [];
  const hasSecond = isHeadingLine(second);
  if (!isHeadingLine(first) && !(hasSecond && isGroupLine(first) && headerOf(mergedHeadings(first, second))))
    return undefined;

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
  const merged = hasSecond ? mergedHeadings(first, second) : [];
  const both = hasSecond ? headerOf(merged) : undefined;
  const alone = headerOf(first);
  const isMerged =
    both !== undefined &&
    (alone === undefined || both.columns.size > alone.columns.size) &&
    isGroupLine(first);
  const header = isMerged ? both : alone;
  const dateCell = header?.columns.get('date')?.[0];
  if (!header || dateCell === undefined) return undefined;
  const headings = isMerged ? 2 : 1;
  return { header, height: 1, width: first.length, dateLine: 0, dateCell, headings };
};

/** Dollars below the won of the same transaction: `($ 180.50)`. */
const DOLLARS = /^\(\$ ?[\d,.]+\)$/u;
const isInDollars = ({ cells }: SheetRow): boolean =>
  cells.some((cell) => DOLLARS.test(cell)) && cells.every((cell) => cell === '' || DOLLARS.test(cell));

const withDollars = (cells: readonly string[], dollars: readonly string[]): readonly string[] =>
  cells.map((cell, index) => (dollars[index] ? dollars[index].slice(1, -1) : cell));

const ACCOUNT = /(?:계좌|account)/iu;

/** The transactions below the names of columns, each with all of its lines. */
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

/** An order and its parts are told of side by side: one of them counts. */
const DETAILS = ['execution', 'order', 'trade'] as const;

const oneDetail = (header: Header, records: readonly TableRecord[]): readonly TableRecord[] => {
  const at = header.columns.get('detail')?.[0];
  if (at === undefined) return records;
  const detailOf = ({ cells }: TableRecord): string => (cells[at] ?? '').toLowerCase();
  const wanted = DETAILS.find((detail) => records.some((record) => detailOf(record) === detail));
  return wanted === undefined ? records : records.filter((record) => detailOf(record) === wanted);
};

interface TableOptions {
  readonly section?: string | undefined;
}

/** One table below each line that names columns; titles above the first, and holdings, are not read. */
export const tablesIn = function* (
  { name, rows, hasSerialDates, isLoose }: Sheet,
  { section }: TableOptions = {},
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
    // Holdings, fees, notices: the names of their columns end the table above.
    if (isHeadingLine(row.cells)) {
      isReading = false;
      continue;
    }
    const isTitle = filledIn(row.cells) === 1 || ACCOUNT.test(row.cells[0] ?? '');
    if (isTitle) {
      const text = row.cells.filter((cell) => cell !== '').join(' ');
      // What stands above the next table counts for that one alone.
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
    const width = isLoose ? block.width : undefined;
    const total = sumOf(own);
    const cellsOf = (columns: readonly number[]): readonly string[] =>
      records.flatMap(({ cells }) => columns.map((column) => cells[column] ?? ''));
    yield;
    const dates = cellsOf([block.dateCell]);
    tables.push({
      header,
      records,
      title,
      account: of,
      // In a text file a number is a day only where all days are.
      hasSerialDates: hasSerialDates || (block.height === 1 && dates.length > 0 && dates.every(isSerial)),
      hasCommaDecimals: hasCommaDecimals(
        cellsOf(NUMBER_COLUMNS.flatMap((column) => header.columns.get(column) ?? [])),
      ),
      width,
      section,
      total,
    });
  }
  return tables;
};

/** Sections of an activity statement of Interactive Brokers that hold transactions. */
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

/** Cash of one currency at the ends of the period, as the statement says. */
export interface StatedCash {
  readonly currency: string;
  readonly kind: 'starting' | 'ending';
  readonly amount: string;
}

interface StatementTables {
  readonly tables: readonly TransactionTable[];
  readonly cash: readonly StatedCash[];
}

const CASH_LINES: Readonly<Record<string, StatedCash['kind']>> = {
  'starting cash': 'starting',
  'ending cash': 'ending',
};

const stated = ({
  cells: [section, kind, line = '', currency = '', amount = ''],
}: SheetRow): readonly StatedCash[] => {
  const which = section === 'Cash Report' && kind === 'Data' ? CASH_LINES[line.toLowerCase()] : undefined;
  return which !== undefined && /^[A-Z]{3}$/u.test(currency) ? [{ currency, kind: which, amount }] : [];
};

/** An activity statement names the section and what a line is in its first two cells. */
export const isStatement = ({ rows }: Sheet): boolean =>
  rows.some(({ cells }) => SECTIONS.has(cells[0] ?? '') && cells[1] === 'Header');

export const statementTables = function* (sheet: Sheet): Steps<StatementTables> {
  const bySection = Map.groupBy(sheet.rows, ({ cells }) => cells[0] ?? '');
  const tables: TransactionTable[] = [];
  for (const section of SECTIONS) {
    const rows = (bySection.get(section) ?? [])
      .filter(({ cells }) => cells[1] === 'Header' || cells[1] === 'Data')
      .map((row) => ({ ...row, cells: row.cells.slice(2) }));
    tables.push(...(yield* tablesIn({ ...sheet, rows }, { section })));
  }
  return { tables, cash: sheet.rows.flatMap(stated) };
};
