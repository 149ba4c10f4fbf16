import { mean } from '../indicators/indicators.ts';
import { type Figure, figureOf, noFigure, tooFew } from './figure.ts';

interface RatioOptions {
  /** 252 trading days, or 365 for instruments that trade every day. */
  readonly periodsPerYear: number;
  /** With fewer returns there is no figure. */
  readonly minReturns: number;
  /** Per year, as a fraction. */
  readonly riskFreeRate?: number;
}

/** With fewer daily returns, the figures are meaningless. */
export const MIN_RETURNS_FOR_RISK = 20;
export const MIN_RETURNS_FOR_RATIOS = 40;
/** With fewer than a hundred days, a single day decides the 5 % tail. */
export const MIN_RETURNS_FOR_VAR = 100;
/** Smaller deviations are float noise of equal returns. */
const NOTHING = 1e-12;

const sampleDeviation = (values: readonly number[]): number => {
  const average = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (values.length - 1));
};

const needed = (minReturns: number): number => Math.max(2, minReturns);

/** Annualized sample standard deviation of the returns. */
export const volatility = (
  returns: readonly number[],
  { periodsPerYear, minReturns }: Omit<RatioOptions, 'riskFreeRate'>,
): Figure =>
  returns.length < needed(minReturns)
    ? tooFew(needed(minReturns), returns.length)
    : figureOf(sampleDeviation(returns) * Math.sqrt(periodsPerYear));

/** Returns minus the risk-free rate of one period, compounded. */
const excessOf = (
  returns: readonly number[],
  { periodsPerYear, riskFreeRate = 0 }: RatioOptions,
): readonly number[] => {
  const riskFree = (1 + riskFreeRate) ** (1 / periodsPerYear) - 1;
  return returns.map((value) => value - riskFree);
};

/** The mean excess return divided by its standard deviation, annualized. */
export const sharpe = (returns: readonly number[], options: RatioOptions): Figure => {
  if (returns.length < needed(options.minReturns)) return tooFew(needed(options.minReturns), returns.length);
  const excess = excessOf(returns, options);
  const deviation = sampleDeviation(excess);
  if (deviation < NOTHING) return noFigure('no-movement');
  return figureOf((mean(excess) / deviation) * Math.sqrt(options.periodsPerYear));
};

/** The same divided by the downside deviation: squared shortfalls below the risk-free rate over all periods. */
export const sortino = (returns: readonly number[], options: RatioOptions): Figure => {
  if (returns.length < needed(options.minReturns)) return tooFew(needed(options.minReturns), returns.length);
  const excess = excessOf(returns, options);
  const deviation = Math.sqrt(mean(excess.map((value) => Math.min(value, 0) ** 2)));
  if (deviation < NOTHING) return noFigure('no-downside');
  return figureOf((mean(excess) / deviation) * Math.sqrt(options.periodsPerYear));
};

/** Excel's PERCENTILE.INC: position (n - 1) × share in sorted order, interpolated linearly. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return below + (above - below) * (place - Math.floor(place));
};

/** The loss that `1 - confidence` of the periods reached or exceeded, as a fraction of at least zero. */
export const historicalVar = (
  returns: readonly number[],
  { confidence, minReturns }: { readonly confidence: number; readonly minReturns: number },
): Figure =>
  returns.length < needed(minReturns)
    ? tooFew(needed(minReturns), returns.length)
    : figureOf(Math.max(0, -percentile(returns, 1 - confidence)));
