import type { Locale } from '#src/kernel/locale.ts';
import { chartTexts } from './texts.ts';
import { quoteTexts } from '../answers/quote-texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { Decimal } from '#src/kernel/money.ts';
import { isIntraday } from '../series/bar-dates.ts';
import {
  baseKindOf,
  baseNames,
  type Change,
  changeBetween,
  changeOf,
  commonKeys,
  withCommonBase,
  withCommonStart,
} from '../series/history-change.ts';
import { coveredRange } from '../series/range-covered.ts';
import { historyOrigin, isRunning } from '../series/running-bar.ts';
import type { History } from '../sources/source.ts';
import type { ChartTheme } from '#src/kernel/market/chart-style.ts';
import type { ComparisonPicture } from './chart-picture.ts';
import { dayNumberIn, isoDateOf, startMsOf } from '../performance/epoch-day.ts';

export interface ComparisonOptions {
  readonly theme?: ChartTheme | undefined;
}

/** Several histories on one time axis. */
export interface Aligned {
  readonly times: readonly number[];
  /** UTC for daily values, because days of different exchanges share no zone. */
  readonly timeZone: string;
  /** Change from the base in percent, or in points for yields; one row per history. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Change from the base to the last price. Absent if the base is zero. */
  readonly changes: readonly (Change | undefined)[];
  /**
   * The first day common to all histories. Undefined if there is none (each starts at its own first price) and if
   * each is measured from its previous close.
   */
  readonly baseDate: string | undefined;
}

/**
 * Aligns histories of different exchanges by their own days and converts them to changes, from the previous close if
 * all have one, otherwise from the first common day.
 */
export const alignHistories = (given: readonly History[]): Aligned => {
  const histories = withCommonStart(given);
  const hasCloseBefore = histories.some((history) => baseKindOf(history) !== undefined);
  const byMoment = histories.every(isIntraday);
  const keys = commonKeys(histories);
  const [first] = keys.map(([key]) => key);
  const base = !hasCloseBefore && keys.every(([key]) => key === first) ? first : undefined;
  const axis = [...new Set(keys.flat())].toSorted((a, b) => a - b);
  const rows = histories.map((history, row) => {
    const { bars, instrument } = history;
    const closes = new Map(bars.map(({ close }, index) => [keys[row]?.[index] ?? 0, close]));
    const change = hasCloseBefore
      ? changeOf(history)
      : changeBetween(bars[0]?.close, bars.at(-1)?.close, instrument);
    const from = change?.from.toNumber() ?? 0;
    const movedTo = (close: Decimal | undefined): number | null => {
      if (!close || !change) return null;
      return change.fraction ? (close.toNumber() / from - 1) * 100 : close.toNumber() - from;
    };
    return { values: axis.map((key) => movedTo(closes.get(key))), change };
  });
  const timeZone = byMoment ? (histories[0]?.timeZone ?? 'UTC') : 'UTC';
  const baseDay = base !== undefined && byMoment ? dayNumberIn(timeZone)(base) : base;
  return {
    times: byMoment ? axis : axis.map(startMsOf),
    timeZone,
    values: rows.map(({ values }) => values),
    changes: rows.map(({ change }) => change),
    baseDate: baseDay === undefined ? undefined : isoDateOf(baseDay),
  };
};

const oldest = (histories: readonly History[]): History | undefined =>
  histories.toSorted((a, b) => Temporal.Instant.compare(a.asOf, b.asOf))[0];

/** The longest delay of running markets. Undefined if an unknown delay may be longer. */
const delayOf = (running: readonly History[]): number | undefined => {
  const known = running.flatMap(({ delayMinutes }) => (delayMinutes === undefined ? [] : [delayMinutes]));
  const longest = Math.max(0, ...known);
  return longest > 0 || known.length === running.length ? longest : undefined;
};

/** The oldest data time and all sources. */
export const comparisonOrigin = (
  histories: readonly History[],
  audience: Audience,
  now: Timestamp,
): string => {
  const first = oldest(histories);
  if (!first) return '';
  const source = [...new Set(histories.map((history) => history.source))].join(', ');
  const isSample = histories.some((history) => history.isSample);
  const running = histories.filter((history) => isRunning(history, now));
  const delayMinutes = delayOf(running);
  return historyOrigin(
    { asOf: first.asOf, source, isSample, ...(delayMinutes !== undefined && { delayMinutes }) },
    running.length > 0,
    audience,
    now,
  );
};

/** Describes the base of the changes. */
export const comparisonBase = (
  histories: readonly History[],
  { baseDate }: Aligned,
  locale: Locale,
): string => {
  const t = chartTexts(locale);
  const base = baseNames(withCommonBase(histories), locale);
  if (base !== undefined) return t.fromBase({ base });
  return baseDate === undefined ? t.fromOwnFirst : t.fromFirstDay({ date: baseDate });
};

export const comparisonPicture = (
  histories: readonly History[],
  aligned: Aligned,
  options: ComparisonOptions,
  audience: Audience,
  now: Timestamp,
): ComparisonPicture => {
  const { locale } = audience;
  const t = chartTexts(locale);
  const [first] = histories;
  const { times, values } = aligned;
  return {
    kind: 'comparison',
    theme: options.theme ?? 'light',
    locale,
    isSample: histories.some(({ isSample }) => isSample),
    timeZone: aligned.timeZone,
    interval: first?.interval ?? '1d',
    times,
    lines: histories.map(({ instrument }, index) => ({
      name: instrument.name[locale],
      label: `${instrument.name[locale]} (${instrument.ticker}, ${instrument.exchange})`,
      unit: instrument.assetClass === 'rate' ? quoteTexts(locale).percentPoints : '%',
      values: values[index] ?? [],
    })),
    head: {
      title: histories.map(({ instrument }) => instrument.name[locale]).join(' · '),
      titleEnd: t.comparisonEnd,
      subtitle: [
        ...[coveredRange(histories, locale, now)].filter((range) => range !== undefined),
        comparisonDates(aligned),
        comparisonBase(histories, aligned, locale),
      ].join(' · '),
      origin: comparisonOrigin(histories, audience, now),
    },
  };
};

/** The dates of the first and last point. */
export const comparisonDates = ({ times, timeZone }: Aligned): string => {
  const dayOf = dayNumberIn(timeZone);
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0].map((time) => isoDateOf(dayOf(time)));
  return first === last ? `${first}` : `${first} – ${last}`;
};
