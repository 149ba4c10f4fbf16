import type { Events } from '#src/core/events.ts';
import { KEYED_PROVIDERS } from '#src/core/model.ts';
import type { KeyedProvider } from '#src/core/ports.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { createAuthProfileRows } from '#src/storage/auth-profiles.ts';
import type { Storage } from '#src/storage/database.ts';
import { createAwsSecrets } from './auth/aws-secrets.ts';
import { CooldownTracker } from './auth/cooldown.ts';
import { ENV_KEY_NAMES, type KeyConfig, unsavedProfiles } from './auth/fixed-keys.ts';
import { ProfileHealthMonitor } from './auth/health.ts';
import { createKeyRing, type KeyRing } from './auth/key-ring.ts';
import { createAuthProfileStore } from './auth/profiles.ts';
import { createSecretBox } from '#src/infra/secret-box.ts';
import type { ProvidersSettings } from './providers/providers.ts';

export interface KeySettings {
  readonly apiKeys: Readonly<Record<KeyedProvider, readonly string[]>>;
  readonly secretKeys: readonly string[];
  readonly keyConfig: KeyConfig;
  readonly aws: { readonly region: string; readonly endpoint?: string | undefined } | undefined;
  readonly providers: ProvidersSettings;
}

export interface KeyRingParts {
  readonly settings: KeySettings;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

/** Opens all keys of all sources. Throws for an invalid secret key, or one that does not open the stored keys. */
export const openKeyRing = async ({
  settings,
  storage,
  clock,
  events,
  logger,
}: KeyRingParts): Promise<KeyRing> => {
  const { apiKeys, secretKeys, keyConfig, aws, providers } = settings;
  const env = {
    [ENV_KEY_NAMES.anthropic]: apiKeys.anthropic.join(','),
    [ENV_KEY_NAMES.openai]: apiKeys.openai.join(','),
  };
  const cooldowns = new CooldownTracker({ clock, events });
  const health = new ProfileHealthMonitor({ clock, events });
  const profileStore = await createAuthProfileStore({
    rows: createAuthProfileRows(storage.db),
    secretBox: secretKeys.length > 0 ? createSecretBox(secretKeys) : undefined,
    cooldowns,
    health,
    clock,
    logger,
    unsaved: unsavedProfiles(env),
  });
  const anyForm = KEYED_PROVIDERS.filter((id) => providers[id].baseUrl !== undefined);
  return createKeyRing({
    profileStore,
    cooldowns,
    health,
    events,
    env,
    config: keyConfig,
    secrets: aws ? createAwsSecrets({ ...aws, clock }) : undefined,
    onSecret: logger.hide,
    anyForm: new Set(anyForm),
  });
};
