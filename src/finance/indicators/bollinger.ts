import { sma } from './moving-averages.ts';
import { mean, type Series } from './series.ts';

export interface Bollinger {
  readonly middle: Series;
  readonly upper: Series;
  readonly lower: Series;
}

/** A simple average and `width` standard deviations (of the population) above and below it. */
export const bollinger = (values: readonly number[], period = 20, width = 2): Bollinger => {
  const middle = sma(values, period);
  const band = (side: 1 | -1): Series =>
    middle.map((average, index) => {
      if (average === null) return null;
      const squares = values.slice(index - period + 1, index + 1).map((value) => (value - average) ** 2);
      return average + side * width * Math.sqrt(mean(squares));
    });
  return { middle, upper: band(1), lower: band(-1) };
};
