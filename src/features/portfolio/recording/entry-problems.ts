import type { Instrument } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { TransactionKind } from '#src/kernel/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { currencyText } from '#src/markets/answers/money-text.ts';
import { visibleLine } from '#src/kernel/text.ts';
import { readAmount } from '#src/language/amounts.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { type DateValue, readDate } from '#src/language/dates.ts';
import { readRatio } from '#src/language/ratios.ts';
import type { Reading } from '#src/language/reading.ts';
import { readTime, type TimeValue } from '#src/language/times.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import { Exact } from '../ledger/fixed-point.ts';

/** What an entry is made of. */
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
  | 'toCurrency';

/** What a request can hold that some kinds of entries have no place for. */
export type UnusedField = EntryField | 'currency';

/** Why an entry cannot be recorded as it was written. `typed` is what was written, unchecked. */
export type EntryProblem =
  | { readonly kind: 'missing'; readonly field: EntryField; readonly of: TransactionKind }
  | { readonly kind: 'no-number'; readonly field: EntryField; readonly typed: string }
  /** Zero, or below it. */
  | {
      readonly kind: 'too-small';
      readonly field: EntryField;
      readonly typed: string;
      readonly of?: TransactionKind;
    }
  | { readonly kind: 'too-large'; readonly field: EntryField; readonly typed: string }
  | { readonly kind: 'too-precise'; readonly field: EntryField; readonly typed: string }
  | { readonly kind: 'unknown-currency'; readonly typed: string }
  /** Of a trade or a dividend: not the money in which it is traded. */
  | { readonly kind: 'other-currency'; readonly currency: Currency; readonly instrument: Instrument }
  /** Of money: two kinds of it for one amount. */
  | { readonly kind: 'two-currencies'; readonly currencies: readonly [Currency, Currency] }
  | { readonly kind: 'same-currency'; readonly currency: Currency }
  /** A rate other than 1 for the portfolio's own money. */
  | { readonly kind: 'own-rate'; readonly currency: Currency }
  | { readonly kind: 'no-date'; readonly typed: string }
  | { readonly kind: 'no-time'; readonly typed: string }
  /** 30 February. */
  | { readonly kind: 'impossible-date'; readonly typed: string }
  /** A week, a month, a year. */
  | { readonly kind: 'not-one-day'; readonly typed: string }
  | { readonly kind: 'future-date'; readonly date: Temporal.PlainDate }
  | { readonly kind: 'old-date'; readonly date: Temporal.PlainDate }
  | { readonly kind: 'bad-ratio'; readonly typed: string }
  /** Of an exchange: a rate that its two amounts do not have. */
  | { readonly kind: 'rate-and-amounts'; readonly typed: string }
  /** What this kind of entry has no place for; `command` records it where something can. */
  | {
      readonly kind: 'unused';
      readonly field: UnusedField;
      readonly typed: string;
      readonly of: TransactionKind;
      readonly command?: string;
    }
  | { readonly kind: 'tax-above-amount' }
  /** A total that gives no price which could be written down; `near` is about what it would be. */
  | { readonly kind: 'uneven-total'; readonly near: string }
  /** Money that buys no whole number of pieces, where they are not sold in parts. */
  | { readonly kind: 'uneven-quantity'; readonly near: string }
  /** A price and a total that do not fit each other. */
  | { readonly kind: 'price-and-total'; readonly price: string; readonly total: string }
  | { readonly kind: 'long-note'; readonly limit: number }
  | { readonly kind: 'not-holdable' | 'future'; readonly instrument: Instrument };

