import { DEFAULT_MAX_ENTRIES } from '#src/kernel/market/ledger.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { createAlertStore } from '../alerts/store.ts';
import { createAuditStore } from '#src/people/store/audit.ts';
import { createCorporateActionStore } from '../portfolio/store/corporate-actions.ts';
import { createBriefingStore } from '../briefings/store.ts';
import { createDailyRateStore } from '../portfolio/store/daily-rates.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createListingStore } from '#src/markets/store/listings.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import { createPortfolioStore } from '../portfolio/store/store.ts';
import { createWatchlistStore } from '../watchlist/store.ts';

/** The stores of account data, and of market facts that account data is completed from. */
export const createAccountStores = (storage: Storage, clock: Clock, maxEntries = DEFAULT_MAX_ENTRIES) => ({
  owners: createOwnerStore(storage, clock, maxEntries),
  portfolios: createPortfolioStore(storage, clock, maxEntries),
  alerts: createAlertStore(storage, clock),
  watchlists: createWatchlistStore(storage, clock),
  briefings: createBriefingStore(storage, clock),
  audit: createAuditStore(storage),
  // The following hold nothing personal.
  corporateActions: createCorporateActionStore(storage),
  /** Instruments that the built-in index lacks. */
  listings: createListingStore(storage, clock),
  dailyRates: createDailyRateStore(storage, clock),
});

export type AccountStores = ReturnType<typeof createAccountStores>;
