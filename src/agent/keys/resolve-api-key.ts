import { KEYED_PROVIDERS, type KeyedProvider } from '#src/kernel/agent/model.ts';
import type { KeyStatus } from '#src/kernel/agent/keys.ts';
import { keyFromSecret, type SecretSource } from './aws-secrets.ts';
import type { AuthProfileStore, CreateProfileInput } from './auth-profiles.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Uses } from '#src/platform/services.ts';
import type { SelectOptions } from './profile-rotation.ts';

export const ENV_KEY_NAMES: Readonly<Record<KeyedProvider, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
};

type Environment = Readonly<Record<string, string | undefined>>;

interface ProviderKeyConfig {
  readonly apiKey?: string | undefined;
  readonly awsSecretId?: string | undefined;
}

/** The part of the configuration that says where keys are. */
export interface KeyConfig {
  readonly providers?: Partial<Readonly<Record<KeyedProvider, ProviderKeyConfig | undefined>>> | undefined;
  /** For development: `defaultKeys` are ignored without this. */
  readonly allowDefaultKeys?: boolean | undefined;
  readonly defaultKeys?: Partial<Readonly<Record<KeyedProvider, string | undefined>>> | undefined;
}

export interface FixedKeySources {
  readonly env: Environment;
  readonly config: KeyConfig;
  /** Without it, secret ids are ignored. */
  readonly secrets?: SecretSource | undefined;
}

/** A key that is managed outside the bot. A key in AWS is unknown until it is read. */
export interface FixedKey {
  readonly id: string;
  readonly name: string;
  readonly source: Exclude<KeyStatus['source'], 'profile'>;
  readonly value: { readonly apiKey: string } | { readonly secretId: string };
}

/** A variable may hold several keys, separated by commas; duplicates count once. */
const environmentKeys = (provider: KeyedProvider, env: Environment): readonly string[] => {
  const parts = (env[ENV_KEY_NAMES[provider]] ?? '').split(',').map((part) => part.trim());
  return [...new Set(parts)].filter((part) => part !== '');
};

/** One profile for each key of a variable that holds several. */
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

/** The provider's keys that are not profiles, in the order in which they are tried. */
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

export interface ResolvedApiKey {
  readonly apiKey: string;
  readonly source: KeyStatus['source'];
  /** The profile's id, or source and provider for any other key: `environment:anthropic`. */
  readonly profileId: string;
}

export interface ResolverOptions extends FixedKeySources, SelectOptions, Uses<'events'> {
  readonly profileStore: AuthProfileStore;
  /** Whether a key that is no profile may be used now. Asking counts as using it. */
  readonly isUsable: (keyId: string) => boolean;
  /** Milliseconds until the key may be used. */
  readonly waitMs: (keyId: string) => number;
  /** The reason of the key's cooldown, if it is in one. */
  readonly restReason: (keyId: string) => string | undefined;
}

/** Reads the key from its source. Undefined for a key in AWS if AWS is not configured. */
export const readFixedKey = async (
  provider: KeyedProvider,
  { value }: FixedKey,
  { secrets }: Pick<FixedKeySources, 'secrets'>,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if ('apiKey' in value) return value.apiKey;
  const secret = await secrets?.read(value.secretId, signal);
  return secret === undefined ? undefined : keyFromSecret(provider, value.secretId, secret);
};

const allCooling = (
  provider: KeyedProvider,
  retryAfterMs: number,
  reason: string | undefined,
  cause: unknown,
): FinClawError =>
  new FinClawError(
    retryAfterMs > 0
      ? `All keys for ${provider} are in cooldown; the next one is usable in ${Math.ceil(retryAfterMs / 1000)} s.`
      : `All usable keys for ${provider} were already tried.`,
    'KEYS_COOLING',
    { statusCode: 503, details: { provider, retryAfterMs, reason }, cause },
  );

const noKey = (provider: KeyedProvider, switchedOff: number): FinClawError =>
  new FinClawError(
    `There is no API key for ${provider}${switchedOff > 0 ? ` (${switchedOff} switched off)` : ''}. ` +
      `Set ${ENV_KEY_NAMES[provider]}, add a key as an administrator, or set providers.${provider}.apiKey or ` +
      `providers.${provider}.awsSecretId in the configuration file.`,
    'NO_API_KEY',
    { details: { provider } },
  );

/**
 * Resolves the key for the next request in six steps: profile, environment, config, AWS Secrets Manager,
 * default, error. A step whose keys are all in cooldown or already tried is skipped. Throws `NO_API_KEY` if no
 * key is set, `KEYS_COOLING` (with `details.retryAfterMs`) if none is usable now, and the AWS error if only
 * that stood in the way.
 */
export const resolveApiKeyForProvider = async (
  provider: KeyedProvider,
  options: ResolverOptions,
  signal: AbortSignal,
): Promise<ResolvedApiKey> => {
  const { profileStore, except, events } = options;
  const resolved = (key: ResolvedApiKey): ResolvedApiKey => {
    events.emit('auth:resolve', { provider, source: key.source });
    return key;
  };

  const profile = profileStore.selectNext(provider, options);
  if (profile) return resolved({ apiKey: profile.apiKey, source: 'profile', profileId: profile.id });

  const others = fixedKeys(provider, options);
  const failures = new Map<string, FinClawError>();
  for (const key of others) {
    if (except?.has(key.id) || !options.isUsable(key.id)) continue;
    try {
      const apiKey = await readFixedKey(provider, key, options, signal);
      if (apiKey !== undefined) return resolved({ apiKey, source: key.source, profileId: key.id });
    } catch (error) {
      // Another key may work although AWS cannot be read.
      if (signal.aborted || !(error instanceof FinClawError)) throw error;
      failures.set(key.id, error);
    }
  }

  const profiles = profileStore.list(provider);
  const active = profiles.filter(({ isActive }) => isActive);
  const cooling = [...active, ...others].filter(({ id }) => !failures.has(id));
  const [failure] = failures.values();
  if (cooling.length > 0) {
    const [next] = cooling.toSorted((a, b) => options.waitMs(a.id) - options.waitMs(b.id));
    const id = next?.id ?? '';
    throw allCooling(provider, options.waitMs(id), options.restReason(id), failure);
  }
  throw failure ?? noKey(provider, profiles.length - active.length);
};
