import { Decimal } from '#src/kernel/money.ts';
import type { DatedAmount, Gain } from './ledger-state.ts';

/** Digits that no sum of a ledger outgrows. A quotient is to be rounded before it is kept. */
const EXACT_DIGITS = 120;

/** Numbers of a ledger: whatever is added, taken away and multiplied starting from one of them is exact. */
export const Exact = Decimal.clone({ precision: EXACT_DIGITS });

export const ZERO = new Exact(0);
export const ONE = new Exact(1);

// A ledger is counted in whole numbers of a small unit, as bigint: exact, and ten times as fast as decimals. The units
// are such that quantity × price and amount × rate come out exactly; what is finer in an entry is cut off.

/** Of quantities and prices: what people enter has no more. */
export const ENTRY_DECIMALS = 18;
/** Of amounts in their own currency, of rates and ratios. */
export const AMOUNT_DECIMALS = 36;
/** Of amounts in the portfolio's currency. */
export const BASE_DECIMALS = 72;
/** What is divided is cut here; what is left over is found by taking it away, so that nothing is lost. */
const SHARE_DECIMALS = 18;

const POWERS = Array.from({ length: 120 }, (_, exponent) => 10n ** BigInt(exponent));
const powerOfTen = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent);

/** The digits of a decimal lie in words of seven. */
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

/** Many entries share their numbers, which a store that has read them gives as the same decimals. */
export const rememberingFixedPoint = (decimals: number): ((value: Decimal) => bigint) => {
  const known = new Map<Decimal, bigint>();
  return (value) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    const fixed = toFixedPoint(value, decimals);
    known.set(value, fixed);
    return fixed;
  };
};

export const toDecimal = (value: bigint, decimals: number): Decimal =>
  value === 0n ? ZERO : new Exact(`${value}e-${decimals}`);

export const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** `amount × part / whole`, in the unit of `amount`. `whole` is not zero. */
export const shareOf = (amount: bigint, decimals: number, part: bigint, whole: bigint): bigint => {
  const unit = powerOfTen(decimals - SHARE_DECIMALS);
  return ((amount * part) / (whole * unit)) * unit;
};

/** A rate, or ratio, of one. */
export const ONE_TO_ONE = powerOfTen(AMOUNT_DECIMALS);

/** A quantity times a ratio, to the nearest that can be entered: three pieces that become a third are one. */
export const timesRatio = (quantity: bigint, ratio: bigint): bigint => {
  const size = (magnitude(quantity) * ratio + ONE_TO_ONE / 2n) / ONE_TO_ONE;
  return quantity < 0n ? -size : size;
};

/** A `DatedAmount` while it is counted. */
export interface FixedAmount {
  readonly local: bigint;
  readonly base: bigint | undefined;
}

/** A `Gain` while it is counted. */
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

/** What falls to `part` of `whole`; the rest is found by `minus`. */
export const share = ({ local, base }: FixedAmount, part: bigint, whole: bigint): FixedAmount => ({
  local: shareOf(local, AMOUNT_DECIMALS, part, whole),
  base: base === undefined ? undefined : shareOf(base, BASE_DECIMALS, part, whole),
});

/**
 * What is gained where something of that cost is worth `value`. The effect of the price is what would have been
 * gained at the rate of the cost; that of the rate is all the rest. What cost nothing has no rate: all is price.
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
