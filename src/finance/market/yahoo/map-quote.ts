import type { ExtendedPrice, Instrument, PriceRange, SourceQuote } from '#src/core/finance.ts';
import { Decimal } from '#src/core/money.ts';
import { withDecimalsFor } from './price-decimals.ts';
import { type QuotedIn, quotedIn } from './quoted-in.ts';
import type { QuoteWire } from './wire.ts';

const rangeOf = (
  low: number | undefined,
  high: number | undefined,
  { price }: QuotedIn,
): PriceRange | undefined =>
  // Yahoo writes 0 where it has none.
  low !== undefined && high !== undefined && low > 0 && high >= low
    ? { low: price(low), high: price(high) }
    : undefined;

/** The newest trade before or after the regular session, if it came after the last regular one. */
const extendedOf = (wire: QuoteWire, { price }: QuotedIn): ExtendedPrice | undefined => {
  const trades = [
    { session: 'pre', value: wire.preMarketPrice, asOf: wire.preMarketTime } as const,
    { session: 'after', value: wire.postMarketPrice, asOf: wire.postMarketTime } as const,
  ];
  return trades
    .flatMap(({ session, value, asOf }) =>
      value !== undefined && asOf !== undefined && value > 0 ? [{ session, price: price(value), asOf }] : [],
    )
    .filter(({ asOf }) => Temporal.Instant.compare(asOf, wire.regularMarketTime) > 0)
    .toSorted((a, b) => Temporal.Instant.compare(b.asOf, a.asOf))[0];
};

/** Zero is a number of shares only where shares are counted. Yahoo's volume of a coin is money, not coins. */
const volumeOf = (volume: number | undefined, { assetClass }: Instrument): Decimal | undefined => {
  if (volume === undefined || volume < 0 || assetClass === 'crypto') return undefined;
  const isCounted = volume > 0 || assetClass === 'equity' || assetClass === 'etf';
  return isCounted ? new Decimal(String(volume)) : undefined;
};

/**
 * The price of the regular session and the close before it: other fields of Yahoo's have had trades of the KRX
 * after-market in them since there is one. Words say why a quote is of no use.
 */
export const mapQuote = (instrument: Instrument, wire: QuoteWire, source: string): SourceQuote | string => {
  const quoted = quotedIn(instrument, wire.currency);
  if (!quoted) return 'no currency';
  const { regularMarketPrice, regularMarketPreviousClose } = wire;
  const isPrice = (value: number | undefined): value is number =>
    value !== undefined && (value > 0 || instrument.assetClass === 'rate');
  if (!isPrice(regularMarketPrice)) return 'no price';
  const price = quoted.price(regularMarketPrice);
  const previousClose = isPrice(regularMarketPreviousClose)
    ? quoted.price(regularMarketPreviousClose)
    : undefined;
  const dayRange = rangeOf(wire.regularMarketDayLow, wire.regularMarketDayHigh, quoted);
  const yearRange = rangeOf(wire.fiftyTwoWeekLow, wire.fiftyTwoWeekHigh, quoted);
  const volume = volumeOf(wire.regularMarketVolume, instrument);
  const extended = extendedOf(wire, quoted);
  const delay = wire.exchangeDataDelayedBy;
  return {
    instrument: withDecimalsFor(quoted.instrument, [
      price,
      previousClose,
      extended?.price,
      ...[dayRange, yearRange].flatMap((range) => (range ? [range.low, range.high] : [])),
    ]),
    price,
    ...(previousClose && { previousClose }),
    ...(dayRange && { dayRange }),
    ...(yearRange && { yearRange }),
    ...(volume && { volume }),
    ...(extended && { extended }),
    asOf: wire.regularMarketTime,
    ...(delay !== undefined && delay >= 0 && { delayMinutes: delay }),
    source,
    isSample: false,
  };
};
