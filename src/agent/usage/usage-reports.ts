import type { ChannelId, SessionKey, Timestamp, UserId } from '#src/kernel/ids.ts';
import { KEYED_PROVIDERS, type ProviderId } from '#src/kernel/agent/model.ts';
import type {
  ModelRequestTrace,
  UsagePeriod,
  UsageReports,
  UsageScope,
  UsageSnapshot,
} from '#src/kernel/agent/usage.ts';
import type { ModelUsage, UsageFilter, UsageLedger } from '#src/agent/store/usage.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Uses } from '#src/platform/services.ts';
import { dayAround, startOfMonth } from './periods.ts';

/**
 * Sums model usage by provider, session, person and model. Stateless: every answer is a query on the ledger, so
 * it is the same after a restart and in every process.
 */
export class UsageAggregator {
  readonly #ledger: UsageLedger;

  constructor({ ledger }: { readonly ledger: UsageLedger }) {
    this.#ledger = ledger;
  }

  getByProvider(provider: ProviderId, since?: Timestamp): Promise<UsageSnapshot> {
    return this.#ledger.sum({ provider, since });
  }

  getBySession(sessionKey: SessionKey, since?: Timestamp): Promise<UsageSnapshot> {
    return this.#ledger.sum({ sessionKey, since });
  }

  /** A person's id is unique only within its channel. */
  getByUser(channelId: ChannelId, userId: UserId, since?: Timestamp): Promise<UsageSnapshot> {
    return this.#ledger.sum({ channelId, userId, since });
  }

  getTotal(since?: Timestamp): Promise<UsageSnapshot> {
    return this.#ledger.sum({ since });
  }

  /** Single requests, the oldest first. */
  listRequests(
    sessionKey: SessionKey,
    from: Timestamp,
    to: Timestamp,
  ): Promise<readonly ModelRequestTrace[]> {
    return this.#ledger.requests(sessionKey, from, to);
  }

  /** In no particular order. */
  listByModel(filter: UsageFilter = {}): Promise<readonly ModelUsage[]> {
    return this.#ledger.sumByModel(filter);
  }
}

interface UsageReportsDeps extends Uses<'clock'> {
  readonly aggregator: UsageAggregator;
  readonly timeZone: string;
  readonly perDayUsd?: Decimal | undefined;
  readonly perUserUsd?: Decimal | undefined;
}

/** Most expensive first; equal costs by name, for a stable order. */
const byCost = (one: ModelUsage, other: ModelUsage): number =>
  other.usage.costUsd.comparedTo(one.usage.costUsd) || (one.model < other.model ? -1 : 1);

export const createUsageReports = (deps: UsageReportsDeps): UsageReports => {
  const { aggregator, clock, timeZone } = deps;
  const period = async (scope: UsageScope, since: Timestamp): Promise<UsagePeriod> => {
    const [total, byModel] = await Promise.all(
      scope === 'all'
        ? [aggregator.getTotal(since), aggregator.listByModel({ since })]
        : [
            aggregator.getByUser(scope.channelId, scope.userId, since),
            aggregator.listByModel({ channelId: scope.channelId, userId: scope.userId, since }),
          ],
    );
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
