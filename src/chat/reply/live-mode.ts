import type { LiveMode } from '#src/kernel/channel.ts';
import type { GuildSetting } from '#src/kernel/guild-settings.ts';
import type { ChannelId, ChatId } from '#src/kernel/ids.ts';

/** What the operator set about answers that are shown while they are made. */
export interface LiveSettings {
  /** Where nothing else is chosen. */
  readonly mode: LiveMode;
  /** By platform (`discord`) or chat (`discord:123`). */
  readonly channels: Readonly<Record<string, LiveMode>>;
}

/** What those who run a server chose for it goes before the configuration, there the chat before the platform. */
export const liveModeOf = (
  settings: LiveSettings,
  guild: Pick<GuildSetting, 'live'>,
  { channelId, chatId }: { readonly channelId: ChannelId; readonly chatId: ChatId },
): LiveMode =>
  guild.live ?? settings.channels[`${channelId}:${chatId}`] ?? settings.channels[channelId] ?? settings.mode;
