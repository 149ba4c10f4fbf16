import type { LiveMode } from './live-answer.ts';
import type { Locale } from '../locale.ts';
import type { ChannelId, ChatId, UserId } from '../ids.ts';
import type { MsgContext } from './message.ts';
import type { QueueMode } from './queue.ts';

/** Settings that the managers of a server or workspace chose with `/settings`. Absent fields: as configured. */
export interface GuildSetting {
  /** `auto`: the language of each message. Overrides the operator's configuration. */
  readonly locale?: Locale | 'auto';
  /** Chats in which the bot answers; absent: all. A thread belongs to its channel. */
  readonly allowedChats?: readonly ChatId[];
  /** Ids of the roles whose members the bot answers; absent: everybody. */
  readonly allowedRoles?: readonly string[];
  readonly live?: LiveMode;
  readonly queueMode?: QueueMode;
  /** For people whose own zone is unknown. */
  readonly timeZone?: string;
}

/** Port: the settings of servers and workspaces. */
export interface GuildSettings {
  /** Reads from memory. Empty outside of a guild. */
  readonly of: (channelId: ChannelId, guildId: string | undefined) => GuildSetting;
  /** Durable when it resolves. Null resets a setting. */
  readonly change: (
    channelId: ChannelId,
    guildId: string,
    change: { readonly [Key in keyof GuildSetting]?: NonNullable<GuildSetting[Key]> | null },
    by: UserId,
  ) => Promise<GuildSetting>;
  /** Increases with every change, so that readers can cache settings until then. */
  readonly revision: () => number;
}

/** A fixed language, `auto` for the language of each message, or a choice per guild. */
export type LocaleRule = Locale | 'auto' | ((place: GuildPlace) => Locale | 'auto');

export type GuildPlace = Pick<MsgContext, 'channelId' | 'guildId'>;

export const fixedLocaleIn = (place: GuildPlace, rule: LocaleRule): Locale | 'auto' =>
  typeof rule === 'function' ? rule(place) : rule;
