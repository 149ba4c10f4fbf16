import type {
  Instrument,
  NewsItem,
  SessionState,
  SourceQuote,
  HistoryRange,
} from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Uses } from '#src/platform/services.ts';
import { Cache } from './cache.ts';
import { createCachedLookup, createCoalesce } from './cached-lookup.ts';
import { withinDays } from './daily-history.ts';
import type {
  DailyHistory,
  DaySpan,
  EarningsDate,
  EarningsOptions,
  Fundamentals,
  History,
  MarketSource,
  SessionCalendar,
} from './source.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const QUOTE_MS: Readonly<Record<SessionState, number>> = {
  open: 15 * SECOND_MS,
  pre: MINUTE_MS,
  after: MINUTE_MS,
  closed: 10 * MINUTE_MS,
  unknown: MINUTE_MS,
};
const COIN_MS = 10 * SECOND_MS;
/** A delayed source has the close only after the delay, so earlier prices are kept briefly. */
const BEFORE_CLOSE_MS = MINUTE_MS;
const MOVING_HISTORY_MS = MINUTE_MS;
const CLOSED_HISTORY_MS = 15 * MINUTE_MS;
const NEWS_MS = 5 * MINUTE_MS;
const COMPANY_MS = 6 * HOUR_MS;
/** A missing estimate may be due to a failed request. */
const NO_ESTIMATE_MS = 5 * MINUTE_MS;
/** Past days change only when a split rescales them. */
const SETTLED_MS: Readonly<Record<'share' | 'other', number>> = { share: HOUR_MS, other: 24 * HOUR_MS };
/** A day is over in every time zone 36 hours after its start in UTC. */
const SETTLED_HOURS = 36;
/** Look-ups with and without a result. */
const SYMBOL_MS = { found: 6 * HOUR_MS, none: 10 * MINUTE_MS } as const;
/** Missing data is cached briefly, because a new listing or first headline may appear. */
const NO_DATA_MS = MINUTE_MS;

const INTRADAY: ReadonlySet<HistoryRange> = new Set(['1d', '5d']);
/** About 600 bytes each. */
const MAX_BARS = 20_000;
/** Requests for five and for ten headlines share one entry. */
const NEWS_STEP = 10;

interface WithCacheDeps extends Uses<'clock'> {
  readonly calendar: SessionCalendar;
  /** Minimum time to keep a quote. */
  readonly minQuoteMs?: number;
}

/** Caches results and shares concurrent requests. Failures are not cached. */
const createMemory = <T>(cache: Cache<T>) => {
  const coalesce = createCoalesce<T>();
  return async (
    key: string,
    ttlMs: (value: T) => number,
    ask: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    signal.throwIfAborted();
    const known = cache.get(key);
    if (known !== undefined) return known;
    const fetch = async (shared: AbortSignal): Promise<T> => {
      const value = await ask(shared);
      cache.set(key, value, ttlMs(value));
      return value;
    };
    return coalesce(key, fetch, signal);
  };
};

type GetEarnings = NonNullable<MarketSource['getEarnings']>;

/** Dates with and without estimates are cached separately, so that one does not hide the other. */
const cachedEarnings = (getEarnings: GetEarnings, clock: Clock): GetEarnings => {
  const lookupWith = (options: EarningsOptions) =>
    createCachedLookup<EarningsDate>({
      ask: (instruments, signal) => getEarnings(instruments, options, signal),
      cache: new Cache({ clock, maxEntries: 500 }),
      keyOf: ({ symbol }) => symbol,
      ttlMs: (_, value) => {
        if (!value) return NO_DATA_MS;
        return options.wantsEstimates && !value.epsEstimate ? NO_ESTIMATE_MS : COMPANY_MS;
      },
      clock,
    });
  const [few, many] = [lookupWith({ wantsEstimates: true }), lookupWith({ wantsEstimates: false })];
  return (instruments, { wantsEstimates }, signal) => (wantsEstimates ? few : many)(instruments, signal);
};

const inUtc = (at: Timestamp): Temporal.PlainDate => at.toZonedDateTimeISO('UTC').toPlainDate();
const earlier = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate =>
  Temporal.PlainDate.compare(a, b) < 0 ? a : b;

type GetDays = NonNullable<MarketSource['getDays']>;

/**
 * Requests daily bars by whole years, so that requests for days of the same years share one response. Days up to now are
 * cached apart from past days.
 */
