import { LRUCache } from 'lru-cache';
import type { SourceQuote } from '#src/kernel/finance.ts';
import type { Clock } from '#src/platform/clock.ts';
import { marketError } from './errors.ts';
import { IncompleteError } from './incomplete-error.ts';
import type { MarketSource } from './source.ts';

/** Yahoo is asked 20 times a minute at most while it refuses sessions: six are left for a try to open one. */
const REQUESTS = 14;
const WINDOW_MS = 60_000;
/** A person asks for a few symbols, an alert look or a watchlist for many: a long list leaves some requests for others. */
const FEW = 3;
const LEFT_BY_LISTS = 5;
const MAX_REMEMBERED = 1_000;
/** Without its rate nothing of a portfolio can be summed up. */
const RATES_FIRST = 4;

/**
 * A source that takes one request a symbol, asked for so many in any minute at most. Of a list that does not fit, a few
 * exchange rates go first, then those that were asked for longest ago, in the order of the list: everything has its turn.
 * The rest fails as rate limited at once; nothing waits.
 */
export const withBudget = (source: MarketSource, clock: Clock): MarketSource => {
  /** When requests left, oldest first. */
  let spent: readonly number[] = [];
  /** When each symbol had its turn. */
  const turns = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** How the last request ended, where nothing came: requests that failed do not make an outage a limit. */
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
