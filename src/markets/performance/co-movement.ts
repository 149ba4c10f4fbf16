import { mean } from '../indicators/indicators.ts';
import { correlation as pearson, returnsOf } from '../indicators/statistics.ts';
import { type Figure, figureOf, noFigure, tooFew } from './figure.ts';

/** Daily values, oldest first: closes, or the growth of one unit. */
export interface DailyValues {
  /** Days since 1970-01-01. */
  readonly days: readonly number[];
  readonly values: readonly number[];
}

interface AlignedReturns {
  readonly one: readonly number[];
  readonly other: readonly number[];
}

/** Returns of both series between their common days. */
export const alignReturns = (one: DailyValues, other: DailyValues): AlignedReturns => {
  const [own, others]: [number[], number[]] = [[], []];
  let at = 0;
  for (const [index, day] of one.days.entries()) {
    while ((other.days[at] ?? Number.POSITIVE_INFINITY) < day) at += 1;
    if (other.days[at] !== day) continue;
    own.push(one.values[index] ?? 0);
    others.push(other.values[at] ?? 0);
  }
  return { one: returnsOf(own), other: returnsOf(others) };
};

const isEnough = ({ one, other }: AlignedReturns, minReturns: number): boolean =>
  one.length === other.length && one.length >= Math.max(2, minReturns);

/** The beta of `one` to `other`: their covariance divided by the variance of `other`. */
export const beta = (returns: AlignedReturns, minReturns: number): Figure => {
  if (!isEnough(returns, minReturns)) return tooFew(Math.max(2, minReturns), returns.one.length);
  const { one, other } = returns;
  const [meanOfOne, meanOfOther] = [mean(one), mean(other)];
  let [together, squares] = [0, 0];
  for (const [index, value] of other.entries()) {
    together += ((one[index] ?? 0) - meanOfOne) * (value - meanOfOther);
    squares += (value - meanOfOther) ** 2;
  }
  return squares === 0 ? noFigure('no-movement') : figureOf(together / squares);
};

/** Pearson correlation, -1 to 1. */
export const correlation = (returns: AlignedReturns, minReturns: number): Figure => {
  if (!isEnough(returns, minReturns)) return tooFew(Math.max(2, minReturns), returns.one.length);
  const value = pearson(returns.one, returns.other);
  return value === null ? noFigure('no-movement') : figureOf(value);
};

/** `[0][2]` is the correlation of the first and third series over their common days. */
export const correlationMatrix = (
  all: readonly DailyValues[],
  minReturns: number,
): readonly (readonly Figure[])[] =>
  all.map((one) => all.map((other) => correlation(alignReturns(one, other), minReturns)));
