import type { SourceQuote } from '#src/kernel/finance.ts';
import { isMarketError } from './errors.ts';
import type { LogFailure } from './failure-log.ts';
import { IncompleteError } from './incomplete-error.ts';
import type { MarketSource } from './source.ts';

const isLimited = (cause: unknown): boolean => isMarketError(cause, 'MARKET_RATE_LIMITED');

/** Splits a failure into results that arrived and symbols that did not. */
export const partOf = (
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
