import type { FinanceContextProvider, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { AlertService } from '#src/kernel/people/alerts.ts';
import type { BriefingService } from '#src/kernel/people/briefings.ts';
import type { ChatNoticeService } from '#src/kernel/people/chat-notices.ts';
import type { OwnItems } from '#src/kernel/people/own-items.ts';
import type { TimeZoneService } from '#src/kernel/people/profile.ts';
import type { WatchlistService } from '#src/kernel/people/watchlist.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { createPollingLoop } from '#src/platform/concurrency/polling-loop.ts';
import type { PortfolioService } from '../portfolio/service.ts';
import type { AccountStores } from './account-stores.ts';
import type { AccountFeatureDeps } from './deps.ts';
import type { OpenedMarkets } from './open-markets.ts';
import type { FeatureUses } from '#src/features/services.ts';

interface AccountFeaturesDeps
  extends AccountFeatureDeps, FeatureUses<'clock' | 'logger' | 'symbols' | 'files.save'> {
  readonly openMarkets: () => Promise<OpenedMarkets>;
}

interface AccountServices {
  readonly portfolio: PortfolioService;
  readonly alerts: AlertService;
  readonly watchlist: WatchlistService;
  readonly briefings: BriefingService;
  readonly chatNotices: ChatNoticeService;
  readonly zones: TimeZoneService;
}

export interface AccountFeatures extends AccountServices {
  readonly context: Required<
    Pick<FinanceContextProvider, 'getActiveAlerts' | 'getPortfolio' | 'getWatchlist'>
  >;
  readonly ownItems: OwnItems;
  /** Watches alerts and sends briefings, as soon as there are any, whichever process they were set in. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** How often an idle bot checks for alerts and briefings that another process set. */
const IDLE_MS = 300_000;
const AFTER_FAILURE_MS = 60_000;

type Method = (...args: never[]) => Promise<unknown>;

/** A service whose code is loaded with the first call of any of its methods. */
const lazyService = <Name extends keyof AccountServices>(
  name: Name,
  load: () => Promise<AccountServices>,
): AccountServices[Name] =>
  new Proxy({} as AccountServices[Name], {
    get:
      (_service, method) =>
      async (...args: never[]) => {
        const service = (await load())[name] as unknown as Readonly<Record<string | symbol, Method>>;
        return service[method]?.(...args);
      },
  });

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
    const { describeCondition } = await import('../alerts/conditions/describe-condition.ts');
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
    const { currentHoldings } = await import('../portfolio/ledger/holdings.ts');
    const { name, baseCurrency } = found;
    const entries = await portfolios.transactions(ownerId, found.id, signal);
    const holdings = await byTime(currentHoldings(found, entries), signal);
    return { name, baseCurrency, holdings };
  },
  getWatchlist: async (person) =>
    (await watchlists.list(await owners.ownerOf(person))).map(({ symbol }) => symbol),
});

/** Its code describes alerts and entries, and is loaded with the first option that is completed. */
const lazyOwnItems = (stores: AccountStores, symbols: SymbolSearch): OwnItems => {
  const of =
    (name: keyof OwnItems): OwnItems[keyof OwnItems] =>
    async (...asked) => {
      const { createOwnItems } = await import('./own-items.ts');
      return createOwnItems(stores, symbols)[name](...asked);
    };
  return {
    portfolio: of('portfolio'),
    entry: of('entry'),
    alert: of('alert'),
    briefing: of('briefing'),
    watched: of('watched'),
  };
};

