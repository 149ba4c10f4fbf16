import { randomBytes } from 'node:crypto';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { KeyedProvider } from '#src/kernel/agent/model.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import type { SharedSettings } from '#src/platform/storage/shared-settings.ts';
import type { SecretBox } from '#src/platform/files/secret-box.ts';
import type { Uses } from '#src/platform/services.ts';
import type { AuthProfileRows } from '#src/agent/store/auth-profiles.ts';
import { type CooldownTracker } from './cooldown-tracker.ts';
import { type ProfileHealthMonitor, ProfileRotation, type SelectOptions } from './profile-rotation.ts';

const isKeyedProvider = (provider: string): provider is KeyedProvider =>
  provider === 'anthropic' || provider === 'openai';

/**
 * Decrypts the saved keys, and re-encrypts those that an old secret key opened. Without a secret key they stay
 * encrypted and untouched. Throws `SECRET_KEY_WRONG`.
 */
const loadSavedProfiles = async ({
  rows,
  secretBox,
  logger,
}: Pick<AuthProfileStoreDeps, 'rows' | 'secretBox' | 'logger'>) => {
  const all = await rows.list();
  if (!secretBox) {
    if (all.length > 0) {
      logger.warn('Saved keys cannot be decrypted: FINCLAW_SECRET_KEY is not set', { count: all.length });
    }
    return [];
  }
  const known = all.flatMap((row) =>
    isKeyedProvider(row.provider) ? [{ row, provider: row.provider }] : [],
  );
  if (known.length < all.length) {
    const count = all.length - known.length;
    logger.warn('Saved keys of unknown providers are ignored', { count });
  }
  // Decrypt all keys before writing any: a secret key that opens only some of them must change nothing.
  const opened = known.map((found) => ({ ...found, ...secretBox.open(found.row.id, found.row.sealedKey) }));
  for (const { row, plaintext, isCurrent } of opened) {
    if (!isCurrent) await rows.update(row.id, { sealedKey: secretBox.seal(row.id, plaintext) });
  }
  return opened.map(({ row, provider, plaintext }) => ({ row, provider, apiKey: plaintext }));
};

export interface ManagedAuthProfile {
  readonly id: string;
  readonly name: string;
  readonly provider: KeyedProvider;
  readonly apiKey: string;
  /** `environment`: the profile returns with every start while its variable is set. */
  readonly origin: 'added' | 'environment';
  readonly isActive: boolean;
  readonly priority: number;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
  /** Failures since the last success. */
  readonly failureCount: number;
  /** Stored encrypted in the database; an unsaved profile is lost with the process. */
  readonly isSaved: boolean;
}

export interface CreateProfileInput {
  readonly name: string;
  readonly provider: KeyedProvider;
  readonly apiKey: string;
  readonly priority?: number;
}

export type ProfilePatch = Partial<Pick<ManagedAuthProfile, 'name' | 'isActive' | 'priority'>>;

export type AuthProfileStore = Awaited<ReturnType<typeof createAuthProfileStore>>;

export interface AuthProfileStoreDeps extends Uses<'clock' | 'logger'> {
  readonly rows: AuthProfileRows;
  /** Without a secret box, profiles live in memory only. */
  readonly secretBox: SecretBox | undefined;
  readonly cooldowns: CooldownTracker;
  readonly health: ProfileHealthMonitor;
  /** Keys from the environment, which are never written to the database. */
  readonly unsaved: readonly CreateProfileInput[];
  /** With several processes, each of which may save a key. */
  readonly shared?: SharedSettings | undefined;
}

const UNUSED = { isActive: true, lastUsedAt: null, failureCount: 0 } as const;

/** Ids follow the position, not the key: they are stable over restarts and reveal nothing about the key. */
const fromEnvironment = (
  unsaved: readonly CreateProfileInput[],
  createdAt: Timestamp,
): ManagedAuthProfile[] =>
  unsaved.map(({ priority = 0, ...input }, index) => {
    const place = unsaved.slice(0, index + 1).filter(({ provider }) => provider === input.provider).length;
    const id = `env-${input.provider}-${place}`;
    return { ...UNUSED, ...input, id, priority, createdAt, origin: 'environment', isSaved: false };
  });

/** The id is short enough for a person to type. */
const newProfileId = (isTaken: (id: string) => boolean): string => {
  const id = `key-${randomBytes(4).toString('hex')}`;
  return isTaken(id) ? newProfileId(isTaken) : id;
};

