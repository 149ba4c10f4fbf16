import type { ChannelId, UserId, PersonRef, SessionKey, Timestamp } from '../ids.ts';
import type { KeyedProvider, ProviderIds, TokenUsage } from './model.ts';
import type { Decimal } from '../money.ts';

export interface BudgetCheck {
  readonly check: (channelId: ChannelId, userId: UserId) => Promise<'ok' | 'user' | 'total'>;
  /** The share of a person's daily budget that is spent. Undefined: there is no limit for each person. */
  readonly used: (channelId: ChannelId, userId: UserId) => Promise<number | undefined>;
}

export interface UsageSnapshot extends TokenUsage {
  readonly requestCount: number;
  readonly failedCount: number;
  readonly costUsd: Decimal;
  /** Requests to models without a known price, which `costUsd` does not include. */
  readonly unpricedCount: number;
}

export type UsageScope = PersonRef | 'all';

export interface UsagePeriod {
  readonly total: UsageSnapshot;
  readonly byModel: readonly { readonly model: string; readonly usage: UsageSnapshot }[];
}

/** A recorded model request. */
export interface ModelRequestTrace extends ProviderIds {
  readonly model: string;
  readonly outcome: 'ok' | 'failed';
}

/** Port: recorded model usage, for `/usage` and `/debug last`. Days and months are in the bot's time zone. */
export interface UsageReports {
  readonly today: (scope: UsageScope) => Promise<UsagePeriod>;
  readonly month: (scope: UsageScope) => Promise<UsagePeriod>;
  /** Usage of a conversation, as far back as records are kept. */
  readonly conversation: (sessionKey: SessionKey) => Promise<UsageSnapshot>;
  /** This month's total usage by provider, without unused providers. */
  readonly monthByProvider: () => Promise<
    readonly { readonly provider: KeyedProvider; readonly usage: UsageSnapshot }[]
  >;
  /** Requests of a conversation between two moments, oldest first. */
  readonly requests: (
    sessionKey: SessionKey,
    from: Timestamp,
    to: Timestamp,
  ) => Promise<readonly ModelRequestTrace[]>;
  /** The daily budgets, if set. */
  readonly limits: { readonly perUserUsd: Decimal | undefined; readonly perDayUsd: Decimal | undefined };
}
