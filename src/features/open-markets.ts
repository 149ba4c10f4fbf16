import type { MarketHours, SymbolSearch } from '#src/kernel/finance.ts';
import type { MarketQueries } from '#src/kernel/market-queries.ts';
import { chartAnswer } from '#src/features/charting/chart.ts';
import { compareAnswer } from '#src/features/compare/compare.ts';
import { convertAnswer } from '#src/features/fx/convert.ts';
import { earningsAnswer } from '#src/features/earnings/earnings.ts';
import { fundamentalsAnswer } from '#src/features/fundamentals/fundamentals.ts';
import { historyAnswer } from '#src/features/history/history.ts';
import { hoursAnswer } from '#src/features/hours/hours.ts';
import { indicatorsAnswer } from '#src/features/indicators/indicators.ts';
import { newsAnswer } from '#src/features/news/news.ts';
import { overviewAnswer } from '#src/features/quotes/overview.ts';
import { quotesAnswer } from '#src/features/quotes/quotes.ts';
import { searchAnswer } from '#src/features/search/search.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { type Charts, createCharts } from '#src/markets/charts/charts.ts';
import { PREFERRED_SOURCES, PRIMARY_SOURCE } from '#src/markets/sources/live-sources.ts';
import { type OpenedMarket, openMarket } from '#src/markets/sources/open-market.ts';
import { createSampleSource } from '#src/markets/sources/sample/sample-source.ts';
import type { SourceDefinition } from '#src/markets/sources/source-definition.ts';
import type { FinanceDeps } from '#src/features/deps.ts';

interface DeskDeps extends FinanceDeps {
  readonly hours: MarketHours;
  readonly symbols: SymbolSearch;
}

export interface OpenedMarkets extends OpenedMarket {
  readonly markets: MarketQueries;
  readonly charts: Charts;
  readonly stop: () => Promise<void>;
}

/** The sources, and everything that can be asked of them. */
export const openMarkets = (deps: DeskDeps): OpenedMarkets => {
  const { settings, hasLiveModel, dataDir, hours, symbols, clock, logger } = deps;
  const { mode, hasLiveSetup, yahooUrl, upbitUrl } = settings;
  const baseUrls: Readonly<Record<string, string | undefined>> = { yahoo: yahooUrl, upbit: upbitUrl };
  const factoryOf = ({ id, create, createFallback }: SourceDefinition) => {
    const own = { baseUrl: baseUrls[id], clock, logger };
    return { create: () => create(own), createFallback: createFallback && (() => createFallback(own)) };
  };
  const opened = openMarket({
    mode,
    hasLiveSetup,
    ...(hasLiveModel && { hasLiveModel }),
    primary: factoryOf(PRIMARY_SOURCE),
    preferred: PREFERRED_SOURCES.map(factoryOf),
    sample: () => createSampleSource(clock),
    calendar: { sessionOf, lastCloseBefore },
    clock,
    logger,
  });
  const charts = createCharts({ dataDir, clock, logger });
  const shared = { market: opened.market, symbols, charts, hours, clock, logger };
  return {
    ...opened,
    charts,
    markets: {
      quotes: quotesAnswer(shared),
      history: historyAnswer(shared),
      indicators: indicatorsAnswer(shared),
      chart: chartAnswer(shared),
      compare: compareAnswer({
        ...shared,
        drawComparison: (histories, _request, audience, signal) =>
          charts.comparison(histories, {}, audience, signal),
      }),
      news: newsAnswer(shared),
      fundamentals: fundamentalsAnswer(shared),
      overview: overviewAnswer(shared),
      convert: convertAnswer(shared),
      hours: hoursAnswer(shared),
      earnings: earningsAnswer(shared),
      search: searchAnswer(shared),
    },
    stop: charts.stop,
  };
};
