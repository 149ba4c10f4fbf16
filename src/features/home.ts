import type { PortfolioService, WatchlistService } from '#src/kernel/account-services.ts';
import type { HomePages, HomeQuestionId, HomeReader } from '#src/kernel/home.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { Profiles, UserProfile } from '#src/kernel/ports.ts';
import type { ZoneSource } from '#src/kernel/time-zone.ts';
import type { Clock } from '#src/platform/clock.ts';
import { loadOnce } from '#src/platform/lazy-answers.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { AccountStores } from './account-stores.ts';
import { homeMessages } from './home-messages.ts';

export interface HomeDeps {
  readonly portfolio: Pick<PortfolioService, 'summary'>;
  readonly watchlist: Pick<WatchlistService, 'show'>;
  readonly stores: Pick<AccountStores, 'owners' | 'portfolios' | 'alerts' | 'watchlists' | 'briefings'>;
  readonly profiles: Pick<Profiles, 'get'>;
  readonly audienceOf: (
    reader: HomeReader,
    profile: UserProfile,
  ) => { readonly locale: Locale; readonly timeZone: string; readonly zoneFrom: ZoneSource };
  readonly clock: Clock;
  readonly logger: Pick<FinClawLogger, 'warn'>;
}

const COMMANDS: Readonly<Record<HomeQuestionId, string>> = {
  ask: '',
  trade: '/portfolio buy',
  watch: '/watch add',
  alert: '/alert',
  briefing: '/briefing',
  zone: '/profile timezone',
};

/** The pages of people about their own data. Their code is loaded with the first page. */
export const createHome = (deps: HomeDeps): HomePages => {
  const load = loadOnce(async () => {
    const { createHomePages } = await import('./home-pages.ts');
    return createHomePages(deps);
  });
  return {
    compose: async (reader, signal) => (await load()).compose(reader, signal),
    versionOf: async (reader) => (await load()).versionOf(reader),
    languageOf: async (reader) => (await load()).languageOf(reader),
    question: (id, locale) => ({ id, command: COMMANDS[id], ...homeMessages(locale).questions[id] }),
  };
};
