import type { SourceQuote } from '#src/kernel/finance.ts';
import { isMarketError } from './errors.ts';
import type { LogFailure } from './failure-log.ts';
import { IncompleteError } from './incomplete-error.ts';
import type { MarketSource } from './source.ts';

const isLimited = (cause: unknown): boolean => isMarketError(cause, 'MARKET_RATE_LIMITED');

/** What came before a failure, and what did not. */
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
 * The same source, whose quotes come from another one where it fails to give them, marked as such. What the source
 * answers to have none of is not asked for again. Throws the cause where nothing came, `IncompleteError` where some did.
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
        // One that wants to be left alone is no outage: what was known a moment ago may be told again.
        const cause = !isLimited(second.cause) && isLimited(first.cause) ? first.cause : second.cause;
        throw found.length === 0 ? cause : new IncompleteError(found, [...second.failed], cause);
      }
    }
  },
});
