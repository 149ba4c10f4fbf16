export type { WatchlistStore } from './store.ts';
