import type { Requester } from '#src/kernel/account-services.ts';
import type { MembershipCheck } from '#src/kernel/channel.ts';
import type { ChannelId } from '#src/kernel/ids.ts';
import type { MediaAttachment, ReplyTarget } from '#src/kernel/message.ts';
import type { MarketMode } from '#src/markets/sources/open-market.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { ConcurrencyLaneManager } from '#src/platform/concurrency-lane.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { AccountStores } from './account-stores.ts';
import type { NotificationStore } from '#src/platform/storage/messages/notifications.ts';

/** Lent by the rest of the program: a place in the cron lane, ways to message people, their files. */
export interface AccountFeatureDeps {
  readonly stores: AccountStores;
  /** What waits to be told: reminders move with their person's zone. */
  readonly notifications: Pick<NotificationStore, 'pendingOf' | 'rezone'>;
  readonly lanes: Pick<ConcurrencyLaneManager, 'acquire'>;
  /** Something was stored to be told. */
  readonly wake: () => void;
  /** The private chat with who asks; undefined where the channel cannot open one. */
  readonly directTarget: (whose: Pick<Requester, 'target' | 'isDirect'>) => Promise<ReplyTarget | undefined>;
  /** Whether somebody is still where something of theirs is told. */
  readonly membership: MembershipCheck;
  readonly readMedia: (
    channelId: ChannelId,
    media: MediaAttachment,
    maxBytes: number,
    signal: AbortSignal,
  ) => Promise<Uint8Array>;
  readonly settings: {
    readonly alerts: {
      readonly everySeconds: number;
      readonly maxPerPerson: number;
      readonly maxPerChannel: number;
      readonly maxRepeatingPerChannel: number;
      readonly repeatMinutesInChannel: number;
      readonly maxBriefingsPerChannel: number;
    };
    readonly portfolio: { readonly riskFreePercent: number };
  };
}

export interface MarketSettings {
  readonly mode: MarketMode;
  /** Somebody set the bot up for others: they never get made-up prices. */
  readonly hasLiveSetup: boolean;
  readonly yahooUrl?: string;
  readonly upbitUrl?: string;
}

export interface FeatureDeps {
  readonly settings: MarketSettings;
  /** A key was saved, or added since: asked when it has to be decided between live and sample. */
  readonly hasLiveModel?: () => boolean;
  readonly personal: AccountFeatureDeps;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}
