import type {
  Instrument,
  OtherPrice,
  Quote,
  SourceQuote,
  UnavailableReason,
} from '#src/kernel/market/finance.ts';
import { createFailureLog, IncompleteError, isMarketError, type LogFailure } from './errors.ts';
import type { EarningsDate, History, Market, MarketResult, MarketSource, SessionCalendar } from './source.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Uses } from '#src/platform/services.ts';
import { Cache } from './cache.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { settleDoubts } from './split-doubt.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { exchangeCalendar, nextradeSession } from '../calendar/calendar.ts';

interface Named {
  readonly instrument: Instrument;
}

type AskMany<T> = (instruments: readonly Instrument[], signal: AbortSignal) => Promise<readonly T[]>;

interface AskEachDeps<T> {
  readonly sources: readonly MarketSource[];
  /** Undefined if the source does not support this kind of request. */
  readonly askOf: (source: MarketSource) => AskMany<T> | undefined;
  readonly asked: string;
  readonly logFailure: LogFailure;
}

interface Gathered<T> {
  /** By symbol. */
  readonly found: ReadonlyMap<string, T>;
  /** Symbols for which a supporting source failed. */
  readonly failed: ReadonlySet<string>;
  /** The failed symbols that were rate limited and may be requested again soon. */
  readonly limited: ReadonlySet<string>;
}

/**
 * Asks each source once for everything it supports. Symbols that it lacks or fails to give go to the next supporting
 * source. Throws only on abort.
 */
const askEach = async <T extends Named>(
  instruments: readonly Instrument[],
  { sources, askOf, asked, logFailure }: AskEachDeps<T>,
  signal: AbortSignal,
): Promise<Gathered<T>> => {
  signal.throwIfAborted();
  const found = new Map<string, T>();
  const failed = new Set<string>();
  const limited = new Set<string>();
  const unreachable = new Set<string>();

  const askOne = async (source: MarketSource | undefined, wanted: readonly Instrument[]): Promise<void> => {
    if (!source) return;
    const symbols = wanted.map(({ symbol }) => symbol);
    try {
      for (const item of (await askOf(source)?.(wanted, signal)) ?? [])
        found.set(item.instrument.symbol, item);
    } catch (error) {
      signal.throwIfAborted();
      const isPart = error instanceof IncompleteError;
      for (const item of isPart ? (error as IncompleteError<T>).found : [])
        found.set(item.instrument.symbol, item);
      const cause = isPart ? error.cause : error;
      const isAnswering = isMarketError(cause, 'MARKET_RATE_LIMITED', 'MARKET_REFUSED');
      for (const symbol of isPart ? error.failedSymbols : symbols) {
        failed.add(symbol);
        (isAnswering ? limited : unreachable).add(symbol);
      }
      logFailure(error, { source: source.name, asked, symbols });
    }
  };

  /** The open instruments, each with the sources not yet asked. */
  let open = [...new Map(instruments.map((instrument) => [instrument.symbol, instrument])).values()].map(
    (instrument) => ({
      instrument,
      left: sources.filter((source) => askOf(source) && source.supports(instrument)),
    }),
  );
  while (open.some(({ left }) => left.length > 0)) {
    const bySource = Map.groupBy(open, ({ left }) => left[0]);
    const asking = [...bySource].map(([source, items]) =>
      askOne(
        source,
        items.map(({ instrument }) => instrument),
      ),
    );
    await Promise.all(asking);
    open = open
      .filter(({ instrument }) => !found.has(instrument.symbol))
      .map(({ instrument, left }) => ({ instrument, left: left.slice(1) }));
  }
  return { found, failed, limited: limited.difference(unreachable) };
};

const KEPT_MS = 5 * 60_000;
const MAX_REMEMBERED = 500;
const SAME_MINUTE_MS = 60_000;
const MAX_APART = 0.01;

interface Seen extends OtherPrice {
  readonly currency: string;
}

/** Remembers the last price of each instrument from each source, without extra requests. */
const createOtherPrices = (clock: Clock) => {
  const seen = new Cache<ReadonlyMap<string, Seen>>({ clock, maxEntries: MAX_REMEMBERED });

  const remember = (symbol: string, price: Seen): void => {
    const others = new Map(seen.get(symbol));
    others.set(price.source, price);
    seen.set(symbol, others, KEPT_MS);
  };

  return {
    sawQuote: ({ instrument, price, asOf, source, isSample, isLastKnown }: SourceQuote): void => {
      if (isSample || isLastKnown) return;
      remember(instrument.symbol, { price, asOf, source, currency: instrument.currency });
    },
    /** Remembers the close of the last bar. */
    sawHistory: ({ instrument, bars, asOf, source, isSample }: History): void => {
      const last = bars.at(-1);
      if (isSample || !last) return;
      const { currency } = instrument;
      remember(instrument.symbol, { price: last.close, asOf, source: `${source} chart`, currency });
    },
    /** Another source's price of the same minute that differs by more than 1 %; of several, the most different. */
    against: ({ instrument, price, asOf, source, isSample }: SourceQuote): OtherPrice | undefined => {
      if (isSample || price.isZero()) return undefined;
      const apart = (other: Seen): number => other.price.minus(price).dividedBy(price).abs().toNumber();
      const [other] = [...(seen.get(instrument.symbol)?.values() ?? [])]
        .filter(
          (each) =>
            each.source !== source &&
            each.currency === instrument.currency &&
            Math.abs(each.asOf.epochMilliseconds - asOf.epochMilliseconds) <= SAME_MINUTE_MS &&
            apart(each) > MAX_APART,
        )
        .toSorted((a, b) => apart(b) - apart(a));
      return other && { price: other.price, asOf: other.asOf, source: other.source };
    },
  };
};

