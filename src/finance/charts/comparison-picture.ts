import { type Locale, texts } from '#src/core/i18n.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { Reader } from '#src/core/market-desk.ts';
import type { Decimal } from '#src/core/money.ts';
import { isIntraday } from '../answers/bar-dates.ts';
import {
  baseKindOf,
  baseNames,
  type Change,
  changeBetween,
  changeOf,
  withCommonBase,
} from '../answers/history-change.ts';
import { coveredRange } from '../answers/range-covered.ts';
import { historyOrigin, isRunning } from '../answers/running-bar.ts';
import type { History } from '../market/source.ts';
import type { ChartTheme, ComparisonPicture } from './chart-picture.ts';
import { DAY_MS, dateOfDay, localDay } from './local-time.ts';

export interface ComparisonOptions {
  readonly theme?: ChartTheme | undefined;
}

/** Prices of several things, on one axis of time. */
export interface Aligned {
  readonly times: readonly number[];
  /** Of the times: days of different calendars belong to no zone. */
  readonly timeZone: string;
  /** Percent from the base, of a rate points; one row a history. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Of each, from the base to the last price; absent where the base is zero. */
  readonly changes: readonly (Change | undefined)[];
  /**
   * The first day that all of them have. Undefined where there is none, and each begins with its own first price, and
   * where each is measured from its own close before.
   */
  readonly baseDate: string | undefined;
}

/** What stands at one place of the axis: a day of each exchange's own calendar, or within a day a moment. */
const keysOf = ({ bars, timeZone }: History, byMoment: boolean): readonly number[] => {
  const dayOf = localDay(timeZone);
  return bars.map(({ at: { epochMilliseconds } }) =>
    byMoment ? epochMilliseconds : dayOf(epochMilliseconds),
  );
};

/**
 * Brings histories of different exchanges together by their own days, and each to percent: from the close before where
 * all have one, else from the first common day.
 */
export const alignHistories = (given: readonly History[]): Aligned => {
  const histories = withCommonBase(given);
  const hasCloseBefore = histories.some((history) => baseKindOf(history) !== undefined);
  const byMoment = histories.every(isIntraday);
  const keys = histories.map((history) => keysOf(history, byMoment));
  const sets = keys.map((each) => new Set(each));
  const base = hasCloseBefore ? undefined : keys[0]?.find((key) => sets.every((set) => set.has(key)));
  const axis = [...new Set(keys.flat())]
    .filter((key) => base === undefined || key >= base)
    .toSorted((a, b) => a - b);
  const rows = histories.map((history, row) => {
    const { bars, instrument } = history;
    const closes = new Map(bars.map(({ close }, index) => [keys[row]?.[index] ?? 0, close]));
    const start = closes.get(base ?? keys[row]?.[0] ?? 0);
    const change = hasCloseBefore ? changeOf(history) : changeBetween(start, bars.at(-1)?.close, instrument);
    const from = change?.from.toNumber() ?? 0;
    const movedTo = (close: Decimal | undefined): number | null => {
      if (!close || !change) return null;
      return change.fraction ? (close.toNumber() / from - 1) * 100 : close.toNumber() - from;
    };
    return { values: axis.map((key) => movedTo(closes.get(key))), change };
  });
  const timeZone = byMoment ? (histories[0]?.timeZone ?? 'UTC') : 'UTC';
  const baseDay = base !== undefined && byMoment ? localDay(timeZone)(base) : base;
  return {
    times: byMoment ? axis : axis.map((day) => day * DAY_MS),
    timeZone,
    values: rows.map(({ values }) => values),
    changes: rows.map(({ change }) => change),
    baseDate: baseDay === undefined ? undefined : dateOfDay(baseDay),
  };
};

/** What is oldest of all: nothing in the picture is older. */
const oldest = (histories: readonly History[]): History | undefined =>
  histories.toSorted((a, b) => Temporal.Instant.compare(a.asOf, b.asOf))[0];

/** The longest of those that go on; undefined where one may be longer. */
const delayOf = (running: readonly History[]): number | undefined => {
  const known = running.flatMap(({ delayMinutes }) => (delayMinutes === undefined ? [] : [delayMinutes]));
  const longest = Math.max(0, ...known);
  return longest > 0 || known.length === running.length ? longest : undefined;
};

/** As of the oldest of them, and from all of their sources. */
export const comparisonOrigin = (histories: readonly History[], reader: Reader, now: Timestamp): string => {
  const first = oldest(histories);
  if (!first) return '';
  const source = [...new Set(histories.map((history) => history.source))].join(', ');
  const isSample = histories.some((history) => history.isSample);
  const running = histories.filter((history) => isRunning(history, now));
  const delayMinutes = delayOf(running);
  return historyOrigin(
    { asOf: first.asOf, source, isSample, ...(delayMinutes !== undefined && { delayMinutes }) },
    running.length > 0,
    reader,
    now,
  );
};

/** What the lines are measured from, in words. */
export const comparisonBase = (
  histories: readonly History[],
  { baseDate }: Aligned,
  locale: Locale,
): string => {
  const words = texts(locale).charts;
  const base = baseNames(withCommonBase(histories), locale);
  if (base !== undefined) return words.fromBase({ base });
  return baseDate === undefined ? words.fromOwnFirst : words.fromFirstDay({ date: baseDate });
};

export const comparisonPicture = (
  histories: readonly History[],
  aligned: Aligned,
  options: ComparisonOptions,
  reader: Reader,
  now: Timestamp,
): ComparisonPicture => {
  const { locale } = reader;
  const words = texts(locale).charts;
  const [first] = histories;
  const { times, values } = aligned;
  return {
    kind: 'comparison',
    theme: options.theme ?? 'light',
    locale,
    timeZone: aligned.timeZone,
    interval: first?.interval ?? '1d',
    times,
    lines: histories.map(({ instrument }, index) => ({
      name: instrument.name[locale],
      label: `${instrument.name[locale]} (${instrument.ticker}, ${instrument.exchange})`,
      unit: instrument.assetClass === 'rate' ? texts(locale).quotes.percentPoints : '%',
      values: values[index] ?? [],
    })),
    head: {
      title: histories.map(({ instrument }) => instrument.name[locale]).join(' · '),
      titleEnd: words.comparisonEnd,
      subtitle: [
        ...[coveredRange(histories, locale, now)].filter((range) => range !== undefined),
        comparisonDates(aligned),
        comparisonBase(histories, aligned, locale),
      ].join(' · '),
      origin: comparisonOrigin(histories, reader, now),
      ...(histories.some(({ isSample }) => isSample) && { watermark: words.watermark }),
    },
  };
};

/** Of the first and the last point. */
export const comparisonDates = ({ times, timeZone }: Aligned): string => {
  const dayOf = localDay(timeZone);
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0].map((time) => dateOfDay(dayOf(time)));
  return first === last ? `${first}` : `${first} – ${last}`;
};
