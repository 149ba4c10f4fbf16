import type { BarInterval } from '../market/source.ts';
import type { BarColumns } from './chart-picture.ts';
import { dateOfDay, localDay } from './local-time.ts';

interface Grouped {
  readonly bars: BarColumns;
  readonly interval: BarInterval;
}

/** The epoch was a Thursday: weeks begin on Monday. */
const weekOf = (day: number): number => Math.floor((day + 3) / 7);
const monthOf = (day: number): string => dateOfDay(day).slice(0, '2026-11'.length);

/** The bars of each group as one: opened by the first, closed by the last. */
const merged = (bars: BarColumns, starts: readonly number[]): BarColumns => {
  const spans = starts.map((start, position) => [start, starts[position + 1] ?? bars.times.length] as const);
  const each = (of: (from: number, to: number) => number): readonly number[] =>
    spans.map(([from, to]) => of(from, to));
  return {
    times: each((from) => bars.times[from] ?? 0),
    open: each((from) => bars.open[from] ?? 0),
    high: each((from, to) => Math.max(...bars.high.slice(from, to))),
    low: each((from, to) => Math.min(...bars.low.slice(from, to))),
    close: each((_, to) => bars.close[to - 1] ?? 0),
    volume: each((from, to) => bars.volume.slice(from, to).reduce((sum, value) => sum + value, 0)),
  };
};

const groupedBy = (bars: BarColumns, keyOf: (time: number) => number | string): BarColumns => {
  let last: number | string | undefined;
  const starts = bars.times.flatMap((time, index) => {
    const key = keyOf(time);
    const isNew = key !== last;
    last = key;
    return isNew ? [index] : [];
  });
  return merged(bars, starts);
};

/**
 * Bars that can be told apart: where there are more than `limit` days, weeks or months are drawn in their place, as
 * every trading screen does. What is told of them in words still comes from the days.
 */
export const groupBars = (
  bars: BarColumns,
  interval: BarInterval,
  timeZone: string,
  limit: number,
): Grouped => {
  if (bars.times.length <= limit || (interval !== '1d' && interval !== '1wk')) return { bars, interval };
  const dayOf = localDay(timeZone);
  const weekly = interval === '1d' ? groupedBy(bars, (time) => weekOf(dayOf(time))) : bars;
  if (weekly.times.length <= limit) return { bars: weekly, interval: '1wk' };
  return { bars: groupedBy(bars, (time) => monthOf(dayOf(time))), interval: '1mo' };
};
