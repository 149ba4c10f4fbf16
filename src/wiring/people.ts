import { openSupportShares } from '../people/support-shares.ts';
import type { ChannelDefinition } from '../platform/channel-definition.ts';
import type { Config } from '../platform/config/config.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { FinClawError } from '../kernel/errors.ts';
import { createMarkupReader } from '#src/platform/text/platform-markup.ts';
import type { HomeReader } from '#src/kernel/people/home.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';
import type { ChannelId, PersonRef, UserId } from '../kernel/ids.ts';
import { type Base, loggingAs } from './base.ts';
import { createMembershipCheck } from '../chat/delivery/membership.ts';
import { createNormalizeText } from '../chat/commands/normalize-text.ts';
import { createNotifier } from '../chat/delivery/notifier.ts';
import { createDirectMessenger } from '../chat/delivery/direct-messenger.ts';
import { createDailyBytes } from '../platform/files/daily-bytes.ts';
import { createStoredBytes } from '../chat/store/stored-bytes.ts';
import { createMediaMemory } from '../platform/files/media-memory.ts';
import { createChannelProgress } from '../chat/store/channel-progress.ts';
import { createGuildSettings } from '../chat/store/guild-settings.ts';
import { createIdentities } from '../people/identities.ts';
import { createNotificationStore, notify } from '../chat/store/notifications.ts';
import { createAccountStores } from '#src/features/open/account-stores.ts';
import { createPairings } from '../people/store/pairings.ts';
import { createAdmission } from '../chat/intake/admission.ts';
import { createProfiles } from '../people/store/profiles.ts';
import { audienceOf, type ContextSettings } from '#src/chat/context/message-context.ts';

interface Platforms {
  /** Every platform that the program knows, on or off. */
  readonly platforms: readonly Pick<ChannelDefinition, 'markup'>[];
  readonly channels: readonly ChannelPlugin[];
}

/** Opens what concerns people: how they are reached, how their text is read, and what is kept about them. */
export const openPeople = async (
  config: Config,
  { platforms, channels }: Platforms,
  parts: Base,
  opened: AsyncDisposableStack,
) => {
  const base = loggingAs(parts, 'delivery');
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
  const guildSettings = await createGuildSettings(storage, clock, base.cluster?.shareSettings('servers'));
  const pairings = createPairings(storage, clock);
  /** Whether the platform names the person as an owner of the bot, now. Never rejects. */
  const ownsBot = async ({ channelId, userId }: PersonRef): Promise<boolean> =>
    (await channels.find(({ id }) => id === channelId)?.ownsBot?.(userId)) ?? false;
  const admission = createAdmission({ ...config.gates, ...config, pairings, guildSettings, ownsBot, clock });
  const { mayBeTold } = admission;
  const notifier = createNotifier({ ...base, store: notifications, channelOf, mayBeTold });
  const media = createMediaMemory();
  /** Decides the language, the time zone and the rights of a sender. */
  const context: ContextSettings = {
    admins: config.admins,
    // The choice of a server overrides the configuration.
    locale: ({ channelId, guildId }) => guildSettings.of(channelId, guildId).locale ?? config.locale,
    timeZone: config.timeZone,
    isZoneConfigured: config.isZoneConfigured,
    zoneIn: ({ channelId, guildId }) => guildSettings.of(channelId, guildId).timeZone,
    readable: normalizeText,
    stripMentions: markup.stripMentions,
  };
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
    identities: createIdentities({ storage, ...stores, notify, wake: notifier.wake, clock }),
    guildSettings,
    context,
    audienceOf: (reader: HomeReader, profile: UserProfile) => audienceOf(reader, context, profile),
    stores,
    supportShares: openSupportShares(storage, notify, clock),
    notifications,
    /** The reminders of a person that are still to be sent. */
    reminders: async (channelId: ChannelId, userId: UserId) => {
      const pending = await notifications.pendingOf(channelId, userId);
      return pending.map(({ payload, dueAt }) => ({ text: payload.text, at: dueAt }));
    },
    readMedia: async (channelId: ChannelId, file: MediaAttachment, maxBytes: number, signal: AbortSignal) => {
      const { readMedia } = channelOf(channelId);
      if (!readMedia) throw new FinClawError(`${channelId} reads no files`, 'MEDIA_UNREADABLE');
      const bytes = Math.min(file.sizeBytes ?? maxBytes, maxBytes);
      return media.hold(file.url, bytes, () => readMedia(file, maxBytes, signal), signal);
    },
    media,
    storedToday: createDailyBytes({ clock, storedBytes: createStoredBytes(storage.db) }),
    pairings,
    /** Who may do what is no message, and be told what they asked for. */
    admission,
    ownsBot,
    /** Remembers how far each channel has read. */
    progress,
  };
};

export type People = Awaited<ReturnType<typeof openPeople>>;
