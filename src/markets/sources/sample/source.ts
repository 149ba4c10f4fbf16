import { LRUCache } from 'lru-cache';
import type { Instrument, PriceRange, SourceQuote, HistoryRange } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { RANGE_SPANS } from '#src/reading/history-range.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { timeZoneOf } from '#src/markets/calendar/calendar.ts';
import { SAMPLE_SOURCE, sampleEarnings, sampleFundamentals, sampleNews } from './company.ts';
import {
  calendarKey,
  LAST_DATE,
  lastTradingDate,
  makeSampleDays,
  type SampleDay,
  type TradingDate,
  tradingDates,
  toMarketPrice,
} from './history.ts';
import { sampleInstruments } from './instruments.ts';
import type { Bar, BarInterval, History, MarketSource } from '../source.ts';
import { bell, createRandom } from './random.ts';

/** Years of data by request. A quote needs one year; five take longer to generate. */
const SPAN_YEARS = { quote: 1, twoYears: 2, all: 5 } as const;
type Span = keyof typeof SPAN_YEARS;
const SPANS: readonly Span[] = ['quote', 'twoYears', 'all'];

const SPAN_OF: Readonly<Partial<Record<HistoryRange, Span>>> = { '2y': 'twoYears', '5y': 'all', max: 'all' };
const WEEKLY: ReadonlySet<HistoryRange> = new Set(['5y', 'max']);
/** Ranges whose change is measured from the close before them. */
const MEASURED_FROM_BEFORE: ReadonlySet<HistoryRange> = new Set(['1d', 'ytd']);

const INTRADAY: Readonly<
  Partial<
    Record<HistoryRange, { readonly days: number; readonly minutes: number; readonly interval: BarInterval }>
  >
> = {
  '1d': { days: 1, minutes: 5, interval: '5m' },
  '5d': { days: 5, minutes: 30, interval: '30m' },
};

const MINUTE_MS = 60_000;
const HOURS_A_DAY = 24;
/** Instruments with cached days: as many as a list or portfolio requests at once. */
const MAX_REMEMBERED = 80;
/** The same for several years of days. */
const MAX_LONG_REMEMBERED = 12;

const isUpTo = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) <= 0;
const isAfter = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) > 0;
const isLater = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(a, b) > 0;

/** Binary search for the first item that passes; all later items pass too. The length if none does. */
const firstIndex = <T>(sorted: readonly T[], isPast: (item: T) => boolean): number => {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isPast(sorted[middle] as T)) to = middle;
    else from = middle + 1;
  }
  return from;
};

/** The shortest span that reaches back to that day. */
const spanFrom = (first: Temporal.PlainDate, today: Temporal.PlainDate): Span =>
  SPANS.find((span) => isLater(first, today.subtract({ years: SPAN_YEARS[span] }))) ?? 'all';

/** Coins never close. */
const isRoundTheClock = ({ assetClass }: Instrument): boolean => assetClass === 'crypto';

/** Five-minute bars up to now, which are not all of a day that is not over. */
const minutesUntil = (instrument: Instrument, day: SampleDay, now: Timestamp): readonly Bar[] =>
  fiveMinutes(instrument, day).filter(({ at }) => isUpTo(at, now));

/** The moment of the newest price: now while the market is open, otherwise its last close. */
const asOfDays = (days: readonly SampleDay[], now: Timestamp): Timestamp => {
  const closesAt = days.at(-1)?.closesAt;
  return closesAt && isUpTo(closesAt, now) ? closesAt : now;
};

const lastBefore = (range: HistoryRange, last: Temporal.PlainDate): Temporal.PlainDate | undefined => {
  if (range === 'ytd') return last.with({ month: 1, day: 1 }).subtract({ days: 1 });
  const length = RANGE_SPANS[range];
  return length === undefined ? undefined : last.subtract(length);
};

/** Comparing the prices of a year takes most of the time of a quote. */
const yearRanges = new WeakMap<readonly SampleDay[], PriceRange>();

const yearRangeOf = (days: readonly SampleDay[]): PriceRange =>
  yearRanges.getOrInsertComputed(days, () => ({
    low: Decimal.min(...days.map(({ bar }) => bar.low)),
    high: Decimal.max(...days.map(({ bar }) => bar.high)),
  }));

