import { createHash } from 'node:crypto';
import type { SymbolSearch } from '#src/core/finance.ts';
import type { NewTransaction } from '#src/core/ledger.ts';
import { type Currency, Decimal } from '#src/core/money.ts';
import { byTime, type Steps } from '#src/infra/steps.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { readCsv } from './csv.ts';
import { dateOrderOf } from './csv-cells.ts';
import { createInstrumentFinder } from './csv-instruments.ts';
import type { FileProblem, RowProblem } from './csv-problems.ts';
import { readRow, type RowDraft } from './csv-rows.ts';
import { findTables } from './csv-tables.ts';
import { readEntry } from '../entries/read-entry.ts';
import { isOfInstrument, needsInstrument } from '../record-instrument.ts';

export interface FileEntry {
  readonly line: number;
  /** As it stands in the file. */
  readonly cells: readonly string[];
  /** Its client id is still to be given. */
  readonly entry: NewTransaction;
}

export interface FileError {
  readonly line: number;
  /** As it stands in the file. */
  readonly cells: readonly string[];
  readonly problem: RowProblem;
}

export interface ReadFile {
  readonly entries: readonly FileEntry[];
  readonly errors: readonly FileError[];
  /** Lines that were taken back already. */
  readonly voids: number;
  /** Sections with other transactions, by their names. */
  readonly leftOut: readonly string[];
  /** Nothing is said about taxes: those of Korean sales were computed. */
  readonly lacksTaxes: boolean;
}

export type FileRead =
  | { readonly status: 'ok'; readonly file: ReadFile }
  | { readonly status: 'refused'; readonly problem: FileProblem };

export interface FileContext {
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly baseCurrency: Currency;
  readonly today: Temporal.PlainDate;
}

/**
 * What an entry tells, whoever told it: the same trade in two files, or in a file and by hand, has the same one.
 * Notes and rates are not in it.
 */
export const contentKey = (entry: NewTransaction): string => {
  const of = 'instrument' in entry ? entry.instrument.symbol : '';
  const numbers = ['quantity', 'price', 'amount', 'fee', 'tax', 'ratio', 'toAmount'].map((name) => {
    const value: unknown = entry[name as keyof NewTransaction];
    return value instanceof Decimal ? value.toFixed() : '';
  });
  const to = entry.kind === 'fx' ? entry.toCurrency : '';
  const kind = entry.kind === 'tax' && entry.isRefund ? 'tax-refund' : entry.kind;
  const content = JSON.stringify([kind, entry.date.toString(), of, entry.currency, to, ...numbers]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
};

type MadeEntry =
  | { readonly status: 'entry'; readonly entry: NewTransaction }
  | { readonly status: 'problem'; readonly problem: RowProblem };

/**
 * From the text of a broker's file to entries, and to what is wrong line by line. Rates are not filled in. Throws on
 * abort alone.
 */
export const readEntries = async (
  text: string,
  { symbols, baseCurrency, today }: FileContext,
  signal: AbortSignal,
): Promise<FileRead> => {
  const csv = await byTime(readCsv(text), signal);
  if (csv.status === 'refused') return csv;
  const { tables, leftOut } = await byTime(findTables(csv.rows), signal);
  if (tables.length === 0) return { status: 'refused', problem: { kind: 'no-header' } };
  const dates = tables.flatMap(({ header, rows }) => {
    const at = header.columns.get('date')?.[0] ?? 0;
    return rows.map(({ cells }) => cells[at] ?? '');
  });
  if (dates.length === 0) return { status: 'refused', problem: { kind: 'no-rows' } };
  const order = dateOrderOf(
    dates,
    tables.some(({ header }) => header.isAmerican),
  );
  if (!order) return { status: 'refused', problem: { kind: 'unclear-dates' } };

  const finder = createInstrumentFinder(symbols);
  const toEntry = ({ request, code, name, toRate, ratio }: RowDraft): MadeEntry => {
    const currency = request.currency === undefined ? undefined : currencyNamed(request.currency)?.code;
    const isNamed = needsInstrument(request.kind) || code !== '' || name !== '';
    const found = isOfInstrument(request.kind) && isNamed ? finder({ code, name, currency }) : undefined;
    if (found?.status === 'problem') return found;
    const read = readEntry(request, { instrument: found?.instrument, baseCurrency, today, clientId: '' });
    if (read.status === 'problem')
      return { status: 'problem', problem: { kind: 'entry', problem: read.problem } };
    const { entry } = read;
    if (entry.kind === 'split' && ratio) return { status: 'entry', entry: { ...entry, ratio } };
    const isTold = entry.kind === 'fx' && entry.toRate === undefined && toRate?.greaterThan(0);
    return { status: 'entry', entry: isTold && toRate ? { ...entry, toRate } : entry };
  };

  const readRows = function* (): Steps<Omit<ReadFile, 'leftOut'>> {
    const entries: FileEntry[] = [];
    const errors: FileError[] = [];
    let voids = 0;
    let lacksTaxes = false;
    for (const { header, row } of tables.flatMap((table) => table.rows.map((row) => ({ ...table, row })))) {
      yield;
      const read = readRow(row, header, order, baseCurrency);
      if (read.status === 'void') voids += 1;
      const made = read.status === 'ok' ? toEntry(read.draft) : read;
      if (made.status === 'problem') errors.push({ ...row, problem: made.problem });
      if (made.status !== 'entry') continue;
      const { entry } = made;
      entries.push({ ...row, entry });
      lacksTaxes ||= !header.tellsTaxes && entry.kind === 'sell' && !entry.tax.isZero();
    }
    return { entries, errors, voids, lacksTaxes };
  };
  // A large file must not hold up the whole bot.
  return { status: 'ok', file: { ...(await byTime(readRows(), signal)), leftOut } };
};
