import type { Feature } from '#src/features/feature.ts';
import { manageWatchlist } from './tools.ts';

export const watchlist = {
  tools: {
    manage_watchlist: manageWatchlist,
  },
} satisfies Feature;

export type { WatchlistStore } from './store.ts';
