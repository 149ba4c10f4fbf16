import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { type Charts, createCharts } from '#src/markets/charts/charts.ts';
import { PREFERRED_SOURCES, PRIMARY_SOURCE } from '#src/markets/sources/live-sources.ts';
import { type OpenedMarket, openMarket } from '#src/markets/sources/open-market.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import type { SourceDefinition } from '#src/markets/sources/source-definition.ts';
import type { FeatureDeps } from './deps.ts';

export interface OpenedMarkets extends OpenedMarket {
  readonly charts: Charts;
  readonly stop: () => Promise<void>;
}

/** Opens the market sources and the charts. */
export const openMarkets = (deps: FeatureDeps): OpenedMarkets => {
  const { settings, hasLiveModel, files, clock, logger } = deps;
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
  const charts = createCharts({ files, clock, logger, drawsPlots: deps.showsSparklines });
  return { ...opened, charts, stop: charts.stop };
};
