import { ema } from './moving-averages.ts';
import { type Series, shifted } from './series.ts';

export interface Macd {
  /** The fast average less the slow one. */
  readonly line: Series;
  /** The average of the line. */
  readonly signal: Series;
  /** The line less the signal. */
  readonly histogram: Series;
}

const difference = (one: Series, other: Series): Series =>
  one.map((value, index) => {
    const subtracted = other[index] ?? null;
    return value === null || subtracted === null ? null : value - subtracted;
  });

/** Moving average convergence/divergence. The signal begins `signalPeriod` values after the line does. */
export const macd = (values: readonly number[], fastPeriod = 12, slowPeriod = 26, signalPeriod = 9): Macd => {
  const line = difference(ema(values, fastPeriod), ema(values, slowPeriod));
  const known = line.filter((value) => value !== null);
  const signal = shifted(ema(known, signalPeriod), line.length - known.length);
  return { line, signal, histogram: difference(line, signal) };
};
