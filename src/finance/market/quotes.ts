import type { Instrument, Quote, Quotes } from '#src/core/finance.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import type { MarketSource } from './source.ts';

interface QuotesDeps {
  /** In order of preference. */
  readonly sources: readonly MarketSource[];
  readonly logger: FinClawLogger;
}

/**
 * Asks each source once for all that it serves. A source that fails costs its own instruments only, and the
 * next one does not step in: made-up prices must not take the place of real ones. Throws on abort alone.
 */
export const createQuotes = ({ sources, logger }: QuotesDeps): Quotes => {
  const ask = async (
    source: MarketSource | undefined,
    instruments: readonly Instrument[],
    signal: AbortSignal,
  ): Promise<readonly Quote[]> => {
    if (!source) return [];
    try {
      return await source.getQuotes(instruments, signal);
    } catch (error) {
      signal.throwIfAborted();
      const symbols = instruments.map(({ symbol }) => symbol);
      logger.warn('market source failed', { source: source.name, symbols, error });
      return [];
    }
  };

  return {
    getQuotes: async (instruments, signal) => {
      signal.throwIfAborted();
      const bySource = Map.groupBy(instruments, (instrument) =>
        sources.find((source) => source.supports(instrument)),
      );
      const answers = await Promise.all([...bySource].map(([source, served]) => ask(source, served, signal)));
      const quotes = new Map(answers.flat().map((quote) => [quote.instrument.symbol, quote]));
      return instruments.map((instrument) => {
        const quote = quotes.get(instrument.symbol);
        return quote ? { status: 'ok', quote } : { status: 'unavailable', instrument };
      });
    },
  };
};
