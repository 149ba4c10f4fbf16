import type { ExtendedPrice, Instrument, PriceRange, SourceQuote } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { marketError } from '../errors.ts';
import type { YahooClient } from './client.ts';
import { type PriceReader, priceReader, withDecimalsFor } from './prices.ts';
import {
  type EARNINGS_FIELDS,
  namedWire,
  type QUOTE_FIELDS,
  quoteListWire,
  type QuoteWire,
  readAs,
} from './wire.ts';

type QuoteField = (typeof QUOTE_FIELDS)[number] | (typeof EARNINGS_FIELDS)[number];

/** A value, a problem, or neither if Yahoo has no data. */
export interface Parsed<T> {
  readonly value?: T;
  readonly problem?: string;
}

interface Wanted<T> {
  readonly what: string;
  readonly fields: readonly QuoteField[];
  readonly read: (instrument: Instrument, raw: unknown) => Parsed<T>;
}

/** Symbols per request. */
const BATCH = 50;

const batches = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );

/** Asked for `USDKRW=X`, Yahoo may answer with `KRW=X`. */
const symbolKey = (symbol: string): string => symbol.toUpperCase().replace(/^USD(?=[A-Z]{3}=X$)/u, '');

/**
 * Reads fields of many quotes. Unknown symbols are left out; invalid entries are left out and logged, because one
 * symbol must not fail the others. Throws if no entry is valid.
 */
export const createQuoteReader = (client: YahooClient, logger: FinClawLogger) => {
  const ask = async (
    instruments: readonly Instrument[],
    fields: readonly QuoteField[],
    signal: AbortSignal,
  ): Promise<readonly unknown[]> => {
    const symbols = instruments.map(({ symbol }) => symbol);
    const query = { symbols: symbols.join(','), fields: fields.join(',') };
    const json = await client.fetchJson({ path: '/v7/finance/quote', query, needsSession: true }, signal);
    return readAs(quoteListWire, json, 'list of quotes').quoteResponse.result;
  };

  return async <T extends object>(
    instruments: readonly Instrument[],
    { what, fields, read }: Wanted<T>,
    signal: AbortSignal,
  ): Promise<readonly T[]> => {
    const lists = await Promise.all(batches(instruments).map((batch) => ask(batch, fields, signal)));
    const listed = lists.flat();
    const named = listed.flatMap((raw) => namedWire.safeParse(raw).data ?? []);
    const bySymbol = new Map(named.map((raw) => [symbolKey(raw.symbol), raw]));
    const found = instruments.flatMap((instrument): readonly T[] => {
      const raw = bySymbol.get(symbolKey(instrument.symbol));
      const { value, problem } = raw ? read(instrument, raw) : {};
      if (problem !== undefined) {
        logger.warn(`Yahoo Finance sent an invalid ${what}, which is skipped`, {
          symbol: instrument.symbol,
          problem,
        });
      }
      return value ? [value] : [];
    });
    if (found.length === 0 && named.length < listed.length)
      throw marketError('MARKET_BAD_DATA', `Yahoo Finance sent no valid ${what}`);
    return found;
  };
};

const rangeOf = (
  low: number | undefined,
  high: number | undefined,
  { price, instrument: { assetClass } }: PriceReader,
): PriceRange | undefined =>
  // Yahoo writes 0 for missing values.
  low !== undefined &&
  high !== undefined &&
  (low > 0 || (low < 0 && assetClass === 'commodity')) &&
  high >= low
    ? { low: price(low), high: price(high) }
    : undefined;

/** The newest extended-hours trade, if it is newer than the last regular one. */
const extendedOf = (wire: QuoteWire, { price }: PriceReader): ExtendedPrice | undefined => {
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

/** Zero volume is meaningful only for shares. Yahoo's coin volume is money, not coins. */
const volumeOf = (volume: number | undefined, { assetClass }: Instrument): Decimal | undefined => {
  if (volume === undefined || volume < 0 || assetClass === 'crypto') return undefined;
  const isCounted = volume > 0 || assetClass === 'equity' || assetClass === 'etf';
  return isCounted ? new Decimal(String(volume)) : undefined;
};

/**
 * Uses the regular session's price and previous close, because other Yahoo fields include trades of the KRX
 * after-market. A string names the problem of an unusable quote.
 */
export const mapQuote = (instrument: Instrument, wire: QuoteWire, source: string): SourceQuote | string => {
  const quoted = priceReader(instrument, wire.currency);
  if (!quoted) return 'no currency';
  const { regularMarketPrice, regularMarketPreviousClose } = wire;
  // Futures have been sold below zero. Their zero is a missing value.
  const isPrice = (value: number | undefined): value is number =>
    value !== undefined &&
    (value > 0 || instrument.assetClass === 'rate' || (instrument.assetClass === 'commodity' && value !== 0));
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