/** Throws `SECRET_KEY_WRONG` when saved keys cannot be opened with the secret keys given. */
export const createAuthProfileStore = async (deps: AuthProfileStoreDeps) => {
  const { rows, secretBox, cooldowns, health, clock, logger } = deps;
  const profiles = new Map<string, ManagedAuthProfile>();
  const rotation = new ProfileRotation(deps);

  const cooldownUntil = (id: string): Timestamp | null => {
    const milliseconds = cooldowns.getRemainingMs(id);
    return milliseconds > 0 ? clock.now().add({ milliseconds }) : null;
  };
  const change = (id: string, patch: Partial<ManagedAuthProfile>): ManagedAuthProfile | undefined => {
    const held = profiles.get(id);
    if (!held) return undefined;
    const changed = { ...held, ...patch };
    profiles.set(id, changed);
    return changed;
  };

  const write = async (id: string): Promise<void> => {
    const held = profiles.get(id);
    if (!held?.isSaved) return;
    const { lastUsedAt, failureCount } = held;
    try {
      await rows.update(id, { lastUsedAt, failureCount, cooldownUntil: cooldownUntil(id) });
    } catch (error) {
      logger.warn('The usage of a saved key could not be stored', { profileId: id, error });
    }
  };
  const writes = new SerialQueue();
  /** One after the other, each with the current state, so that an older state never overwrites a newer one. */
  const save = (id: string): Promise<void> => writes.run(id, () => write(id));

  const keep = (all: Awaited<ReturnType<typeof loadSavedProfiles>>): void => {
    for (const { row, provider, apiKey } of all) {
      const { sealedKey: _sealed, cooldownUntil: until, ...rest } = row;
      profiles.set(row.id, { ...rest, provider, apiKey, origin: 'added', isSaved: true });
      if (until) cooldowns.restore(row.id, until, row.failureCount);
      // Another process has ended its rest.
      else if (cooldowns.getReason(row.id) === 'operator') cooldowns.pause(row.id, 0);
    }
  };
  const saved = await loadSavedProfiles(deps);
  keep(saved);
  deps.shared?.onChanged(async () => {
    const now = await loadSavedProfiles(deps);
    const ids = new Set(now.map(({ row }) => row.id));
    for (const { id, isSaved } of profiles.values()) if (isSaved && !ids.has(id)) profiles.delete(id);
    keep(now);
  });
  for (const { id } of saved
    .flatMap(({ row: { id, lastUsedAt } }) => (lastUsedAt ? [{ id, lastUsedAt }] : []))
    .toSorted((a, b) => Temporal.Instant.compare(a.lastUsedAt, b.lastUsedAt))) {
    rotation.markUsed(id);
  }
  for (const held of fromEnvironment(deps.unsaved, clock.now())) profiles.set(held.id, held);

  return {
    list: (provider?: KeyedProvider): readonly ManagedAuthProfile[] =>
      [...profiles.values()].filter((held) => !provider || held.provider === provider),

    get: (id: string): ManagedAuthProfile | undefined => profiles.get(id),

    create: async ({
      name,
      provider,
      apiKey,
      priority = 0,
    }: CreateProfileInput): Promise<ManagedAuthProfile> => {
      const id = newProfileId((taken) => profiles.has(taken));
      const profile = { ...UNUSED, id, name, provider, priority, createdAt: clock.now() };
      if (secretBox) {
        await rows.insert({ ...profile, sealedKey: secretBox.seal(id, apiKey), cooldownUntil: null });
      }
      const held: ManagedAuthProfile = {
        ...profile,
        apiKey,
        origin: 'added',
        isSaved: secretBox !== undefined,
      };
      profiles.set(id, held);
      if (held.isSaved) await deps.shared?.changed();
      return held;
    },

    /** Switching a profile on lifts its cooldown and forgets its failures. Undefined when there is none. */
    update: async (id: string, patch: ProfilePatch): Promise<ManagedAuthProfile | undefined> => {
      if (profiles.get(id)?.isSaved) await rows.update(id, patch);
      const isFreshStart = patch.isActive === true;
      const changed = change(id, isFreshStart ? { ...patch, failureCount: 0 } : patch);
      if (!changed) return undefined;
      if (isFreshStart) {
        cooldowns.clearCooldown(id);
        health.forget(id);
        await save(id);
      }
      if (changed.isSaved) await deps.shared?.changed();
      return changed;
    },

    delete: async (id: string): Promise<boolean> => {
      const { isSaved = false } = profiles.get(id) ?? {};
      if (isSaved) await rows.delete(id);
      cooldowns.clearCooldown(id);
      health.forget(id);
      rotation.forget(id);
      const isDeleted = profiles.delete(id);
      if (isSaved) await deps.shared?.changed();
      return isDeleted;
    },

    /** Stores the cooldown of a profile, and tells the other processes of it. Does nothing for other keys. */
    saveCooldown: async (id: string) => {
      const { isSaved = false } = profiles.get(id) ?? {};
      await save(id);
      if (isSaved) await deps.shared?.changed();
    },

    /** Chooses the next profile and marks it as used. Undefined if none is usable now. */
    selectNext: (provider: KeyedProvider, options: SelectOptions = {}): ManagedAuthProfile | undefined => {
      const chosen = rotation.select(provider, [...profiles.values()], options);
      return chosen && change(chosen.id, { lastUsedAt: clock.now() });
    },

    /**
     * Counts a failure or resets the count, and stores it with the cooldown. Never rejects: a failing database
     * must not cost an answer.
     */
    recordUsage: async (id: string, success: boolean) => {
      const failureCount = success ? 0 : (profiles.get(id)?.failureCount ?? 0) + 1;
      if (change(id, { failureCount })) await save(id);
    },
  };
};
