import type { AssetClass } from '#src/kernel/market/finance.ts';
import type { Decimal } from '#src/kernel/money.ts';
import { apart } from '#src/markets/sources/split-doubt.ts';

/** Fractions of the larger of two prices. */
interface Limits {
  /** Between two evaluations or two closes. A larger move needs confirmation. */
  readonly move: number;
  /** Between the day's range and all other known prices. A larger distance was never traded. */
  readonly range: number;
}

/** Coins move most; currencies and indices hardly. */
const LIMITS: Readonly<Record<AssetClass, Limits>> = {
  equity: { move: 0.17, range: 0.4 },
  etf: { move: 0.17, range: 0.4 },
  crypto: { move: 0.25, range: 0.5 },
  commodity: { move: 0.17, range: 0.4 },
  index: { move: 0.12, range: 0.25 },
  fx: { move: 0.05, range: 0.1 },
  rate: { move: 0.3, range: 0.5 },
};

/** Interest rates are near zero, so a move of this many points is always usual. */
const NEAR_POINTS = 0.5;

export const isUsualMove = (
  assetClass: AssetClass,
  a: Decimal,
  b: Decimal,
  limit: keyof Limits = 'move',
): boolean =>
  apart(a, b) <= LIMITS[assetClass][limit] ||
  (assetClass === 'rate' && a.minus(b).abs().lessThanOrEqualTo(NEAR_POINTS));
