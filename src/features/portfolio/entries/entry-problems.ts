import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { currencyText } from '#src/markets/answers/money-text.ts';
import { visibleLine } from '#src/kernel/text.ts';
import { readAmount } from '#src/reading/amounts.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { type DateValue, readDate } from '#src/reading/dates.ts';
import { readRatio } from '#src/reading/ratios.ts';
import type { Reading } from '#src/reading/reading.ts';
import { readTime, type TimeValue } from '#src/reading/times.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { Exact } from '../ledger/fixed-point.ts';

/** The parts of an entry. */
export type EntryField =
  | 'name'
  | 'quantity'
  | 'price'
  | 'total'
  | 'amount'
  | 'fee'
  | 'tax'
  | 'rate'
  | 'ratio'
  | 'toAmount'
  | 'toCurrency'
  | 'toName'
  | 'toQuantity'
  | 'percent';

/** The fields of a request that some kinds of entries do not use. */
export type UnusedField = EntryField | 'currency';

/** The reason why an entry cannot be recorded as written. `typed` is the unchecked input. */
export type EntryProblem =
  | { readonly kind: 'missing'; readonly field: EntryField; readonly of: TransactionKind }
  | { readonly kind: 'no-number'; readonly field: EntryField; readonly typed: string }
  /** The value is zero or negative. */
  | {
      readonly kind: 'too-small';
      readonly field: EntryField;
      readonly typed: string;
      readonly of?: TransactionKind;
    }
  | { readonly kind: 'too-large'; readonly field: EntryField; readonly typed: string }
  | { readonly kind: 'too-precise'; readonly field: EntryField; readonly typed: string }
  | { readonly kind: 'unknown-currency'; readonly typed: string }
  /** A trade or dividend names a currency other than that of its instrument. */
  | { readonly kind: 'other-currency'; readonly currency: Currency; readonly instrument: Instrument }
  /** One amount names two currencies. */
  | { readonly kind: 'two-currencies'; readonly currencies: readonly [Currency, Currency] }
  | { readonly kind: 'same-currency'; readonly currency: Currency }
  /** The portfolio's own currency has a rate other than 1. */
  | { readonly kind: 'own-rate'; readonly currency: Currency }
  | { readonly kind: 'no-date'; readonly typed: string }
  | { readonly kind: 'no-time'; readonly typed: string }
  /** For example 30 February. */
  | { readonly kind: 'impossible-date'; readonly typed: string }
  /** The date is a week, a month or a year. */
  | { readonly kind: 'not-one-day'; readonly typed: string }
  | { readonly kind: 'future-date'; readonly date: Temporal.PlainDate }
  | { readonly kind: 'old-date'; readonly date: Temporal.PlainDate }
  | { readonly kind: 'bad-ratio'; readonly typed: string }
  /** An exchange states a rate that contradicts its two amounts. */
  | { readonly kind: 'rate-and-amounts'; readonly typed: string }
  /** This kind of entry does not use the field; `command` records it instead where possible. */
  | {
      readonly kind: 'unused';
      readonly field: UnusedField;
      readonly typed: string;
      readonly of: TransactionKind;
      readonly command?: string;
    }
  | { readonly kind: 'tax-above-amount' }
  /** The total gives no price that can be written down; `near` is the approximate price. */
  | { readonly kind: 'uneven-total'; readonly near: string }
  /** The money does not buy a whole number of shares of an instrument that is not sold in fractions. */
  | { readonly kind: 'uneven-quantity'; readonly near: string }
  /** The price and the total contradict each other. */
  | { readonly kind: 'price-and-total'; readonly price: string; readonly total: string }
  | { readonly kind: 'long-note'; readonly limit: number }
  | { readonly kind: 'not-holdable' | 'future'; readonly instrument: Instrument };

