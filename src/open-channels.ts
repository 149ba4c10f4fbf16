import type { Config } from './config/config.ts';
import type { ChannelPlugin } from './core/channel.ts';
import type { Clock } from './infra/clock.ts';
import type { FinClawLogger } from './infra/logger.ts';

export interface OpenChannelsDeps {
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

const openTerminal = async (config: Config, deps: OpenChannelsDeps): Promise<ChannelPlugin> => {
  const { createConsoleChannel } = await import('#channels/console/adapter.ts');
  const { env } = deps;
  const language = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'];
  return createConsoleChannel({
    ...deps,
    input: process.stdin,
    output: process.stdout,
    hasColour: process.stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    locale: config.locale !== 'auto' ? config.locale : language?.startsWith('ko') ? 'ko' : undefined,
  });
};

/**
 * The channels that are configured, and no others: each brings an SDK that costs memory and time. Without any
 * token, the terminal.
 */
export const openChannels = async (
  config: Config,
  deps: OpenChannelsDeps,
): Promise<readonly ChannelPlugin[]> => {
  const { discord, slack } = config.platforms;
  const common = { clock: deps.clock, logger: deps.logger, locale: config.locale };
  if (!discord && !slack) return [await openTerminal(config, deps)];
  return Promise.all([
    ...(discord
      ? [
          import('#channels/discord/adapter.ts').then(({ createDiscordChannel }) =>
            createDiscordChannel({ settings: discord, ...common }),
          ),
        ]
      : []),
    ...(slack
      ? [
          import('#channels/slack/adapter.ts').then(({ createSlackChannel }) =>
            createSlackChannel({ settings: slack, ...common }),
          ),
        ]
      : []),
  ]);
};
