import type { Instrument, SourceQuote } from '#src/core/finance.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import type { CallKind, MarketSource } from '../source.ts';
import { CHART_FAMILY } from './chart-quotes.ts';
import { createChartReader } from './chart-reader.ts';
import { createEarningsDates } from './earnings-dates.ts';
import { mapFundamentals } from './map-fundamentals.ts';
import { mapQuote } from './map-quote.ts';
import { createNewsSearch } from './news-search.ts';
import { createQuoteReader, type Read } from './quote-reader.ts';
import { problemOf, readAs } from './read-wire.ts';
import { QUOTE_FIELDS, quoteWire, summaryWire } from './wire.ts';
import { createYahooClient, summaryOf } from './yahoo-client.ts';

export interface YahooSourceDeps {
  /** Replaces every Yahoo host. */
  readonly baseUrl?: string | undefined;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  /** Of one request. Default: 8 s. */
  readonly timeoutMs?: number | undefined;
}

const NAME = 'Yahoo Finance';
/** Yahoo refuses and limits what needs a session, charts and the search each for itself. */
const FAMILIES: Readonly<Record<CallKind, string>> = {
  quotes: 'Yahoo Finance session',
  fundamentals: 'Yahoo Finance session',
  earnings: 'Yahoo Finance session',
  history: CHART_FAMILY,
  days: CHART_FAMILY,
  symbol: CHART_FAMILY,
  news: 'Yahoo Finance search',
};
const SUMMARY_MODULES = [
  'price',
  'summaryDetail',
  'defaultKeyStatistics',
  'financialData',
  'assetProfile',
] as const;

const readQuote = (instrument: Instrument, raw: unknown): Read<SourceQuote> => {
  const { data, error } = quoteWire.safeParse(raw);
  if (error) return { problem: problemOf(error) };
  // Before its first trade a share is listed and has none.
  if (data.regularMarketPrice === undefined) return {};
  const quote = mapQuote(instrument, data, NAME);
  return typeof quote === 'string' ? { problem: quote } : { value: quote };
};

/** Everything in our index has a symbol of Yahoo's. Throws market errors and the signal's reason only. */
export const createYahooSource = (deps: YahooSourceDeps): MarketSource => {
  const { clock, logger } = deps;
  const client = createYahooClient(deps);
  const readQuotes = createQuoteReader(client, logger);
  const { getHistory, getDays, lookUp } = createChartReader({ client, clock, logger, source: NAME });

  return {
    name: NAME,
    isSample: false,
    supports: ({ symbol }) => symbol !== '',
    familyOf: (kind) => FAMILIES[kind],

    getQuotes: (instruments, signal) =>
      readQuotes(instruments, { what: 'quote', fields: QUOTE_FIELDS, read: readQuote }, signal),

    getHistory,
    getDays,
    lookUp,

    getNews: createNewsSearch(client),

    getFundamentals: async (instrument, signal) => {
      const json = await client.ask(summaryOf(instrument, SUMMARY_MODULES), signal);
      if (json === null) return null;
      const [summary] = readAs(summaryWire, json, 'summary').quoteSummary.result;
      return summary ? mapFundamentals(instrument, summary, clock.now(), NAME) : null;
    },

    getEarnings: createEarningsDates({ client, readQuotes, clock, logger, source: NAME }),
  };
};
