import { LRUCache } from 'lru-cache';
import type { SourceQuote } from '#src/kernel/finance.ts';
import type { Clock } from '#src/platform/clock.ts';
import { marketError } from './errors.ts';
import { IncompleteError } from './incomplete-error.ts';
import type { MarketSource } from './source.ts';

/** Of 20 requests a minute while Yahoo refuses sessions, six are left for attempts to open one. */
const REQUESTS = 14;
const WINDOW_MS = 60_000;
/** People ask for a few symbols; alerts and watchlists ask for many. Long lists leave some requests for others. */
const FEW = 3;
const LEFT_BY_LISTS = 5;
const MAX_REMEMBERED = 1_000;
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
  const turns = new LRUCache<string, number>({ max: MAX_REMEMBERED });

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
