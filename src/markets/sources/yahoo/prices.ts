import type { AssetClass, Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';

/** Digits beyond both limits are float noise. */
const NOISE = { decimals: 8, digits: 12 } as const;
/** Relative error of a 32-bit float: 304.12 arrives as 304.1199951171875. */
const FLOAT_NOISE = 1e-6;
const FLOAT_DIGITS = 9;

/** The shortest decimal that is the same 32-bit float, if the value is one. */
const shortest = (value: number): Decimal => {
  if (!Number.isInteger(value) && Math.fround(value) === value) {
    for (let digits = 1; digits < FLOAT_DIGITS; digits += 1) {
      const text = value.toPrecision(digits);
      if (Math.fround(Number(text)) === value) return new Decimal(text);
    }
  }
  return new Decimal(String(value));
};

const stripNoise = (exact: Decimal): Decimal =>
  exact.toDecimalPlaces(Math.max(NOISE.decimals, NOISE.digits - 1 - exact.e));

/** The decimal without float noise. */
export const decimalOf = (value: number): Decimal => stripNoise(shortest(value));

/**
 * Rounds to the market's decimals if the rest is noise; 0.1234 of a penny stock and all digits of a cheap coin stay.
 * Shares in currencies without decimals are always rounded, because split adjustment leaves fractions.
 */
const priceOf = (value: number, { priceDecimals, assetClass }: Instrument): Decimal => {
  const exact = shortest(value);
  const rounded = exact.toDecimalPlaces(priceDecimals);
  const isWhole = priceDecimals === 0 && (assetClass === 'equity' || assetClass === 'etf');
  const isNoise = exact.minus(rounded).abs().lessThanOrEqualTo(exact.abs().times(FLOAT_NOISE));
  return isWhole || isNoise ? rounded : stripNoise(exact);
};

interface Finer {
  /** Prices below this have a finer tick size. */
  readonly below: number;
  /** Significant digits; further ones come from conversions. */
  readonly digits: number;
  readonly maxDecimals: number;
}

/** Shares below one dollar are quoted in hundredths of a cent. */
const PENNY: Finer = { below: 1, digits: Infinity, maxDecimals: 4 };
const FINER: Readonly<Partial<Record<AssetClass, Finer>>> = {
  equity: PENNY,
  etf: PENNY,
  crypto: { below: Infinity, digits: 5, maxDecimals: 8 },
  fx: { below: Infinity, digits: 4, maxDecimals: 8 },
};
/** Eight decimals are too few for coins below this price. */
const TINY = 1e-6;
const TINY_DECIMALS = 12;

const decimalsOf = (price: Decimal, { assetClass, priceDecimals }: Instrument): number => {
  const finer = FINER[assetClass];
  const size = price.abs();
  if (!finer || size.isZero() || size.greaterThanOrEqualTo(finer.below)) return priceDecimals;
  const isTiny = assetClass === 'crypto' && size.lessThan(TINY);
  return Math.min(
    price.decimalPlaces(),
    finer.digits - 1 - size.e,
    isTiny ? TINY_DECIMALS : finer.maxDecimals,
  );
};

/** The instrument with as many decimals as these prices need, if more than it has. */
export const withDecimalsFor = (
  instrument: Instrument,
  prices: readonly (Decimal | undefined)[],
): Instrument => {
  const needed = Math.max(0, ...prices.flatMap((price) => (price ? [decimalsOf(price, instrument)] : [])));
  return needed > instrument.priceDecimals ? { ...instrument, priceDecimals: needed } : instrument;
};

/** London quotes in pence and Johannesburg in cents, under codes of their own. */
const MINOR_UNITS: ReadonlyMap<string, readonly [currency: string, parts: number]> = new Map([
  ['GBp', ['GBP', 100]],
  ['GBX', ['GBP', 100]],
  ['ZAc', ['ZAR', 100]],
  ['ILA', ['ILS', 100]],
  ['USX', ['USD', 100]],
  ['KWF', ['KWD', 1000]],
]);

export interface PriceReader {
  /** In the currency of the quotes. */
  readonly instrument: Instrument;
  readonly price: (value: number) => Decimal;
  /** Converts money other than prices, such as dividends, which may be fractions of a won. */
  readonly amount: (value: number) => Decimal;
}

const DEFAULT_DECIMALS = 2;
/** Anything else would stand as a word of the source in answers. */
export const KNOWN_CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Indices and yields are not money; Yahoo gives them the currency of their country. */
const hasCurrency = ({ assetClass }: Instrument): boolean => assetClass !== 'index' && assetClass !== 'rate';

/**
 * Converts prices in the currency that Yahoo names. If it differs from the instrument's, the instrument gets
 * Yahoo's, so that a price never shows under a wrong currency. Null if a currency is required, and missing or unknown.
 */
export const priceReader = (instrument: Instrument, currency: string | undefined): PriceReader | null => {
  if (!hasCurrency(instrument))
    return { instrument, price: (value) => priceOf(value, instrument), amount: decimalOf };
  if (currency === undefined) return null;
  const [code, parts] = MINOR_UNITS.get(currency) ?? [currency, 1];
  if (code !== instrument.currency && !KNOWN_CURRENCIES.has(code)) return null;
  const known: Instrument =
    code === instrument.currency
      ? instrument
      : {
          ...instrument,
          currency: code,
          priceDecimals: Math.max(instrument.priceDecimals, DEFAULT_DECIMALS),
        };
  return {
    instrument: known,
    price: (value) => {
      const price = priceOf(value, known);
      return parts === 1 ? price : price.dividedBy(parts);
    },
    amount: (value) => decimalOf(value).dividedBy(parts),
  };
};
