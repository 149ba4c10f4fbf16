import { FinClawError } from '#src/kernel/errors.ts';
import { isPlausibleKey, KEYED_PROVIDERS, type KeyedProvider } from '#src/kernel/agent/model.ts';
import type { BeforeKeyChange, Keys, KeyStatus } from '#src/kernel/agent/keys.ts';
import type { Uses } from '#src/platform/services.ts';
import type { CooldownTracker } from './cooldown-tracker.ts';
import type { ProfileHealthMonitor, SelectOptions } from './profile-rotation.ts';
import {
  type FixedKey,
  fixedKeys,
  type FixedKeySources,
  readFixedKey,
  resolveApiKeyForProvider,
  type ResolvedApiKey,
} from './resolve-api-key.ts';
import type { AuthProfileStore, ManagedAuthProfile, ProfilePatch } from './auth-profiles.ts';

/** Enough of a key to tell it from another, too little to use it. */
export const maskApiKey = (key: string): string =>
  key.length <= 8 ? '***' : `${key.slice(0, 3)}...${key.slice(-4)}`;

export type KeyFailure = 'rate-limit' | 'auth' | 'billing';

/** All keys from all sources, with their health. */
export interface KeyRing extends Keys {
  /** As `resolveApiKeyForProvider`: throws `NO_API_KEY`, `KEYS_COOLING` or what AWS failed with. */
  readonly resolve: (
    provider: KeyedProvider,
    options: SelectOptions,
    signal: AbortSignal,
  ) => Promise<ResolvedApiKey>;
  /** Both take effect at once, resolve when stored, and never reject. */
  readonly reportSuccess: (keyId: string, model?: string) => Promise<void>;
  /** A rate limit concerns the requested model only; the other reasons concern the whole key. */
  readonly reportFailure: (
    keyId: string,
    reason: KeyFailure,
    retryAfterMs?: number,
    model?: string,
  ) => Promise<void>;
  /** Whether any key is set, active or not. */
  readonly knowsKey: (provider: KeyedProvider) => boolean;
  /** Whether any key is active, usable right now or not. */
  readonly hasKey: (provider: KeyedProvider) => boolean;
  /** Tries every active key and reports the outcome. The keys themselves never leave this module. */
  readonly tryAll: (
    attempt: (provider: KeyedProvider, apiKey: string) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<readonly KeyTrial[]>;
}

export interface KeyTrial {
  readonly key: KeyStatus;
  /** Absent if the key worked. */
  readonly error?: unknown;
}

export interface KeyRingDeps extends FixedKeySources, Uses<'events'> {
  readonly profileStore: AuthProfileStore;
  readonly cooldowns: CooldownTracker;
  readonly health: ProfileHealthMonitor;
  /** Called with every key that does not come from the environment before it is used, so that logs mask it. */
  readonly onSecret: (key: string) => void;
  /** Providers with a custom base URL, whose server issues keys of any form. */
  readonly anyForm?: ReadonlySet<KeyedProvider> | undefined;
}

const MAX_NAME_LENGTH = 60;

const invalid = (message: string): FinClawError =>
  new FinClawError(message, 'KEY_INVALID', { statusCode: 400 });

/** One short line without control characters, which terminals and databases reject. */
const cleanName = (name: string): string =>
  Array.from(
    name
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
  )
    .slice(0, MAX_NAME_LENGTH)
    .join('');

/** Detects swapped arguments, or both pasted at once. A short key, as local servers accept, may also be a name. */
const hasKeyInName = (name: string, apiKey: string): boolean =>
  (apiKey.length > 8 && name.includes(apiKey)) ||
  name.split(/\s+/).some((word) => KEYED_PROVIDERS.some((provider) => isPlausibleKey(provider, word)));

export const createKeyRing = (deps: KeyRingDeps): KeyRing => {
  const { profileStore, cooldowns, health, onSecret } = deps;
  const fixed = (provider: KeyedProvider): readonly FixedKey[] => fixedKeys(provider, deps);
  const allFixed = (): readonly FixedKey[] => KEYED_PROVIDERS.flatMap(fixed);
  const isFixed = (id: string): boolean => allFixed().some((key) => key.id === id);
  /** A key may have been removed while its last request was running. */
  const isKnown = (id: string): boolean => profileStore.get(id) !== undefined || isFixed(id);

  for (const { apiKey, origin } of profileStore.list()) if (origin === 'added') onSecret(apiKey);
  for (const { source, value } of allFixed())
    if ('apiKey' in value && source !== 'environment') onSecret(value.apiKey);

  const { profileStatus, fixedStatus } = createKeyStatus(deps);
  const update = async (id: string, patch: ProfilePatch, beforeChange?: BeforeKeyChange) => {
    if (isFixed(id)) return 'fixed';
    if (profileStore.get(id)) await beforeChange?.();
    return (await profileStore.update(id, patch)) ? 'done' : 'unknown';
  };

  return {
    resolve: async (provider, { sessionKey, except, model }, signal) => {
      const key = await resolveApiKeyForProvider(
        provider,
        {
          ...deps,
          sessionKey,
          except,
          model,
          isUsable: (id) =>
            !cooldowns.isInCooldown(id, model) &&
            (health.getHealth(id) !== 'disabled' || health.tryProbe(id)),
          restReason: (id) => cooldowns.getReason(id, model),
          waitMs: (id) => Math.max(cooldowns.getRemainingMs(id, model), health.getProbeWaitMs(id)),
        },
        signal,
      );
      if (key.source === 'aws-secrets') onSecret(key.apiKey);
      return key;
    },

    reportSuccess: async (keyId, model) => {
      if (!isKnown(keyId)) return;
      // A key in cooldown is never handed out, so this request began before the failure and does not undo it.
      if (!cooldowns.isInCooldown(keyId, model)) cooldowns.clearCooldown(keyId, model ?? '');
      health.recordResult(keyId, true);
      await profileStore.recordUsage(keyId, true);
    },

    reportFailure: async (keyId, reason, retryAfterMs, model) => {
      if (!isKnown(keyId)) return;
      const isLimit = reason === 'rate-limit';
      // A rate limit is no fault of the key, and concurrent requests that fail together count as one failure.
      if (!isLimit && !cooldowns.isInCooldown(keyId)) health.recordResult(keyId, false);
      cooldowns.setCooldown(keyId, reason, retryAfterMs, isLimit ? model : undefined);
      await profileStore.recordUsage(keyId, false);
    },

    knowsKey: (provider) => profileStore.list(provider).length > 0 || fixed(provider).length > 0,

    hasKey: (provider) =>
      profileStore.list(provider).some(({ isActive }) => isActive) || fixed(provider).length > 0,

    tryAll: async (attempt, signal) => {
      const tried = async (key: KeyStatus, read: () => Promise<string | undefined>): Promise<KeyTrial> => {
        try {
          await attempt(key.provider, (await read()) ?? '');
          return { key };
        } catch (error) {
          signal.throwIfAborted();
          return { key, error };
        }
      };
      return Promise.all(
        KEYED_PROVIDERS.flatMap((provider) => [
          ...profileStore
            .list(provider)
            .filter(({ isActive }) => isActive)
            .map((profile) => tried(profileStatus(profile), async () => profile.apiKey)),
          ...fixed(provider).map((key) =>
            tried(fixedStatus(provider, key), () => readFixedKey(provider, key, deps, signal)),
          ),
        ]),
      );
    },

    list: async () =>
      KEYED_PROVIDERS.flatMap((provider) => [
        ...profileStore.list(provider).map(profileStatus),
        ...fixed(provider).map((key) => fixedStatus(provider, key)),
      ]),

    setActive: (id, isActive, beforeChange) => update(id, { isActive }, beforeChange),

    pause: async (id, pauseMs, beforeChange) => {
      if (!isKnown(id)) return 'unknown';
      await beforeChange?.();
      cooldowns.pause(id, pauseMs);
      // The operator trusts the key again.
      if (pauseMs <= 0) health.forget(id);
      await profileStore.saveCooldown(id);
      return 'done';
    },

    setPreferred: (id, isPreferred) => update(id, { priority: isPreferred ? 1 : 0 }),

    remove: async (id) => {
      if (isFixed(id) || profileStore.get(id)?.origin === 'environment') return 'fixed';
      return (await profileStore.delete(id)) ? 'done' : 'unknown';
    },

    add: async (provider, rawKey, rawName = '') => {
      const apiKey = rawKey.trim();
      if (!isPlausibleKey(provider, apiKey, { anyForm: deps.anyForm?.has(provider) ?? false })) {
        throw invalid(`This cannot be a key for ${provider}.`);
      }
      onSecret(apiKey);
      if (hasKeyInName(rawName, apiKey)) {
        throw invalid('The name of a key is shown to people: it must not hold a key.');
      }
      const present = profileStore.list(provider).find((profile) => profile.apiKey === apiKey);
      if (present) return profileStatus(present);
      const name = cleanName(rawName) || `${provider} ${profileStore.list(provider).length + 1}`;
      return profileStatus(await profileStore.create({ provider, apiKey, name }));
    },
  };
};

/** Keys as people see them. */
const createKeyStatus = ({ cooldowns, health }: Pick<KeyRingDeps, 'cooldowns' | 'health'>) => {
  const state = (id: string): Pick<KeyStatus, 'health' | 'cooldownMs' | 'cooldownReason'> => {
    const rest = cooldowns.getLongest(id);
    const cooldownMs = Math.max(rest?.leftMs ?? 0, health.getProbeWaitMs(id));
    const cooldownReason = rest?.reason ?? (cooldownMs > 0 ? 'failures' : undefined);
    const known = health.getHealth(id);
    // One failure is no rate of failures yet, but a key in cooldown because of it is not healthy.
    const hasFailed = cooldownReason !== undefined && cooldownReason !== 'operator';
    return { health: known === 'healthy' && hasFailed ? 'degraded' : known, cooldownMs, cooldownReason };
  };

  const profileStatus = (profile: ManagedAuthProfile): KeyStatus => ({
    id: profile.id,
    provider: profile.provider,
    name: profile.name,
    masked: maskApiKey(profile.apiKey),
    source: profile.origin === 'environment' ? 'environment' : 'profile',
    isSaved: profile.isSaved,
    isActive: profile.isActive,
    isPreferred: profile.priority > 0,
    ...state(profile.id),
  });

  const fixedStatus = (provider: KeyedProvider, { id, name, source, value }: FixedKey): KeyStatus => ({
    id,
    provider,
    name,
    masked: maskApiKey('apiKey' in value ? value.apiKey : ''),
    source,
    isSaved: false,
    isActive: true,
    isPreferred: false,
    ...state(id),
  });

  return { profileStatus, fixedStatus };
};
