import type { AssetClass, Instrument } from '#src/core/finance.ts';
import type { Decimal } from '#src/core/money.ts';

interface Finer {
  /** Only prices below this are traded in finer steps than their market's. */
  readonly below: number;
  /** So many digits of a price are told, of which zeros in front are none; further ones come from conversions. */
  readonly digits: number;
  readonly maxDecimals: number;
}

/** Below a dollar shares are quoted to the hundredth of a cent. */
const PENNY: Finer = { below: 1, digits: Infinity, maxDecimals: 4 };
const FINER: Readonly<Partial<Record<AssetClass, Finer>>> = {
  equity: PENNY,
  etf: PENNY,
  crypto: { below: Infinity, digits: 5, maxDecimals: 8 },
  fx: { below: Infinity, digits: 4, maxDecimals: 8 },
};
/** Of coins that cost less than a millionth eight decimals leave next to nothing. */
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

/** The instrument with the decimals that these prices of it need, where that is more than it usually has. */
export const withDecimalsFor = (
  instrument: Instrument,
  prices: readonly (Decimal | undefined)[],
): Instrument => {
  const needed = Math.max(0, ...prices.flatMap((price) => (price ? [decimalsOf(price, instrument)] : [])));
  return needed > instrument.priceDecimals ? { ...instrument, priceDecimals: needed } : instrument;
};
