import type { HistoryRange } from '#src/kernel/market/finance.ts';
import { datesIn } from '#src/reading/dates.ts';
import { isRangeOfDays, rangeOfDays, readRange } from '#src/reading/history-range.ts';
import { withoutReadings } from '#src/reading/reading.ts';
import { minutesOf, spansIn } from '#src/reading/spans.ts';

/** Days of the calendar, both included. */
export interface AskedPeriod {
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
}

/** The time that a question names, and its text without that. */
export interface When {
  readonly text: string;
  /** How far back. */
  readonly range: HistoryRange | undefined;
  /** The first day of a span that is no range, such as three years. `range` includes it. */
  readonly since?: Temporal.PlainDate | undefined;
  /** The day or days that are asked about. Today alone does not count, because prices are of today anyway. */
  readonly period: AskedPeriod | undefined;
}

const MINUTES_A_DAY = 24 * 60;
/** Tells a bond such as `10 year treasury` from a span. */
const BOND = /^\s{0,3}(?:us\b|treasur|bond|note|yield|국채|미국채|채권|금리)/iu;
/** Ranges without a number. */
const NAMED_RANGE =
  /(?<![\p{L}\p{N}])(?:ytd|year[\s-]to[\s-]date|this\s+year|all[\s-]time|올해|금년|연초\s?(?:이후|대비)|전체\s?기간|상장\s?이후)(?:에|의|은|는|들어)?(?!\p{L})/iu;
const AROUND_SPAN =
  /(?:\b(?:over|in|for|of|during)\s+)?(?:\bthe\s+)?(?:(?:past|last)\s+|최근\s?|지난\s?)?$/iu;
/** Beside a chart, `5일` and `3m` are ranges. */
const CHART = /차트|그래프|캔들|\b(?:chart|graph|candles?)/iu;
const SHORT_RANGE = /(?<![\p{L}\p{N}.,])\d{1,3}\s?(?:일|주|m)(?:간|치|짜리)?(?![\p{L}\p{N}])/iu;

interface RangeFound {
  readonly start: number;
  readonly end: number;
  readonly range: HistoryRange;
  /** The span itself, where the range is longer. */
  readonly within?: Temporal.Duration;
}

const rangeIn = (text: string): RangeFound | undefined => {
  const named = NAMED_RANGE.exec(text);
  const range = named && readRange(named[0].replace(/(?:에|의|은|는|들어)$/u, ''));
  if (named && range) return { start: named.index, end: named.index + named[0].length, range };
  const span = spansIn(text).find(
    ({ value, end }) => minutesOf(value) >= MINUTES_A_DAY && !BOND.test(text.slice(end)),
  );
  if (span) {
    const lead = AROUND_SPAN.exec(text.slice(0, span.start))?.[0].length ?? 0;
    const days = Math.round(minutesOf(span.value) / MINUTES_A_DAY);
    return {
      start: span.start - lead,
      end: span.end,
      range: rangeOfDays(days),
      ...(!isRangeOfDays(days) && { within: span.value }),
    };
  }
  const short = CHART.test(text) ? SHORT_RANGE.exec(text) : null;
  const shortRange = short && readRange(short[0].replace(/(?:치|짜리)$/u, ''));
  return short && shortRange
    ? { start: short.index, end: short.index + short[0].length, range: shortRange }
    : undefined;
};

/** Splits the range off a question. Its dates stay in the text. */
export const splitRange = (text: string): Pick<When, 'text' | 'range'> => {
  const found = rangeIn(text);
  return { text: found ? withoutReadings(text, [found]) : text, range: found?.range };
};

const beginningOf = (
  { years, months, weeks, days }: Temporal.Duration,
  today: Temporal.PlainDate,
): Temporal.PlainDate => today.subtract({ years, months, weeks, days });

/** Splits a range, a day or days off a question. Without `today` no date can be read. */
export const splitWhen = (text: string, today: Temporal.PlainDate | undefined): When => {
  const ranged = splitRange(text);
  const within = today && rangeIn(text)?.within;
  if (within) return { ...ranged, since: beginningOf(within, today), period: undefined };
  if (ranged.range !== undefined || today === undefined) return { ...ranged, period: undefined };
  const date = datesIn(text, today).find(({ value }) => value.status === 'date');
  if (date?.value.status !== 'date') return { ...ranged, period: undefined };
  const { first, last, bound } = date.value;
  if (first.equals(today) && last.equals(today)) return { ...ranged, period: undefined };
  const rest = withoutReadings(text, [date]);
  if (bound === 'from') return { text: rest, range: undefined, period: { first, last: today } };
  const isRunning =
    Temporal.PlainDate.compare(first, today) <= 0 && Temporal.PlainDate.compare(last, today) > 0;
  return { text: rest, range: undefined, period: { first, last: isRunning ? today : last } };
};
