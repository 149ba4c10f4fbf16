import type { ChannelId, SessionKey, Timestamp, UserId } from '#src/kernel/ids.ts';
import type { ProviderId } from '#src/kernel/model.ts';
import type { ModelRequestTrace, UsageSnapshot } from '#src/kernel/ports.ts';
import type { ModelUsage, UsageFilter, UsageLedger } from '#src/platform/storage/usage.ts';

interface UsageAggregatorDeps {
  readonly ledger: UsageLedger;
}

/**
 * What the models were used for, from any side. It keeps nothing itself: every answer is a sum over the
 * ledger, so that it is the same after a restart and in every process.
 */
export class UsageAggregator {
  readonly #ledger: UsageLedger;

  constructor({ ledger }: UsageAggregatorDeps) {
    this.#ledger = ledger;
  }

  getByProvider(provider: ProviderId, since?: Timestamp): Promise<UsageSnapshot> {
    return this.#ledger.sum({ provider, since });
  }

  getBySession(sessionKey: SessionKey, since?: Timestamp): Promise<UsageSnapshot> {
    return this.#ledger.sum({ sessionKey, since });
  }

  /** A person's id means nothing without its platform. */
  getByUser(channelId: ChannelId, userId: UserId, since?: Timestamp): Promise<UsageSnapshot> {
    return this.#ledger.sum({ channelId, userId, since });
  }

  getTotal(since?: Timestamp): Promise<UsageSnapshot> {
    return this.#ledger.sum({ since });
  }

  /** The requests one by one, the oldest first. */
  listRequests(
    sessionKey: SessionKey,
    from: Timestamp,
    to: Timestamp,
  ): Promise<readonly ModelRequestTrace[]> {
    return this.#ledger.requests(sessionKey, from, to);
  }

  /** In no order. */
  listByModel(filter: UsageFilter = {}): Promise<readonly ModelUsage[]> {
    return this.#ledger.sumByModel(filter);
  }
}
