import { mean } from '../indicators/indicators.ts';
import { type Figure, figureOf, noFigure, tooFew } from './figure.ts';

interface RatioOptions {
  /** 252 trading days; 365 of what is traded every day. */
  readonly periodsPerYear: number;
  /** Of fewer returns there is no figure. */
  readonly minReturns: number;
  /** A year, as a fraction. */
  readonly riskFreeRate?: number;
}

/** Of fewer daily returns these say nothing. */
export const MIN_RETURNS_FOR_RISK = 20;
export const MIN_RETURNS_FOR_RATIOS = 40;
/** Five of a hundred days are worse: with fewer, one day decides. */
export const MIN_RETURNS_FOR_VAR = 100;
/** Below that all returns are one number, but for the last bits of it. */
const NOTHING = 1e-12;

const sampleDeviation = (values: readonly number[]): number => {
  const average = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (values.length - 1));
};

const needed = (minReturns: number): number => Math.max(2, minReturns);

/** The sample's standard deviation of the returns, for a year. */
export const volatility = (
  returns: readonly number[],
  { periodsPerYear, minReturns }: Omit<RatioOptions, 'riskFreeRate'>,
): Figure =>
  returns.length < needed(minReturns)
    ? tooFew(needed(minReturns), returns.length)
    : figureOf(sampleDeviation(returns) * Math.sqrt(periodsPerYear));

/** What each return is above the risk-free rate of one period, compounded. */
const excessOf = (
  returns: readonly number[],
  { periodsPerYear, riskFreeRate = 0 }: RatioOptions,
): readonly number[] => {
  const riskFree = (1 + riskFreeRate) ** (1 / periodsPerYear) - 1;
  return returns.map((value) => value - riskFree);
};

/** Mean of what is above the risk-free rate, by its standard deviation, for a year. */
export const sharpe = (returns: readonly number[], options: RatioOptions): Figure => {
  if (returns.length < needed(options.minReturns)) return tooFew(needed(options.minReturns), returns.length);
  const excess = excessOf(returns, options);
  const deviation = sampleDeviation(excess);
  if (deviation < NOTHING) return noFigure('no-movement');
  return figureOf((mean(excess) / deviation) * Math.sqrt(options.periodsPerYear));
};

/** The same by the target downside deviation: what falls short of the risk-free rate, squared, over all periods. */
export const sortino = (returns: readonly number[], options: RatioOptions): Figure => {
  if (returns.length < needed(options.minReturns)) return tooFew(needed(options.minReturns), returns.length);
  const excess = excessOf(returns, options);
  const deviation = Math.sqrt(mean(excess.map((value) => Math.min(value, 0) ** 2)));
  if (deviation < NOTHING) return noFigure('no-downside');
  return figureOf((mean(excess) / deviation) * Math.sqrt(options.periodsPerYear));
};

/** Excel's PERCENTILE.INC: the place (n - 1) × share in order, between two values in a straight line. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return below + (above - below) * (place - Math.floor(place));
};

/** What was lost in one period, or more, in `1 - confidence` of them; a fraction above zero, zero where nothing was. */
export const historicalVar = (
  returns: readonly number[],
  { confidence, minReturns }: { readonly confidence: number; readonly minReturns: number },
): Figure =>
  returns.length < needed(minReturns)
    ? tooFew(needed(minReturns), returns.length)
    : figureOf(Math.max(0, -percentile(returns, 1 - confidence)));
