import type { Events } from '#src/kernel/operations/events.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { CooldownCause } from '#src/kernel/agent/keys.ts';

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
    const isCooling = before !== undefined && nowMs < before.expiresAtMs;
    const failures = (before?.consecutiveFailures ?? 0) + (isCooling ? 0 : 1);
    const durationMs = this.#durationMs(reason, failures, retryAfterMs);
    const expiresAtMs = nowMs + durationMs;
    if (isCooling && expiresAtMs <= before.expiresAtMs) return;
    const startedAtMs = isCooling ? before.startedAtMs : nowMs;
    this.#entries.set(id, { startedAtMs, expiresAtMs, consecutiveFailures: failures, reason });
    this.#events.emit('auth:cooldown', { profileId, reason, durationMs });
  }

  /** A pause of the whole key by an operator, which counts as no failure. 0 ends every cooldown of the key. */
  pause(profileId: string, pauseMs: number): void {
    if (pauseMs <= 0) {
      this.clearCooldown(profileId);
      return;
    }
    const startedAtMs = this.#clock.monotonicMs();
    const durationMs = Math.min(Math.ceil(pauseMs), MAX_COOLDOWN_MS);
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

  /** The longest cooldown of the key over all scopes, and the reason. Undefined if the key is in none. */
  getLongest(profileId: string): { readonly leftMs: number; readonly reason: CooldownCause } | undefined {
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
    const cooling = ids.find((id) => this.#leftMs(id) > 0);
    return cooling === undefined ? undefined : this.#entries.get(cooling)?.reason;
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
