import type { Locale } from '#src/kernel/locale.ts';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import type { Uses } from '#src/platform/services.ts';

export const DISCORD = asId<ChannelId>('discord');

/** The slash command for anything, in both languages. */
export const ASK_NAMES = ['ask', '질문'] as const;

export interface DiscordSettings {
  readonly token: string;
  /** The REST API, such as `http://127.0.0.1:8080/api`. Default: Discord's own. */
  readonly apiUrl?: string;
  /** Registers commands for these servers only, where changes show at once. Default: everywhere. */
  readonly commandGuilds?: readonly string[];
  /** How long `start` waits for the connection. Default: 5,000. */
  readonly startWaitMs?: number;
  /** The time between two IDENTIFY requests that Discord demands. Default: 5,000. */
  readonly identifyPauseMs?: number;
}

export interface DiscordDeps extends Uses<'clock' | 'logger'> {
  readonly settings: DiscordSettings;
  readonly locale: Locale | 'auto';
}

/** Removes slashes at the end of the API address, because routes begin with one. */
export const withPlainUrl = (settings: DiscordSettings): DiscordSettings =>
  settings.apiUrl === undefined
    ? settings
    : { ...settings, apiUrl: settings.apiUrl.replace(/(?<!\/)\/+$/, '') };

/** `ko` → ko; `en-US` and `en-GB` → en; any other language → undefined. */
export const localeFrom = (reported: string | undefined): Locale | undefined => {
  if (reported?.startsWith('ko')) return 'ko';
  return reported?.startsWith('en') ? 'en' : undefined;
};
