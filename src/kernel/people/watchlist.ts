import type { AccountQuery, EmptyRequest } from './requester.ts';

export interface WatchlistService {
  readonly show: AccountQuery<EmptyRequest>;
  readonly add: AccountQuery<{ readonly names: readonly string[] }>;
  readonly remove: AccountQuery<{ readonly names: readonly string[] }>;
  readonly clear: AccountQuery<{ readonly isSure: boolean }>;
}
