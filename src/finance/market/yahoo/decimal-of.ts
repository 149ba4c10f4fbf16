import type { Instrument } from '#src/core/finance.ts';
import { Decimal } from '#src/core/money.ts';

/** What is finer than both is no figure but the noise of floats. */
const NOISE = { decimals: 8, digits: 12 } as const;
/** A difference that a 32-bit float makes: 304.12 comes as 304.1199951171875. */
const FLOAT_NOISE = 1e-6;
const FLOAT_DIGITS = 9;

/** The shortest number that is the same 32-bit float, where it is one: its other digits say nothing. */
const shortest = (value: number): Decimal => {
  if (!Number.isInteger(value) && Math.fround(value) === value) {
    for (let digits = 1; digits < FLOAT_DIGITS; digits += 1) {
      const text = value.toPrecision(digits);
      if (Math.fround(Number(text)) === value) return new Decimal(text);
    }
  }
  return new Decimal(String(value));
};

const withoutNoise = (exact: Decimal): Decimal =>
  exact.toDecimalPlaces(Math.max(NOISE.decimals, NOISE.digits - 1 - exact.e));

/** A figure without the noise of floats. */
export const decimalOf = (value: number): Decimal => withoutNoise(shortest(value));

/**
 * A price with the decimals of its market where the rest is noise; 0.1234 of a penny stock stays, and so does every
 * digit of a coin that costs a millionth. Whole currencies have no parts, also where a split was counted back.
 */
export const priceOf = (value: number, { priceDecimals, assetClass }: Instrument): Decimal => {
  const exact = shortest(value);
  const rounded = exact.toDecimalPlaces(priceDecimals);
  const isWhole = priceDecimals === 0 && (assetClass === 'equity' || assetClass === 'etf');
  const isNoise = exact.minus(rounded).abs().lessThanOrEqualTo(exact.abs().times(FLOAT_NOISE));
  return isWhole || isNoise ? rounded : withoutNoise(exact);
};
