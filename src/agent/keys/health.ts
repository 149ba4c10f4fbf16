import type { Events } from '#src/kernel/events.ts';
import type { KeyHealth } from '#src/kernel/ports.ts';
import type { Clock } from '#src/platform/clock.ts';

export type ProfileHealthStatus = KeyHealth;

/** So many failures in a row disable a profile. */
const MAX_CONSECUTIVE_FAILURES = 3;
const DEGRADED_FAILURE_RATE = 0.3;
const UNHEALTHY_FAILURE_RATE = 0.7;
const WINDOW_MS = 300_000;
/** Fewer results say nothing about a rate: one failure of one request is not 100 %. */
const MIN_RESULTS = 3;

interface Result {
  readonly atMs: number;
  readonly success: boolean;
}

interface HealthRecord {
  readonly results: Result[];
  consecutiveFailures: number;
  lastFailureAtMs: number;
  /** When the last probe was let through. */
  probedAtMs: number;
  /** As last reported. */
  status: ProfileHealthStatus;
}

/** How well each profile's requests went of late. A disabled one may prove itself once in every window. */
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
      consecutiveFailures: 0,
      lastFailureAtMs: atMs,
      probedAtMs: atMs,
      status: 'healthy',
    };
    this.#records.set(profileId, record);
    const hasRecovered = success && this.#isDisabled(record);
    if (hasRecovered) record.results.length = 0;
    record.results.push({ atMs, success });
    record.consecutiveFailures = success ? 0 : record.consecutiveFailures + 1;
    if (!success) record.lastFailureAtMs = atMs;
    this.#report(profileId, record);
  }

  getHealth(profileId: string): ProfileHealthStatus {
    const record = this.#records.get(profileId);
    return record ? this.#report(profileId, record) : 'healthy';
  }

  /** Those that may be used: all but the disabled. */
  filterHealthy<Profile extends { readonly id: string }>(profiles: readonly Profile[]): readonly Profile[] {
    return profiles.filter(({ id }) => this.getHealth(id) !== 'disabled');
  }

  /**
   * True once for a disabled profile whose last failure is a window ago: use it for one request. Then false
   * until that request's result is recorded, or another window has passed without one.
   */
  tryProbe(profileId: string): boolean {
    const record = this.#records.get(profileId);
    if (!record || !this.#isDisabled(record) || this.getProbeWaitMs(profileId) > 0) return false;
    record.probedAtMs = this.#clock.monotonicMs();
    return true;
  }

  /** How long a disabled profile still waits for its probe; 0 for any other. */
  getProbeWaitMs(profileId: string): number {
    const record = this.#records.get(profileId);
    if (!record || !this.#isDisabled(record)) return 0;
    const sinceMs = Math.max(record.lastFailureAtMs, record.probedAtMs);
    return Math.max(0, Math.ceil(sinceMs + WINDOW_MS - this.#clock.monotonicMs()));
  }

  /** As if the profile had never been used. */
  forget(profileId: string): void {
    const status = this.getHealth(profileId);
    this.#records.delete(profileId);
    if (status !== 'healthy')
      this.#events.emit('auth:health:change', { profileId, from: status, to: 'healthy' });
  }

  #isDisabled(record: HealthRecord): boolean {
    return record.consecutiveFailures >= MAX_CONSECUTIVE_FAILURES;
  }

  /** In place: a busy key has thousands of results in its window. */
  #recent(record: HealthRecord): readonly Result[] {
    const sinceMs = this.#clock.monotonicMs() - WINDOW_MS;
    const fresh = record.results.findIndex(({ atMs }) => atMs > sinceMs);
    record.results.splice(0, fresh < 0 ? record.results.length : fresh);
    return record.results;
  }

  #statusOf(record: HealthRecord): ProfileHealthStatus {
    if (this.#isDisabled(record)) return 'disabled';
    const recent = this.#recent(record);
    if (recent.length < MIN_RESULTS) return 'healthy';
    let failures = 0;
    for (const { success } of recent) if (!success) failures += 1;
    const rate = failures / recent.length;
    if (rate >= UNHEALTHY_FAILURE_RATE) return 'unhealthy';
    return rate >= DEGRADED_FAILURE_RATE ? 'degraded' : 'healthy';
  }

  /** The status now; also when only time has changed it, the change is told. */
  #report(profileId: string, record: HealthRecord): ProfileHealthStatus {
    const from = record.status;
    record.status = this.#statusOf(record);
    if (from !== record.status)
      this.#events.emit('auth:health:change', { profileId, from, to: record.status });
    return record.status;
  }
}