/** Imports the services with what watches alerts and sends briefings, and connects them. */
const openServices = async (deps: AccountFeaturesDeps) => {
  const [
    [
      { createAlertService },
      { createAlertWatch },
      { createBriefingService },
      { createBriefingRunner },
      { createBriefingComposer },
      { createChatNotices },
      { createTimeZoneService },
      { createCorporateActions },
      { ratedPortfolios },
      { moversOf },
      { createPortfolioService },
      { createWatchlistService },
      { createExportWriter },
    ],
    { market, charts },
  ] = await Promise.all([importServices(), deps.openMarkets()]);
  const { stores, symbols, lanes, wake, membership, directTarget, clock, logger } = deps;
  const { alerts, portfolio } = deps.settings;
  const { owners, dailyRates } = stores;
  const corporateActions = createCorporateActions({ market, store: stores.corporateActions, clock, logger });
  const shared = { owners, market, corporateActions, symbols, directTarget, clock, logger };
  const background = { lanes, wake, membership, leads: deps.leads };

  const alertWatch = createAlertWatch({
    ...shared,
    logger: logger.named('alerts'),
    ...background,
    store: stores.alerts,
    tickMs: alerts.everySeconds * 1_000,
  });
  const compose = createBriefingComposer({
    ...shared,
    logger: logger.named('briefings'),
    watchlist: stores.watchlists,
    portfolioMovers: moversOf({ ...shared, dailyRates, store: stores.portfolios }),
  });
  const briefingRunner = createBriefingRunner({
    ...shared,
    logger: logger.named('briefings'),
    ...background,
    store: stores.briefings,
    compose,
  });

  const tellOthers = (): void => void deps.sharedPlans?.changed();

  const services: AccountServices = {
    portfolio: createPortfolioService({
      ...shared,
      store: ratedPortfolios(stores.portfolios, { ...shared, dailyRates }),
      dailyRates,
      charts,
      writeExport: createExportWriter(deps.files),
      readMedia: deps.readMedia,
      readPicture: deps.readPicture,
      riskFreePercent: portfolio.riskFreePercent,
    }),
    alerts: createAlertService({
      ...shared,
      store: stores.alerts,
      changed: () => {
        alertWatch.changed();
        tellOthers();
      },
      maxAlerts: alerts.maxPerPerson,
      inChannels: {
        perChat: alerts.maxPerChannel,
        repeatingPerPerson: alerts.maxRepeatingPerChannel,
        repeatMinutes: alerts.repeatMinutesInChannel,
      },
    }),
    watchlist: createWatchlistService({ ...shared, store: stores.watchlists }),
    briefings: createBriefingService({
      ...shared,
      store: stores.briefings,
      compose,
      changed: () => {
        briefingRunner.changed();
        tellOthers();
      },
      maxPerChannel: alerts.maxBriefingsPerChannel,
    }),
    chatNotices: createChatNotices({ ...stores, directTarget, wake, clock }),
    zones: createTimeZoneService({
      ...stores,
      notifications: deps.notifications,
      clock,
      changed: () => {
        briefingRunner.changed();
        tellOthers();
        wake();
      },
    }),
  };
  return {
    services,
    /** Another process has set or removed an alert or a briefing. */
    changedElsewhere: () => {
      alertWatch.changed();
      briefingRunner.changed();
    },
    /** Safe to call twice. */
    start: () => {
      alertWatch.start();
      briefingRunner.start();
    },
    stop: async () => {
      corporateActions.stop();
      await Promise.all([alertWatch.stop(), briefingRunner.stop()]);
    },
  };
};

const importServices = () =>
  Promise.all([
    import('../alerts/service.ts'),
    import('../alerts/watching/alert-watch.ts'),
    import('../briefings/service.ts'),
    import('../briefings/runner.ts'),
    import('../briefings/compose-briefing.ts'),
    import('./chat-notices.ts'),
    import('./move-to-zone.ts'),
    import('../portfolio/corporate-actions/corporate-actions.ts'),
    import('../portfolio/rates/rated-portfolios.ts'),
    import('../portfolio/summary/movers.ts'),
    import('../portfolio/service.ts'),
    import('../watchlist/service.ts'),
    import('#src/platform/storage/export-file.ts'),
  ]);

/** The services for account data. Their code is loaded with the first question, alert or briefing. */
export const createAccountFeatures = (deps: AccountFeaturesDeps): AccountFeatures => {
  const { stores, clock, logger } = deps;
  let opening: ReturnType<typeof openServices> | undefined;
  const load = async (): ReturnType<typeof openServices> => {
    const opened = await openServices(deps);
    if (loop.isRunning()) opened.start();
    return opened;
  };
  const open = (): ReturnType<typeof openServices> =>
    (opening ??= load().catch((error: unknown) => {
      // A failed attempt is forgotten: the next call tries again.
      opening = undefined;
      throw error;
    }));
  const services = async (): Promise<AccountServices> => (await open()).services;

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
      logger.error('Alerts and briefings could not be started; the next attempt is in a minute', { error });
      return AFTER_FAILURE_MS;
    }
  };
  const loop = createPollingLoop(poll, clock);
  deps.sharedPlans?.onChanged(async () => {
    loop.wake();
    (await opening)?.changedElsewhere();
  });

  return {
    portfolio: lazyService('portfolio', services),
    alerts: lazyService('alerts', services),
    watchlist: lazyService('watchlist', services),
    briefings: lazyService('briefings', services),
    chatNotices: lazyService('chatNotices', services),
    zones: lazyService('zones', services),
    context: createContext(stores),
    ownItems: lazyOwnItems(stores, deps.symbols),
    start: loop.start,
    stop: async () => {
      await loop.stop();
      await (await opening)?.stop();
    },
  };
};
