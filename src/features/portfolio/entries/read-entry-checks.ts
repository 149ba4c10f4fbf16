import type { Instrument } from '#src/kernel/finance.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { visibleLine } from '#src/kernel/text.ts';
import { readAmount } from '#src/language/amounts.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { type DateValue, readDate } from '#src/language/dates.ts';
import { readRatio } from '#src/language/ratios.ts';
import type { Reading } from '#src/language/reading.ts';
import { readTime, type TimeValue } from '#src/language/times.ts';
import type { EntryField, EntryProblem } from './entry-problems.ts';
import { Exact } from '../ledger/exact.ts';

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
