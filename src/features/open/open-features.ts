import type { ReadSentence } from '#src/kernel/agent/sentence.ts';
import type { FinanceContextProvider, MarketHours, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import type { WarmUp } from '#src/kernel/operations/warm-up.ts';
import type { BreakerStatus } from '#src/platform/concurrency/circuit-breaker.ts';
import { createMarketHours } from '#src/markets/calendar/calendar.ts';
import { loadOnce } from '#src/platform/lazy-answers.ts';
import { createMarketQueries, type MarketQueries } from './market-queries.ts';
import { createFinanceContextProvider } from './context-provider.ts';
import type { MarketKind } from '#src/markets/sources/open-market.ts';
import type { OpenedMarkets } from './open-markets.ts';
import { createAccountFeatures, type AccountFeatures } from './account-features.ts';
import type { FeatureDeps, MarketSettings } from './deps.ts';
import { withConfirmedListings } from '#src/markets/symbols/confirmed-listings.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { quotes } from '../index.ts';
import { createFinanceTools } from './tools.ts';

/** The features, as the rest of the program sees them. */
export interface Features {
  readonly hours: MarketHours;
  readonly symbols: SymbolSearch;
  /** Its code is loaded with the first message to the offline model. */
  readonly readSentence: ReadSentence;
  readonly markets: MarketQueries;
  readonly personal: AccountFeatures;
  readonly tools: readonly Tool[];
  readonly contextProvider: FinanceContextProvider;
  /** Sources that have been failing. */
  readonly breakers: () => readonly BreakerStatus[];
  /** Each kind of request to each live source; empty before the first question. */
  readonly sources: () => readonly BreakerStatus[];
  readonly kind: () => MarketKind;
  readonly warmUps: readonly WarmUp[];
  readonly stop: () => Promise<void>;
}

/** The kind of market before it is opened, as far as the settings decide it. */
const kindBefore = ({ mode, hasLiveSetup }: MarketSettings): MarketKind => {
  if (mode === 'sample') return 'sample';
  return mode === 'yahoo' || hasLiveSetup ? 'live' : 'undecided';
};

/** Nothing is requested or drawn before the first question, and nothing is loaded before it or the warm-up. */
export const openFeatures = (deps: FeatureDeps): Features => {
  const { settings, files, clock, logger, showsSparklines } = deps;
  const hours = createMarketHours();
  let opened: OpenedMarkets | undefined;
  const open = loadOnce(async () => {
    const { openMarkets } = await import('./open-markets.ts');
    opened = openMarkets(deps);
    return opened;
  });
  const symbols = withConfirmedListings(createSymbolSearch(), {
    store: deps.personal.stores.listings,
    lookUp: async (symbol, signal) => (await open()).market.lookUp(symbol, signal),
  });
  const markets = createMarketQueries(async () => {
    const { market, charts } = await open();
    return { market, charts, symbols, clock, logger, showsSparklines };
  });
  const personal = createAccountFeatures({
    ...deps.personal,
    openMarkets: open,
    symbols,
    files,
    clock,
    logger: logger.named('account'),
  });
  const isSample = (): boolean => (opened?.kind() ?? kindBefore(settings)) === 'sample';
  return {
    hours,
    symbols,
    readSentence: async (sentence, signal) => {
      const { createReadSentence } = await import('../intents/read-sentence.ts');
      return createReadSentence(symbols, isSample)(sentence, signal);
    },
    markets,
    personal,
    tools: createFinanceTools({ markets, symbols, clock, ...personal }),
    contextProvider: createFinanceContextProvider({
      hours,
      market: { getNews: async (query, signal) => (await open()).market.getNews(query, signal) },
      personal: personal.context,
      clock,
    }),
    breakers: () => opened?.breakers() ?? [],
    sources: () => opened?.sources() ?? [],
    kind: () => opened?.kind() ?? kindBefore(settings),
    warmUps: [
      {
        name: 'symbol search and market sources',
        run: async function* () {
          symbols.resolve('AAPL');
          yield;
          // They and the rules of the offline model take 35 MB, which a terminal without a key does not spend before it must.
          if (!deps.hasLiveModel?.()) return;
          await open();
          yield;
          await quotes.queries.quotes();
        },
      },
    ],
    stop: async () => opened?.stop(),
  };
};
