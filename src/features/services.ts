import type { MembershipCheck } from '#src/kernel/channel/channel.ts';
import type { Market } from '#src/markets/sources/source.ts';
import type { OwnerStore } from '#src/people/store/owners.ts';
import type { ConcurrencyLaneManager } from '#src/platform/concurrency/concurrency-lane.ts';
import type { ServiceName, Services, UsesOf } from '#src/platform/services.ts';
import type { SentFiles } from '#src/platform/storage/sent-files.ts';

/** What several features need besides. */
export interface FeatureServices extends Services {
  readonly files: SentFiles;
  readonly lanes: ConcurrencyLaneManager;
  readonly market: Market;
  /** Whether a person is still in the chat that their alert or briefing is sent to. */
  readonly membership: MembershipCheck;
  readonly owners: OwnerStore;
}

export type FeatureUses<K extends ServiceName<FeatureServices>> = UsesOf<FeatureServices, K>;
