import type {
  AlertService,
  BriefingService,
  ChatNoticeService,
  PortfolioService,
  TimeZoneService,
  WatchlistService,
} from '#src/kernel/account-services.ts';
import type { SymbolSearch } from '#src/kernel/finance.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { createExportWriter } from '#src/platform/storage/accounts/export-file.ts';
import { createAlertService } from '#src/features/alerts/service.ts';
import { createChatNotices } from '#src/features/chat-notices/chat-notices.ts';
import { createAlertWatch } from '#src/features/alerts/alert-watch.ts';
import { createBriefingService } from '#src/features/briefings/service.ts';
import { createBriefingRunner } from '#src/features/briefings/runner.ts';
import { createBriefingComposer } from '#src/features/briefings/compose-briefing.ts';
import { createCorporateActions } from '#src/features/portfolio/corporate-actions/corporate-actions.ts';
import { createTimeZoneService } from '#src/features/account/guessed-zones.ts';
import type { OpenedMarkets } from '#src/features/open-markets.ts';
import type { AccountFeatureDeps } from '#src/features/deps.ts';
import { ratedPortfolios } from '#src/features/portfolio/rates/rated-portfolios.ts';
import { moversOf } from '#src/features/portfolio/summary/movers.ts';
import { createPortfolioService } from '#src/features/portfolio/service.ts';
import { createWatchlistService } from '#src/features/watchlist/service.ts';

interface OpenPersonalDeps extends AccountFeatureDeps {
  readonly markets: Pick<OpenedMarkets, 'market' | 'charts'>;
  readonly symbols: SymbolSearch;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

export interface OpenedAccountFeatures {
  readonly portfolio: PortfolioService;
  readonly alerts: AlertService;
  readonly watchlist: WatchlistService;
  readonly briefings: BriefingService;
  readonly chatNotices: ChatNoticeService;
  readonly zones: TimeZoneService;
  /** Safe to call twice. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** Everything that can be asked about what is a person's own, and what happens with it by itself. */
export const openAccountFeatures = (deps: OpenPersonalDeps): OpenedAccountFeatures => {
  const { stores, settings, markets, symbols, lanes, wake, clock, logger } = deps;
  const { owners } = stores;
  const { membership, directTarget } = deps;
  const { market, charts } = markets;
  const corporateActions = createCorporateActions({ market, store: stores.corporateActions, clock, logger });
  const shared = { owners, market, corporateActions, symbols, clock, logger };
  const { dailyRates } = stores;

  const alertWatch = createAlertWatch({
    ...shared,
    store: stores.alerts,
    lanes,
    wake,
    membership,
    directTarget,
    tickMs: settings.alerts.everySeconds * 1_000,
  });
  const compose = createBriefingComposer({
    ...shared,
    watchlist: stores.watchlists,
    portfolioMovers: moversOf({ ...shared, dailyRates, store: stores.portfolios }),
  });
  const briefingRunner = createBriefingRunner({
    store: stores.briefings,
    compose,
    clock,
    lanes,
    wake,
    membership,
    directTarget,
    logger,
  });

  return {
    portfolio: createPortfolioService({
      ...shared,
      store: ratedPortfolios(stores.portfolios, { ...shared, dailyRates }),
      dailyRates,
      charts,
      writeExport: createExportWriter(deps.dataDir),
      readMedia: deps.readMedia,
      riskFreePercent: settings.portfolio.riskFreePercent,
    }),
    alerts: createAlertService({
      ...shared,
      store: stores.alerts,
      directTarget,
      changed: alertWatch.changed,
      maxAlerts: settings.alerts.maxPerPerson,
      inChannels: {
        perChat: settings.alerts.maxPerChannel,
        repeatingPerPerson: settings.alerts.maxRepeatingPerChannel,
        repeatMinutes: settings.alerts.repeatMinutesInChannel,
      },
    }),
    watchlist: createWatchlistService({ ...shared, store: stores.watchlists }),
    briefings: createBriefingService({
      ...shared,
      store: stores.briefings,
      compose,
      directTarget,
      changed: briefingRunner.changed,
      maxPerChannel: settings.alerts.maxBriefingsPerChannel,
    }),
    chatNotices: createChatNotices({
      alerts: stores.alerts,
      briefings: stores.briefings,
      audit: stores.audit,
      directTarget,
      wake,
      clock,
    }),
    zones: createTimeZoneService({
      owners,
      alerts: stores.alerts,
      briefings: stores.briefings,
      notifications: deps.notifications,
      clock,
      changed: () => {
        briefingRunner.changed();
        wake();
      },
    }),
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
