import type { Locale } from '#src/kernel/locale.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { RANGE_SPANS, rangeLabel } from '#src/reading/history-range.ts';
import { closingTime } from '../calendar/calendar.ts';
import type { BarInterval, History } from '../sources/source.ts';
import { dayOf, isIntraday } from './bar-dates.ts';

/** Seoul's longest holidays have nine days without trading. */
const LONGEST_PAUSE_DAYS = 10;
/** Trading days that may be missing at the start: a time zone difference, or the rest of a week or month. */
const MISSING_DAYS: Readonly<Record<BarInterval, number>> = {
  '5m': 1,
  '30m': 1,
  '1d': 1,
  '1wk': 5,
  '1mo': 23,
};
const FIVE_DAYS = 5;

const dateOf = (at: Timestamp, timeZone: string): Temporal.PlainDate =>
  at.toZonedDateTimeISO(timeZone).toPlainDate();

/** True if only holidays are missing at the start of the range. */
const beginsInTime = (
  { instrument, interval }: History,
  wanted: Temporal.PlainDate,
  first: Temporal.PlainDate,
): boolean => {
  const pause = interval === '1mo' ? 31 : LONGEST_PAUSE_DAYS;
  const gap = wanted.until(first, { largestUnit: 'days' }).days;
  if (gap > pause) return false;
  const missing = Array.from({ length: Math.max(0, gap) }, (_, days) => wanted.add({ days })).filter(
    (date) => closingTime(instrument, date) !== null,
  );
  return missing.length <= MISSING_DAYS[interval];
};

/**
 * True if the data covers the whole range. A share listed eight months ago does not cover five years, and coverage of
 * `max` is unknown.
 */
const coversRange = (history: History, now: Timestamp): boolean => {
  const { range, bars, timeZone, asOf } = history;
  if (range === '1d') return true;
  if (range === 'max') return false;
  const [firstBar] = bars;
  if (!firstBar) return false;
  if (range === '5d') return new Set(bars.map(({ at }) => dayOf(at, timeZone))).size >= FIVE_DAYS;
  const first = dateOf(firstBar.at, timeZone);
  const [last, today] = [dateOf(asOf, timeZone), dateOf(now, timeZone)];
  // Sources count back from today even on holidays. A share not traded for longer counts from its last trade.
  const idleDays = last.until(today, { largestUnit: 'days' }).days;
  const end = idleDays > 0 && idleDays <= LONGEST_PAUSE_DAYS ? today : last;
  const span = RANGE_SPANS[range];
  return beginsInTime(history, span ? end.subtract(span) : end.with({ month: 1, day: 1 }), first);
};

/** The first and last date at the exchange. */
const daysOf = ({ bars, timeZone, asOf }: History): string => {
  const first = dayOf(bars[0]?.at ?? asOf, timeZone);
  // Weekly and monthly bars start long before their last price.
  const last = dayOf(asOf, timeZone);
  return first === last ? first : `${first} – ${last}`;
};

/** `2025-11-14 – 2026-11-13`, with the time zone for intraday data. */
export const datesOf = (history: History): string =>
  isIntraday(history) ? `${daysOf(history)} (${history.timeZone})` : daysOf(history);

/** The name of the requested range. Undefined unless all histories cover it. */
export const coveredRange = (
  histories: readonly History[],
  locale: Locale,
  now: Timestamp,
): string | undefined => {
  const [first] = histories;
  return first && histories.every((history) => coversRange(history, now))
    ? rangeLabel(first.range, locale)
    : undefined;
};

/** The label of the data: `1 year`, or its dates. */
export const coverageLabel = (history: History, locale: Locale, now: Timestamp): string =>
  coveredRange([history], locale, now) ?? daysOf(history);

/** The same as the `period` of facts: `1y`, or the first common day. */
export const coverageKey = (histories: readonly History[], now: Timestamp): string => {
  const [first] = histories;
  if (first && histories.every((history) => coversRange(history, now))) return first.range;
  const starts = histories.map(({ bars, asOf, timeZone }) => dayOf(bars[0]?.at ?? asOf, timeZone));
  return starts.toSorted().at(-1) ?? '';
};

/** The label of several histories: the range if all cover it, otherwise the dates of the longest. */
export const commonLabel = (histories: readonly History[], locale: Locale, now: Timestamp): string => {
  const [longest] = histories.toSorted(
    (a, b) => (a.bars[0]?.at.epochMilliseconds ?? 0) - (b.bars[0]?.at.epochMilliseconds ?? 0),
  );
  return coveredRange(histories, locale, now) ?? (longest ? daysOf(longest) : '');
};
