import { z } from 'zod';
import type { Feature, MarketQueryDeps } from '#src/features/feature.ts';
import { liveTexts } from '#src/kernel/live-texts.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput, statusNames } from '#src/markets/answers/name-input.ts';
import type { QuotesQueries } from './quotes.ts';

const MAX_SYMBOLS = 10;

const input = toolInput(() =>
  z.object({
    symbols: z
      .array(nameInput())
      .min(1)
      .max(MAX_SYMBOLS)
      .describe('Names, tickers or codes, e.g. ["삼성전자", "AAPL", "005930", "USD/KRW", "bitcoin"]'),
  }),
);

export const getQuote = ({ markets }: { readonly markets: QuotesQueries }): Tool =>
  defineTool({
    name: 'get_quote',
    description: [
      'Get the latest price of stocks, ETFs, indices, coins, currency pairs and interest rates, with the change',
      'from the previous regular close, pre-market or after-hours price, day and 52-week range and volume. Use it',
      'whenever the user asks what something costs, how it is doing or how far it moved, and never state a price',
      'from memory. Pass names as the user wrote them, in Korean or English, or tickers or codes; ask for several',
      'in one call. Every result carries its source, delay and as-of time: repeat them, and say so when a price',
      'is called stale. When a name is unknown or fits several companies the result says so; ask the user then',
      'instead of choosing.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    input,
    progress: ({ symbols }, locale) => {
      const named = statusNames(symbols);
      return named ? liveTexts(locale).quotes(named) : liveTexts(locale).anyQuotes();
    },
    run: async ({ symbols }, context, signal) => toolResult(await markets.quotes(symbols, context, signal)),
  });

export const quotes = {
  queries: {
    quotes: async () => {
      const { quotesAnswer } = await import('./quotes.ts');
      const { askSparklines } = await import('./sparkline.ts');
      return (deps: MarketQueryDeps) => quotesAnswer({ ...deps, askSparklines: askSparklines(deps) });
    },
  },
  tools: { get_quote: getQuote },
} satisfies Feature;

export type { QuotesQueries } from './quotes.ts';
