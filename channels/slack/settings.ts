import type { Locale } from '#src/kernel/locale.ts';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import type { Uses } from '#src/platform/services.ts';

export const SLACK = asId<ChannelId>('slack');

/** In HTTP mode, Slack sends events, commands and buttons here. */
export const EVENTS_PATH = '/slack/events';

export const PORT_ADVICE = 'Set SLACK_PORT to a free port.';

/** The shortcut that asks a question from anywhere. */
export const ASK_SHORTCUT = 'finclaw_ask';

/** The shortcut of an entry in the menu of a message. */
export const menuShortcut = (id: string): string => `finclaw_menu_${id}`;

interface CommonSettings {
  /** Begins with `xoxb-`. */
  readonly botToken: string;
  /** The Web API, such as a proxy. Default: Slack's own. */
  readonly apiUrl?: string | undefined;
  /** How long `start` waits for the connection. */
  readonly startWaitMs?: number;
}

/** Socket Mode: the bot connects to Slack. */
export interface SocketSettings extends CommonSettings {
  /** Begins with `xapp-`; has the scope `connections:write`. */
  readonly appToken: string;
  /** A socket that answers no ping for this long counts as dead. */
  readonly pingTimeoutMs?: number;
}

/** HTTP mode: Slack sends requests to the bot. */
export interface HttpSettings extends CommonSettings {
  /** Slack signs its requests with it. */
  readonly signingSecret: string;
  /** The address of this machine that the port is on. */
  readonly host: string;
  readonly port: number;
}

export type SlackSettings = SocketSettings | HttpSettings;

export const isHttpMode = (settings: SlackSettings): settings is HttpSettings => 'signingSecret' in settings;

export interface SlackDeps extends Uses<'clock' | 'logger'> {
  readonly settings: SlackSettings;
  /** The language of our own messages; `auto`: that of the person. */
  readonly locale: Locale | 'auto';
}

/** The owner of the bot token. */
export interface SlackIdentity {
  readonly teamId: string;
  readonly teamName: string;
  readonly userId: string;
  /** The bot's own name. */
  readonly name: string;
  readonly botId: string | undefined;
  readonly scopes: readonly string[];
}
