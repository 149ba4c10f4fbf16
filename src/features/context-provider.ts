import type { FinanceContextProvider, MarketHours } from '#src/kernel/finance.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Market } from '#src/markets/sources/source.ts';
import type { AccountFeatures } from '#src/features/account-features.ts';
import { RecentNews } from '#src/features/news/recent-news.ts';

interface FinanceContextDeps {
  readonly hours: MarketHours;
  readonly market: Pick<Market, 'getNews'>;
  /** What is known of a person, by who they are on their platform. */
  readonly personal: AccountFeatures['context'];
  readonly clock: Clock;
}

export const createFinanceContextProvider = ({
  hours,
  market,
  personal,
  clock,
}: FinanceContextDeps): FinanceContextProvider => {
  const recentNews = new RecentNews({ market, clock });
  return {
    getMarketSession: async () => {
      const now = clock.now();
      return hours.markets.map((name) => hours.sessionAt(name, now));
    },
    getRecentNews: recentNews.get,
    ...personal,
  };
};
