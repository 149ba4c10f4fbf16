import type { Instrument, SourceQuote } from '#src/core/finance.ts';
import type { HistoryRange } from '#src/core/market-desk.ts';
import { Decimal } from '#src/core/money.ts';
import { timeZoneOf } from '../calendar/calendar.ts';
import {
  calendarKey,
  LAST_DATE,
  makeSampleDays,
  type SampleDay,
  type TradingDate,
  tradingDates,
} from './sample-history.ts';
import { SAMPLE_INSTRUMENTS } from './sample-instruments.ts';
import { makeIntraday } from './sample-intraday.ts';
import type { BarInterval, History, MarketSource } from './source.ts';

const SOURCE_NAME = 'sample data';

const quoteFrom = (instrument: Instrument, days: readonly SampleDay[]): SourceQuote | null => {
  const [previous, last] = days.slice(-2);
  if (!previous || !last) return null;
  const bars = days.map(({ bar }) => bar);
  return {
    instrument,
    price: last.bar.close,
    previousClose: previous.bar.close,
    dayRange: { low: last.bar.low, high: last.bar.high },
    yearRange: {
      low: Decimal.min(...bars.map(({ low }) => low)),
      high: Decimal.max(...bars.map(({ high }) => high)),
    },
    ...(!last.bar.volume.isZero() && { volume: last.bar.volume }),
    asOf: last.closesAt,
    source: SOURCE_NAME,
    isSample: true,
  };
};

/** The last date before the range. Of longer ones there is a year, which is all there is. */
const LAST_BEFORE: Readonly<Partial<Record<HistoryRange, Temporal.PlainDate>>> = {
  '1mo': LAST_DATE.subtract({ months: 1 }),
  '3mo': LAST_DATE.subtract({ months: 3 }),
  '6mo': LAST_DATE.subtract({ months: 6 }),
  ytd: LAST_DATE.with({ month: 1, day: 1 }).subtract({ days: 1 }),
};
const INTRADAY: Readonly<
  Partial<
    Record<HistoryRange, { readonly days: number; readonly minutes: number; readonly interval: BarInterval }>
  >
> = {
  '1d': { days: 1, minutes: 5, interval: '5m' },
  '5d': { days: 5, minutes: 30, interval: '30m' },
};

/** Their change is that from the close before them. */
const MEASURED_FROM_BEFORE: ReadonlySet<HistoryRange> = new Set(['1d', 'ytd']);

const barsOf = (
  instrument: Instrument,
  days: readonly SampleDay[],
  range: HistoryRange,
): Pick<History, 'bars' | 'interval' | 'baseClose'> => {
  const intraday = INTRADAY[range];
  const before = LAST_BEFORE[range];
  const wanted = intraday
    ? days.slice(-intraday.days)
    : days.filter(({ date }) => !before || Temporal.PlainDate.compare(date, before) > 0);
  const base = MEASURED_FROM_BEFORE.has(range) ? days.at(-wanted.length - 1)?.bar.close : undefined;
  return {
    ...(intraday
      ? { interval: intraday.interval, bars: makeIntraday(instrument, wanted, intraday.minutes) }
      : { interval: '1d', bars: wanted.map(({ bar }) => bar) }),
    ...(base && { baseClose: base }),
  };
};

/** Prices for trying the bot without a network: invented, frozen in time, marked as such. */
export const createSampleSource = (): MarketSource => {
  const samples = new Map(SAMPLE_INSTRUMENTS.map((sample) => [sample.symbol, sample]));
  const dates = new Map<string, readonly TradingDate[]>();
  const made = new Map<string, readonly SampleDay[]>();

  /** To walk through a year of a calendar takes longer than to make the prices: once for each is enough. */
  const datesOf = (instrument: Instrument): readonly TradingDate[] => {
    const key = calendarKey(instrument);
    const known = dates.get(key) ?? tradingDates(instrument);
    dates.set(key, known);
    return known;
  };
  const daysOf = (instrument: Instrument): readonly SampleDay[] => {
    const sample = samples.get(instrument.symbol);
    if (!sample) return [];
    const known =
      made.get(sample.symbol) ?? makeSampleDays(sample, instrument.priceDecimals, datesOf(instrument));
    made.set(sample.symbol, known);
    return known;
  };

  return {
    name: SOURCE_NAME,
    isSample: true,
    supports: ({ symbol }) => samples.has(symbol),
    getQuotes: async (instruments) =>
      instruments.flatMap((instrument) => quoteFrom(instrument, daysOf(instrument)) ?? []),
    getHistory: async (instrument, range) => {
      const days = daysOf(instrument);
      const last = days.at(-1);
      if (!last) return null;
      return {
        instrument,
        range,
        ...barsOf(instrument, days, range),
        timeZone: timeZoneOf(instrument),
        asOf: last.closesAt,
        source: SOURCE_NAME,
        isSample: true,
      };
    },
  };
};
