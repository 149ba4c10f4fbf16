import { type FakeListing, type FakeMarket, lastSession, sessionOn } from './listings.ts';
import { epochSeconds, type WireFields } from './quote-wire.ts';

const INTRADAY_MINUTES: Readonly<Record<string, number>> = { '5m': 5, '30m': 30 };
const INTERVALS: ReadonlySet<string> = new Set(['5m', '30m', '1d', '1wk', '1mo']);
const DAY_MS = 86_400_000;

const seedOf = (text: string): number => {
  let seed = 7;
  for (const letter of text) seed = (seed * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return seed;
};

/** A curve that looks like a market and needs no memory: the same for the same symbol and moment. */
const waveAt = (seed: number, ms: number): number => {
  const days = ms / DAY_MS;
  return (
    0.22 * Math.sin(days / 190 + seed) +
    0.07 * Math.sin(days / 31 + seed * 2) +
    0.02 * Math.sin(days / 5.3 + seed * 3) +
    0.006 * Math.sin(days * 2.7 + seed * 5)
  );
};

/** When the bars between two moments begin. */
const starts = (market: FakeMarket, interval: string, from: Temporal.Instant, to: Temporal.Instant) => {
  const found: Temporal.Instant[] = [];
  const { timeZone } = market;
  const minutes = INTRADAY_MINUTES[interval];
  let day = from.toZonedDateTimeISO(timeZone).toPlainDate();
  if (interval === '1wk') day = day.subtract({ days: day.dayOfWeek - 1 });
  if (interval === '1mo') day = day.with({ day: 1 });
  for (;;) {
    const midnight = day.toZonedDateTime(timeZone).toInstant();
    if (Temporal.Instant.compare(midnight, to) > 0) return found;
    const session = sessionOn(market, day);
    if (interval === '1wk' || interval === '1mo') found.push(midnight);
    else if (session && minutes === undefined) found.push(session.start);
    else if (session && minutes !== undefined) {
      let at = session.start;
      while (Temporal.Instant.compare(at, session.end) < 0) {
        found.push(at);
        at = at.add({ minutes });
      }
    }
    day = day.add(interval === '1wk' ? { days: 7 } : interval === '1mo' ? { months: 1 } : { days: 1 });
  }
};

const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0;

/** What Yahoo says beside a chart as it does in a quote. */
const META_FIELDS = [
  'regularMarketPrice',
  'regularMarketTime',
  'regularMarketDayHigh',
  'regularMarketDayLow',
  'regularMarketVolume',
  'fiftyTwoWeekHigh',
  'fiftyTwoWeekLow',
];

export interface FakeSplit {
  /** The first day at the new price. */
  readonly date: string;
  readonly numerator: number;
  readonly denominator: number;
}

export interface FakeDividend {
  /** The ex-dividend day. */
  readonly date: string;
  /** As it was paid, for one share of that day. */
  readonly amount: number;
}

export interface FakeEvents {
  readonly splits?: readonly FakeSplit[];
  readonly dividends?: readonly FakeDividend[];
}

interface ChartQuery {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  readonly interval: string;
  /** What the client wants of them: `div`, `splits`. */
  readonly wanted: ReadonlySet<string>;
}

/** Those of the time that was asked for and has come. Dividends are counted in shares of today, as Yahoo does. */
const eventsWire = (
  { market }: FakeListing,
  { splits = [], dividends = [] }: FakeEvents,
  query: ChartQuery,
  now: Temporal.Instant,
): WireFields => {
  const openingOf = (date: string): Temporal.Instant => {
    const day = Temporal.PlainDate.from(date);
    return sessionOn(market, day)?.start ?? day.toZonedDateTime(market.timeZone).toInstant();
  };
  const hasHappened = ({ date }: { readonly date: string }): boolean => !isBefore(now, openingOf(date));
  const isAsked = ({ date }: { readonly date: string }): boolean =>
    !isBefore(openingOf(date), query.from) && isBefore(openingOf(date), query.to);
  const byTime = <T extends { readonly date: string }>(
    events: readonly T[],
    wireOf: (event: T) => WireFields,
  ): WireFields =>
    Object.fromEntries(
      events
        .filter((event) => hasHappened(event) && isAsked(event))
        .map((event) => {
          const date = epochSeconds(openingOf(event.date));
          return [String(date), { ...wireOf(event), date }];
        }),
    );
  const sharesSince = (date: string): number =>
    splits
      .filter((split) => hasHappened(split) && split.date > date)
      .reduce((shares, { numerator, denominator }) => (shares * numerator) / denominator, 1);
  const splitsWire = byTime(splits, ({ numerator, denominator }) => ({
    numerator,
    denominator,
    splitRatio: `${String(numerator)}:${String(denominator)}`,
  }));
  const dividendsWire = byTime(dividends, ({ date, amount }) => ({ amount: amount / sharesSince(date) }));
  const found = {
    ...(query.wanted.has('div') && Object.keys(dividendsWire).length > 0 && { dividends: dividendsWire }),
    ...(query.wanted.has('splits') && Object.keys(splitsWire).length > 0 && { splits: splitsWire }),
  };
  return Object.keys(found).length > 0 ? { events: found } : {};
};

/**
 * The chart of a time. Prices are 32-bit floats, as Yahoo's are, and follow from the price of today: they are adjusted
 * for every split. The running day is stamped with its last trade.
 */
export const chartWire = (
  listing: FakeListing,
  query: ChartQuery,
  {
    now,
    quote,
    events,
  }: {
    readonly now: Temporal.Instant;
    /** The same facts stand beside a chart. */
    readonly quote: WireFields;
    readonly events: FakeEvents;
  },
): WireFields => {
  const { market, price } = listing;
  const { interval } = query;
  const session = lastSession(market, now);
  const seed = seedOf(listing.symbol);
  const end = waveAt(seed, session.tradedAt.epochMilliseconds);
  const priceAt = (at: Temporal.Instant): number =>
    price * Math.exp(waveAt(seed, at.epochMilliseconds) - end);
  const listedAt =
    listing.firstDay === undefined
      ? query.from
      : Temporal.PlainDate.from(listing.firstDay).toZonedDateTime(market.timeZone).toInstant();
  const times = starts(market, interval, query.from, query.to).filter(
    (at) =>
      !isBefore(at, query.from) &&
      !isBefore(at, listedAt) &&
      !isBefore(query.to, at) &&
      !isBefore(session.tradedAt, at),
  );
  const isUpToNow = interval === '1d' ? times.at(-1)?.equals(session.start) === true : true;
  /** A bar ends where the next begins; the last of a time that is over, a day later. */
  const endOf = (at: Temporal.Instant, next: Temporal.Instant | undefined): Temporal.Instant => {
    const end = next ?? (isUpToNow ? session.tradedAt : at.add({ hours: 24 }));
    return isBefore(end, session.tradedAt) ? end : session.tradedAt;
  };
  const bars = times.map((at, index) => {
    const next = times[index + 1];
    const open = priceAt(at);
    const isDayBefore = interval === '1d' && isUpToNow && index === times.length - 2;
    const close = isDayBefore ? listing.previousClose : priceAt(endOf(at, next));
    const isLast = next === undefined && isUpToNow;
    const isRunning = isLast && interval === '1d' && !session.isOver;
    return {
      at: epochSeconds(isRunning ? session.tradedAt : at),
      open,
      high: Math.max(open, close) * 1.004,
      low: Math.min(open, close) * 0.996,
      close: isLast ? price : close,
      volume: Math.round(listing.volume * (0.8 + 0.4 * Math.abs(Math.sin(at.epochMilliseconds)))),
    };
  });
  const series = (name: 'open' | 'high' | 'low' | 'close'): readonly number[] =>
    bars.map((bar) => Math.fround(bar[name]));
  return {
    meta: {
      currency: listing.currency,
      symbol: listing.symbol,
      exchangeName: market.exchange,
      fullExchangeName: market.fullExchangeName,
      instrumentType: listing.quoteType,
      longName: listing.name,
      shortName: listing.name,
      exchangeTimezoneName: market.timeZone,
      ...Object.fromEntries(META_FIELDS.flatMap((name) => (name in quote ? [[name, quote[name]]] : []))),
      // Of the time before all that was asked for: rarely yesterday's.
      chartPreviousClose: Math.fround(priceAt(query.from)),
      priceHint: 2,
      currentTradingPeriod: {
        regular: { start: epochSeconds(session.start), end: epochSeconds(session.end), gmtoffset: 0 },
      },
      dataGranularity: interval,
      validRanges: ['1d', '5d', '1mo'],
    },
    ...eventsWire(listing, events, query, now),
    ...(bars.length > 0 && { timestamp: bars.map(({ at }) => at) }),
    indicators: {
      quote: [
        bars.length > 0
          ? {
              open: series('open'),
              high: series('high'),
              low: series('low'),
              close: series('close'),
              volume: bars.map(({ volume }) => volume),
            }
          : {},
      ],
      ...(interval === '1d' && { adjclose: [{ adjclose: series('close') }] }),
    },
  };
};

export const isInterval = (text: string): boolean => INTERVALS.has(text);
