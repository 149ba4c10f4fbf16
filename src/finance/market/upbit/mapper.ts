import type { Instrument, PriceRange, SourceQuote } from '#src/core/finance.ts';
import { Decimal } from '#src/core/money.ts';
import type { Bar } from '../source.ts';
import type { UpbitCandle, UpbitTicker } from './schema.ts';

export const SOURCE_NAME = 'Upbit';

const SYMBOL = /^(?<coin>[A-Z0-9]+)-KRW$/;

/** `BTC-KRW` is `KRW-BTC` there; undefined where it is no coin in won. */
export const marketOf = ({ symbol, assetClass, currency }: Instrument): string | undefined => {
  const coin = SYMBOL.exec(symbol)?.groups?.coin;
  return coin !== undefined && assetClass === 'crypto' && currency === 'KRW' ? `KRW-${coin}` : undefined;
};

const rangeOf = (low: number | null | undefined, high: number | null | undefined): PriceRange | undefined => {
  if (typeof low !== 'number' || typeof high !== 'number' || low > high) return undefined;
  return { low: new Decimal(low), high: new Decimal(high) };
};

const MAX_DECIMALS = 8;

/** The steps of prices follow the price: where they are finer than the index knows, nothing may be rounded away. */
export const withDecimalsOf = (instrument: Instrument, prices: readonly Decimal[]): Instrument => {
  const needed = Math.max(...prices.map((price) => price.decimalPlaces()));
  return needed > instrument.priceDecimals
    ? { ...instrument, priceDecimals: Math.min(needed, MAX_DECIMALS) }
    : instrument;
};

/**
 * Prices as they are: the exchange's own steps, which get finer with cheaper coins, are no noise. Its day turns at
 * 09:00 in Seoul (00:00 UTC): the previous close and the day's range are of that day.
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
