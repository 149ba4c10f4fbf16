import type { Clock } from '#src/platform/clock.ts';
import type { CooldownTracker } from './cooldown.ts';
import type { ProfileHealthMonitor } from './health.ts';

const IDLE_MS = 3_600_000;
const MAX_SESSIONS = 10_000;

/**
 * Which key a conversation used last. Staying with it keeps the provider's prompt cache warm; forgetting it
 * costs only that, so idle and surplus ones are dropped.
 */
export class SessionAffinity {
  /** The least recently used first. */
  readonly #sessions = new Map<string, { readonly profileId: string; readonly usedAtMs: number }>();
  readonly #clock: Clock;
  readonly #maxSessions: number;

  constructor(clock: Clock, maxSessions = MAX_SESSIONS) {
    this.#clock = clock;
    this.#maxSessions = maxSessions;
  }

  get(session: string): string | undefined {
    const found = this.#sessions.get(session);
    return found && !this.#isIdle(found.usedAtMs) ? found.profileId : undefined;
  }

  set(session: string, profileId: string): void {
    this.#sessions.delete(session);
    this.#sessions.set(session, { profileId, usedAtMs: this.#clock.monotonicMs() });
    for (const [oldest, { usedAtMs }] of this.#sessions) {
      if (this.#sessions.size <= this.#maxSessions && !this.#isIdle(usedAtMs)) break;
      this.#sessions.delete(oldest);
    }
  }

  get size(): number {
    return this.#sessions.size;
  }

  #isIdle(usedAtMs: number): boolean {
    return this.#clock.monotonicMs() - usedAtMs >= IDLE_MS;
  }
}

interface RotationProfile {
  readonly id: string;
  readonly provider: string;
  readonly isActive: boolean;
  /** The higher goes first. */
  readonly priority: number;
}

export interface SelectOptions {
  /** A conversation stays with its profile as long as that may be used. */
  readonly sessionKey?: string | undefined;
  /** Profiles that were tried already. */
  readonly except?: ReadonlySet<string> | undefined;
  /** What it is for: a key may rest for one model alone. */
  readonly model?: string | undefined;
}

interface RotationDeps {
  readonly cooldowns: CooldownTracker;
  readonly health: ProfileHealthMonitor;
  readonly clock: Clock;
}

/** Whose turn it is: highest priority first, then the least recently used, those never used before all others. */
export class ProfileRotation {
  /** Counted, not timed: a clock may give the same time to two uses. */
  readonly #useNumbers = new Map<string, number>();
  readonly #affinity: SessionAffinity;
  readonly #cooldowns: CooldownTracker;
  readonly #health: ProfileHealthMonitor;
  #uses = 0;

  constructor(deps: RotationDeps) {
    this.#affinity = new SessionAffinity(deps.clock);
    this.#cooldowns = deps.cooldowns;
    this.#health = deps.health;
  }

  /** Counts one use, also those of before a restart. */
  markUsed(id: string): void {
    this.#uses += 1;
    this.#useNumbers.set(id, this.#uses);
  }

  forget(id: string): void {
    this.#useNumbers.delete(id);
  }

  /** Chooses and marks in one step without waiting, so that calls at once spread over the profiles. */
  select<Profile extends RotationProfile>(
    provider: string,
    profiles: readonly Profile[],
    { sessionKey, except, model }: SelectOptions,
  ): Profile | undefined {
    const rested = profiles.filter(
      (profile) =>
        profile.provider === provider &&
        profile.isActive &&
        !except?.has(profile.id) &&
        !this.#cooldowns.isInCooldown(profile.id, model),
    );
    const healthy = new Set(this.#health.filterHealthy(rested));
    // Each provider has keys of its own: a conversation that changes between them stays with one of each.
    const session = sessionKey === undefined ? undefined : `${provider} ${sessionKey}`;
    const stickyId = session === undefined ? undefined : this.#affinity.get(session);
    const chosen =
      rested.find((profile) => profile.id === stickyId && healthy.has(profile)) ??
      rested
        .toSorted((a, b) => b.priority - a.priority || this.#useNumber(a) - this.#useNumber(b))
        .find((profile) => healthy.has(profile) || this.#health.tryProbe(profile.id));
    if (!chosen) return undefined;
    this.markUsed(chosen.id);
    if (session !== undefined) this.#affinity.set(session, chosen.id);
    return chosen;
  }

  #useNumber({ id }: RotationProfile): number {
    return this.#useNumbers.get(id) ?? 0;
  }
}
