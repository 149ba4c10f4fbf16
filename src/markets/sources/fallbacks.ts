import type { SourceQuote } from '#src/kernel/market/finance.ts';
import { IncompleteError, isMarketError, type LogFailure, marketError } from './errors.ts';
import type { MarketSource } from './source.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { Cache } from './cache.ts';
import { LRUCache } from 'lru-cache';

const isLimited = (cause: unknown): boolean => isMarketError(cause, 'MARKET_RATE_LIMITED');

/** Splits a failure into results that arrived and symbols that did not. */
const partOf = (
  error: unknown,
  symbols: readonly string[],
): {
  readonly found: readonly SourceQuote[];
  readonly failed: ReadonlySet<string>;
  readonly cause: unknown;
} =>
  error instanceof IncompleteError
    ? {
        found: (error as IncompleteError<SourceQuote>).found,
        failed: new Set(error.failedSymbols),
        cause: error.cause,
      }
    : { found: [], failed: new Set(symbols), cause: error };

/**
 * Gets quotes that the source fails to give from a fallback and marks them. Symbols that the source does not have are
 * not asked for again. Throws the cause if nothing arrived, and `IncompleteError` if some quotes did.
 */
export const withFallback = (
  source: MarketSource,
  fallback: MarketSource,
  logFailure: LogFailure,
): MarketSource => ({
  ...source,
  getQuotes: async (instruments, signal) => {
    const symbols = instruments.map(({ symbol }) => symbol);
    try {
      return await source.getQuotes(instruments, signal);
    } catch (error) {
      signal.throwIfAborted();
      logFailure(error, { source: source.name, asked: 'quotes', symbols });
      const first = partOf(error, symbols);
      const wanted = instruments.filter(({ symbol }) => first.failed.has(symbol));
      const marked = (quotes: readonly SourceQuote[]): readonly SourceQuote[] => [
        ...first.found,
        ...quotes.map((quote) => ({ ...quote, isFallback: true })),
      ];
      try {
        return marked(await fallback.getQuotes(wanted, signal));
      } catch (failure) {
        signal.throwIfAborted();
        const second = partOf(
          failure,
          wanted.map(({ symbol }) => symbol),
        );
        const found = marked(second.found);
        // A rate limit is not an outage: last known prices may be shown then.
        const cause = !isLimited(second.cause) && isLimited(first.cause) ? first.cause : second.cause;
        throw found.length === 0 ? cause : new IncompleteError(found, [...second.failed], cause);
      }
    }
  },
});

const LAST_KNOWN_MS = 15 * 60_000;
const MAX_LAST_KNOWN = 500;

/**
 * Returns the last known price, marked as such, while the source is rate limited. Other failures never return an old
 * price.
 */
export const withLastKnown = (source: MarketSource, clock: Clock): MarketSource => {
  const known = new Cache<SourceQuote>({ clock, maxEntries: MAX_LAST_KNOWN });
  const remember = (quotes: readonly SourceQuote[]): void => {
    for (const quote of quotes) known.set(quote.instrument.symbol, quote, LAST_KNOWN_MS);
  };

  return {
    ...source,
    getQuotes: async (instruments, signal) => {
      try {
        const quotes = await source.getQuotes(instruments, signal);
        remember(quotes);
        return quotes;
      } catch (error) {
        signal.throwIfAborted();
        const part = partOf(
          error,
          instruments.map(({ symbol }) => symbol),
        );
        remember(part.found);
        if (!isMarketError(part.cause, 'MARKET_RATE_LIMITED')) throw error;
        const old = new Map(
          [...part.failed].flatMap((symbol) => {
            const quote = known.get(symbol);
            return quote ? [[symbol, { ...quote, isLastKnown: true }] as const] : [];
          }),
        );
        const found = [...part.found, ...old.values()];
        const missing = [...part.failed].filter((symbol) => !old.has(symbol));
        if (missing.length === 0) return found;
        throw found.length === 0 ? error : new IncompleteError(found, missing, part.cause);
      }
    },
  };
};

/** Yahoo allows some 20 requests a minute while it refuses sessions; six are left for attempts to open one. */
const REQUESTS = 14;
const WINDOW_MS = 60_000;
/** People ask for a few symbols; alerts and watchlists ask for many. Long lists leave some requests for others. */
const FEW = 3;
const LEFT_BY_LISTS = 5;
const MAX_TURNS = 1_000;
/** A portfolio cannot be summed up without its exchange rates. */
const RATES_FIRST = 4;

/**
 * Limits the requests per minute of a source that takes one request per symbol. From a list that does not fit, a few
 * exchange rates go first, then the symbols whose last turn is longest ago, so that every symbol gets its turn. The rest
 * fails at once as rate limited.
 */
export const withBudget = (source: MarketSource, clock: Clock): MarketSource => {
  /** Times of the requests, oldest first. */
  let spent: readonly number[] = [];
  /** Time of each symbol's last turn. */
  const turns = new LRUCache<string, number>({ max: MAX_TURNS });

  /** The error of the last request, so that an outage is not reported as a rate limit. */
  let lastFailure: unknown;

  const usedUp = (): unknown =>
    lastFailure ??
    marketError('MARKET_RATE_LIMITED', `${source.name}: the requests of this minute are used up`);

  return {
    ...source,
    getQuotes: async (instruments, signal) => {
      const nowMs = clock.monotonicMs();
      spent = spent.filter((at) => at > nowMs - WINDOW_MS);
      const free = REQUESTS - spent.length - (instruments.length > FEW ? LEFT_BY_LISTS : 0);
      const byTurn = instruments.toSorted(
        (a, b) => (turns.peek(a.symbol) ?? -Infinity) - (turns.peek(b.symbol) ?? -Infinity),
      );
      const rates = byTurn.filter(({ assetClass }) => assetClass === 'fx').slice(0, RATES_FIRST);
      const inTurn = [...rates, ...byTurn.filter((each) => !rates.includes(each))];
      const asked = inTurn.slice(0, Math.max(0, free));
      const left = inTurn.slice(asked.length).map(({ symbol }) => symbol);
      if (asked.length === 0) throw usedUp();
      spent = [...spent, ...asked.map(() => nowMs)];
      for (const { symbol } of asked) turns.set(symbol, nowMs);
      let found: readonly SourceQuote[];
      try {
        found = await source.getQuotes(asked, signal);
        lastFailure = undefined;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof IncompleteError)) {
          lastFailure = error;
          throw error;
        }
        const incomplete = error as IncompleteError<SourceQuote>;
        lastFailure = incomplete.found.length === 0 ? incomplete.cause : undefined;
        throw left.length === 0
          ? incomplete
          : new IncompleteError(incomplete.found, [...incomplete.failedSymbols, ...left], usedUp());
      }
      if (left.length > 0) throw new IncompleteError(found, left, usedUp());
      return found;
    },
  };
};