interface MarketDeps extends Uses<'clock' | 'logger'> {
  /** In order of preference: live sources, or the sample alone. */
  readonly sources: readonly MarketSource[];
  readonly calendar: SessionCalendar;
}

/** Each analyst estimate takes a request of its own, so longer lists come without them. */
const MAX_ESTIMATES = 3;

/** A question that a single source answers. `ask` is undefined if the source does not support it. */
interface Question<T> {
  readonly asked: string;
  readonly instrument: Instrument | undefined;
  readonly ask: (source: MarketSource) => Promise<T | null> | undefined;
}

/**
 * Combines all sources as `Market` promises. Throws on a mix of live and sample sources, so that sample prices never
 * replace real ones.
 */
export const createMarket = ({ sources, calendar, clock, logger }: MarketDeps): Market => {
  const isSample = sources.some((source) => source.isSample);
  if (isSample && sources.length > 1)
    throw new FinClawError('Sample data cannot stand beside a live source', 'MARKET_MIXED_SOURCES', {
      isOperational: false,
    });
  const logFailure = createFailureLog(logger);
  const others = createOtherPrices(clock);

  const reasonFor = (hasFailed: boolean, isLimited = false): UnavailableReason => {
    if (isSample) return 'not-in-sample';
    if (isLimited) return 'limited';
    return hasFailed ? 'down' : 'no-data';
  };

  const firstAnswer = async <T>(
    { asked, instrument, ask }: Question<T>,
    signal: AbortSignal,
  ): Promise<MarketResult<T>> => {
    signal.throwIfAborted();
    let hasFailed = false;
    for (const source of sources) {
      if (instrument && !source.supports(instrument)) continue;
      try {
        const value = await ask(source);
        if (value !== null && value !== undefined) return { status: 'ok', value };
      } catch (error) {
        signal.throwIfAborted();
        hasFailed = true;
        logFailure(error, { source: source.name, asked, symbols: instrument ? [instrument.symbol] : [] });
      }
    }
    return { status: 'unavailable', reason: reasonFor(hasFailed) };
  };

  const getDays: Market['getDays'] = (instrument, days, signal) =>
    firstAnswer(
      { asked: 'days', instrument, ask: (source) => source.getDays?.(instrument, days, signal) },
      signal,
    );

  return {
    getDays,
    getQuotes: async (instruments, signal) => {
      const { found, failed, limited } = await askEach<SourceQuote>(
        instruments,
        { sources, askOf: ({ getQuotes }) => getQuotes, asked: 'quotes', logFailure },
        signal,
      );
      const now = clock.now();
      for (const quote of found.values()) others.sawQuote(quote);
      const complete = [...found.values()].map((quote): Quote => {
        const otherPrice = others.against(quote);
        return { ...completeQuote(quote, calendar, now), ...(otherPrice && { otherPrice }) };
      });
      const settled = await settleDoubts(complete, { getDays, clock }, signal);
      const bySymbol = new Map(complete.map((quote) => [quote.instrument.symbol, quote]));
      return instruments.map((instrument) => {
        const quote = settled.get(instrument.symbol) ?? bySymbol.get(instrument.symbol);
        return quote
          ? { status: 'ok', quote }
          : {
              status: 'unavailable',
              instrument,
              reason: reasonFor(failed.has(instrument.symbol), limited.has(instrument.symbol)),
            };
      });
    },
    getHistory: async (instrument, range, signal) => {
      const ask = ({ getHistory }: MarketSource) => getHistory?.(instrument, range, signal);
      const result = await firstAnswer({ asked: 'history', instrument, ask }, signal);
      if (result.status === 'ok') others.sawHistory(result.value);
      return result;
    },
    lookUp: (symbol, signal) =>
      firstAnswer(
        { asked: 'symbol', instrument: undefined, ask: ({ lookUp }) => lookUp?.(symbol, signal) },
        signal,
      ),
    getNews: (query, signal) =>
      firstAnswer(
        {
          asked: 'news',
          instrument: query.instrument,
          ask: async ({ getNews }) => {
            const items = await getNews?.(query, signal);
            return items && items.length > 0 ? items : null;
          },
        },
        signal,
      ),
    getFundamentals: (instrument, signal) =>
      firstAnswer(
        {
          asked: 'fundamentals',
          instrument,
          ask: ({ getFundamentals }) => getFundamentals?.(instrument, signal),
        },
        signal,
      ),
    getEarnings: async (instruments, signal) => {
      const wantsEstimates = instruments.length <= MAX_ESTIMATES;
      const { found, failed } = await askEach<EarningsDate>(
        instruments,
        {
          sources,
          askOf: ({ getEarnings }) =>
            getEarnings && ((wanted, shared) => getEarnings(wanted, { wantsEstimates }, shared)),
          asked: 'earnings',
          logFailure,
        },
        signal,
      );
      const unasked = instruments.filter(({ symbol }) => failed.has(symbol) && !found.has(symbol));
      // A partial result is still an answer: some companies have no date, and others could not be asked about.
      const isPart = unasked.length > 0 && unasked.length < instruments.length;
      return found.size > 0 || isPart
        ? { status: 'ok', value: { dates: [...found.values()], unasked } }
        : { status: 'unavailable', reason: reasonFor(failed.size > 0) };
    },
  };
};