const quoteFrom = (
  instrument: Instrument,
  days: readonly SampleDay[],
  asOf: Timestamp,
): SourceQuote | null => {
  const [previous, last] = days.slice(-2);
  if (!previous || !last) return null;
  return {
    instrument,
    price: last.bar.close,
    previousClose: previous.bar.close,
    dayRange: { low: last.bar.low, high: last.bar.high },
    yearRange: yearRangeOf(days),
    ...(!last.bar.volume.isZero() && { volume: last.bar.volume }),
    asOf,
    source: SAMPLE_SOURCE,
    isSample: true,
  };
};

type Bars = Pick<History, 'bars' | 'interval' | 'baseClose'>;

/** Weeks start on Monday. */
const weeksOf = (days: readonly SampleDay[]): readonly Bar[] => {
  const monday = new Map(
    days.map(({ date, bar }) => [bar, date.subtract({ days: date.dayOfWeek - 1 }).toString()]),
  );
  return mergeBy(
    days.map(({ bar }) => bar),
    (bar) => monday.get(bar) ?? '',
  );
};

const dailyBars = (days: readonly SampleDay[], range: HistoryRange): Bars => {
  const last = days.at(-1)?.date;
  const before = last && lastBefore(range, last);
  const wanted = days.filter(({ date }) => !before || isLater(date, before));
  const base = MEASURED_FROM_BEFORE.has(range) ? days.at(-wanted.length - 1)?.bar.close : undefined;
  return {
    ...(WEEKLY.has(range)
      ? { interval: '1wk', bars: weeksOf(wanted) }
      : { interval: '1d', bars: wanted.map(({ bar }) => bar) }),
    ...(base && { baseClose: base }),
  };
};

const dates = new LRUCache<string, readonly TradingDate[]>({ max: MAX_REMEMBERED });

