import { mean } from './indicators.ts';

/** Period returns as fractions. */
export const returnsOf = (values: readonly number[]): readonly number[] =>
  values.slice(1).map((value, index) => value / (values[index] ?? value) - 1);

/** The largest fall from a peak to a later low, as a fraction from 0 to -1. */
export const maxDrawdown = (closes: readonly number[]): number => {
  let peak = -Infinity;
  return closes.reduce((deepest, close) => {
    peak = Math.max(peak, close);
    return Math.min(deepest, close / peak - 1);
  }, 0);
};

/** Pearson correlation, -1 to 1. Null if a series is constant or has fewer than two values. */
export const correlation = (one: readonly number[], other: readonly number[]): number | null => {
  if (one.length !== other.length || one.length < 2) return null;
  const [meanOfOne, meanOfOther] = [mean(one), mean(other)];
  let [together, squaresOfOne, squaresOfOther] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const [deviation, otherDeviation] = [value - meanOfOne, (other[index] ?? meanOfOther) - meanOfOther];
    together += deviation * otherDeviation;
    squaresOfOne += deviation ** 2;
    squaresOfOther += otherDeviation ** 2;
  }
  const scale = Math.sqrt(squaresOfOne * squaresOfOther);
  return scale === 0 ? null : Math.max(-1, Math.min(1, together / scale));
};
