import type { Currency, Decimal } from '#src/kernel/money.ts';
import { isFormula, unmarked } from '#src/features/portfolio/csv.ts';
import { RowError } from '../problems.ts';
import { NUMBER_COLUMNS, RATE_COLUMNS, type Column } from '../columns/column-headings.ts';
import type { TableRecord, TransactionTable } from '../columns/find-tables.ts';
import { type CellNumber, numberIn, valueIn, withPoint, ZERO } from '../columns/cells.ts';
import { moneyNamed } from '../columns/money-names.ts';

/** `="005930"` is text: the formula keeps a spreadsheet program from dropping the zeros. */
const QUOTED_CODE = /^="([\p{L}\p{N}.\- ]{1,20})"$/u;
const DASHES = /^[-–—]+$/u;

/** A currency in a column that is not understood, which the line must not contradict. */
export interface OtherMoney {
  readonly heading: string;
  readonly currency: Currency;
}

/** Undefined for an empty cell. */
export const numberOf = (cell: string): CellNumber | undefined => {
  const number = numberIn(cell);
  if (number === 'wrong') throw new RowError({ kind: 'no-number', typed: cell });
  return number === 'none' ? undefined : number;
};

/** The text of a cell. Refuses formulas. */
const plain = (cell: string): string => {
  if (DASHES.test(cell)) return '';
  if (isFormula(cell)) throw new RowError({ kind: 'formula', typed: cell });
  return unmarked(cell);
};

/** Readers of a record's cells by column. */
export const cellsOf = ({ cells }: TableRecord, { header, decimals, rateDecimals }: TransactionTable) => {
  const { columns, money, isKorean } = header;
  const at = (column: Column): readonly { readonly cell: string; readonly index: number }[] =>
    (columns.get(column) ?? []).map((index) => ({ cell: cells[index] ?? '', index }));
  const all = (column: Column): readonly string[] => at(column).map(({ cell }) => cell);
  /** The cell with a decimal point. Undefined if it is ambiguous. */
  const pointed = (column: Column, cell: string): string | undefined => {
    if (RATE_COLUMNS.includes(column)) return withPoint(cell, rateDecimals);
    return NUMBER_COLUMNS.includes(column) ? withPoint(cell, decimals) : cell;
  };
  /** Brokers in Korea state won beside the dollars of the same trade, so their headings name no currency of the line. */
  const numberAt = (column: Column, cell: string, index: number): CellNumber | undefined => {
    const plain = pointed(column, cell);
    if (plain === undefined) throw new RowError({ kind: 'no-number', typed: cell });
    const number = numberOf(plain);
    const of = isKorean ? undefined : money.get(index);
    if (!number || !of || number.currency !== undefined) return number;
    return { value: of.isHundredth ? number.value.dividedBy(100) : number.value, currency: of.currency };
  };
  const numbersIn = (column: Column): readonly CellNumber[] =>
    at(column).flatMap(({ cell, index }) => numberAt(column, cell, index) ?? []);
  /** The first filled cell. */
  const raw = (column: Column): string => all(column).find((cell) => cell !== '') ?? '';
  const text = (column: Column): string => {
    const cell = raw(column);
    const code = column === 'code' || column === 'name' ? QUOTED_CODE.exec(cell)?.[1] : undefined;
    return code ?? plain(cell);
  };
  const number = (column: Column): CellNumber | undefined => {
    const first = at(column).find(({ cell }) => cell !== '');
    return first && numberAt(column, first.cell, first.index);
  };
  /** The first number that is not zero. */
  const filled = (column: Column): CellNumber | undefined => {
    const found = numbersIn(column);
    return found.find(({ value }) => !value.isZero()) ?? found[0];
  };
  const sum = (column: Column): Decimal =>
    numbersIn(column).reduce((total, { value }) => total.plus(value.abs()), ZERO);
  /** Reads columns that may mean something else: a cell that is not a number is ignored. */
  const lenient = (column: Column): Decimal | undefined => {
    const first = at(column).find(({ cell }) => cell !== '');
    return first && valueIn(pointed(column, first.cell) ?? '');
  };
  const words = (column: Column): readonly string[] =>
    all(column)
      .filter((cell) => cell !== '')
      .map(plain);
  const otherMoney = (): readonly OtherMoney[] =>
    header.otherMoney.flatMap(({ index, heading, of }) => {
      const currency = moneyNamed(cells[index] ?? '')?.currency;
      const isUsed = of === undefined || !/^[-0.,]*$/u.test(cells[of] ?? '');
      return currency !== undefined && isUsed ? [{ heading, currency }] : [];
    });
  return { all, text, raw, number, numbersIn, filled, sum, lenient, words, otherMoney };
};
export type Cells = ReturnType<typeof cellsOf>;
