import { z } from 'zod';

/** `KRW-BTC`: what it is paid with first. */
const market = z.string().min(1);
const price = z.number().positive();
const volume = z.number().nonnegative();
const unixMs = z.int().positive();

/** Of `/v1/market/all`, what is needed. */
export const marketsSchema = z.array(z.object({ market }));

/** Of `/v1/ticker`, what is needed; each is read on its own, so that a broken one costs itself only. */
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
export type UpbitTicker = z.output<typeof tickerSchema>;
export const listSchema = z.array(z.unknown());

/** Of `/v1/candles/…`. */
export const candlesSchema = z.array(
  z.object({
    /** When it begins, in UTC but without saying so: `2026-11-13T00:00:00`. */
    candle_date_time_utc: z.iso.datetime({ local: true }),
    opening_price: price,
    high_price: price,
    low_price: price,
    trade_price: price,
    /** Of the last trade in it. */
    timestamp: unixMs,
    candle_acc_trade_volume: volume,
  }),
);
export type UpbitCandle = z.output<typeof candlesSchema>[number];
