import type { Instrument, SourceQuote } from '#src/kernel/market/finance.ts';
import type { CallKind, MarketSource } from '../source.ts';
import { CHART_FAMILY, createYahooChartQuotes } from './chart-quotes.ts';
import { createChartReader } from './chart-reader.ts';
import { createYahooClient, summaryQuery, type YahooClientDeps } from './client.ts';
import { createEarningsDates } from './earnings.ts';
import { mapFundamentals } from './fundamentals.ts';
import { createNewsSearch } from './news.ts';
import { createQuoteReader, mapQuote, type Parsed } from './quotes.ts';
import { problemOf, QUOTE_FIELDS, quoteWire, readAs, summaryWire } from './wire.ts';
import type { SourceDefinition } from '../source-definition.ts';

const NAME = 'Yahoo Finance';
/** Yahoo limits session endpoints, charts and search separately. */
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

const readQuote = (instrument: Instrument, raw: unknown): Parsed<SourceQuote> => {
  const { data, error } = quoteWire.safeParse(raw);
  if (error) return { problem: problemOf(error) };
  // A newly listed share has no price before its first trade.
  if (data.regularMarketPrice === undefined) return {};
  const quote = mapQuote(instrument, data, NAME);
  return typeof quote === 'string' ? { problem: quote } : { value: quote };
};

/** Supports every instrument of the index. Throws only market errors and the signal's reason. */
export const createYahooSource = (deps: YahooClientDeps): MarketSource => {
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
      const json = await client.fetchJson(summaryQuery(instrument, SUMMARY_MODULES), signal);
      if (json === null) return null;
      const [summary] = readAs(summaryWire, json, 'summary').quoteSummary.result;
      return summary ? mapFundamentals(instrument, summary, clock.now(), NAME) : null;
    },

    getEarnings: createEarningsDates({ client, readQuotes, clock, logger, source: NAME }),
  };
};

export const YAHOO: SourceDefinition = {
  id: 'yahoo',
  name: 'Yahoo Finance',
  covers: 'every instrument',
  probeSymbol: 'AAPL',
  create: createYahooSource,
  // Charts need no session, so they still work while sessions are refused.
  createFallback: createYahooChartQuotes,
};
