import { type Currency, Decimal } from '#src/kernel/money.ts';
import { readAmount } from '#src/reading/amounts.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import type { PictureForm, PictureRow } from './picture-form.ts';

/** The values between which a number may lie. */
export interface Range {
  readonly low: Decimal;
  readonly high: Decimal;
  /** As written, or computed from what is written. */
  readonly value: Decimal;
}

/** A number on the picture. */
export interface Shown {
  readonly value: Decimal;
  /** The app may have rounded the number or dropped its last digits. */
  readonly range: Range;
  readonly currency: Currency | undefined;
}

/** What apps write where there is no number. */
const NOTHING = /^(?:|[-–—]+|n\/?a|null|none)$/iu;
const UP = /^[▲△▴↑]\s*/u;
const DOWN = /^[▼▽▾↓]\s*-?/u;
/** `+12,000 (3.2%)`, where only the first number is meant. */
const PERCENT_BEHIND = /(?<=\d\D{0,4})\s*\([^()]*%\)$/u;

const roundedRange = (value: Decimal, lastPower: number): Range => {
  const step = new Decimal(10).pow(lastPower);
  const half = step.dividedBy(2);
  // Apps round, or cut digits off towards zero.
  return {
    value,
    low: value.minus(value.greaterThan(0) ? half : step),
    high: value.plus(value.isNegative() ? half : step),
  };
};

/** Undefined if the picture does not show the number, or if it is none. */
export const shownNumber = (written: string | null | undefined, isPercent = false): Shown | undefined => {
  const text = (written ?? '').normalize('NFKC').trim().replace(UP, '').replace(DOWN, '-');
  const reading = readAmount(isPercent ? text : text.replace(PERCENT_BEHIND, ''));
  if (!reading || reading.isApproximate || reading.isConflicting) return undefined;
  const { value, unit, currency } = reading.value;
  const isFit = unit === 'none' || (isPercent ? unit === 'percent' : unit === 'money' || unit === 'pieces');
  return isFit ? { value, range: roundedRange(value, reading.lastPower), currency } : undefined;
};

export const currencyIn = (written: string | null | undefined): Currency | undefined => {
  const named = (written ?? '').trim();
  return named === '' ? undefined : currencyNamed(named)?.code;
};

/** A number that is known exactly. */
export const exactly = (value: Decimal): Range => ({ low: value, high: value, value });

const MONEY_FIELDS = ['averagePrice', 'price', 'cost', 'value', 'gain', 'fee', 'tax', 'settled'] as const;
export type MoneyField = (typeof MONEY_FIELDS)[number];

/** The numbers of one row. */
export interface ShownRow extends Readonly<Partial<Record<MoneyField, Shown>>> {
  readonly quantity: Shown | undefined;
  readonly gainPercent: Shown | undefined;
  /** The currency of the numbers without a sign of their own. */
  readonly currency: Currency | undefined;
  /** What stands where a number should be and is none. */
  readonly unread: readonly string[];
}

/** Money without a sign is in the currency of its row, else of the account. */
export const shownRow = (row: PictureRow, { currency: account }: Pick<PictureForm, 'currency'>): ShownRow => {
  const currency = currencyIn(row.currency) ?? currencyIn(account);
  const money = MONEY_FIELDS.flatMap((field) => {
    const shown = shownNumber(row[field]);
    return shown ? [[field, { ...shown, currency: shown.currency ?? currency }] as const] : [];
  });
  const quantity = shownNumber(row.quantity);
  const gainPercent = shownNumber(row.gainPercent, true);
  const read = new Set<string>([
    ...money.map(([field]) => field),
    ...(quantity ? ['quantity'] : []),
    ...(gainPercent ? ['gainPercent'] : []),
  ]);
  const unread = [...MONEY_FIELDS, 'quantity' as const, 'gainPercent' as const].flatMap((field) => {
    const written = row[field]?.trim() ?? '';
    return read.has(field) || NOTHING.test(written) ? [] : [written];
  });
  return {
    ...Object.fromEntries(money),
    // Apps show as many digits of a quantity as there are.
    quantity: quantity && { ...quantity, range: exactly(quantity.value) },
    gainPercent,
    currency,
    unread,
  };
};

export const plus = (a: Range, b: Range): Range => ({
  low: a.low.plus(b.low),
  high: a.high.plus(b.high),
  value: a.value.plus(b.value),
});

export const minus = (a: Range, b: Range): Range => ({
  low: a.low.minus(b.high),
  high: a.high.minus(b.low),
  value: a.value.minus(b.value),
});

export const times = (a: Range, b: Range): Range => {
  const corners = [a.low.times(b.low), a.low.times(b.high), a.high.times(b.low), a.high.times(b.high)];
  return { low: Decimal.min(...corners), high: Decimal.max(...corners), value: a.value.times(b.value) };
};

const inverse = (value: Decimal): Decimal => new Decimal(1).dividedBy(value);

/** Undefined if the divisor may be zero. */
export const dividedBy = (a: Range, b: Range): Range | undefined => {
  if (!b.low.greaterThan(0)) return undefined;
  const range = times(a, { low: inverse(b.high), high: inverse(b.low), value: inverse(b.value) });
  return { ...range, value: a.value.dividedBy(b.value) };
};

export const overlaps = (a: Range, b: Pick<Range, 'low' | 'high'>): boolean =>
  a.low.lessThanOrEqualTo(b.high) && b.low.lessThanOrEqualTo(a.high);
