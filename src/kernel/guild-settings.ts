import type { LiveMode } from './channel.ts';
import type { Locale } from './locale.ts';
import type { ChannelId, ChatId, UserId } from './ids.ts';
import type { InboundMessage } from './message.ts';
import type { QueueMode } from './ports.ts';

/** What those who run a server or workspace chose for it by chat. What is absent is as configured. */
export interface GuildSetting {
  /** `auto`: the language of each message. Goes before what the operator configured. */
  readonly locale?: Locale | 'auto';
  /** Where the bot answers; absent: everywhere. A thread belongs to its channel. */
  readonly allowedChats?: readonly ChatId[];
  readonly live?: LiveMode;
  readonly queueMode?: QueueMode;
  /** Of those whose own zone is not known. */
  readonly timeZone?: string;
}

/** Port: the settings of servers and workspaces. */
export interface GuildSettings {
  /** At once: they are held in memory. Empty outside of a guild. */
  readonly of: (channelId: ChannelId, guildId: string | undefined) => GuildSetting;
  /** Durable when it resolves. Null takes a choice back. */
  readonly change: (
    channelId: ChannelId,
    guildId: string,
    change: { readonly [Key in keyof GuildSetting]?: NonNullable<GuildSetting[Key]> | null },
    by: UserId,
  ) => Promise<GuildSetting>;
  /** Grows with every change, so that readers can keep what they read while it stays the same. */
  readonly revision: () => number;
}

/** One language for all, `auto` for that of each message, or what holds in a guild. */
export type LocaleRule = Locale | 'auto' | ((place: GuildPlace) => Locale | 'auto');

export type GuildPlace = Pick<InboundMessage, 'channelId' | 'guildId'>;

export const fixedLocaleIn = (place: GuildPlace, rule: LocaleRule): Locale | 'auto' =>
  typeof rule === 'function' ? rule(place) : rule;
