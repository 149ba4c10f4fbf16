import type { WatchlistService } from '#src/kernel/account-services.ts';
import {
  addToWatchlist,
  type ChangeWatchlistDeps,
  clearWatchlist,
  removeFromWatchlist,
} from './change-watchlist.ts';
import { showWatchlist, type ShowWatchlistDeps } from './show-watchlist.ts';

export type WatchlistServiceDeps = ShowWatchlistDeps & ChangeWatchlistDeps;

/** What a person keeps an eye on: only ever their own list. Throws on abort, or where the storage does. */
export const createWatchlistService = (deps: WatchlistServiceDeps): WatchlistService => ({
  show: showWatchlist(deps),
  add: addToWatchlist(deps),
  remove: removeFromWatchlist(deps),
  clear: clearWatchlist(deps),
});
