import type { Events } from '#src/kernel/operations/events.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { KeyHealth } from '#src/kernel/agent/keys.ts';
import type { CooldownTracker } from './cooldown-tracker.ts';

/** This many failures in a row disable a profile. */
const MAX_CONSECUTIVE_FAILURES = 3;
const DEGRADED_FAILURE_RATE = 0.3;
const UNHEALTHY_FAILURE_RATE = 0.7;
const WINDOW_MS = 300_000;
/** A failure rate needs at least this many results: one failed request is not a rate of 100 %. */
const MIN_RESULTS = 3;

interface Result {
  readonly atMs: number;
  readonly success: boolean;
}

interface HealthRecord {
  readonly results: Result[];
  /** How many of the results are failures. */
  failures: number;
  consecutiveFailures: number;
  lastFailureAtMs: number;
  /** The time at which the last probe was allowed. */
  probedAtMs: number;
  /** The status that was reported last. */
  status: KeyHealth;
}

/** Tracks the recent success rate of each profile. A disabled profile may send one probe request per window. */
export class ProfileHealthMonitor {
  readonly #records = new Map<string, HealthRecord>();
  readonly #clock: Clock;
  readonly #events: Events;

  constructor(deps: { readonly clock: Clock; readonly events: Events }) {
    this.#clock = deps.clock;
    this.#events = deps.events;
  }

  recordResult(profileId: string, success: boolean): void {
    const atMs = this.#clock.monotonicMs();
    const record = this.#records.get(profileId) ?? {
      results: [],
      failures: 0,
      consecutiveFailures: 0,
      lastFailureAtMs: atMs,
      probedAtMs: atMs,
      status: 'healthy',
    };
    this.#records.set(profileId, record);
    const hasRecovered = success && this.#isDisabled(record);
    if (hasRecovered) this.#drop(record, record.results.length);
    record.results.push({ atMs, success });
    if (!success) record.failures += 1;
    record.consecutiveFailures = success ? 0 : record.consecutiveFailures + 1;
    if (!success) record.lastFailureAtMs = atMs;
    this.#report(profileId, record);
  }

  getHealth(profileId: string): KeyHealth {
    const record = this.#records.get(profileId);
    return record ? this.#report(profileId, record) : 'healthy';
  }

  /** All profiles that are not disabled. */
  filterHealthy<Profile extends { readonly id: string }>(profiles: readonly Profile[]): readonly Profile[] {
    return profiles.filter(({ id }) => this.getHealth(id) !== 'disabled');
  }

  /**
   * Returns true once for a disabled profile whose last failure is a window ago: the caller may send one
   * request. Returns false until the result of that request is recorded, or another window has passed.
   */
  tryProbe(profileId: string): boolean {
    const record = this.#records.get(profileId);
    if (!record || !this.#isDisabled(record) || this.getProbeWaitMs(profileId) > 0) return false;
    record.probedAtMs = this.#clock.monotonicMs();
    return true;
  }

  /** Milliseconds until a disabled profile may be probed; 0 for any other profile. */
  getProbeWaitMs(profileId: string): number {
    const record = this.#records.get(profileId);
    if (!record || !this.#isDisabled(record)) return 0;
    const sinceMs = Math.max(record.lastFailureAtMs, record.probedAtMs);
    return Math.max(0, Math.ceil(sinceMs + WINDOW_MS - this.#clock.monotonicMs()));
  }

  /** Resets the profile to its initial state. */
  forget(profileId: string): void {
    const status = this.getHealth(profileId);
    this.#records.delete(profileId);
    if (status !== 'healthy')
      this.#events.emit('auth:health:change', { profileId, from: status, to: 'healthy' });
  }

  #isDisabled(record: HealthRecord): boolean {
    return record.consecutiveFailures >= MAX_CONSECUTIVE_FAILURES;
  }

  #drop(record: HealthRecord, count: number): void {
    if (count === 0) return;
    for (const { success } of record.results.splice(0, count)) if (!success) record.failures -= 1;
  }

  /** Only looks at results that have become old: a busy key has thousands in its window, and this runs with every request. */
  #dropOld(record: HealthRecord): void {
    const sinceMs = this.#clock.monotonicMs() - WINDOW_MS;
    const fresh = record.results.findIndex(({ atMs }) => atMs > sinceMs);
    this.#drop(record, fresh < 0 ? record.results.length : fresh);
  }

  #statusOf(record: HealthRecord): KeyHealth {
    if (this.#isDisabled(record)) return 'disabled';
    this.#dropOld(record);
    if (record.results.length < MIN_RESULTS) return 'healthy';
    const rate = record.failures / record.results.length;
    if (rate >= UNHEALTHY_FAILURE_RATE) return 'unhealthy';
    return rate >= DEGRADED_FAILURE_RATE ? 'degraded' : 'healthy';
  }

  /** Computes the status and emits an event on a change, even if only time has changed it. */
  #report(profileId: string, record: HealthRecord): KeyHealth {
    const from = record.status;
    record.status = this.#statusOf(record);
    if (from !== record.status)
      this.#events.emit('auth:health:change', { profileId, from, to: record.status });
    return record.status;
  }
}

const IDLE_MS = 3_600_000;
const MAX_SESSIONS = 10_000;

/**
 * Remembers which key a conversation used last. Staying with that key keeps the provider's prompt cache warm,
 * and nothing else depends on it, so idle and surplus entries are dropped.
 */
export class SessionAffinity {
  /** Ordered by last use, the oldest first. */
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
  /** A higher priority is chosen first. */
  readonly priority: number;
}

export interface SelectOptions {
  /** A conversation keeps its profile while that profile is usable. */
  readonly sessionKey?: string | undefined;
  /** Profiles that this request has tried already. */
  readonly except?: ReadonlySet<string> | undefined;
  /** The requested model, because a key may be in cooldown for one model only. */
  readonly model?: string | undefined;
}

interface RotationDeps {
  readonly cooldowns: CooldownTracker;
  readonly health: ProfileHealthMonitor;
  readonly clock: Clock;
}

/**
 * Chooses the next profile: highest priority first, then least recently used, with unused profiles before all
 * others.
 */
export class ProfileRotation {
  /** Uses are numbered rather than timed, because two uses may share a timestamp. */
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

  /** Records one use, including uses from before a restart. */
  markUsed(id: string): void {
    this.#uses += 1;
    this.#useNumbers.set(id, this.#uses);
  }

  forget(id: string): void {
    this.#useNumbers.delete(id);
  }

  /** Chooses and marks synchronously, so that concurrent calls spread over the profiles. */
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
    // Affinity is kept per provider, because a conversation may switch between providers.
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
