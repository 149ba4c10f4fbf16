import type { FinanceContextProvider, MarketHours } from '#src/core/finance.ts';
import type { Clock } from '#src/infra/clock.ts';

interface FinanceContextDeps {
  readonly hours: MarketHours;
  readonly clock: Clock;
}

export const createFinanceContextProvider = ({
  hours,
  clock,
}: FinanceContextDeps): FinanceContextProvider => ({
  getMarketSession: async () => {
    const now = clock.now();
    return hours.markets.map((market) => hours.sessionAt(market, now));
  },
});
