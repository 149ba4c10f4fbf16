import type { SourceQuote } from '#src/kernel/finance.ts';
import type { Clock } from '#src/platform/clock.ts';
import { Cache } from './cache.ts';
import { isMarketError } from './errors.ts';
import { IncompleteError } from './incomplete-error.ts';
import type { MarketSource } from './source.ts';
import { partOf } from './with-fallback.ts';

const LAST_KNOWN_MS = 15 * 60_000;
const MAX_REMEMBERED = 500;

/**
 * Returns the last known price, marked as such, while the source is rate limited. Other failures never return an old
 * price.
 */
export const withLastKnown = (source: MarketSource, clock: Clock): MarketSource => {
  const known = new Cache<SourceQuote>({ clock, maxEntries: MAX_REMEMBERED });
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