/** In one sentence: what is wrong, and what to do. */
export const entryProblemText = (problem: EntryProblem, locale: Locale): string => {
  const t = portfolioMessages(locale).problems;
  switch (problem.kind) {
    case 'missing':
      return t.missing[problem.field]({ kind: portfolioMessages(locale).kinds[problem.of] });
    case 'too-small':
      return t['too-small']({
        field: t.fields[problem.field],
        typed: echo(problem.typed),
        // Of a price, a fee or a rate there is nothing that goes the other way.
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
        kind: portfolioMessages(locale).kinds[problem.of],
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

/** Thrown and caught inside `readEntry` alone: the first thing that is wrong ends the reading. */
export class Refused extends Error {
  readonly problem: EntryProblem;

  constructor(problem: EntryProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** A number of an entry, with the money that stood beside it. */
interface EntryNumber {
  readonly value: Decimal;
  readonly currency?: Currency;
  /** What else the same words can mean. */
  readonly others: readonly Decimal[];
}

/**
 * `71,000원`, `$180.5`, `1.5억`, `10주`, `@ 180`; null for what is no number, and for percentages, points and multiples.
 * Numbers below zero are read, too: whether they make sense is checked later.
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
/** Of money, in whatever currency. */
export const MAX_AMOUNT = new Exact('1e15');
const MAX_DECIMALS = 18;
const MAX_RATIO = new Exact('10000');
const RATIO_DECIMALS = 60;
/** Of notes, in characters. */
const MAX_NOTE = 200;
const FIRST_DATE = Temporal.PlainDate.from('1900-01-01');

const LIMITS: Partial<Record<EntryField, Decimal>> = {
  quantity: MAX_PIECES,
  price: MAX_PIECES,
  rate: MAX_PIECES,
};

const isBlank = (typed: string | undefined): typed is undefined => typed === undefined || typed.trim() === '';

export interface CheckedNumber {
  readonly value: Decimal;
  readonly currency: Currency | undefined;
}

/** A number within what is sensible; undefined where nothing was written. `isZeroFine`: of fees and taxes. */
export const numberIn = (
  typed: string | undefined,
  field: EntryField,
  isZeroFine = false,
): CheckedNumber | undefined => {
  if (isBlank(typed)) return undefined;
  const read = readEntryNumber(typed);
  if (!read) throw new Refused({ kind: 'no-number', field, typed });
  const { value, currency } = read;
  if (value.isNegative() && !value.isZero()) throw new Refused({ kind: 'too-small', field, typed });
  if (value.isZero() && !isZeroFine) throw new Refused({ kind: 'too-small', field, typed });
  if (value.greaterThan(LIMITS[field] ?? MAX_AMOUNT)) throw new Refused({ kind: 'too-large', field, typed });
  if (value.decimalPlaces() > MAX_DECIMALS) throw new Refused({ kind: 'too-precise', field, typed });
  return { value: value.abs(), currency };
};

/** A code, a sign or a name of money; undefined where nothing was written. */
export const currencyIn = (typed: string | undefined): Currency | undefined => {
  if (isBlank(typed)) return undefined;
  const known = currencyNamed(typed);
  if (!known) throw new Refused({ kind: 'unknown-currency', typed });
  return known.code;
};

/** All that names money must name the instrument's own. */
export const ownCurrency = (instrument: Instrument, named: readonly (Currency | undefined)[]): Currency => {
  const other = named.find((currency) => currency !== undefined && currency !== instrument.currency);
  if (other !== undefined) throw new Refused({ kind: 'other-currency', currency: other, instrument });
  return instrument.currency;
};

/** All that names money must name the same. */
export const oneCurrency = (named: readonly (Currency | undefined)[]): Currency | undefined => {
  const [first, ...others] = named.flatMap((currency) => (currency === undefined ? [] : [currency]));
  const second = others.find((currency) => currency !== first);
  if (first !== undefined && second !== undefined)
    throw new Refused({ kind: 'two-currencies', currencies: [first, second] });
  return first;
};

/** The day of an entry, as it is written. */
export const readEntryDate = (typed: string, today: Temporal.PlainDate): Reading<DateValue> | undefined =>
  readDate(typed, today, { looks: 'back', allowsCompact: true });

/** Nothing written: today. */
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
/** Seconds in front of other words: `09:35:10 ET`. */
const SECONDS = /^\D{0,12}\d{1,2}:\d{2}:(?<second>[0-5]\d)(?!\d)/u;

/** `14:30`, `9:05:10`, `오후 2시 30분`, `15:45 ET`; undefined for what is none, and for what can be two. */
export const readEntryTime = (typed: string): TimeValue | undefined => {
  const text = typed.trim();
  const [hour = '', minute = '', second = '0'] = TIME.test(text) ? text.split(':') : [];
  if (hour !== '' && Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59)
    return {
      time: Temporal.PlainTime.from({ hour: Number(hour), minute: Number(minute), second: Number(second) }),
    };
  const read = hour === '' ? readTime(text) : undefined;
  // `2시` may be in the morning or in the afternoon; of `2:30` the clock has 24 hours.
  const isUnclear = read !== undefined && read.alternatives.length > 0 && !text.includes(':');
  if (isUnclear || !read) return undefined;
  const seconds = Number(SECONDS.exec(text)?.groups?.['second'] ?? 0);
  return { ...read.value, time: read.value.time.with({ second: seconds }) };
};

/** Undefined where nothing was written. A zone must be gone by now (`placeInTime`). */
export const timeIn = (typed: string | undefined): Temporal.PlainTime | undefined => {
  if (isBlank(typed)) return undefined;
  const read = readEntryTime(typed);
  if (!read || read.timeZone !== undefined) throw new Refused({ kind: 'no-time', typed });
  return read.time;
};

/** `50`, `50:1`, `1:10`, `3 for 2`: how many there are afterwards for how many before. */
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
  // More digits than pieces have: a third of 300 is 100 again when it is rounded as pieces are.
  return new Decimal(ratio.toDecimalPlaces(RATIO_DECIMALS).toFixed());
};

/** On one line, and all of it to be seen. */
export const noteIn = (typed: string | undefined): string | undefined => {
  if (isBlank(typed)) return undefined;
  const note = visibleLine(typed).replaceAll(/\s+/gu, ' ').trim();
  if (Array.from(note).length > MAX_NOTE) throw new Refused({ kind: 'long-note', limit: MAX_NOTE });
  return note === '' ? undefined : note;
};
