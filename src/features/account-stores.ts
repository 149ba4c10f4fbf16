import { DEFAULT_MAX_ENTRIES } from '#src/kernel/ledger.ts';
import type { AuditTrail } from '#src/kernel/operations.ts';
import type { Clock } from '#src/platform/clock.ts';
import { createAlertStore } from '#src/features/alerts/store.ts';
import type { AlertStore } from '#src/features/alerts/store-types.ts';
import { createAuditStore } from '#src/platform/storage/accounts/audit.ts';
import {
  type CorporateActionStore,
  createCorporateActionStore,
} from '#src/features/portfolio/store-corporate-actions.ts';
import { type BriefingStore, createBriefingStore } from '#src/features/briefings/store.ts';
import { createDailyRateStore, type DailyRateStore } from '#src/features/portfolio/store-daily-rates.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createListingStore, type ListingStore } from '#src/platform/storage/listings.ts';
import { createOwnerStore, type OwnerStore } from '#src/platform/storage/accounts/owners.ts';
import { createPortfolioStore } from '#src/features/portfolio/store.ts';
import type { PortfolioStore } from '#src/features/portfolio/store-types.ts';
import { createWatchlistStore, type WatchlistStore } from '#src/features/watchlist/store.ts';

/** Where what is a person's own is kept, who they are on several platforms, and what was done with it. */
export interface AccountStores {
  readonly owners: OwnerStore;
  readonly portfolios: PortfolioStore;
  readonly alerts: AlertStore;
  readonly watchlists: WatchlistStore;
  readonly briefings: BriefingStore;
  readonly audit: AuditTrail;
  /** Nobody's own: facts about what people hold. */
  readonly corporateActions: CorporateActionStore;
  /** Not personal: instruments that the built-in index lacks. */
  readonly listings: ListingStore;
  /** Nobody's own, but what their ledgers are completed from. */
  readonly dailyRates: DailyRateStore;
}

export const createAccountStores = (
  storage: Storage,
  clock: Clock,
  maxEntries = DEFAULT_MAX_ENTRIES,
): AccountStores => ({
  owners: createOwnerStore(storage, clock, maxEntries),
  portfolios: createPortfolioStore(storage, clock, maxEntries),
  alerts: createAlertStore(storage, clock),
  watchlists: createWatchlistStore(storage, clock),
  briefings: createBriefingStore(storage, clock),
  audit: createAuditStore(storage),
  corporateActions: createCorporateActionStore(storage),
  listings: createListingStore(storage, clock),
  dailyRates: createDailyRateStore(storage, clock),
});
