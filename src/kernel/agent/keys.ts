import type { KeyedProvider } from './model.ts';

export type KeyHealth = 'healthy' | 'degraded' | 'unhealthy' | 'disabled';

/** Why a key is in cooldown. `failures`: of an earlier process, which did not leave the reason behind. */
export type CooldownCause = 'rate-limit' | 'auth' | 'billing' | 'operator' | 'failures';

/** A key as shown to administrators, without the key itself. */
export interface KeyStatus {
  readonly id: string;
  readonly provider: KeyedProvider;
  readonly name: string;
  /** The first and last characters of the key. */
  readonly masked: string;
  readonly source: 'profile' | 'environment' | 'config' | 'aws-secrets' | 'default';
  /** For profiles: true if stored encrypted, false if only in memory. */
  readonly isSaved: boolean;
  readonly isActive: boolean;
  /** Used before other keys of the provider while it is usable. */
  readonly isPreferred: boolean;
  /** Never `healthy` in a cooldown after a failure. */
  readonly health: KeyHealth;
  readonly cooldownMs: number;
  /** Absent outside of cooldowns. */
  readonly cooldownReason?: CooldownCause | undefined;
}

/** Called when it is certain that the change can be made, and awaited before it. */
export type BeforeKeyChange = () => Promise<void>;

/** Port: API keys of the model providers, for administrators. */
export interface Keys {
  readonly list: () => Promise<readonly KeyStatus[]>;
  /** `fixed`: set in the environment or the configuration file, and changed there. */
  readonly setActive: (
    id: string,
    isActive: boolean,
    beforeChange?: BeforeKeyChange,
  ) => Promise<'done' | 'unknown' | 'fixed'>;
  /** Pauses a key for `pauseMs`, healthy or not; 0 ends the pause and every cooldown of the key. */
  readonly pause: (
    id: string,
    pauseMs: number,
    beforeChange?: BeforeKeyChange,
  ) => Promise<'done' | 'unknown'>;
  readonly remove: (id: string) => Promise<'done' | 'unknown' | 'fixed'>;
  readonly setPreferred: (id: string, isPreferred: boolean) => Promise<'done' | 'unknown' | 'fixed'>;
  /** Throws `KEY_INVALID` for a text that cannot be a key of the provider. */
  readonly add: (provider: KeyedProvider, apiKey: string, name?: string) => Promise<KeyStatus>;
}
