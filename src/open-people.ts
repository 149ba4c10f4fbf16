import type { SupportShares } from './kernel/operator.ts';
import { openSupportShares } from './platform/storage/accounts/support-shares.ts';
import type { GeneralToolDeps } from './agent/tools/general/index.ts';
import type { ChannelDefinition } from './platform/channel-definition.ts';
import type { Config } from './platform/config/config.ts';
import type { ChannelHost, ChannelPlugin, MembershipCheck } from './kernel/channel.ts';
import { FinClawError } from './kernel/errors.ts';
import type { GuildSettings } from './kernel/guild-settings.ts';
import type { Identities } from './kernel/identity.ts';
import { createMarkupReader, type MarkupReader } from './kernel/platform-markup.ts';
import type { Profiles } from './kernel/ports.ts';
import type { Base } from './open-base.ts';
import { createMembershipCheck } from './chat/reply/membership.ts';
import { createNormalizeText, type NormalizeText } from './chat/stages/1-normalize.ts';
import { createNotifier, type RunningNotifier } from './chat/reply/notifier.ts';
import { createDirectMessenger, type DirectMessenger } from './chat/reply/direct-messenger.ts';
import { createChannelProgress } from './platform/storage/messages/channel-progress.ts';
import { createGuildSettings } from './platform/storage/guild-settings.ts';
import { createIdentities } from './platform/storage/accounts/identities.ts';
import {
  createNotificationStore,
  type NotificationStore,
} from './platform/storage/messages/notifications.ts';
import { type AccountStores, createAccountStores } from './features/account-stores.ts';
import type { AccountFeatureDeps } from './features/deps.ts';
import { createProfiles } from './platform/storage/accounts/profiles.ts';
import type { ContextSettings } from './chat/turns/message-context.ts';

/** The people the bot talks to: how they are reached, how their text is read, and what is kept about them. */
export interface People {
  readonly channelOf: (id: string) => ChannelPlugin;
  readonly markup: MarkupReader;
  readonly normalizeText: NormalizeText;
  readonly messenger: DirectMessenger;
  readonly notifier: RunningNotifier;
  readonly membership: MembershipCheck;
  readonly profiles: Profiles;
  readonly identities: Identities;
  readonly guildSettings: GuildSettings;
  /** Decides the language, the time zone and the rights of a sender. */
  readonly context: ContextSettings;
  readonly stores: AccountStores;
  readonly supportShares: SupportShares;
  readonly notifications: NotificationStore;
  /** The reminders of a person that are still to be sent. */
  readonly reminders: GeneralToolDeps['reminders'];
  readonly readMedia: AccountFeatureDeps['readMedia'];
  /** Remembers how far each channel has read. */
  readonly progress: ChannelHost['progress'];
}

interface Platforms {
  /** Every platform that the program knows, on or off. */
  readonly platforms: readonly Pick<ChannelDefinition, 'markup'>[];
  readonly channels: readonly ChannelPlugin[];
}

export const openPeople = async (
  config: Config,
  { platforms, channels }: Platforms,
  base: Base,
  opened: AsyncDisposableStack,
): Promise<People> => {
  const { storage, clock, logger } = base;
  const markup = createMarkupReader(platforms.flatMap((platform) => platform.markup ?? []));
  const normalizeText = createNormalizeText(markup);
  const channelOf = (id: string): ChannelPlugin => {
    const channel = channels.find((candidate) => candidate.id === id);
    if (!channel) throw new FinClawError(`There is no channel ${id}`, 'CHANNEL_UNKNOWN');
    return channel;
  };
  const stores = createAccountStores(storage, clock, config.portfolio.maxEntries);
  const notifications = createNotificationStore(storage);
  const notifier = createNotifier({ ...base, store: notifications, channelOf });
  const guildSettings = await createGuildSettings(storage, clock, base.cluster?.shareSettings('servers'));
  const progress = createChannelProgress(storage, clock, logger);
  opened.defer(progress.stop);
  return {
    channelOf,
    markup,
    normalizeText,
    messenger: createDirectMessenger({ channelOf, clock, logger }),
    notifier,
    membership: createMembershipCheck({ channelOf, clock, logger }),
    profiles: createProfiles(storage, clock),
    identities: createIdentities({ storage, ...stores, wake: notifier.wake, clock }),
    guildSettings,
    context: {
      admins: config.admins,
      // The choice of a server overrides the configuration.
      locale: ({ channelId, guildId }) => guildSettings.of(channelId, guildId).locale ?? config.locale,
      timeZone: config.timeZone,
      isZoneConfigured: config.isZoneConfigured,
      zoneIn: ({ channelId, guildId }) => guildSettings.of(channelId, guildId).timeZone,
      readable: normalizeText,
      stripMentions: markup.stripMentions,
    },
    stores,
    supportShares: openSupportShares(storage, clock),
    notifications,
    reminders: async (channelId, userId) => {
      const pending = await notifications.pendingOf(channelId, userId);
      return pending.map(({ payload, dueAt }) => ({ text: payload.text, at: dueAt }));
    },
    readMedia: async (channelId, media, maxBytes, signal) => {
      const { readMedia } = channelOf(channelId);
      if (!readMedia) throw new FinClawError(`${channelId} reads no files`, 'MEDIA_UNREADABLE');
      return readMedia(media, maxBytes, signal);
    },
    progress,
  };
};
