import type { ChannelId, Timestamp, UserId } from '#src/core/ids.ts';
import type { Decimal } from '#src/core/money.ts';
import type { UsageSnapshot } from '#src/core/ports.ts';
import type { Clock } from '#src/infra/clock.ts';
import { dayAround } from './periods.ts';
import type { UsageAggregator } from './usage-aggregator.ts';

export interface BudgetDeps {
  readonly aggregator: Pick<UsageAggregator, 'getByUser' | 'getTotal'>;
  readonly clock: Clock;
  /** Under what the sums of a person are kept after they had their data deleted. */
  readonly erasedUserId: (channelId: ChannelId, userId: UserId) => UserId;
  /** Whose midnight begins a new day. */
  readonly timeZone: string;
  /** For everybody together. */
  readonly perDayUsd?: Decimal | undefined;
  /** For each person. */
  readonly perUserUsd?: Decimal | undefined;
}

export type BudgetVerdict =
  | { readonly verdict: 'ok' }
  | {
      readonly verdict: 'exceeded';
      readonly scope: 'user' | 'all';
      readonly limitUsd: Decimal;
      readonly spentUsd: Decimal;
      readonly resetsAt: Timestamp;
    };

export interface Budget {
  /**
   * Ask before every call of a model. What is under way is booked only when it ends, so the last call of a
   * day may go beyond the limit. Requests whose price is not known do not count.
   */
  readonly check: (channelId: ChannelId, userId: UserId) => Promise<BudgetVerdict>;
}

/** What may be spent in a day. Reaching the limit is exceeding it, so a limit of 0 allows nothing. */
export const createBudget = ({
  aggregator,
  clock,
  erasedUserId,
  timeZone,
  perDayUsd,
  perUserUsd,
}: BudgetDeps): Budget => ({
  check: async (channelId, userId) => {
    const { start, end } = dayAround(clock.now(), timeZone);
    const judge = async (
      scope: 'user' | 'all',
      limitUsd: Decimal | undefined,
      spend: () => Promise<Pick<UsageSnapshot, 'costUsd'>>,
    ): Promise<BudgetVerdict> => {
      if (limitUsd === undefined) return { verdict: 'ok' };
      const { costUsd: spentUsd } = await spend();
      return spentUsd.lessThan(limitUsd)
        ? { verdict: 'ok' }
        : { verdict: 'exceeded', scope, limitUsd, spentUsd, resetsAt: end };
    };
    // Who has their data deleted gets no second budget for the day.
    const spentBy = async (): Promise<Pick<UsageSnapshot, 'costUsd'>> => {
      const now = await aggregator.getByUser(channelId, userId, start);
      const erased = await aggregator.getByUser(channelId, erasedUserId(channelId, userId), start);
      return { costUsd: now.costUsd.plus(erased.costUsd) };
    };
    const own = await judge('user', perUserUsd, spentBy);
    return own.verdict === 'exceeded' ? own : judge('all', perDayUsd, () => aggregator.getTotal(start));
  },
});