/** Says in one sentence what is wrong and what to do. */
export const entryProblemText = (problem: EntryProblem, locale: Locale): string => {
  const t = portfolioTexts(locale).problems;
  switch (problem.kind) {
    case 'missing':
      return t.missing[problem.field]({ kind: portfolioTexts(locale).kinds[problem.of] });
    case 'too-small':
      return t['too-small']({
        field: t.fields[problem.field],
        typed: echo(problem.typed),
        // A price, a fee or a rate has no opposite kind of entry to suggest.
        of: problem.field === 'amount' || problem.field === 'quantity' ? (problem.of ?? '') : '',
      });
    case 'no-number':
    case 'too-large':
    case 'too-precise':
      return t[problem.kind]({ field: t.fields[problem.field], typed: echo(problem.typed) });
    case 'unknown-currency':
    case 'no-date':
    case 'no-time':
    case 'impossible-date':
    case 'not-one-day':
    case 'bad-ratio':
    case 'rate-and-amounts':
      return t[problem.kind]({ typed: echo(problem.typed) });
    case 'other-currency':
      return t['other-currency']({
        name: instrumentLabel(problem.instrument, locale),
        own: currencyText(problem.instrument.currency, locale),
        other: currencyText(problem.currency, locale),
      });
    case 'two-currencies':
      return t['two-currencies']({ first: problem.currencies[0], second: problem.currencies[1] });
    case 'same-currency':
    case 'own-rate':
      return t[problem.kind]({ currency: problem.currency });
    case 'future-date':
    case 'old-date':
      return t[problem.kind]({ date: problem.date.toString() });
    case 'uneven-total':
    case 'uneven-quantity':
      return t[problem.kind]({ near: problem.near });
    case 'price-and-total':
      return t['price-and-total']({ price: echo(problem.price), total: echo(problem.total) });
    case 'unused':
      return t.unused({
        field: t.fields[problem.field],
        kind: portfolioTexts(locale).kinds[problem.of],
        typed: echo(problem.typed),
        command: problem.command ?? '',
      });
    case 'tax-above-amount':
      return t['tax-above-amount']();
    case 'long-note':
      return t['long-note']({ limit: problem.limit });
    case 'not-holdable':
    case 'future':
      return t[problem.kind]({ name: instrumentLabel(problem.instrument, locale) });
  }
  return problem satisfies never;
};

/** Only `readEntry` throws and catches this error: reading ends at the first problem. */
export class Refused extends Error {
  readonly problem: EntryProblem;

