import { KEYED_PROVIDERS } from '#src/core/model.ts';
import { createAuthProfileRows } from '#src/storage/auth-profiles.ts';
import { createAwsSecrets } from './auth/aws-secrets.ts';
import { CooldownTracker } from './auth/cooldown.ts';
import { ENV_KEY_NAMES, unsavedProfiles } from './auth/fixed-keys.ts';
import { ProfileHealthMonitor } from './auth/health.ts';
import { createKeyRing, type KeyRing } from './auth/key-ring.ts';
import { createAuthProfileStore } from './auth/profiles.ts';
import { createSecretBox } from '#src/infra/secret-box.ts';
import type { EngineDeps } from './engine.ts';

/** All keys of all sources. Throws for a secret key that is none, or not the one that stored keys were sealed with. */
export const openKeyRing = async ({
  settings,
  storage,
  clock,
  events,
  logger,
}: Pick<EngineDeps, 'settings' | 'storage' | 'clock' | 'events' | 'logger'>): Promise<KeyRing> => {
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
