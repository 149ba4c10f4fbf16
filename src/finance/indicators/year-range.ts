import type { NumberBar } from './series.ts';

export interface YearRange {
  /** Which bar was the highest, and which the lowest: the exact prices are there. */
  readonly highIndex: number;
  readonly lowIndex: number;
  /** Where the last close stands between them: 0 at the low, 1 at the high; null where they are the same. */
  readonly position: number | null;
}

/** Of the bars of a year. Undefined for none. */
export const yearRange = (bars: readonly NumberBar[]): YearRange | undefined => {
  const last = bars.at(-1);
  if (!last) return undefined;
  const [highs, lows] = [bars.map(({ high }) => high), bars.map(({ low }) => low)];
  const [high, low] = [Math.max(...highs), Math.min(...lows)];
  return {
    highIndex: highs.lastIndexOf(high),
    lowIndex: lows.lastIndexOf(low),
    position: high === low ? null : (last.close - low) / (high - low),
  };
};