const MINUTES = { inSession: 20, beforeClose: 30, lastKnown: 2 } as const;
/** Longer than nearly every weekend with an adjoining holiday. */
const UNKNOWN_SESSION_HOURS = 4 * 24;

const isBefore = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) < 0;

/** In a session, a price may be as old as its delay plus a margin; outside, it must be from the last close. */
const isStaleAt = (quote: SourceQuote, calendar: SessionCalendar, now: Timestamp): boolean => {
  const { instrument, asOf, delayMinutes = 0 } = quote;
  const missedClose = (at: Timestamp): boolean => {
    const close = calendar.lastCloseBefore(instrument, at);
    return close === null
      ? isBefore(asOf, now.subtract({ hours: UNKNOWN_SESSION_HOURS }))
      : isBefore(asOf, close.subtract({ minutes: MINUTES.beforeClose }));
  };
  const state = calendar.sessionOf(instrument, now);
  if (state === 'unknown' && !quote.isLastKnown)
    return isBefore(asOf, now.subtract({ hours: UNKNOWN_SESSION_HOURS }));
  if (state !== 'open' && state !== 'unknown') return missedClose(now);
  // A repeated price is stale sooner, because nobody has asked the market since.
  const allowed = quote.isLastKnown ? MINUTES.lastKnown : MINUTES.inSession;
  const due = now.subtract({ minutes: delayMinutes + allowed });
  if (!isBefore(asOf, due)) return false;
  if (state === 'unknown') return true;
  // In the first minutes of a session, a delayed source rightly still has yesterday's close.
  return calendar.sessionOf(instrument, due) === 'open' || missedClose(due);
};

/** By then, the closing auction and its late trades are over. */
const CLOSING_MINUTES = 15;
/** Trading never lasts longer after the close; later trades belong to the next day. */
const AFTER_HOURS = 8;

/**
 * True if a price that the source calls regular comes from the KRX after-market; some sources overwrite the close with
 * it. Indices are calculated in regular hours only.
 */
const isAfterClose = ({ instrument, asOf, extended }: SourceQuote, calendar: SessionCalendar): boolean => {
  const { assetClass, exchange } = instrument;
  const isTraded = assetClass === 'equity' || assetClass === 'etf';
  if (!isTraded || extended || exchangeCalendar(exchange)?.market !== 'KRX') return false;
  const state = calendar.sessionOf(instrument, asOf);
  const close = calendar.lastCloseBefore(instrument, asOf);
  if (close === null || state === 'open' || state === 'pre') return false;
  const lastAfter = close.add({ hours: AFTER_HOURS });
  return isBefore(close.add({ minutes: CLOSING_MINUTES }), asOf) && !isBefore(lastAfter, asOf);
};

/** Adds session and staleness from the calendar. A sample price is never stale: it is made for the moment. */
export const completeQuote = (quote: SourceQuote, calendar: SessionCalendar, now: Timestamp): Quote => {
  const { instrument } = quote;
  if (quote.isSample) return { ...quote, sessionState: calendar.sessionOf(instrument, now), isStale: false };
  const nextrade = nextradeSession(instrument, now);
  const { delayMinutes, extended, ...known } = quote;
  const isOldExtended =
    quote.isLastKnown && extended && isBefore(extended.asOf, now.subtract({ minutes: MINUTES.lastKnown }));
  return {
    ...known,
    ...(extended && !isOldExtended && { extended }),
    // A fetch delay is meaningless for a price that is repeated later.
    ...(delayMinutes !== undefined && !quote.isLastKnown && { delayMinutes }),
    sessionState: calendar.sessionOf(instrument, now),
    isStale: isStaleAt(quote, calendar, now),
    ...(isAfterClose(quote, calendar) && { isAfterClose: true }),
    ...(nextrade && { nextradeSession: nextrade }),
  };
};
