import type { FinanceContextProvider, MarketHours, SymbolSearch } from '#src/core/finance.ts';
import type { MarketAnswer, MarketDesk } from '#src/core/market-desk.ts';
import type { Tool } from '#src/core/tool.ts';
import type { BreakerStatus } from '#src/infra/circuit-breaker.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { createMarketHours } from './calendar/calendar.ts';
import { createChartFiles } from './charts/chart-files.ts';
import { createFinanceContextProvider } from './context-provider.ts';
import type { MarketKind, MarketMode } from './market/open-market.ts';
import type { OpenedDesk } from './open-desk.ts';
import { createSymbolSearch } from './symbols/symbols.ts';
import { createFinanceTools } from './tools/index.ts';

export interface FinanceSettings {
  readonly mode: MarketMode;
  /** Somebody set the bot up for others: they never get made-up prices. */
  readonly isConfigured: boolean;
  readonly yahooUrl?: string;
  readonly upbitUrl?: string;
}

export interface FinanceDeps {
  readonly settings: FinanceSettings;
  /** A key was saved, or added since: asked when it has to be decided between live and sample. */
  readonly isInEarnest?: () => boolean;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/** What the rest of the program knows of markets. */
export interface Finance {
  readonly hours: MarketHours;
  readonly symbols: SymbolSearch;
  readonly desk: MarketDesk;
  readonly tools: readonly Tool[];
  readonly contextProvider: FinanceContextProvider;
  /** Sources that have been failing. */
  readonly breakers: () => readonly BreakerStatus[];
  readonly kind: () => MarketKind;
  /** Removes pictures that were sent long ago. How many. */
  readonly purgeCharts: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** A picture is needed until it is sent: two days outlast every outage that an answer is kept through. */
const CHARTS_KEPT_HOURS = 48;

/** As it will be decided, as far as that is certain from the start. */
const kindBefore = ({ mode, isConfigured }: FinanceSettings): MarketKind => {
  if (mode === 'sample') return 'sample';
  return mode === 'yahoo' || isConfigured ? 'live' : 'undecided';
};

/** Nothing is loaded, asked or drawn before somebody wants to know: the code behind the desk comes with the first question. */
export const openFinance = (deps: FinanceDeps): Finance => {
  const { settings, dataDir, clock } = deps;
  const hours = createMarketHours();
  const symbols = createSymbolSearch();
  let opening: Promise<OpenedDesk> | undefined;
  let opened: OpenedDesk | undefined;
  const load = async (): Promise<OpenedDesk> => {
    const { openDesk } = await import('./open-desk.ts');
    opened = openDesk({ ...deps, hours, symbols });
    return opened;
  };
  const open = (): Promise<OpenedDesk> =>
    (opening ??= load().catch((error: unknown) => {
      // What failed once may work the next time.
      opening = undefined;
      throw error;
    }));
  const question =
    <Name extends keyof MarketDesk>(name: Name) =>
    async (...asked: Parameters<MarketDesk[Name]>): Promise<MarketAnswer> => {
      const { desk } = await open();
      const answer = desk[name] as (...asked: Parameters<MarketDesk[Name]>) => Promise<MarketAnswer>;
      return answer(...asked);
    };
  const desk: MarketDesk = {
    quotes: question('quotes'),
    history: question('history'),
    indicators: question('indicators'),
    chart: question('chart'),
    compare: question('compare'),
    news: question('news'),
    fundamentals: question('fundamentals'),
    overview: question('overview'),
    convert: question('convert'),
    hours: question('hours'),
    earnings: question('earnings'),
    search: question('search'),
  };
  return {
    hours,
    symbols,
    desk,
    tools: createFinanceTools({ desk }),
    contextProvider: createFinanceContextProvider({
      hours,
      market: { getNews: async (query, signal) => (await open()).market.getNews(query, signal) },
      clock,
    }),
    breakers: () => opened?.breakers() ?? [],
    kind: () => opened?.kind() ?? kindBefore(settings),
    purgeCharts: () => createChartFiles(dataDir).purge(clock.now().subtract({ hours: CHARTS_KEPT_HOURS })),
    stop: async () => opened?.stop(),
  };
};
