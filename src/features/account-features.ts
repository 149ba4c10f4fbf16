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
import { byTime } from '#src/platform/cooperative-tasks.ts';
import type { AccountStores } from './account-stores.ts';
import type { AccountFeatureDeps } from '#src/features/deps.ts';
import type { OpenedMarkets } from '#src/features/open-markets.ts';
import type { OpenedAccountFeatures } from '#src/features/open-account-features.ts';

interface AccountFeaturesDeps extends AccountFeatureDeps {
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

/** How often an idle bot checks for alerts and briefings that another process set. */
const IDLE_MS = 300_000;
const AFTER_FAILURE_MS = 60_000;

type Method = (...args: never[]) => Promise<unknown>;

/** A service whose code is loaded with the first call of any of its methods. */
const lazyService = <Service extends { readonly [Name in keyof Service]: Method }>(
  names: Readonly<Record<keyof Service, true>>,
  load: () => Promise<Service>,
): Service =>
  Object.fromEntries(
    (Object.keys(names) as (keyof Service)[]).map((name) => [
      name,
      async (...args: never[]) => (await load())[name](...args),
    ]),
  ) as unknown as Service;

/** The account data that every prompt starts with is read from the stores, without asking for prices. */
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

/** The services for account data. Their code is loaded with the first question, alert or briefing. */
export const createAccountFeatures = (deps: AccountFeaturesDeps): AccountFeatures => {
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
      // A failed attempt is forgotten: the next call tries again.
      opening = undefined;
      throw error;
    }));

  /** Polls with two cheap queries until there is something to watch; the watchers poll for themselves then. */
  const poll = async (): Promise<number | undefined> => {
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
  const loop = createPollingLoop(poll, clock);

  return {
    portfolio: lazyService<PortfolioService>(
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
    alerts: lazyService<AlertService>(
      { set: true, list: true, remove: true, snooze: true },
      async () => (await open()).alerts,
    ),
    watchlist: lazyService<WatchlistService>(
      { show: true, add: true, remove: true, clear: true },
      async () => (await open()).watchlist,
    ),
    briefings: lazyService<BriefingService>(
      { set: true, list: true, remove: true, now: true },
      async () => (await open()).briefings,
    ),
    chatNotices: lazyService<ChatNoticeService>(
      { list: true, remove: true },
      async () => (await open()).chatNotices,
    ),
    zones: lazyService<TimeZoneService>({ settle: true }, async () => (await open()).zones),
    context: createContext(stores),
    start: loop.start,
    stop: async () => {
      await loop.stop();
      await (await opening)?.stop();
    },
  };
};
