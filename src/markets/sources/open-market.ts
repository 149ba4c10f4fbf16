import type { Instrument } from '#src/kernel/market/finance.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import {
  type BreakerStatus,
  type CircuitBreaker,
  troubledBreakers,
} from '#src/platform/concurrency/circuit-breaker.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Uses } from '#src/platform/services.ts';
import { isMarketError, marketError } from './errors.ts';
import { createMarket } from './market.ts';
import { resilient } from './resilient.ts';
import type { Market, MarketSource, SessionCalendar } from './source.ts';

export type MarketMode = 'auto' | 'yahoo' | 'sample';
export type MarketKind = 'live' | 'sample' | 'undecided';

interface SourceFactory {
  readonly create: () => MarketSource;
  /** Provides quotes while the main source is refused or limited. */
  readonly createFallback?: (() => MarketSource) | undefined;
}

interface OpenMarketDeps extends Uses<'clock' | 'logger'> {
  readonly mode: MarketMode;
  /** True if a platform or model is configured. Such a bot never shows sample prices. */
  readonly hasLiveSetup: boolean;
  /** The same, evaluated at the decision, because a key may be stored or have been added meanwhile. */
  readonly hasLiveModel?: () => boolean;
  /** Has every instrument, and is probed to decide between live and sample data. */
  readonly primary: SourceFactory;
  /** Asked before the primary source, in this order. */
  readonly preferred: readonly SourceFactory[];
  readonly sample: () => MarketSource;
  readonly calendar: SessionCalendar;
}

export interface OpenedMarket {
  readonly market: Market;
  /** Breakers of live sources that are failing. */
  readonly breakers: () => readonly BreakerStatus[];
  /** Each kind of request to each live source. Empty before the first question, and with sample data. */
  readonly sources: () => readonly BreakerStatus[];
  readonly kind: () => MarketKind;
}

const PROBE_TIMEOUT_MS = 3_000;
const SLOW_SOURCE =
  'Market data: sample, until the next start, as the source is slow; set FINCLAW_MARKET=yahoo to wait for live prices';
const PROBED: Instrument = {
  symbol: 'AAPL',
  ticker: 'AAPL',
  name: { ko: '애플', en: 'Apple Inc.' },
  exchange: 'NASDAQ',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
};

/** False if no price arrives in time, even if the source ignores its signal. Throws if the source fails. */
const answersInTime = async (source: MarketSource, clock: Clock): Promise<boolean> => {
  const { signal, clear } = withDeadline(new AbortController().signal, PROBE_TIMEOUT_MS, clock, () =>
    marketError('MARKET_UNREACHABLE', `${source.name} did not answer within ${PROBE_TIMEOUT_MS} ms`),
  );
  try {
    const quotes = await raceAbort(source.getQuotes([PROBED], signal), signal);
    if (quotes.length === 0)
      throw marketError('MARKET_BAD_DATA', `${source.name} has no price of a well-known share`);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    clear();
  }
};

/** A market that is chosen at the first request. */
const deferred = (choose: (signal: AbortSignal) => Promise<Market>): Market => ({
  getQuotes: async (instruments, signal) => (await choose(signal)).getQuotes(instruments, signal),
  getHistory: async (instrument, range, signal) =>
    (await choose(signal)).getHistory(instrument, range, signal),
  getDays: async (instrument, days, signal) => (await choose(signal)).getDays(instrument, days, signal),
  lookUp: async (symbol, signal) => (await choose(signal)).lookUp(symbol, signal),
  getNews: async (query, signal) => (await choose(signal)).getNews(query, signal),
  getFundamentals: async (instrument, signal) => (await choose(signal)).getFundamentals(instrument, signal),
  getEarnings: async (instruments, signal) => (await choose(signal)).getEarnings(instruments, signal),
});

/**
 * Opens either live sources or the sample, and never changes from live to sample. `auto` is live for a configured bot;
 * for a trial run, the first request tests whether the primary source can be reached. If not, sample data is used until
 * the next start, or until the bot is configured.
 */
export const openMarket = (deps: OpenMarketDeps): OpenedMarket => {
  const { mode, calendar, clock, logger } = deps;
  const shared = { calendar, clock, logger };
  const breakers: CircuitBreaker[] = [];
  let kind: MarketKind = 'undecided';

  const openSample = (): Market => {
    kind = 'sample';
    return createMarket({ sources: [deps.sample()], ...shared });
  };
  const protect = (source: MarketSource, { createFallback }: SourceFactory) =>
    resilient(source, { ...shared, ...(createFallback && { fallback: createFallback() }) });
  const openLive = (primary: MarketSource): Market => {
    kind = 'live';
    const sources = [
      ...deps.preferred.map((each) => protect(each.create(), each)),
      protect(primary, deps.primary),
    ];
    breakers.push(...sources.flatMap((each) => each.breakers));
    return createMarket({ sources: sources.map(({ source }) => source), ...shared });
  };

  /** The primary source or its fallback, whichever answers. Undefined if neither answers in time. */
  const answeringOf = async (primary: MarketSource): Promise<MarketSource | undefined> => {
    try {
      return (await answersInTime(primary, clock)) ? primary : undefined;
    } catch (error) {
      const fallback = isMarketError(error, 'MARKET_REFUSED', 'MARKET_RATE_LIMITED')
        ? deps.primary.createFallback?.()
        : undefined;
      if (!fallback) throw error;
      return (await answersInTime(fallback, clock)) ? fallback : undefined;
    }
  };

  const decide = async (): Promise<Market> => {
    const primary = deps.primary.create();
    if (deps.hasLiveModel?.()) return openLive(primary);
    try {
      const source = await answeringOf(primary);
      if (source) {
        logger.info('Market data: live', { source: source.name });
        return openLive(primary);
      }
      // The source may only be slow, so the operator is told what to do.
      logger.warn(SLOW_SOURCE, { source: primary.name, waitedMs: PROBE_TIMEOUT_MS });
    } catch (error) {
      logger.info('Market data: sample, until the next start', { source: primary.name, error });
    }
    return openSample();
  };
  let decision: Promise<Market> | undefined;
  const choose = (signal: AbortSignal): Promise<Market> => {
    if (kind === 'sample' && deps.hasLiveModel?.()) {
      logger.info('Market data: live from now on, as a key was added');
      decision = Promise.resolve(openLive(deps.primary.create()));
    }
    return raceAbort((decision ??= decide()), signal);
  };

  const open = (): Market => {
    if (mode === 'sample') return openSample();
    return mode === 'yahoo' || deps.hasLiveSetup ? openLive(deps.primary.create()) : deferred(choose);
  };
  return {
    market: open(),
    breakers: () => troubledBreakers(breakers),
    sources: () => breakers.map(({ name, state }) => ({ name, state })),
    kind: () => kind,
  };
};
