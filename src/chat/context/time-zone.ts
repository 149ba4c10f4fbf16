import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';
import { canonicalZone, type ZoneSource } from '#src/kernel/time.ts';
import { zoneOfLanguage } from '#src/reading/time-zone.ts';
import { isTerminal } from '#src/kernel/chat/terminal.ts';
import type { GuildPlace } from '#src/kernel/chat/guild-settings.ts';

export interface ZoneSettings {
  /** The configured time zone, or else the machine's. */
  readonly timeZone: string;
  readonly isZoneConfigured?: boolean;
  /** The zone that a server's managers chose. */
  readonly zoneIn?: (place: GuildPlace) => string | undefined;
}

export interface KnownZone {
  readonly timeZone: string;
  readonly zoneFrom: ZoneSource;
}

/** Default zones of machines, which say nothing about where people are. */
const NOWHERE: ReadonlySet<string> = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT']);

/** The person at the terminal shares the machine's zone, if it is a real one. */
const zoneOfBot = ({ channelId }: Pick<MsgContext, 'channelId'>, settings: ZoneSettings): KnownZone => {
  const { timeZone, isZoneConfigured = false } = settings;
  const isTheirs = isTerminal(channelId) && (isZoneConfigured || !NOWHERE.has(timeZone));
  return { timeZone, zoneFrom: isTheirs ? 'terminal' : isZoneConfigured ? 'bot' : 'machine' };
};

/** The person's zone from the most reliable source. */
export const zoneOf = (
  message: Pick<MsgContext, 'channelId' | 'guildId' | 'languageTag' | 'guildLanguageTag' | 'timeZone'>,
  settings: ZoneSettings,
  profile: Pick<UserProfile, 'timeZone' | 'platform'> = {},
): KnownZone => {
  const tag = message.languageTag ?? profile.platform?.languageTag;
  const { guildLanguageTag } = message;
  const candidates: readonly (readonly [ZoneSource, string | undefined])[] = [
    ['profile', profile.timeZone],
    ['platform', message.timeZone ?? profile.platform?.timeZone],
    ['language', tag === undefined ? undefined : zoneOfLanguage(tag)],
    ['server', settings.zoneIn?.(message)],
    ['server-language', guildLanguageTag === undefined ? undefined : zoneOfLanguage(guildLanguageTag)],
  ];
  for (const [zoneFrom, zone] of candidates) {
    const timeZone = zone === undefined ? undefined : canonicalZone(zone);
    if (timeZone !== undefined) return { timeZone, zoneFrom };
  }
  return zoneOfBot(message, settings);
};
