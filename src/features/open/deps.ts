import type { Requester } from '#src/kernel/people/requester.ts';
import type { ChannelId } from '#src/kernel/ids.ts';
import type { MediaAttachment, ReplyTarget } from '#src/kernel/chat/message.ts';
import type { ReadPicture } from '#src/kernel/agent/picture-task.ts';
import type { MarketMode } from '#src/markets/sources/open-market.ts';
import type { AccountStores } from './account-stores.ts';
import type { MarketQueryDeps } from '../feature.ts';
import type { FeatureUses } from '#src/features/services.ts';
import type { NotificationStore } from '#src/chat/store/notifications.ts';
import type { SharedSettings } from '#src/platform/storage/shared-settings.ts';

/** What the account features need of the rest of the program. */
export interface AccountFeatureDeps extends FeatureUses<'wake' | 'lanes.acquire' | 'membership'> {
  readonly stores: AccountStores;
  /** Reminders move with the time zone of their person. */
  readonly notifications: Pick<NotificationStore, 'pendingOf' | 'rezone'>;
  /** Whether this process watches the alerts and writes the briefings of all. Undefined: it is the only one. */
  readonly leads?: (() => boolean) | undefined;
  /** Tells the process that watches them when alerts or briefings were changed here. */
  readonly sharedPlans?: SharedSettings | undefined;
  /** The requester's private chat; undefined if the channel cannot open one. */
  readonly directTarget: (whose: Pick<Requester, 'target' | 'isDirect'>) => Promise<ReplyTarget | undefined>;
  readonly readMedia: (
    channelId: ChannelId,
    media: MediaAttachment,
    maxBytes: number,
    signal: AbortSignal,
  ) => Promise<Uint8Array>;
  readonly readPicture: ReadPicture;
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
  /** The bot is set up for others, who must never get sample prices. */
  readonly hasLiveSetup: boolean;
  readonly yahooUrl?: string;
  readonly upbitUrl?: string;
}

export interface FeatureDeps extends FeatureUses<'clock' | 'logger' | 'files.save'> {
  readonly settings: MarketSettings;
  /** Whether a model key is set; checked when live or sample prices are chosen. */
  readonly hasLiveModel?: () => boolean;
  readonly showsSparklines?: MarketQueryDeps['showsSparklines'];
  readonly personal: AccountFeatureDeps;
}
