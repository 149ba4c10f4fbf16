import { KEYED_PROVIDERS } from '#src/kernel/model.ts';
import type { KeyedProvider, KeyStatus } from '#src/kernel/ports.ts';
import type { SecretSource } from './aws-secrets.ts';
import type { CreateProfileInput } from './profiles.ts';

export const ENV_KEY_NAMES: Readonly<Record<KeyedProvider, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
};

export type Environment = Readonly<Record<string, string | undefined>>;

interface ProviderKeyConfig {
  readonly apiKey?: string | undefined;
  readonly awsSecretId?: string | undefined;
}

/** The part of the configuration that tells where keys are. */
export interface KeyConfig {
  readonly providers?: Partial<Readonly<Record<KeyedProvider, ProviderKeyConfig | undefined>>> | undefined;
  /** For development: `defaultKeys` count only with this. */
  readonly allowDefaultKeys?: boolean | undefined;
  readonly defaultKeys?: Partial<Readonly<Record<KeyedProvider, string | undefined>>> | undefined;
}

export interface FixedKeySources {
  readonly env: Environment;
  readonly config: KeyConfig;
  /** Where it is missing, secret ids count for nothing. */
  readonly secrets?: SecretSource | undefined;
}

/** A key that is set from outside and changed there. One in AWS is not known before it is read. */
export interface FixedKey {
  readonly id: string;
  readonly name: string;
  readonly source: Exclude<KeyStatus['source'], 'profile'>;
  readonly value: { readonly apiKey: string } | { readonly secretId: string };
}

/** Several keys may stand in one variable, separated by commas; the same one twice counts once. */
const environmentKeys = (provider: KeyedProvider, env: Environment): readonly string[] => {
  const parts = (env[ENV_KEY_NAMES[provider]] ?? '').split(',').map((part) => part.trim());
  return [...new Set(parts)].filter((part) => part !== '');
};

/** The profiles that the environment makes: one for each key, where a variable holds several. */
export const unsavedProfiles = (env: Environment): readonly CreateProfileInput[] =>
  KEYED_PROVIDERS.flatMap((provider) => {
    const keys = environmentKeys(provider, env);
    if (keys.length < 2) return [];
    return keys.map((apiKey, index) => ({
      name: `${ENV_KEY_NAMES[provider]} #${index + 1}`,
      provider,
      apiKey,
    }));
  });

/** The keys of a provider that are no profiles, in the order in which they are tried. */
export const fixedKeys = (provider: KeyedProvider, sources: FixedKeySources): readonly FixedKey[] => {
  const { env, config, secrets } = sources;
  const found: FixedKey[] = [];
  const add = (source: FixedKey['source'], name: string, value: FixedKey['value']): void =>
    void found.push({ id: `${source}:${provider}`, name, source, value });

  const [envKey, ...others] = environmentKeys(provider, env);
  if (envKey !== undefined && others.length === 0) {
    add('environment', ENV_KEY_NAMES[provider], { apiKey: envKey });
  }
  const configured = config.providers?.[provider];
  const configKey = configured?.apiKey?.trim();
  if (configKey) add('config', `providers.${provider}.apiKey`, { apiKey: configKey });
  const secretId = configured?.awsSecretId?.trim();
  if (secretId && secrets) add('aws-secrets', secretId, { secretId });
  const defaultKey = config.allowDefaultKeys === true ? config.defaultKeys?.[provider]?.trim() : undefined;
  if (defaultKey) add('default', `defaultKeys.${provider}`, { apiKey: defaultKey });
  return found;
};
