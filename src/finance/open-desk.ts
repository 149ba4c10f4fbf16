import type { MarketHours, SymbolSearch } from '#src/core/finance.ts';
import type { MarketQueries } from '#src/core/market-desk.ts';
import { chartAnswer } from './answers/chart.ts';
import { compareAnswer } from './answers/compare.ts';
import { convertAnswer } from './answers/convert.ts';
import { earningsAnswer } from './answers/earnings.ts';
import { fundamentalsAnswer } from './answers/fundamentals.ts';
import { historyAnswer } from './answers/history.ts';
import { hoursAnswer } from './answers/hours.ts';
import { indicatorsAnswer } from './answers/indicators.ts';
import { newsAnswer } from './answers/news.ts';
import { overviewAnswer } from './answers/overview.ts';
import { quotesAnswer } from './answers/quotes.ts';
import { searchAnswer } from './answers/search.ts';
import { lastCloseBefore, sessionOf } from './calendar/calendar.ts';
import { type Charts, createCharts } from './charts/charts.ts';
import { PREFERRED_SOURCES, PRIMARY_SOURCE } from './market/live-sources.ts';
import { type OpenedMarket, openMarket } from './market/open-market.ts';
import { createSampleSource } from './market/sample-source.ts';
import type { SourceDefinition } from './market/source-definition.ts';
import type { FinanceDeps } from './open-finance.ts';

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
