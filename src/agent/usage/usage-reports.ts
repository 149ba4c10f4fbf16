import type { Timestamp } from '#src/kernel/ids.ts';
import { KEYED_PROVIDERS } from '#src/kernel/model.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { UsagePeriod, UsageReports, UsageScope } from '#src/kernel/ports.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { ModelUsage } from '#src/platform/storage/usage.ts';
import { dayAround, startOfMonth } from './periods.ts';
import type { UsageAggregator } from './usage-aggregator.ts';

export interface UsageReportsDeps {
  readonly aggregator: Pick<
    UsageAggregator,
    'getByUser' | 'getTotal' | 'listByModel' | 'listRequests' | 'getBySession' | 'getByProvider'
  >;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly perDayUsd?: Decimal | undefined;
  readonly perUserUsd?: Decimal | undefined;
}

/** The dearest first; of the same cost by name, so that the order is always the same. */
const byCost = (one: ModelUsage, other: ModelUsage): number =>
  other.usage.costUsd.comparedTo(one.usage.costUsd) || (one.model < other.model ? -1 : 1);

export const createUsageReports = (deps: UsageReportsDeps): UsageReports => {
  const { aggregator, clock, timeZone } = deps;
  const period = async (scope: UsageScope, since: Timestamp): Promise<UsagePeriod> => {
    const [total, byModel] = await Promise.all([
      scope === 'all'
        ? aggregator.getTotal(since)
        : aggregator.getByUser(scope.channelId, scope.userId, since),
      aggregator.listByModel(
        scope === 'all' ? { since } : { channelId: scope.channelId, userId: scope.userId, since },
      ),
    ]);
    return { total, byModel: byModel.toSorted(byCost) };
  };
  return {
    today: (scope) => period(scope, dayAround(clock.now(), timeZone).start),
    month: (scope) => period(scope, startOfMonth(clock.now(), timeZone)),
    conversation: (sessionKey) => aggregator.getBySession(sessionKey),
    monthByProvider: async () => {
      const since = startOfMonth(clock.now(), timeZone);
      const used = await Promise.all(
        KEYED_PROVIDERS.map(async (provider) => ({
          provider,
          usage: await aggregator.getByProvider(provider, since),
        })),
      );
      return used.filter(({ usage }) => usage.requestCount > 0);
    },
    requests: (sessionKey, from, to) => aggregator.listRequests(sessionKey, from, to),
    limits: { perUserUsd: deps.perUserUsd, perDayUsd: deps.perDayUsd },
  };
};
