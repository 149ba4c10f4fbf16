import type { Currency, Decimal } from '#src/core/money.ts';
import { readAmount } from '#src/language/amounts.ts';

/** Which of two numbers before a year is the month. */
export type DateOrder = 'month-first' | 'day-first';

const YEAR_FIRST = /^(\d{4})[-./년]\s*(\d{1,2})[-./월]\s*(\d{1,2})(?!\d)/u;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?!\d)/u;
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/u;
const NAMED_MONTH =
  /^(?:([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})|(\d{1,2})[- ]([a-z]{3})[a-z]*[- ](\d{4}))(?!\d)/iu;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** Schwab: entered on the first day, but of the second. */
const AS_OF = /^.* as of (?=\d)/iu;
const THIS_CENTURY = 2_000;

const written = (cell: string): string => cell.normalize('NFKC').trim().replace(AS_OF, '');

const dateOf = (year: string, month: string | number, day: string): Temporal.PlainDate | undefined => {
  const full = Number(year) + (year.length === 2 ? THIS_CENTURY : 0);
  try {
    return Temporal.PlainDate.from(
      { year: full, month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    );
  } catch {
    return undefined;
  }
};

/** A day; times behind it are left out. Undefined for what is none. */
export const dateIn = (cell: string, order: DateOrder): Temporal.PlainDate | undefined => {
  const text = written(cell);
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? COMPACT.exec(text) ?? [];
  if (year !== undefined && month !== undefined && day !== undefined) return dateOf(year, month, day);
  const [, first, , second, last] = YEAR_LAST.exec(text) ?? [];
  if (first !== undefined && second !== undefined && last !== undefined)
    return order === 'month-first' ? dateOf(last, first, second) : dateOf(last, second, first);
  const [, name, dayAfter, yearAfter, dayBefore, nameBehind, yearBehind] = NAMED_MONTH.exec(text) ?? [];
  const at = MONTHS.indexOf((name ?? nameBehind ?? '').toLowerCase());
  return at < 0 ? undefined : dateOf(yearAfter ?? yearBehind ?? '', at + 1, dayAfter ?? dayBefore ?? '');
};

/** By all dates of a file together. Undefined where they do not tell, or contradict each other. */
export const dateOrderOf = (cells: readonly string[], isAmerican: boolean): DateOrder | undefined => {
  const pairs = cells.flatMap((cell) => {
    const [, first, , second] = YEAR_LAST.exec(written(cell)) ?? [];
    return first === undefined || second === undefined ? [] : [[Number(first), Number(second)] as const];
  });
  const isDayFirst = pairs.some(([first]) => first > 12);
  const isMonthFirst = pairs.some(([, second]) => second > 12);
  if (isDayFirst && isMonthFirst) return undefined;
  if (isDayFirst) return 'day-first';
  // `03/03/2026` is the same either way.
  const isClear = isMonthFirst || isAmerican || pairs.every(([first, second]) => first === second);
  return isClear ? 'month-first' : undefined;
};

export interface CellNumber {
  readonly value: Decimal;
  /** Where a sign of money stood beside it. */
  readonly currency: Currency | undefined;
}

const NOTHING = /^(?:|[-–—]+|n\/?a|null|none)$/iu;

/**
 * `1,234.50`, `(1,234.50)`, `$1,234.50`, `₩71,000`, `500-`. `none` for an empty cell or a dash, `wrong` for what is no
 * number: `1,5` and `1.234,50` are not guessed at.
 */
export const numberIn = (cell: string): CellNumber | 'none' | 'wrong' => {
  const whole = cell.normalize('NFKC').trim();
  if (NOTHING.test(whole)) return 'none';
  const { value, unit, currency } = readAmount(whole)?.value ?? {};
  const isCounted = unit === 'none' || unit === 'money' || unit === 'pieces';
  return value && isCounted ? { value, currency } : 'wrong';
};
