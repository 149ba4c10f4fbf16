import { mean } from '../indicators/indicators.ts';
import { type PerformanceFigure, figureOf, type NoFigure, noFigure, tooFew } from './figure.ts';

/** With fewer daily returns, the figures are meaningless. */
export const MIN_RETURNS_FOR_RISK = 20;
export const MIN_RETURNS_FOR_RATIOS = 40;
/** With fewer than a hundred days, a single day decides the 5 % tail. */
export const MIN_RETURNS_FOR_VAR = 100;
/** Smaller deviations are float noise of equal returns. */
const NOTHING = 1e-12;

/** Period returns as fractions. */
export const returnsOf = (values: readonly number[]): readonly number[] =>
  values.slice(1).map((value, index) => value / (values[index] ?? value) - 1);

const sampleDeviation = (values: readonly number[]): number => {
  const average = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (values.length - 1));
};

/**
 * Annualized sample standard deviation of the returns. `periodsPerYear`: 252 trading days, or 365 for instruments that
 * trade every day.
 */
export const volatility = (returns: readonly number[], periodsPerYear: number): PerformanceFigure =>
  figureOf(sampleDeviation(returns) * Math.sqrt(periodsPerYear));

interface RatioOptions {
  readonly periodsPerYear: number;
  /** Per year, as a fraction. */
  readonly riskFreeRate: number;
}

/** The mean return above the risk-free rate divided by a deviation, annualized. */
const excessRatio = (
  returns: readonly number[],
  { periodsPerYear, riskFreeRate }: RatioOptions,
  deviationOf: (excess: readonly number[]) => number,
  withoutDeviation: NoFigure,
): PerformanceFigure => {
  const riskFree = (1 + riskFreeRate) ** (1 / periodsPerYear) - 1;
  const excess = returns.map((value) => value - riskFree);
  const deviation = deviationOf(excess);
  return deviation < NOTHING
    ? noFigure(withoutDeviation)
    : figureOf((mean(excess) / deviation) * Math.sqrt(periodsPerYear));
};

export const sharpe = (returns: readonly number[], options: RatioOptions): PerformanceFigure =>
  excessRatio(returns, options, sampleDeviation, 'no-movement');

/** Divides by the downside deviation: squared shortfalls below the risk-free rate over all periods. */
export const sortino = (returns: readonly number[], options: RatioOptions): PerformanceFigure =>
  excessRatio(
    returns,
    options,
    (excess) => Math.sqrt(mean(excess.map((value) => Math.min(value, 0) ** 2))),
    'no-downside',
  );

/** Excel's PERCENTILE.INC: position (n - 1) × share in sorted order, interpolated linearly. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return below + (above - below) * (place - Math.floor(place));
};

/** The loss that `1 - confidence` of the periods reached or exceeded, as a fraction of at least zero. */
export const historicalVar = (returns: readonly number[], confidence: number): PerformanceFigure =>
  figureOf(Math.max(0, -percentile(returns, 1 - confidence)));

/** Daily values, oldest first: closes, or the growth of one unit. */
export interface DailyValues {
  /** Days since 1970-01-01. */
  readonly days: readonly number[];
  readonly values: readonly number[];
}

/** Two series of equal length. */
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

/** Sums of squared deviations from the mean, and of their products. */
const deviationsOf = ({ one, other }: AlignedReturns) => {
  const [meanOfOne, meanOfOther] = [mean(one), mean(other)];
  let [together, squaresOfOne, squaresOfOther] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const [deviation, otherDeviation] = [value - meanOfOne, (other[index] ?? meanOfOther) - meanOfOther];
    together += deviation * otherDeviation;
    squaresOfOne += deviation ** 2;
    squaresOfOther += otherDeviation ** 2;
  }
  return { together, squaresOfOne, squaresOfOther };
};

/** The beta of `one` to `other`: their covariance divided by the variance of `other`. */
export const beta = (returns: AlignedReturns): PerformanceFigure => {
  const { together, squaresOfOther } = deviationsOf(returns);
  return squaresOfOther === 0 ? noFigure('no-movement') : figureOf(together / squaresOfOther);
};

/** Pearson correlation, -1 to 1. */
export const correlation = (returns: AlignedReturns): PerformanceFigure => {
  const { together, squaresOfOne, squaresOfOther } = deviationsOf(returns);
  const scale = Math.sqrt(squaresOfOne * squaresOfOther);
  return scale === 0 ? noFigure('no-movement') : figureOf(Math.max(-1, Math.min(1, together / scale)));
};

export interface DayValue {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly value: number;
}

/** The deepest fall from a high to a later low. */
export interface Drawdown {
  /** 0.25 is a fall by a quarter. Above 1 only if the value turned negative. */
  readonly depth: number;
  /** The last day at the high, and the first day at the low. */
  readonly peakDay: number;
  readonly troughDay: number;
  /** The first day back at the high. Undefined if it has not recovered. */
  readonly recoveryDay: number | undefined;
}

const MIN_VALUES = 2;

/** With deposits or withdrawals, pass the growth of one unit, not the value held. */
export const maxDrawdown = (values: readonly DayValue[]): PerformanceFigure<Drawdown> => {
  const [first] = values;
  if (!first || values.length < MIN_VALUES) return tooFew(MIN_VALUES, values.length);
  let peak = first;
  let deepest = { depth: 0, peak: first, troughDay: first.day };
  for (const each of values) {
    if (each.value >= peak.value) peak = each;
    const depth = peak.value > 0 ? 1 - each.value / peak.value : 0;
    if (depth > deepest.depth) deepest = { depth, peak, troughDay: each.day };
  }
  const { depth, peak: high, troughDay } = deepest;
  const recovered = values.find(({ day, value }) => day > troughDay && value >= high.value);
  const recoveryDay = depth === 0 ? undefined : recovered?.day;
  return { status: 'ok', value: { depth, peakDay: high.day, troughDay, recoveryDay } };
};

/** The concentration of a portfolio. Shares are fractions of the sum of all position sizes. */
interface Concentration {
  readonly largest: number;
  readonly topFive: number;
  /** The sum of squared shares: 1 for a single position, 1/n for n equal ones. */
  readonly herfindahl: number;
  /** The number of equal positions with the same concentration: 1 / `herfindahl`. */
  readonly effectiveNumber: number;
  readonly count: number;
}

const FEW = 5;

/** Undefined without positions. A short position counts by its size. */
export const concentrationOf = (values: readonly number[]): Concentration | undefined => {
  const sizes = values
    .map(Math.abs)
    .filter((size) => size > 0)
    .toSorted((a, b) => b - a);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return undefined;
  const shares = sizes.map((size) => size / total);
  const herfindahl = shares.reduce((sum, share) => sum + share ** 2, 0);
  return {
    largest: shares[0] ?? 0,
    topFive: Math.min(
      1,
      shares.slice(0, FEW).reduce((sum, share) => sum + share, 0),
    ),
    herfindahl,
    effectiveNumber: 1 / herfindahl,
    count: sizes.length,
  };
};
