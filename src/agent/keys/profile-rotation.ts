import type { Events } from '#src/kernel/events.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { KeyHealth, KeyRest } from '#src/kernel/ports.ts';

/** The failures that put a key into cooldown. No other failure is the key's fault. */
type FailureReason = 'rate-limit' | 'auth' | 'billing';
type CooldownReason = FailureReason | 'operator';

interface CooldownEntry {
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  readonly consecutiveFailures: number;
  readonly reason: CooldownReason;
  /** From before a restart: the reason is a guess. */
  readonly isRestored?: boolean;
}

/** Doubling stops at this length. It limits neither a longer base (billing) nor a longer `retry-after`. */
const ESCALATION_CAP_MS = 300_000;
/** A server can take a key out of use for no longer than this, which also keeps the sums in the clock's range. */
const MAX_COOLDOWN_MS = 7 * 86_400_000;

const entryId = (profileId: string, scope: string | undefined): string =>
  scope === undefined ? profileId : `${profileId}\0${scope}`;

const windowEndMs = (entry: CooldownEntry): number => 2 * entry.expiresAtMs - entry.startedAtMs;

/**
 * Tracks which keys are in cooldown, and for how long. The failure count outlives a cooldown by one window of
 * the same length: a failure inside that window doubles the next cooldown, and a quiet window or a success
 * resets the count.
 */
export class CooldownTracker {
  static readonly COOLDOWN_DEFAULTS: Readonly<Record<FailureReason, number>> = {
    'rate-limit': 60_000,
    billing: 86_400_000,
    auth: 300_000,
  };

  readonly #entries = new Map<string, CooldownEntry>();
  readonly #clock: Clock;
  readonly #events: Events;

  constructor(deps: { readonly clock: Clock; readonly events: Events }) {
    this.#clock = deps.clock;
    this.#events = deps.events;
  }

  /**
   * The server's `retry-after` takes precedence over the default for the reason. A failure during a cooldown
   * comes from an earlier request: it may lengthen the cooldown, but neither shortens nor escalates it. With a
   * `scope` (a model), the key cools down for that model only, because rate limits are counted per model.
   */
  setCooldown(profileId: string, reason: FailureReason, retryAfterMs?: number, scope?: string): void {
    this.pruneExpired();
    const id = entryId(profileId, scope);
    const nowMs = this.#clock.monotonicMs();
    const before = this.#entries.get(id);
    const isResting = before !== undefined && nowMs < before.expiresAtMs;
    const failures = (before?.consecutiveFailures ?? 0) + (isResting ? 0 : 1);
    const durationMs = this.#durationMs(reason, failures, retryAfterMs);
    const expiresAtMs = nowMs + durationMs;
    if (isResting && expiresAtMs <= before.expiresAtMs) return;
    const startedAtMs = isResting ? before.startedAtMs : nowMs;
    this.#entries.set(id, { startedAtMs, expiresAtMs, consecutiveFailures: failures, reason });
    this.#events.emit('auth:cooldown', { profileId, reason, durationMs });
  }

  /** An operator decides how long the key rests as a whole. It counts as no failure. 0 ends every cooldown of it. */
  rest(profileId: string, restMs: number): void {
    if (restMs <= 0) {
      this.clearCooldown(profileId);
      return;
    }
    const startedAtMs = this.#clock.monotonicMs();
    const durationMs = Math.min(Math.ceil(restMs), MAX_COOLDOWN_MS);
    const entry = { startedAtMs, expiresAtMs: startedAtMs + durationMs, consecutiveFailures: 0 };
    this.#entries.set(profileId, { ...entry, reason: 'operator' });
    this.#events.emit('auth:cooldown', { profileId, reason: 'operator', durationMs });
  }

  /** Whether the key is in cooldown, as a whole or for this scope. */
  isInCooldown(profileId: string, scope?: string): boolean {
    return this.getRemainingMs(profileId, scope) > 0;
  }

  /** Whole milliseconds, never negative, and 0 only when the key may be used. */
  getRemainingMs(profileId: string, scope?: string): number {
    const own = this.#leftMs(profileId);
    return scope === undefined ? own : Math.max(own, this.#leftMs(entryId(profileId, scope)));
  }

  /** The longest cooldown of the key over all scopes, and why it rests. Undefined if the key is in none. */
  getLongest(profileId: string): { readonly leftMs: number; readonly reason: KeyRest } | undefined {
    const [longest] = this.#idsOf(profileId)
      .map((id) => ({ entry: this.#entries.get(id), leftMs: this.#leftMs(id) }))
      .toSorted((one, other) => other.leftMs - one.leftMs);
    if (!longest?.entry || longest.leftMs === 0) return undefined;
    const { reason, isRestored = false } = longest.entry;
    return { leftMs: longest.leftMs, reason: isRestored && reason !== 'operator' ? 'failures' : reason };
  }

  /** The reason of the cooldown, or undefined if the key is in none. */
  getReason(profileId: string, scope?: string): CooldownReason | undefined {
    const ids = [profileId, ...(scope === undefined ? [] : [entryId(profileId, scope)])];
    const resting = ids.find((id) => this.#leftMs(id) > 0);
    return resting === undefined ? undefined : this.#entries.get(resting)?.reason;
  }

  /** Ends the cooldown and resets the failure count, for one scope or for the whole key. */
  clearCooldown(profileId: string, scope?: string): void {
    const ids = scope === undefined ? this.#idsOf(profileId) : [profileId, entryId(profileId, scope)];
    for (const id of ids) this.#entries.delete(id);
  }

  /** Removes cooldowns whose escalation window has passed too. */
  pruneExpired(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [profileId, entry] of this.#entries)
      if (nowMs >= windowEndMs(entry)) this.#entries.delete(profileId);
  }

  /** Restores a cooldown from before a restart, unless it has expired meanwhile. */
  restore(profileId: string, until: Timestamp, failures: number): void {
    const leftMs = Math.min(until.epochMilliseconds - this.#clock.now().epochMilliseconds, MAX_COOLDOWN_MS);
    if (leftMs <= 0) return;
    const startedAtMs = this.#clock.monotonicMs();
    // Without a failure, an operator has decided it. Of the others, only a billing cooldown lasts longer than the cap.
    const failed = leftMs > ESCALATION_CAP_MS ? 'billing' : 'rate-limit';
    const reason = failures === 0 ? 'operator' : failed;
    const consecutiveFailures = failures;
    const expiresAtMs = startedAtMs + leftMs;
    const facts = { startedAtMs, expiresAtMs, consecutiveFailures, isRestored: true };
    this.#entries.set(profileId, { ...facts, reason });
  }

  #leftMs(id: string): number {
    const entry = this.#entries.get(id);
    return entry ? Math.max(0, Math.ceil(entry.expiresAtMs - this.#clock.monotonicMs())) : 0;
  }

  #idsOf(profileId: string): readonly string[] {
    return [...this.#entries.keys()].filter((id) => id === profileId || id.startsWith(`${profileId}\0`));
  }

  #durationMs(reason: FailureReason, failures: number, retryAfterMs: number | undefined): number {
    if (retryAfterMs !== undefined && retryAfterMs > 0)
      return Math.min(Math.ceil(retryAfterMs), MAX_COOLDOWN_MS);
    const baseMs = CooldownTracker.COOLDOWN_DEFAULTS[reason];
    return Math.max(baseMs, Math.min(baseMs * 2 ** (failures - 1), ESCALATION_CAP_MS));
  }
}

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
