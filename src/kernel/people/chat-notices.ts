import type { AccountQuery, EmptyRequest } from './requester.ts';

/** Port: what people set in one channel, for its managers. The caller checks that the requester is one. */
export interface ChatNoticeService {
  readonly list: AccountQuery<EmptyRequest>;
  /** By id. The owner is notified. */
  readonly remove: AccountQuery<{ readonly which: string }>;
}
