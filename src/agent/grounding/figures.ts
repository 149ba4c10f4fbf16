import { type AmountReading, amountsIn } from '#src/language/amounts.ts';
import { dateAt, type DateValue } from '#src/language/dates.ts';
import { foldWidth, type Reading, textAt, withoutReadings } from '#src/language/reading.ts';
import type { Unit } from '#src/language/units.ts';
import { dayNumber, type FigureKind } from './fact-index.ts';
import { durationAt } from './periods.ts';

/** A number or a date as the answer writes it. */
export interface Figure {
  /** Positions in the plain text. */
  readonly start: number;
  readonly end: number;
  readonly kind: FigureKind;
  /** Signed if a sign is written. A day number for dates. */
  readonly value: number;
  readonly alternatives: readonly number[];
  /** The sign that is written, as `-`, `+`, `▲` or `▼`. */
  readonly sign: 1 | -1 | undefined;
  readonly currency: string | undefined;
  /** The power of ten of the last written digit. */
  readonly lastPower: number;
  readonly isApproximate: boolean;
  /** The span in days, if the number counts days, weeks, months or years. */
  readonly durationDays: number | undefined;
}

/** A date of the answer. */
export interface DateMention {
  readonly start: number;
  readonly end: number;
  /** Day numbers of all that it may mean. Empty for months, quarters and years. */
  readonly days: readonly number[];
  readonly isRelative: boolean;
}

const KINDS: Readonly<Record<Unit | 'none', FigureKind>> = {
  money: 'money',
  percent: 'percent',
  times: 'multiple',
  points: 'points',
  'basis-points': 'points',
  pieces: 'count',
  none: 'plain',
};

/** Where a date can start. The reader of dates decides. */
const DATE_START =
  /\d{4}(?=[-./]\d)|\d{2,4}(?=\s?년)|\d{1,2}(?=\s?월)|\d{1,2}(?=[/.]\d{1,2}(?![\d.]))|\d{1,2}(?=(?:st|nd|rd|th)?\s(?:of\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?=\s\d)|(?:지난\s?주?\s?)?[월화수목금토일]요일|어제|그제|그저께|엊그제|(?<![a-z])(?:last\s)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|q[1-4]\s\d{4}|\d분기/giu;

const datesIn = (text: string, today: Temporal.PlainDate): readonly Reading<DateValue>[] => {
  const found: Reading<DateValue>[] = [];
  let end = 0;
  for (const { index } of text.matchAll(DATE_START)) {
    if (index < end) continue;
    const date = dateAt(text, index, {}, today);
    if (!date) continue;
    found.push(date);
    end = date.end;
  }
  return found;
};

const daysOf = (value: DateValue): readonly number[] =>
  value.status === 'date' && value.precision === 'day' ? [dayNumber(value.first)] : [];

const UP_SIGN = /[▲↑🔺📈]\s?[₩$€£¥+]?$/u;
const DOWN_SIGN = /[▼↓🔻📉]\s?[₩$€£¥-]?$/u;
const MAX_SIGN = 4;

/** More weeks than that are shares: `1,822만 주`. */
const MAX_WEEKS = 600;
const SHARES = /\s?주(?![간일차년식가당말요])/uy;

/** Where the number itself starts, after a label such as `주당`. */
const FIRST_OF_NUMBER = /[+-]?\s?(?:[₩$€£¥]|[A-Z]{2,4}\$?\s?)?[+-]?\.?\d/u;

const BASIS_POINTS_IN_A_POINT = 100;

const figureOf = (text: string, reading: AmountReading): Figure => {
  const { value: amount, start, end, alternatives, lastPower, isApproximate } = reading;
  const before = text.slice(Math.max(0, start - MAX_SIGN), start);
  const sign = amount.isSigned
    ? amount.value.isNegative()
      ? -1
      : 1
    : UP_SIGN.test(before)
      ? 1
      : DOWN_SIGN.test(before)
        ? -1
        : undefined;
  const written = amount.value.toNumber();
  const isBasisPoints = amount.unit === 'basis-points';
  const value = (sign === -1 ? -Math.abs(written) : written) / (isBasisPoints ? BASIS_POINTS_IN_A_POINT : 1);
  const first = start + Math.max(0, text.slice(start, end).search(FIRST_OF_NUMBER));
  const shares =
    amount.unit === 'none' && Math.abs(value) > MAX_WEEKS ? textAt(SHARES, text, end) : undefined;
  const duration =
    amount.unit === 'none' && shares === undefined && !amount.value.isNegative()
      ? durationAt(text, value, end)
      : undefined;
  return {
    start: first,
    end: duration?.end ?? end + (shares?.length ?? 0),
    kind: shares === undefined ? KINDS[amount.unit] : 'count',
    value,
    alternatives: alternatives.map((each) => each.value.toNumber()),
    sign,
    currency: amount.currency,
    lastPower: lastPower - (isBasisPoints ? 2 : 0),
    isApproximate,
    durationDays: duration?.days,
  };
};

export interface ReadFigures {
  readonly figures: readonly Figure[];
  readonly dates: readonly DateMention[];
}

/** Every number and date of a plain text, left to right. */
export const readFigures = (plain: string, today: Temporal.PlainDate): ReadFigures => {
  const text = foldWidth(plain);
  const dates = datesIn(text, today);
  const amounts = amountsIn(dates.length > 0 ? withoutReadings(text, dates) : text);
  return {
    figures: amounts.map((amount) => figureOf(text, amount)),
    dates: dates.map(({ value, start, end, alternatives }) => ({
      start,
      end,
      days: [value, ...alternatives].flatMap(daysOf),
      isRelative: value.status === 'date' && value.said === 'relative',
    })),
  };
};