const cachedDays = (
  getDays: GetDays,
  {
    clock,
    keyOf,
    movingMs,
  }: Uses<'clock'> & {
    readonly keyOf: (instrument: Instrument) => string;
    readonly movingMs: (instrument: Instrument, asOf: Timestamp) => number;
  },
): GetDays => {
  const years = createMemory<DailyHistory | null>(
    new Cache({ clock, maxEntries: 100, weigh: (days) => days?.bars.length ?? 0, maxWeight: MAX_BARS }),
  );

  return async (instrument, wanted, signal) => {
    const now = clock.now();
    const settled = inUtc(now.subtract({ hours: SETTLED_HOURS }));
    const isSettled = Temporal.PlainDate.compare(wanted.last, settled) <= 0;
    const span: DaySpan = {
      first: earlier(wanted.first, inUtc(now)).with({ month: 1, day: 1 }),
      last: isSettled
        ? earlier(wanted.last.with({ month: 12, day: 31 }), settled)
        : inUtc(now).add({ days: 1 }),
    };
    const isShare = instrument.assetClass === 'equity' || instrument.assetClass === 'etf';
    const days = await years(
      `${isSettled ? instrument.symbol : keyOf(instrument)} ${span.first.toString()} ${span.last.toString()}`,
      (found) => {
        if (!found) return NO_DATA_MS;
        return isSettled ? SETTLED_MS[isShare ? 'share' : 'other'] : movingMs(instrument, found.asOf);
      },
      (shared) => getDays(instrument, span, shared),
      signal,
    );
    return days && withinDays(days, wanted);
  };
};

/**
 * Reduces requests: responses are cached by how fast they age, equal concurrent requests are shared, and symbols are
 * batched. The session is part of the cache key, so a price from before the opening is not served after it. A price from
 * before the close is kept briefly, even if a delayed source reports the close late.
 */
export const withCache = (
  source: MarketSource,
  { calendar, clock, minQuoteMs = 0 }: WithCacheDeps,
): MarketSource => {
  const { getQuotes, getHistory, getDays, lookUp } = source;
  const { getNews, getFundamentals, getEarnings } = source;
  const sessionOf = (instrument: Instrument): SessionState => calendar.sessionOf(instrument, clock.now());
  const keyOf = (instrument: Instrument): string => `${instrument.symbol} ${sessionOf(instrument)}`;

  const isBeforeClose = (instrument: Instrument, asOf: Timestamp): boolean => {
    const close = calendar.lastCloseBefore(instrument, clock.now());
    return close !== null && Temporal.Instant.compare(asOf, close) < 0;
  };

  const quoteMs = (instrument: Instrument, quote: SourceQuote | null): number => {
    if (!quote) return NO_DATA_MS;
    const ms = instrument.assetClass === 'crypto' ? COIN_MS : QUOTE_MS[sessionOf(instrument)];
    return Math.max(minQuoteMs, isBeforeClose(instrument, quote.asOf) ? Math.min(ms, BEFORE_CLOSE_MS) : ms);
  };
  const dailyMs = (instrument: Instrument, asOf: Timestamp): number =>
    sessionOf(instrument) !== 'closed' || isBeforeClose(instrument, asOf)
      ? MOVING_HISTORY_MS
      : CLOSED_HISTORY_MS;
  const historyMs = (instrument: Instrument, history: History | null): number => {
    if (!history) return NO_DATA_MS;
    return INTRADAY.has(history.range) ? MOVING_HISTORY_MS : dailyMs(instrument, history.asOf);
  };

  const histories = createMemory<History | null>(
    new Cache({
      clock,
      maxEntries: 100,
      weigh: (history) => history?.bars.length ?? 0,
      maxWeight: MAX_BARS,
    }),
  );
  const news = createMemory<readonly NewsItem[]>(new Cache({ clock, maxEntries: 100 }));
  const symbols = createMemory<Instrument | null>(new Cache({ clock, maxEntries: 500 }));
  const fundamentals = createMemory<Fundamentals | null>(new Cache({ clock, maxEntries: 200 }));

  return {
    ...source,
    getQuotes: createCachedLookup<SourceQuote>({
      ask: getQuotes,
      cache: new Cache({ clock, maxEntries: 500 }),
      keyOf,
      ttlMs: quoteMs,
      clock,
    }),
    ...(getHistory && {
      getHistory: (instrument: Instrument, range: HistoryRange, signal: AbortSignal) =>
        histories(
          `${keyOf(instrument)} ${range}`,
          (history) => historyMs(instrument, history),
          (shared) => getHistory(instrument, range, shared),
          signal,
        ),
    }),
    ...(getDays && { getDays: cachedDays(getDays, { clock, keyOf, movingMs: dailyMs }) }),
    ...(lookUp && {
      lookUp: (symbol: string, signal: AbortSignal) =>
        symbols(
          symbol.toUpperCase(),
          (found) => (found ? SYMBOL_MS.found : SYMBOL_MS.none),
          (shared) => lookUp(symbol, shared),
          signal,
        ),
    }),
    ...(getNews && {
      getNews: async (...[query, signal]: Parameters<typeof getNews>) => {
        const limit = Math.ceil(query.limit / NEWS_STEP) * NEWS_STEP;
        const items = await news(
          `${query.instrument?.symbol ?? ''} ${limit}`,
          (found) => (found.length > 0 ? NEWS_MS : NO_DATA_MS),
          (shared) => getNews({ ...query, limit }, shared),
          signal,
        );
        return items.slice(0, query.limit);
      },
    }),
    ...(getFundamentals && {
      getFundamentals: (instrument: Instrument, signal: AbortSignal) =>
        fundamentals(
          instrument.symbol,
          (value) => (value ? COMPANY_MS : NO_DATA_MS),
          (shared) => getFundamentals(instrument, shared),
          signal,
        ),
    }),
    ...(getEarnings && { getEarnings: cachedEarnings(getEarnings, clock) }),
  };
};
