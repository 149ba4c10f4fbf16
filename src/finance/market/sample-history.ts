import type { Instrument } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import { Decimal } from '#src/core/money.ts';
import { closingTime, tradingPlaceOf } from '../calendar/calendar.ts';
import { dayOf } from '../calendar/trading-day.ts';
import type { SampleInstrument } from './sample-instruments.ts';
import { bell, createRandom } from './sample-random.ts';
import type { Bar } from './source.ts';

/** Fixed, so that the sample says the same on every machine and on every day. */
export const LAST_DATE = Temporal.PlainDate.from('2026-11-13');
const TRADING_DAYS_A_YEAR = 252;

interface TradingHours {
  readonly opensAt: Timestamp;
  readonly closesAt: Timestamp;
}

export interface TradingDate extends TradingHours {
  readonly date: Temporal.PlainDate;
}

export interface SampleDay extends TradingDate {
  readonly bar: Bar;
}

/** What has the same key has the same days. */
export const calendarKey = (instrument: Instrument): string => {
  const place = tradingPlaceOf(instrument);
  return place?.kind === 'exchange' ? place.data.market : (place?.kind ?? 'none');
};

/** Null on a day without trading. What has no calendar is taken as currencies are: every weekday. */
const hoursOn = (instrument: Instrument, date: Temporal.PlainDate): TradingHours | null => {
  const place = tradingPlaceOf(instrument);
  if (place?.kind === 'exchange') {
    const day = dayOf(place.data, date);
    return day.status === 'trading' ? { opensAt: day.regular.from, closesAt: day.regular.to } : null;
  }
  const closesAt = closingTime(place ? instrument : { ...instrument, assetClass: 'fx' }, date);
  return closesAt && { opensAt: date.toZonedDateTime('UTC').toInstant(), closesAt };
};

/** Those of the sample's year, oldest first. */
export const tradingDates = (instrument: Instrument): readonly TradingDate[] => {
  const days: TradingDate[] = [];
  let date = LAST_DATE.subtract({ years: 1 }).add({ days: 1 });
  for (; Temporal.PlainDate.compare(date, LAST_DATE) <= 0; date = date.add({ days: 1 })) {
    const hours = hoursOn(instrument, date);
    if (hours) days.push({ date, ...hours });
  }
  return days;
};

/**
 * A year of made-up days, oldest first, the same for the same symbol every time. It walks backwards from
 * the last price, so that the last close is exactly that. All of a bar is rounded alike, which keeps
 * low ≤ open, close ≤ high.
 */
export const makeSampleDays = (
  sample: SampleInstrument,
  priceDecimals: number,
  dates: readonly TradingDate[],
): readonly SampleDay[] => {
  const random = createRandom(sample.symbol);
  const dailyVolatility = sample.annualVolatility / Math.sqrt(TRADING_DAYS_A_YEAR);
  const toPrice = (value: number): Decimal => new Decimal(value).toDecimalPlaces(priceDecimals);
  let close = Number(sample.lastPrice);
  return dates
    .toReversed()
    .map((day): SampleDay => {
      const previousClose = close / (1 + dailyVolatility * bell(random));
      const open = previousClose * (1 + 0.3 * dailyVolatility * bell(random));
      const bar = {
        at: day.opensAt,
        open: toPrice(open),
        high: toPrice(Math.max(open, close) * (1 + 0.6 * dailyVolatility * random())),
        low: toPrice(Math.min(open, close) * (1 - 0.6 * dailyVolatility * random())),
        close: toPrice(close),
        volume: new Decimal(Math.round(sample.dailyVolume * (0.6 + 0.8 * random()))),
      };
      close = previousClose;
      return { ...day, bar };
    })
    .toReversed();
};
