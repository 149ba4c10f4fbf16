import type { Locale } from '#src/kernel/locale.ts';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';

export const DISCORD = asId<ChannelId>('discord');

export interface DiscordSettings {
  readonly token: string;
  /** Where the REST API is; absent: Discord's own. E.g. `http://127.0.0.1:8080/api`. */
  readonly apiUrl?: string;
  /** Commands are registered for these servers only, where changes show at once; absent: everywhere. */
  readonly commandGuilds?: readonly string[];
  /** How long `start` waits for the connection before it lets the rest of the bot go on. Default: 5,000. */
  readonly startWaitMs?: number;
  /** Discord allows one IDENTIFY in so much time. Default: 5,000. */
  readonly identifyPauseMs?: number;
}

export interface DiscordDeps {
  readonly settings: DiscordSettings;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  readonly locale: Locale | 'auto';
}

/** Routes begin with a slash: one at the end of the address would be one too many. */
export const withPlainUrl = (settings: DiscordSettings): DiscordSettings =>
  settings.apiUrl === undefined
    ? settings
    : { ...settings, apiUrl: settings.apiUrl.replace(/(?<!\/)\/+$/, '') };

/** `ko` → ko, `en-US` and `en-GB` → en; of others nothing is known. */
export const localeFrom = (reported: string | undefined): Locale | undefined => {
  if (reported?.startsWith('ko')) return 'ko';
  return reported?.startsWith('en') ? 'en' : undefined;
};
