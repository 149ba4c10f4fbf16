import type { Locale } from '#src/kernel/locale.ts';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';

export const SLACK = asId<ChannelId>('slack');

export interface SlackSettings {
  /** Begins with `xoxb-`. */
  readonly botToken: string;
  /** Begins with `xapp-`; has the scope `connections:write`. */
  readonly appToken: string;
  /** The Web API, such as a proxy. Default: Slack's own. */
  readonly apiUrl?: string | undefined;
  /** A socket that answers no ping for this long counts as dead. */
  readonly pingTimeoutMs?: number;
  /** How long `start` waits for the connection. */
  readonly startWaitMs?: number;
}

export interface SlackDeps {
  readonly settings: SlackSettings;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
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
