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
  /** Instead of Slack's own: tests, or a proxy. */
  readonly apiUrl?: string | undefined;
  /** A socket that answers no ping for this long counts as dead. */
  readonly pingTimeoutMs?: number;
  /** So long `start` waits for the connection before it goes on in the background. */
  readonly startWaitMs?: number;
}

export interface SlackDeps {
  readonly settings: SlackSettings;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  /** The language of our own sentences; `auto`: that of the person. */
  readonly locale: Locale | 'auto';
}

/** Whom the bot token stands for. */
export interface SlackIdentity {
  readonly teamId: string;
  readonly teamName: string;
  readonly userId: string;
  readonly botId: string | undefined;
  readonly scopes: readonly string[];
}
