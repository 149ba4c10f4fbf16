import type { Decimal } from '#src/kernel/money.ts';
import { Exact, ZERO } from './exact.ts';

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
