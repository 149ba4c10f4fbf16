import { mean, type Series } from './series.ts';

/** The simple mean of the last `period` values (a whole number from 1 on). */
export const sma = (values: readonly number[], period: number): Series =>
  // Each window anew: a running sum would carry its rounding along.
  values.map((_, index) => (index < period - 1 ? null : mean(values.slice(index - period + 1, index + 1))));

/** Each value is the one before, moved by `weight` of the way to the new one; begins with the mean of the first. */
const smoothed = (values: readonly number[], period: number, weight: number): Series => {
  let last: number | null = null;
  return values.map((value, index) => {
    if (index < period - 1) return null;
    last = last === null ? mean(values.slice(0, period)) : last + (value - last) * weight;
    return last;
  });
};

/** Exponential, begun with the simple mean as the textbooks do: begun with the first value, it is off for weeks. */
export const ema = (values: readonly number[], period: number): Series =>
  smoothed(values, period, 2 / (period + 1));

/** Wilder's own, slower one: RSI and ATR are made of it. */
export const wilderAverage = (values: readonly number[], period: number): Series =>
  smoothed(values, period, 1 / period);
