import type { Events } from '#src/kernel/events.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';

/** Why a key rests: nothing else that can fail is the fault of a key. */
export type CooldownReason = 'rate-limit' | 'auth' | 'billing';

interface CooldownEntry {
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  readonly consecutiveFailures: number;
  readonly reason: CooldownReason;
}

/** Doubling ends here. A longer base (billing) and a longer `retry-after` are not cut by it. */
const ESCALATION_CAP_MS = 300_000;
/** No answer of a server may take a key out for longer; also keeps the sums inside what a clock can say. */
const MAX_COOLDOWN_MS = 7 * 86_400_000;

const entryId = (profileId: string, scope: string | undefined): string =>
  scope === undefined ? profileId : `${profileId}\0${scope}`;

const windowEndMs = (entry: CooldownEntry): number => 2 * entry.expiresAtMs - entry.startedAtMs;

/**
 * Which keys rest, and for how long. The count of failures outlives a cooldown by one window of the same
 * length: a failure inside it doubles the next cooldown, quiet or a success begins anew.
 */
export class CooldownTracker {
  static readonly COOLDOWN_DEFAULTS: Readonly<Record<CooldownReason, number>> = {
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
   * What the server asked for goes before the default of the reason. A failure while the key already rests
   * comes from a request of before: it may lengthen the rest, but neither shortens nor escalates it. With a
   * `scope` (a model), the key rests for that alone: limits of rate are counted by model.
   */
  setCooldown(profileId: string, reason: CooldownReason, retryAfterMs?: number, scope?: string): void {
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

  /** Whether the key rests as a whole, or for this scope. */
  isInCooldown(profileId: string, scope?: string): boolean {
    return this.getRemainingMs(profileId, scope) > 0;
  }

  /** In whole milliseconds, never negative, and 0 only when the key may be used. */
  getRemainingMs(profileId: string, scope?: string): number {
    const own = this.#leftMs(profileId);
    return scope === undefined ? own : Math.max(own, this.#leftMs(entryId(profileId, scope)));
  }

  /** The longest rest of the key, whatever it is for. */
  getLongestMs(profileId: string): number {
    const lefts = this.#idsOf(profileId).map((id) => this.#leftMs(id));
    return Math.max(0, ...lefts);
  }

  /** Why it rests; undefined where it does not. */
  getReason(profileId: string, scope?: string): CooldownReason | undefined {
    const ids = [profileId, ...(scope === undefined ? [] : [entryId(profileId, scope)])];
    const resting = ids.find((id) => this.#leftMs(id) > 0);
    return resting === undefined ? undefined : this.#entries.get(resting)?.reason;
  }

  /** Ends the rest and forgets the failures: of the key for this scope, or of all of it. */
  clearCooldown(profileId: string, scope?: string): void {
    const ids = scope === undefined ? this.#idsOf(profileId) : [profileId, entryId(profileId, scope)];
    for (const id of ids) this.#entries.delete(id);
  }

  /** Forgets cooldowns whose further window has also passed. */
  pruneExpired(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [profileId, entry] of this.#entries)
      if (nowMs >= windowEndMs(entry)) this.#entries.delete(profileId);
  }

  /** Goes on with a cooldown of before a restart; one that has ended meanwhile is left out. */
  restore(profileId: string, until: Timestamp, failures: number): void {
    const leftMs = Math.min(until.epochMilliseconds - this.#clock.now().epochMilliseconds, MAX_COOLDOWN_MS);
    if (leftMs <= 0) return;
    const startedAtMs = this.#clock.monotonicMs();
    const consecutiveFailures = Math.max(1, failures);
    // What lasts longer than any doubling was a matter of money.
    const reason = leftMs > ESCALATION_CAP_MS ? 'billing' : 'rate-limit';
    const expiresAtMs = startedAtMs + leftMs;
    this.#entries.set(profileId, { startedAtMs, expiresAtMs, consecutiveFailures, reason });
  }

  #leftMs(id: string): number {
    const entry = this.#entries.get(id);
    return entry ? Math.max(0, Math.ceil(entry.expiresAtMs - this.#clock.monotonicMs())) : 0;
  }

  #idsOf(profileId: string): readonly string[] {
    return [...this.#entries.keys()].filter((id) => id === profileId || id.startsWith(`${profileId}\0`));
  }

  #durationMs(reason: CooldownReason, failures: number, retryAfterMs: number | undefined): number {
    if (retryAfterMs !== undefined && retryAfterMs > 0)
      return Math.min(Math.ceil(retryAfterMs), MAX_COOLDOWN_MS);
    const baseMs = CooldownTracker.COOLDOWN_DEFAULTS[reason];
    return Math.max(baseMs, Math.min(baseMs * 2 ** (failures - 1), ESCALATION_CAP_MS));
  }
}
