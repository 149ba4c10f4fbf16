import type { FinanceContextProvider, SymbolSearch } from '#src/kernel/finance.ts';
import type {
  AlertService,
  BriefingService,
  ChatNoticeService,
  PortfolioService,
  TimeZoneService,
  WatchlistService,
} from '#src/kernel/account-services.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { createPollingLoop } from '#src/platform/polling-loop.ts';
import { byTime } from '#src/platform/steps.ts';
import type { AccountStores } from './account-stores.ts';
import type { AccountFeatureDeps } from '#src/features/deps.ts';
import { lazily } from '#src/features/lazily.ts';
import type { OpenedMarkets } from '#src/features/open-markets.ts';
import type { OpenedAccountFeatures } from '#src/features/open-account-features.ts';

interface Surroundings extends AccountFeatureDeps {
  readonly openMarkets: () => Promise<OpenedMarkets>;
  readonly symbols: SymbolSearch;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

export interface AccountFeatures {
  readonly portfolio: PortfolioService;
  readonly alerts: AlertService;
  readonly watchlist: WatchlistService;
  readonly briefings: BriefingService;
  readonly chatNotices: ChatNoticeService;
  readonly zones: TimeZoneService;
  readonly context: Required<
    Pick<FinanceContextProvider, 'getActiveAlerts' | 'getPortfolio' | 'getWatchlist'>
  >;
  /** Watches alerts and sends briefings, as soon as there are any, whichever process they were set in. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Without anything to watch it is enough to ask so often whether there is something now. */
const IDLE_MS = 300_000;
const AFTER_FAILURE_MS = 60_000;

/** What the model is told of a person beforehand: read from the stores, without a price. */
const createContext = ({
  owners,
  portfolios,
  alerts,
  watchlists,
}: AccountStores): AccountFeatures['context'] => ({
  getActiveAlerts: async (person) => {
    const active = await alerts.listOf(await owners.ownerOf(person));
    if (active.length === 0) return [];
    const { describeCondition } = await import('#src/features/alerts/describe-condition.ts');
    return active.map((alert) => ({
      id: alert.id,
      instrument: alert.instrument,
      condition: describeCondition(alert, alert.locale),
    }));
  },
  getPortfolio: async (person, signal) => {
    const ownerId = await owners.ownerOf(person);
    const found = (await portfolios.list(ownerId)).find(({ isDefault }) => isDefault);
    if (!found) return null;
    const { currentHoldings } = await import('#src/features/portfolio/ledger/holdings.ts');
    const { name, baseCurrency } = found;
    const entries = await portfolios.transactions(ownerId, found.id, signal);
    const holdings = await byTime(currentHoldings(found, entries), signal);
    return { name, baseCurrency, holdings };
  },
  getWatchlist: async (person) =>
    (await watchlists.list(await owners.ownerOf(person))).map(({ symbol }) => symbol),
});

/** What is a person's own. Nothing of it is loaded before somebody has any, or asks. */
export const createAccountFeatures = (deps: Surroundings): AccountFeatures => {
  const { stores, clock, logger } = deps;
  let opening: Promise<OpenedAccountFeatures> | undefined;

  const load = async (): Promise<OpenedAccountFeatures> => {
    const [{ openAccountFeatures }, markets] = await Promise.all([
      import('#src/features/open-account-features.ts'),
      deps.openMarkets(),
    ]);
    const opened = openAccountFeatures({ ...deps, markets });
    if (loop.isRunning()) opened.start();
    return opened;
  };
  const open = (): Promise<OpenedAccountFeatures> =>
    (opening ??= load().catch((error: unknown) => {
      // What failed once may work the next time.
      opening = undefined;
      throw error;
    }));

  /** Two cheap questions, until something is there to watch: from then on those who watch it ask for themselves. */
  const look = async (): Promise<number | undefined> => {
    try {
      const isNeeded =
        opening !== undefined ||
        (await stores.alerts.hasActive()) ||
        (await stores.briefings.nextDueAt()) !== undefined;
      if (!isNeeded) return IDLE_MS;
      const opened = await open();
      if (loop.isRunning()) opened.start();
      return undefined;
    } catch (error) {
      logger.error('Alerts and briefings could not be begun; the next attempt is in a minute', { error });
      return AFTER_FAILURE_MS;
    }
  };
  const loop = createPollingLoop(look, clock);

  return {
    portfolio: lazily<PortfolioService>(
      {
        summary: true,
        open: true,
        analyse: true,
        record: true,
        plan: true,
        history: true,
        undo: true,
        planUndo: true,
        preview: true,
        confirmImport: true,
        export: true,
        actions: true,
        tax: true,
        rebalance: true,
        target: true,
        list: true,
        create: true,
        configure: true,
        remove: true,
      },
      async () => (await open()).portfolio,
    ),
    alerts: lazily<AlertService>(
      { set: true, list: true, remove: true, snooze: true },
      async () => (await open()).alerts,
    ),
    watchlist: lazily<WatchlistService>(
      { show: true, add: true, remove: true, clear: true },
      async () => (await open()).watchlist,
    ),
    briefings: lazily<BriefingService>(
      { set: true, list: true, remove: true, now: true },
      async () => (await open()).briefings,
    ),
    chatNotices: lazily<ChatNoticeService>(
      { list: true, remove: true },
      async () => (await open()).chatNotices,
    ),
    zones: lazily<TimeZoneService>({ settle: true }, async () => (await open()).zones),
    context: createContext(stores),
    start: loop.start,
    stop: async () => {
      await loop.stop();
      await (await opening)?.stop();
    },
  };
};
