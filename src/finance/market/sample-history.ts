import { Decimal } from '#src/core/money.ts';
import { closingTime } from '../calendar.ts';
import type { SampleInstrument } from './sample-instruments.ts';
import type { DailyBar } from './source.ts';

/** Fixed, so that the sample says the same on every machine and on every day. */
const LAST_DATE = Temporal.PlainDate.from('2026-11-13');
const TRADING_DAYS_A_YEAR = 252;

/** FNV-1a. */
const seedFrom = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
};

/** mulberry32: numbers in [0, 1). */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A sum of twelve is near enough to a bell curve, and free of log and cos, whose last digit may differ by machine. */
const bell = (random: () => number): number => Array.from({ length: 12 }, random).reduce((a, b) => a + b) - 6;

const tradingDates = ({ instrument }: SampleInstrument): readonly Temporal.PlainDate[] => {
  const dates: Temporal.PlainDate[] = [];
  let date = LAST_DATE.subtract({ years: 1 }).add({ days: 1 });
  for (; Temporal.PlainDate.compare(date, LAST_DATE) <= 0; date = date.add({ days: 1 })) {
    if (closingTime(instrument, date)) dates.push(date);
  }
  return dates;
};

/**
 * A year of made-up days, oldest first, the same for the same symbol every time. It walks backwards from
 * the last price, so that the last close is exactly that. All of a bar is rounded alike, which keeps
 * low ≤ open, close ≤ high.
 */
export const makeSampleHistory = (sample: SampleInstrument): readonly DailyBar[] => {
  const random = createRandom(seedFrom(sample.instrument.symbol));
  const dailyVolatility = sample.annualVolatility / Math.sqrt(TRADING_DAYS_A_YEAR);
  const toPrice = (value: number): Decimal =>
    new Decimal(value).toDecimalPlaces(sample.instrument.priceDecimals);
  let close = Number(sample.lastPrice);
  return tradingDates(sample)
    .toReversed()
    .map((date): DailyBar => {
      const previousClose = close / (1 + dailyVolatility * bell(random));
      const open = previousClose * (1 + 0.3 * dailyVolatility * bell(random));
      const bar = {
        date,
        open: toPrice(open),
        high: toPrice(Math.max(open, close) * (1 + 0.6 * dailyVolatility * random())),
        low: toPrice(Math.min(open, close) * (1 - 0.6 * dailyVolatility * random())),
        close: toPrice(close),
        volume: new Decimal(Math.round(sample.dailyVolume * (0.6 + 0.8 * random()))),
      };
      close = previousClose;
      return bar;
    })
    .toReversed();
};
