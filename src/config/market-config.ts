import type { ConfigFile } from './config-file.ts';
import { secretsIn } from './engine-config.ts';
import type { Environment } from './environment.ts';

export interface MarketConfig {
  /** `auto`: real prices, but for somebody who only tries the bot out where they cannot be had. */
  readonly mode: NonNullable<Environment['FINCLAW_MARKET']>;
  /** A token or a key is set: this bot is in earnest, and made-up prices are no way out. */
  readonly isConfigured: boolean;
  /** In the place of every host of Yahoo. */
  readonly yahooUrl?: string;
  readonly upbitUrl?: string;
}

/** A key that lies with AWS is one, too. */
const hasKeyIn = (providers: ConfigFile['providers']): boolean =>
  secretsIn(providers).length > 0 ||
  [providers.anthropic, providers.openai].some(({ awsSecretId }) => awsSecretId !== undefined);

export const marketConfig = (
  variables: Environment,
  { providers }: Pick<ConfigFile, 'providers'>,
): MarketConfig => {
  const { DISCORD_BOT_TOKEN, SLACK_BOT_TOKEN, ANTHROPIC_API_KEY, OPENAI_API_KEY } = variables;
  const tokens = [DISCORD_BOT_TOKEN, SLACK_BOT_TOKEN, ANTHROPIC_API_KEY, OPENAI_API_KEY];
  return {
    mode: variables.FINCLAW_MARKET ?? 'auto',
    isConfigured: hasKeyIn(providers) || tokens.some((token) => token !== undefined),
    ...(variables.FINCLAW_YAHOO_URL && { yahooUrl: variables.FINCLAW_YAHOO_URL }),
    ...(variables.FINCLAW_UPBIT_URL && { upbitUrl: variables.FINCLAW_UPBIT_URL }),
  };
};
