import type { ConfigFile } from './config-file.ts';
import { secretsIn } from './engine-config.ts';
import type { Environment } from './environment.ts';

export interface MarketConfig {
  /** `auto`: real prices, but for somebody who only tries the bot out where they cannot be had. */
  readonly mode: NonNullable<Environment['FINCLAW_MARKET']>;
  /** A channel is turned on or a key is set: people rely on this bot, so it never falls back to sample prices. */
  readonly hasLiveSetup: boolean;
  /** In the place of every host of Yahoo. */
  readonly yahooUrl?: string;
  readonly upbitUrl?: string;
}

/** A key that AWS keeps counts as well. */
const hasKeyIn = (providers: ConfigFile['providers']): boolean =>
  secretsIn(providers).length > 0 ||
  [providers.anthropic, providers.openai].some(({ awsSecretId }) => awsSecretId !== undefined);

export const marketConfig = (
  variables: Environment,
  { providers }: Pick<ConfigFile, 'providers'>,
  hasPlatform: boolean,
): MarketConfig => {
  const { FINCLAW_MARKET, ANTHROPIC_API_KEY, OPENAI_API_KEY } = variables;
  const hasKey = ANTHROPIC_API_KEY !== undefined || OPENAI_API_KEY !== undefined || hasKeyIn(providers);
  return {
    mode: FINCLAW_MARKET ?? 'auto',
    hasLiveSetup: hasPlatform || hasKey,
    ...(variables.FINCLAW_YAHOO_URL && { yahooUrl: variables.FINCLAW_YAHOO_URL }),
    ...(variables.FINCLAW_UPBIT_URL && { upbitUrl: variables.FINCLAW_UPBIT_URL }),
  };
};
