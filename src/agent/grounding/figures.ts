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
  /** It stands alone in brackets, as negative amounts in accounts. */
  readonly isBracketed: boolean;
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
  'basis-points': 'percentPoints',
  pieces: 'count',
  none: 'plain',
};

/** Where a date can start. The reader of dates decides. */
const DATE_START =
  /\d{4}(?=[-./]\d)|\d{2,4}(?=\s?년)|\d{1,2}(?=\s?월)|\d{1,2}(?=[/.]\d{1,2}(?![\d.]))|\d{1,2}(?=(?:st|nd|rd|th)?\s(?:of\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?=\s\d)|(?:지난\s?주?\s?)?[월화수목금토일]요일|어제|그제|그저께|엊그제|(?<![a-z])(?:last\s)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|q[1-4]\s\d{4}|\d분기/giu;

const SLASHED = /(?<![\d/.])(?<month>1[0-2]|0?[1-9])\/(?<day>3[01]|[12]\d|0?[1-9])(?![\d/%])/gu;
/** `11월 9일 …, 10일 …` and `Jan 26–29`: a day of the month named before. */
const BARE_DAY =
  /(?<=[,·~]\s?)(?<day>3[01]|[12]\d|[1-9])일(?=\s)|(?<=[a-z]{3}\.?\s\d{1,2}[–-])(?<to>3[01]|[12]\d|[1-9])(?!\d)/giu;
/** Days before words that the reader of dates does not expect: `11월 19일입니다`. */
const WHOLE_DAY =
  /(?:(?<year>\d{4})년\s?)?(?<month>\d{1,2})월\s?(?<dayOfMonth>\d{1,2})일|(?<isoYear>\d{4})-(?<isoMonth>\d{2})-(?<isoDay>\d{2})/gu;
const DAY_MS = 86_400_000;
const HALF_YEAR_DAYS = 183;

/** Dates that the reader of dates leaves out, because a person may mean something else by them. */
const shortDatesIn = (
  text: string,
  known: readonly DateMention[],
  today: Temporal.PlainDate,
): readonly DateMention[] => {
  const isFree = (start: number): boolean =>
    !known.some((date) => date.days.length > 0 && date.start <= start && start < date.end);
  const slashed = [...text.matchAll(SLASHED)].flatMap(({ index, 0: written, groups }) => {
    if (!isFree(index)) return [];
    const days = [-1, 0, 1].flatMap((years) => {
      const parts = {
        year: today.year + years,
        month: Number(groups?.['month']),
        day: Number(groups?.['day']),
      };
      const date = Temporal.PlainDate.from(parts);
      return Math.abs(date.until(today).days) <= 2 * HALF_YEAR_DAYS ? [dayNumber(date)] : [];
    });
    return [{ start: index, end: index + written.length, days, isRelative: false }];
  });
  const bare = [...text.matchAll(BARE_DAY)].flatMap(({ index, 0: written, groups }) => {
    const before = known.findLast(({ end, days }) => end <= index && days.length > 0);
    const [first] = before?.days ?? [];
    if (first === undefined || !isFree(index) || index - (before?.end ?? 0) > 120) return [];
    const named = new Date(first * 86_400_000);
    const day = Math.round(
      Date.UTC(named.getUTCFullYear(), named.getUTCMonth(), Number(groups?.['day'] ?? groups?.['to'])) /
        86_400_000,
    );
    return [{ start: index, end: index + written.length, days: [day], isRelative: false }];
  });
  const written = [...text.matchAll(WHOLE_DAY)].flatMap(({ index, 0: day, groups }) => {
    if (!isFree(index)) return [];
    const { year, month, dayOfMonth, isoYear, isoMonth, isoDay } = groups ?? {};
    const at = (of: number): number =>
      Date.UTC(of, Number(month ?? isoMonth) - 1, Number(dayOfMonth ?? isoDay)) / DAY_MS;
    const known = year ?? isoYear;
    const days = known === undefined ? [-1, 0, 1].map((more) => at(today.year + more)) : [at(Number(known))];
    const isNear = (each: number): boolean =>
      known !== undefined || Math.abs(each - dayNumber(today)) <= 2 * HALF_YEAR_DAYS;
    return [{ start: index, end: index + day.length, days: days.filter(isNear), isRelative: false }];
  });
  return [...slashed, ...bare, ...written];
};

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

/** A date without a year may also be the next one, as that of an event. */
const daysOf = (value: DateValue, today: Temporal.PlainDate): readonly number[] => {
  if (value.status !== 'date' || value.precision !== 'day') return [];
  const day = dayNumber(value.first);
  const next = value.said === 'yearless' ? dayNumber(value.first.add({ years: 1 })) : undefined;
  return next !== undefined && next > dayNumber(today) ? [day, next] : [day];
};

const UP_SIGN = /[▲↑🔺📈]\s?[₩$€£¥+]?$/u;
const DOWN_SIGN = /[▼↓🔻📉]\s?[₩$€£¥-]?$/u;
const MAX_SIGN = 4;

/** More weeks than that are shares: `1,822만 주`. */
const MAX_WEEKS = 600;
const SHARES = /\s?주(?![간일차년식당말요])/uy;

const PERCENT_POINTS = /%|percentage|퍼센트/iu;

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
    (amount.unit === 'none' || (amount.unit === 'pieces' && /^52\s?주/u.test(text.slice(start, end)))) &&
    shares === undefined &&
    !amount.value.isNegative()
      ? durationAt(text, value, amount.unit === 'pieces' ? start + 2 : end)
      : undefined;
  return {
    start: first,
    end: duration?.end ?? end + (shares?.length ?? 0),
    kind:
      shares !== undefined
        ? 'count'
        : amount.unit === 'points' && PERCENT_POINTS.test(text.slice(first, end))
          ? 'percentPoints'
          : KINDS[amount.unit],
    value,
    alternatives: alternatives.map((each) => each.value.toNumber()),
    sign,
    currency: amount.currency,
    lastPower: lastPower - (isBasisPoints ? 2 : 0),
    isApproximate,
    isBracketed: text.charAt(first - 1) === '(' && text.charAt(end) === ')',
    durationDays: duration?.days,
  };
};

