import type { AssetClass } from '#src/kernel/finance.ts';
import type { Decimal } from '#src/kernel/money.ts';

/** As parts of the larger one of two prices. */
interface Limits {
  /** From one look, or one close, to the next: more is looked at twice. */
  readonly move: number;
  /** Of the day's range from everything else that is known: more was never traded. */
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

/** Rates stand near zero: so many points are never far. */
const NEAR_POINTS = 0.5;

/** How far apart two prices are, as a part of the larger one: 0 for the same, 0.75 for 200 and 50. */
export const apart = (a: Decimal | number, b: Decimal | number): number => {
  const [one, other] = [Number(a), Number(b)];
  const larger = Math.max(Math.abs(one), Math.abs(other));
  return larger === 0 ? 0 : Math.abs(one - other) / larger;
};

export const isUsualMove = (
  assetClass: AssetClass,
  a: Decimal,
  b: Decimal,
  limit: keyof Limits = 'move',
): boolean =>
  apart(a, b) <= LIMITS[assetClass][limit] ||
  (assetClass === 'rate' && a.minus(b).abs().lessThanOrEqualTo(NEAR_POINTS));

/** The one that is nearest to the price. */
export const nearest = (price: Decimal, candidates: readonly [Decimal, ...Decimal[]]): Decimal =>
  candidates.reduce((best, each) => (apart(each, price) < apart(best, price) ? each : best));