/** Cached for all sources of the process, because walking a calendar takes longer than generating prices. */
const datesBetween = function* (
  instrument: Instrument,
  after: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Steps<readonly TradingDate[]> {
  const key = [calendarKey(instrument), after.toString(), last.toString()].join(' ');
  const known = dates.get(key) ?? (yield* tradingDates(instrument, after, last));
  dates.set(key, known);
  return known;
};

/** Invented prices for trying the bot without a network, marked as samples and the same on every machine. */
export const createSampleSource = (clock: Pick<Clock, 'now'>): MarketSource => {
  const samples = sampleInstruments();

  const { daysOf, intradayBars } = createSampleDays(samples);

  return {
    name: SAMPLE_SOURCE,
    isSample: true,
    supports: ({ symbol }) => samples.has(symbol),
    getQuotes: async (instruments, signal) => {
      const now = clock.now();
      const quotes: SourceQuote[] = [];
      for (const instrument of instruments) {
        const days = await byTime(daysOf(instrument, 'quote', now), signal);
        const quote = quoteFrom(instrument, days, asOfDays(days, now));
        if (quote) quotes.push(quote);
      }
      return quotes;
    },
    getHistory: async (instrument, range, signal) => {
      const now = clock.now();
      const days = await byTime(daysOf(instrument, SPAN_OF[range] ?? 'quote', now), signal);
      if (days.length === 0) return null;
      const intraday = INTRADAY[range];
      return {
        instrument,
        range,
        ...(intraday
          ? await byTime(intradayBars(instrument, intraday, now, MEASURED_FROM_BEFORE.has(range)), signal)
          : dailyBars(days, range)),
        timeZone: timeZoneOf(instrument),
        asOf: asOfDays(days, now),
        source: SAMPLE_SOURCE,
        isSample: true,
      };
    },
    getDays: async (instrument, days, signal) => {
      const now = clock.now();
      if (!samples.has(instrument.symbol)) return null;
      const all = await byTime(
        daysOf(instrument, spanFrom(days.first, lastTradingDate(instrument, now)), now),
        signal,
      );
      const made = all.slice(
        firstIndex(all, ({ date }) => !isLater(days.first, date)),
        firstIndex(all, ({ date }) => isLater(date, days.last)),
      );
      return {
        instrument,
        timeZone: timeZoneOf(instrument),
        bars: made.map(({ bar }) => bar),
        actions: [],
        asOf: asOfDays(made, now),
        source: SAMPLE_SOURCE,
        isSample: true,
      };
    },
    getNews: async ({ instrument, limit }) => sampleNews(instrument, limit, clock.now()),
    getFundamentals: async (instrument) => {
      const sample = samples.get(instrument.symbol);
      return sample ? sampleFundamentals(sample, instrument, clock.now()) : null;
    },
    getEarnings: async (instruments, { wantsEstimates }) =>
      instruments.flatMap((instrument) => {
        const sample = samples.get(instrument.symbol);
        return (sample && sampleEarnings(sample, instrument, wantsEstimates, clock.now())) ?? [];
      }),
  };
};

/** The days of a sample, made once. */
const createSampleDays = (samples: ReturnType<typeof sampleInstruments>) => {
  const made = new LRUCache<string, readonly SampleDay[]>({ max: MAX_REMEMBERED });
  const madeLong = new LRUCache<string, readonly SampleDay[]>({ max: MAX_LONG_REMEMBERED });

  const makeDays = function* (
    instrument: Instrument,
    span: Span,
    today: Temporal.PlainDate,
  ): Steps<readonly SampleDay[]> {
    const sample = samples.get(instrument.symbol);
    if (!sample) return [];
    const start = today.subtract({ years: SPAN_YEARS[span] });
    const after = isLater(today, LAST_DATE) ? yield* datesBetween(instrument, LAST_DATE, today) : [];
    const before = yield* datesBetween(instrument, start, LAST_DATE);
    const days = yield* makeSampleDays(sample, instrument, before, after);
    return today.equals(LAST_DATE)
      ? days
      : days.filter(({ date }) => isLater(date, start) && !isLater(date, today));
  };

  const wholeDays = function* (
    instrument: Instrument,
    span: Span,
    today: Temporal.PlainDate,
  ): Steps<readonly SampleDay[]> {
    const kept = span === 'quote' ? made : madeLong;
    const key = `${instrument.symbol} ${span} ${today.toString()}`;
    const known = kept.get(key) ?? (yield* makeDays(instrument, span, today));
    kept.set(key, known);
    return known;
  };

  /** The last day is the day so far. */
  const daysOf = function* (instrument: Instrument, span: Span, now: Timestamp): Steps<readonly SampleDay[]> {
    const days = yield* wholeDays(instrument, span, lastTradingDate(instrument, now));
    const last = days.at(-1);
    if (!last || isUpTo(last.closesAt, now)) return days;
    const [first, ...rest] = minutesUntil(instrument, last, now);
    return first ? [...days.slice(0, -1), { ...last, bar: mergeBars([first, ...rest]) }] : days.slice(0, -1);
  };

  const intradayBars = function* (
    instrument: Instrument,
    { days: count, minutes, interval }: NonNullable<(typeof INTRADAY)[HistoryRange]>,
    now: Timestamp,
    isMeasuredFromBefore: boolean,
  ): Steps<Bars> {
    const days = yield* wholeDays(instrument, 'quote', lastTradingDate(instrument, now));
    // One extra day, because coins count hours up to now, and the previous close is needed.
    const bars = days.slice(-count - 1).map((day) => minutesUntil(instrument, day, now));
    const since = now.subtract({ hours: count * HOURS_A_DAY });
    const all = bars.flat();
    const wanted = isRoundTheClock(instrument)
      ? all.filter(({ at }) => isAfter(at, since))
      : bars.slice(-count).flat();
    const base = isMeasuredFromBefore ? all.at(-wanted.length - 1)?.close : undefined;
    return {
      interval,
      bars: mergeBy(wanted, ({ at }) => Math.floor(at.epochMilliseconds / (minutes * MINUTE_MS))),
      ...(base && { baseClose: base }),
    };
  };

  return { daysOf, intradayBars };
};

const STEP_MINUTES = 5;
/** Share of the day's range beyond open and close that prices use; the rest is a wick. */
const TAKEN = 0.9;

/** Busy at the opening, quiet at noon, busy again at the end. */
const tradingShape = (part: number): number => 0.75 + 1.4 * (2 * part - 1) ** 4 + (part === 0 ? 1.2 : 0);
/** Markets that never close are busier during US hours. */
const roundTheClockShape = (part: number): number => 0.8 + (part > 0.54 && part < 0.88 ? 0.5 : 0);

const numbersOf = ({ open, high, low, close }: Bar) => ({
  open: open.toNumber(),
  high: high.toNumber(),
  low: low.toNumber(),
  close: close.toNumber(),
});

/** A path from the day's open to its close, scaled to the day's range. */
const makePath = (day: Bar, shape: readonly number[], random: () => number): readonly number[] => {
  const { open, high, low, close } = numbersOf(day);
  const step = (0.8 * (high - low)) / Math.sqrt(shape.length);
  let price = open;
  const path = shape.map((busy, index) => {
    const left = shape.length - index;
    // Deviations shrink towards the end of the day.
    const noise = step * busy ** 0.25 * Math.sqrt((left - 1) / left) * bell(random);
    price += (close - price) / left + noise;
    return left === 1 ? close : price;
  });
  const [top, bottom] = [Math.max(open, close), Math.min(open, close)];
  const over = Math.max(top, ...path) - top;
  const under = bottom - Math.min(bottom, ...path);
  return [
    open,
    ...path.map((value) => {
      if (value > top) return top + ((value - top) / over) * TAKEN * (high - top);
      return value < bottom ? bottom - ((bottom - value) / under) * TAKEN * (bottom - low) : value;
    }),
  ];
};

/** Distributes a total in whole numbers by rounding the running sum. */
const shareOut = (whole: Decimal, weights: readonly number[]): readonly Decimal[] => {
  const all = whole.toNumber();
  const sum = weights.reduce((a, b) => a + b, 0);
  let soFar = 0;
  let given = 0;
  return weights.map((weight, index) => {
    soFar += weight;
    const until = index === weights.length - 1 ? all : Math.round((all * soFar) / sum);
    const part = until - given;
    given = until;
    return new Decimal(part);
  });
};

/** Five-minute bars that together equal the day's bar. */
const fiveMinutes = (instrument: Instrument, day: SampleDay): readonly Bar[] => {
  const { bar, opensAt, closesAt, date, seed } = day;
  const random = createRandom(`${seed} ${date.toString()}`);
  const steps = Math.max(2, Math.floor(opensAt.until(closesAt).total('minutes') / STEP_MINUTES));
  const shapeOf = instrument.assetClass === 'crypto' ? roundTheClockShape : tradingShape;
  const shape = Array.from({ length: steps }, (_, index) => shapeOf(index / (steps - 1)));
  const path = makePath(bar, shape, random);
  const rounded = toMarketPrice(instrument);
  const prices = path.map(rounded);
  const { high: dayHigh, low: dayLow } = numbersOf(bar);
  const usualWick = (0.8 * (dayHigh - dayLow)) / Math.sqrt(steps);
  // Mostly short, now and then long.
  const wick = (): number => usualWick * (0.25 + 0.6 * random() + 1.1 * random() ** 6);
  const volumes = shareOut(
    bar.volume,
    shape.map((busy, index) => {
      const moved = Math.abs((path[index + 1] ?? 0) - (path[index] ?? 0));
      // A burst of trades in some of them, and more where the price moves.
      const burst = 1.6 * random() ** 8;
      return busy * (0.35 + 0.9 * random() + burst + (usualWick > 0 ? 0.5 * (moved / usualWick) : 0));
    }),
  );
  const tops = shape.map((_, index) => Math.max(path[index] ?? 0, path[index + 1] ?? 0));
  const bottoms = shape.map((_, index) => Math.min(path[index] ?? 0, path[index + 1] ?? 0));
  const highest = tops.indexOf(Math.max(...tops));
  const lowest = bottoms.indexOf(Math.min(...bottoms));
  return shape.map((_, index): Bar => {
    const [open = bar.open, close = bar.close] = [prices[index], prices[index + 1]];
    const above = rounded((tops[index] ?? 0) + wick());
    const below = rounded((bottoms[index] ?? 0) - wick());
    return {
      at: opensAt.add({ minutes: index * STEP_MINUTES }),
      open,
      high: index === highest ? bar.high : Decimal.min(bar.high, Decimal.max(open, close, above)),
      low: index === lowest ? bar.low : Decimal.max(bar.low, Decimal.min(open, close, below)),
      close,
      volume: volumes[index] ?? new Decimal(0),
    };
  });
};

/** Merges consecutive bars into one. */
const mergeBars = (bars: readonly [Bar, ...Bar[]]): Bar => ({
  at: bars[0].at,
  open: bars[0].open,
  high: Decimal.max(...bars.map(({ high }) => high)),
  low: Decimal.min(...bars.map(({ low }) => low)),
  close: bars.at(-1)?.close ?? bars[0].close,
  volume: Decimal.sum(...bars.map(({ volume }) => volume)),
});

/** Merges bars with the same key. */
const mergeBy = (bars: readonly Bar[], keyOf: (bar: Bar) => string | number): readonly Bar[] =>
  [...Map.groupBy(bars, keyOf).values()].flatMap(([first, ...rest]) =>
    first ? [mergeBars([first, ...rest])] : [],
  );