  constructor(problem: EntryProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** A number of an entry and the currency written beside it. */
interface EntryNumber {
  readonly value: Decimal;
  readonly currency?: Currency;
  /** The other values that the same text can mean. */
  readonly others: readonly Decimal[];
}

/**
 * Reads `71,000원`, `$180.5`, `1.5억`, `10주`, `@ 180`; null for text without a number and for percentages, points and
 * multiples. Negative numbers are read too; callers check whether they make sense.
 */
export const readEntryNumber = (typed: string): EntryNumber | null => {
  const read = readAmount(typed);
  if (!read) return null;
  const { unit, value, currency } = read.value;
  if (unit !== 'none' && unit !== 'money' && unit !== 'pieces') return null;
  const others = read.alternatives.map((other) => other.value);
  return { value, others, ...(currency !== undefined && { currency }) };
};

const MAX_PIECES = new Exact('1e12');
/** The limit of an amount in any currency. */
export const MAX_AMOUNT = new Exact('1e15');
const MAX_DECIMALS = 18;
const MAX_RATIO = new Exact('10000');
const RATIO_DECIMALS = 60;
/** The limit of a note in characters. */
const MAX_NOTE = 200;
const FIRST_DATE = Temporal.PlainDate.from('1900-01-01');

const LIMITS: Partial<Record<EntryField, Decimal>> = {
  quantity: MAX_PIECES,
  toQuantity: MAX_PIECES,
  percent: new Exact(100),
  price: MAX_PIECES,
  rate: MAX_PIECES,
};

export const isBlank = (typed: string | undefined): typed is undefined =>
  typed === undefined || typed.trim() === '';

export interface TypedNumber {
  readonly value: Decimal;
  readonly currency: Currency | undefined;
}

/** Reads a number within the allowed range; undefined for blank input. `isZeroFine` allows zero for fees and taxes. */
export const numberIn = (
  typed: string | undefined,
  field: EntryField,
  isZeroFine = false,
): TypedNumber | undefined => {
  if (isBlank(typed)) return undefined;
  const read = readEntryNumber(typed);
  if (!read) throw new Refused({ kind: 'no-number', field, typed });
  const { value, currency } = read;
  if (value.lessThan(0) || (value.isZero() && !isZeroFine))
    throw new Refused({ kind: 'too-small', field, typed });
  if (value.greaterThan(LIMITS[field] ?? MAX_AMOUNT)) throw new Refused({ kind: 'too-large', field, typed });
  if (value.decimalPlaces() > MAX_DECIMALS) throw new Refused({ kind: 'too-precise', field, typed });
  return { value: value.abs(), currency };
};

/** Reads a currency code, sign or name; undefined for blank input. */
export const currencyIn = (typed: string | undefined): Currency | undefined => {
  if (isBlank(typed)) return undefined;
  const known = currencyNamed(typed);
  if (!known) throw new Refused({ kind: 'unknown-currency', typed });
  return known.code;
};

/** Refuses any currency other than that of the instrument. */
export const ownCurrency = (instrument: Instrument, named: readonly (Currency | undefined)[]): Currency => {
  const other = named.find((currency) => currency !== undefined && currency !== instrument.currency);
  if (other !== undefined) throw new Refused({ kind: 'other-currency', currency: other, instrument });
  return instrument.currency;
};

/** Refuses two different currencies. */
export const oneCurrency = (named: readonly (Currency | undefined)[]): Currency | undefined => {
  const [first, ...others] = named.flatMap((currency) => (currency === undefined ? [] : [currency]));
  const second = others.find((currency) => currency !== first);
  if (first !== undefined && second !== undefined)
    throw new Refused({ kind: 'two-currencies', currencies: [first, second] });
  return first;
};

/** Reads the day of an entry as people write it. */
export const readEntryDate = (typed: string, today: Temporal.PlainDate): Reading<DateValue> | undefined =>
  readDate(typed, today, { looks: 'back', allowsCompact: true });

/** Blank input means today. */
export const dateIn = (typed: string | undefined, today: Temporal.PlainDate): Temporal.PlainDate => {
  if (isBlank(typed)) return today;
  const read = readEntryDate(typed, today)?.value;
  if (!read) throw new Refused({ kind: 'no-date', typed });
  if (read.status === 'impossible') throw new Refused({ kind: 'impossible-date', typed });
  if (read.precision !== 'day') throw new Refused({ kind: 'not-one-day', typed });
  const date = read.first;
  if (Temporal.PlainDate.compare(date, today) > 0) throw new Refused({ kind: 'future-date', date });
  if (Temporal.PlainDate.compare(date, FIRST_DATE) < 0) throw new Refused({ kind: 'old-date', date });
  return date;
};

const TIME = /^\d{1,2}:\d{2}(?::\d{2})?$/u;
/** Matches the seconds of a time with text behind it: `09:35:10 ET`. */
const SECONDS = /^\D{0,12}\d{1,2}:\d{2}:(?<second>[0-5]\d)(?!\d)/u;

/** Reads `14:30`, `9:05:10`, `오후 2시 30분`, `15:45 ET`; undefined for other text and for ambiguous times. */
export const readEntryTime = (typed: string): TimeValue | undefined => {
  const text = typed.trim();
  const [hour = '', minute = '', second = '0'] = TIME.test(text) ? text.split(':') : [];
  if (hour !== '' && Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59)
    return {
      time: Temporal.PlainTime.from({ hour: Number(hour), minute: Number(minute), second: Number(second) }),
    };
  const read = hour === '' ? readTime(text) : undefined;
  // `2시` may be in the morning or the afternoon, while `2:30` is on the 24-hour clock.
  const isUnclear = read !== undefined && read.alternatives.length > 0 && !text.includes(':');
  if (isUnclear || !read) return undefined;
  const seconds = Number(SECONDS.exec(text)?.groups?.['second'] ?? 0);
  return { ...read.value, time: read.value.time.with({ second: seconds }) };
};

/** Undefined for blank input. `placeInTime` must have removed the zone before. */
export const timeIn = (typed: string | undefined): Temporal.PlainTime | undefined => {
  if (isBlank(typed)) return undefined;
  const read = readEntryTime(typed);
  if (!read || read.timeZone !== undefined) throw new Refused({ kind: 'no-time', typed });
  return read.time;
};

/** Reads `50`, `50:1`, `1:10`, `3 for 2` as shares after the split for each share before it. */
export const ratioIn = (typed: string): Decimal => {
  const read = readRatio(typed);
  if (!read || Number(read.second) === 0) throw new Refused({ kind: 'bad-ratio', typed });
  const ratio = new Exact(read.first).dividedBy(read.second);
  const isSane =
    ratio.greaterThan(0) &&
    !ratio.equals(1) &&
    ratio.lessThanOrEqualTo(MAX_RATIO) &&
    ratio.greaterThanOrEqualTo(new Exact(1).dividedBy(MAX_RATIO));
  if (!isSane) throw new Refused({ kind: 'bad-ratio', typed });
  // A ratio has more digits than a quantity, so that a third of 300 rounds to exactly 100.
  return new Decimal(ratio.toDecimalPlaces(RATIO_DECIMALS).toFixed());
};

/** A note is one line without invisible characters. */
export const noteIn = (typed: string | undefined): string | undefined => {
  if (isBlank(typed)) return undefined;
  const note = visibleLine(typed).replaceAll(/\s+/gu, ' ').trim();
  if (Array.from(note).length > MAX_NOTE) throw new Refused({ kind: 'long-note', limit: MAX_NOTE });
  return note === '' ? undefined : note;
};