const SPAN = /(?<![\d.,/])(?<count>\d{1,3})(?=\s?(?:일|주|개월|거래일)|[-\s](?:day|week|month|year))/giu;

/** `50일`, `52-week`: spans, which are no amounts. */
const spansIn = (
  text: string,
  taken: readonly { readonly start: number; readonly end: number }[],
): readonly Figure[] =>
  [...text.matchAll(SPAN)].flatMap(({ index, 0: digits }): readonly Figure[] => {
    const at = index + digits.length;
    if (taken.some(({ start, end }) => start < at && index < end)) return [];
    const value = Number(digits);
    const duration =
      durationAt(text, value, at) ?? (text.startsWith('일선', at) ? { days: value, end: at } : undefined);
    if (!duration) return [];
    return [
      {
        start: index,
        end: duration.end,
        kind: 'plain',
        value,
        alternatives: [],
        sign: undefined,
        currency: undefined,
        lastPower: 0,
        isApproximate: false,
        isBracketed: false,
        durationDays: duration.days,
      },
    ];
  });

export interface ReadFigures {
  readonly figures: readonly Figure[];
  readonly dates: readonly DateMention[];
}

/** Every number and date of a plain text, left to right. */
export const readFigures = (plain: string, today: Temporal.PlainDate): ReadFigures => {
  const text = foldWidth(plain);
  const dates = datesIn(text, today);
  const mentions = dates.map(({ value, start, end, alternatives }) => ({
    start,
    end,
    days: [value, ...alternatives].flatMap((each) => daysOf(each, today)),
    isRelative: value.status === 'date' && value.said === 'relative',
  }));
  const short = shortDatesIn(text, mentions, today);
  // `2027년 2월` of `2027년 2월 28일입니다` is not a month.
  const whole = mentions.filter(
    (each) => each.days.length > 0 || !short.some(({ start, end }) => start < each.end && each.start < end),
  );
  const all = [...whole, ...short].toSorted((a, b) => a.start - b.start);
  const amounts = amountsIn(all.length > 0 ? withoutReadings(text, all) : text);
  const figures = amounts.map((amount) => figureOf(text, amount));
  return {
    figures: [...figures, ...spansIn(text, [...figures, ...all])].toSorted((a, b) => a.start - b.start),
    dates: all,
  };
};
