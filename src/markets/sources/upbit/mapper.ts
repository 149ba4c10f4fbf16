import { z } from 'zod';
import type { Instrument, PriceRange, SourceQuote } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Bar } from '../source.ts';

/** `KRW-BTC`: quote currency first. */
/** The limits of a list, looked at before its entries are. */
const [MAX_MARKETS, MAX_CANDLES] = [10_000, 400];
const listOf = <T extends z.ZodType>(entry: T, max: number) =>
  z
    .custom<unknown[]>((value) => Array.isArray(value) && value.length <= max, `Not a list of at most ${max}`)
    .pipe(z.array(entry));

const market = z.string().min(1).max(40);
const price = z.number().positive();
const volume = z.number().nonnegative();
const unixMs = z.int().positive();

/** The used part of `/v1/market/all`. */
export const marketsSchema = listOf(z.object({ market }), MAX_MARKETS);

/** The used part of `/v1/ticker`. Entries are parsed one by one, so that a broken one is dropped alone. */
export const tickerSchema = z.object({
  market,
  trade_price: price,
  prev_closing_price: price.nullish(),
  high_price: price.nullish(),
  low_price: price.nullish(),
  highest_52_week_price: price.nullish(),
  lowest_52_week_price: price.nullish(),
  acc_trade_volume_24h: volume.nullish(),
  trade_timestamp: unixMs,
});
type UpbitTicker = z.output<typeof tickerSchema>;
export const listSchema = listOf(z.unknown(), MAX_MARKETS);

/** The used part of `/v1/candles/…`. */
export const candlesSchema = listOf(
  z.object({
    /** Start of the candle in UTC without an offset, such as `2026-11-13T00:00:00`. */
    candle_date_time_utc: z.iso.datetime({ local: true }),
    opening_price: price,
    high_price: price,
    low_price: price,
    trade_price: price,
    /** Time of the last trade. */
    timestamp: unixMs,
    candle_acc_trade_volume: volume,
  }),
  MAX_CANDLES,
);
export type UpbitCandle = z.output<typeof candlesSchema>[number];

export const SOURCE_NAME = 'Upbit';

const SYMBOL = /^(?<coin>[A-Z0-9]+)-KRW$/;

/** `BTC-KRW` → `KRW-BTC`. Undefined for anything but coins in won. */
export const marketOf = ({ symbol, assetClass, currency }: Instrument): string | undefined => {
  const coin = SYMBOL.exec(symbol)?.groups?.coin;
  return coin !== undefined && assetClass === 'crypto' && currency === 'KRW' ? `KRW-${coin}` : undefined;
};

const rangeOf = (low: number | null | undefined, high: number | null | undefined): PriceRange | undefined => {
  if (typeof low !== 'number' || typeof high !== 'number' || low > high) return undefined;
  return { low: new Decimal(low), high: new Decimal(high) };
};

const MAX_DECIMALS = 8;

/** Tick sizes shrink with the price, so prices may need more decimals than the index lists. */
export const withDecimalsOf = (instrument: Instrument, prices: readonly Decimal[]): Instrument => {
  const needed = Math.max(...prices.map((price) => price.decimalPlaces()));
  return needed > instrument.priceDecimals
    ? { ...instrument, priceDecimals: Math.min(needed, MAX_DECIMALS) }
    : instrument;
};

/**
 * Keeps prices exact, because cheap coins have fine tick sizes. The Upbit day starts at 09:00 in Seoul (00:00 UTC),
 * and so do the previous close and the day range.
 */
export const quoteFrom = (ticker: UpbitTicker, instrument: Instrument): SourceQuote => {
  const dayRange = rangeOf(ticker.low_price, ticker.high_price);
  const yearRange = rangeOf(ticker.lowest_52_week_price, ticker.highest_52_week_price);
  const price = new Decimal(ticker.trade_price);
  const previousClose =
    typeof ticker.prev_closing_price === 'number' ? new Decimal(ticker.prev_closing_price) : undefined;
  return {
    instrument: withDecimalsOf(instrument, [
      price,
      ...(previousClose ? [previousClose] : []),
      ...[dayRange, yearRange].flatMap((range) => (range ? [range.low, range.high] : [])),
    ]),
    price,
    ...(previousClose && { previousClose }),
    ...(dayRange && { dayRange }),
    ...(yearRange && { yearRange }),
    ...(typeof ticker.acc_trade_volume_24h === 'number' && {
      volume: new Decimal(ticker.acc_trade_volume_24h),
    }),
    asOf: Temporal.Instant.fromEpochMilliseconds(ticker.trade_timestamp),
    delayMinutes: 0,
    source: SOURCE_NAME,
    isSample: false,
  };
};

export const barFrom = (candle: UpbitCandle): Bar => ({
  at: Temporal.Instant.from(`${candle.candle_date_time_utc}Z`),
  open: new Decimal(candle.opening_price),
  high: new Decimal(candle.high_price),
  low: new Decimal(candle.low_price),
  close: new Decimal(candle.trade_price),
  volume: new Decimal(candle.candle_acc_trade_volume),
});
