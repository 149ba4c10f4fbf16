import { Decimal } from '#src/kernel/money.ts';
import type { DatedAmount, Gain } from './ledger-state.ts';

/** More digits than any sum of a ledger needs. A quotient must be rounded before it is stored. */
const EXACT_DIGITS = 120;

/** Decimals of a ledger: sums, differences and products that start from one are exact. */
export const Exact = Decimal.clone({ precision: EXACT_DIGITS });

export const ZERO = new Exact(0);
export const ONE = new Exact(1);

/** The exact sum; undefined values are left out. */
export const sumOf = (values: readonly (Decimal | undefined)[]): Decimal =>
  values.reduce<Decimal>((sum, value) => (value ? sum.plus(value) : sum), ZERO);

// A ledger is computed in bigint multiples of a small unit, which is exact and ten times as fast as decimals. With
// these units quantity × price and amount × rate are exact; finer digits of an entry are cut off.

/** The decimals of quantities and prices; people enter no more. */
export const ENTRY_DECIMALS = 18;
/** The decimals of amounts in their own currency, of rates and of ratios. */
export const AMOUNT_DECIMALS = 36;
/** The decimals of amounts in the portfolio's currency. */
export const BASE_DECIMALS = 72;
/** Quotients are cut here. The remainder is computed by subtraction, so that nothing is lost. */
const SHARE_DECIMALS = 18;

const POWERS = Array.from({ length: 120 }, (_, exponent) => 10n ** BigInt(exponent));
const powerOfTen = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent);

/** Decimal.js stores digits in words of seven. */
const WORD_DIGITS = 7;
const WORD = 1e7;

export const toFixedPoint = ({ s: sign, e: exponent, d: words }: Decimal, decimals: number): bigint => {
  const [first = 0, second = 0] = words;
  let digits: bigint;
  if (words.length <= 2) digits = BigInt(words.length === 1 ? first : first * WORD + second);
  else digits = words.reduce((sum, word) => sum * BigInt(WORD) + BigInt(word), 0n);
  const shift = decimals + WORD_DIGITS * (Math.floor(exponent / WORD_DIGITS) - words.length + 1);
  const size = shift < 0 ? digits / powerOfTen(-shift) : digits * powerOfTen(shift);
  return sign < 0 ? -size : size;
};

/** Caches conversions, because entries from the store share their decimals. */
export const rememberingFixedPoint = (decimals: number): ((value: Decimal) => bigint) => {
  const known = new Map<Decimal, bigint>();
  const convert = (value: Decimal): bigint => toFixedPoint(value, decimals);
  return (value) => known.getOrInsertComputed(value, convert);
};

export const toDecimal = (value: bigint, decimals: number): Decimal =>
  value === 0n ? ZERO : new Exact(`${value}e-${decimals}`);

export const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** `amount × part / whole` in the unit of `amount`. `whole` must not be zero. */
export const shareOf = (amount: bigint, decimals: number, part: bigint, whole: bigint): bigint => {
  const unit = powerOfTen(decimals - SHARE_DECIMALS);
  return ((amount * part) / (whole * unit)) * unit;
};

/** A rate or ratio of one. */
export const ONE_TO_ONE = powerOfTen(AMOUNT_DECIMALS);

/**
 * Multiplies a quantity by a ratio and rounds to the nearest quantity that can be entered, so that a third of three is
 * one.
 */
export const timesRatio = (quantity: bigint, ratio: bigint): bigint => {
  const size = (magnitude(quantity) * ratio + ONE_TO_ONE / 2n) / ONE_TO_ONE;
  return quantity < 0n ? -size : size;
};

/** A `DatedAmount` during the computation. */
export interface FixedAmount {
  readonly local: bigint;
  readonly base: bigint | undefined;
}

/** A `Gain` during the computation. */
export interface FixedGain {
  readonly local: bigint;
  readonly base: { readonly total: bigint; readonly fromPrice: bigint } | undefined;
}

export const NOTHING: FixedAmount = { local: 0n, base: 0n };
export const NO_GAIN: FixedGain = { local: 0n, base: { total: 0n, fromPrice: 0n } };

export const atRate = (local: bigint, rate: bigint | undefined): FixedAmount => ({
  local,
  base: rate === undefined ? undefined : local * rate,
});

export const plus = (a: FixedAmount, b: FixedAmount): FixedAmount => ({
  local: a.local + b.local,
  base: a.base === undefined || b.base === undefined ? undefined : a.base + b.base,
});

export const minus = (a: FixedAmount, b: FixedAmount): FixedAmount => ({
  local: a.local - b.local,
  base: a.base === undefined || b.base === undefined ? undefined : a.base - b.base,
});

export const negated = ({ local, base }: FixedAmount): FixedAmount => ({
  local: -local,
  base: base === undefined ? undefined : -base,
});

/** The share of `part` in `whole`; `minus` gives the remainder. */
export const share = ({ local, base }: FixedAmount, part: bigint, whole: bigint): FixedAmount => ({
  local: shareOf(local, AMOUNT_DECIMALS, part, whole),
  base: base === undefined ? undefined : shareOf(base, BASE_DECIMALS, part, whole),
});

/**
 * The gain of something with that cost and `value`. The price effect is the gain at the rate of the cost, and the rate
 * effect is the rest. Something that cost nothing has no rate, so its whole gain is a price effect.
 */
export const gainOf = (value: FixedAmount, cost: FixedAmount): FixedGain => {
  const { local, base: total } = minus(value, cost);
  if (total === undefined || cost.base === undefined) return { local, base: undefined };
  const isAllPrice =
    cost.local === 0n || (total === local * ONE_TO_ONE && cost.base === cost.local * ONE_TO_ONE);
  const fromPrice = isAllPrice ? total : shareOf(cost.base, BASE_DECIMALS, local, cost.local);
  return { local, base: { total, fromPrice } };
};

export const plusGain = (a: FixedGain, b: FixedGain): FixedGain => ({
  local: a.local + b.local,
  base:
    a.base === undefined || b.base === undefined
      ? undefined
      : { total: a.base.total + b.base.total, fromPrice: a.base.fromPrice + b.base.fromPrice },
});

export const toDatedAmount = ({ local, base }: FixedAmount): DatedAmount => ({
  local: toDecimal(local, AMOUNT_DECIMALS),
  base: base === undefined ? undefined : toDecimal(base, BASE_DECIMALS),
});

export const toGain = ({ local, base }: FixedGain): Gain => ({
  local: toDecimal(local, AMOUNT_DECIMALS),
  base: base && {
    total: toDecimal(base.total, BASE_DECIMALS),
    fromPrice: toDecimal(base.fromPrice, BASE_DECIMALS),
    fromFx: toDecimal(base.total - base.fromPrice, BASE_DECIMALS),
  },
});
