import { FinClawError } from '#src/kernel/errors.ts';
import { raceAbort } from './abort.ts';
import type { Clock } from './clock.ts';

export type CircuitState = 'closed' | 'open' | 'half-open';

export interface CircuitBreakerOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly failureThreshold?: number;
  readonly resetTimeoutMs?: number;
  /** Whether an error counts as a failure of the other side; bugs of ours and a user's abort should not. */
  readonly isFailure?: (error: unknown) => boolean;
  readonly onChange?: (from: CircuitState, to: CircuitState) => void;
}

/** Stops calling a service that keeps failing, and lets one probe through after a while. */
export class CircuitBreaker {
  #state: CircuitState = 'closed';
  #failures = 0;
  #openedAtMs = 0;
  /** Resolves when the running probe has ended; never rejects. */
  #probe: Promise<void> | undefined;
  readonly #options: Required<Omit<CircuitBreakerOptions, 'onChange'>> &
    Pick<CircuitBreakerOptions, 'onChange'>;

  constructor(options: CircuitBreakerOptions) {
    this.#options = { failureThreshold: 5, resetTimeoutMs: 30_000, isFailure: () => true, ...options };
  }

  get name(): string {
    return this.#options.name;
  }

  /** The number of failures in a row; never 0 while open. */
  get failures(): number {
    return this.#failures;
  }

  get state(): CircuitState {
    const waitedMs = this.#options.clock.monotonicMs() - this.#openedAtMs;
    return this.#state === 'open' && waitedMs >= this.#options.resetTimeoutMs ? 'half-open' : this.#state;
  }

  /**
   * Throws `CIRCUIT_OPEN` without calling `task` while open. It also throws while another call is probing, unless there
   * is a signal to wait by: then the outcome of the probe decides.
   */
  async run<T>(task: () => Promise<T>, waitBy?: AbortSignal): Promise<T> {
    if (waitBy) while (this.state === 'half-open' && this.#probe) await raceAbort(this.#probe, waitBy);
    const state = this.state;
    if (state === 'open' || (state === 'half-open' && this.#probe)) {
      throw new FinClawError(`${this.#options.name} is failing and is not being called`, 'CIRCUIT_OPEN', {
        statusCode: 503,
      });
    }
    const isProbe = state === 'half-open';
    const ended = Promise.withResolvers<void>();
    if (isProbe) {
      this.#probe = ended.promise;
      this.#change('half-open');
    }
    try {
      const result = await task();
      this.#onAnswer(isProbe);
      return result;
    } catch (error) {
      // An abort or a bug of ours says nothing about the other side, so it neither counts nor resets the count.
      if (this.#options.isFailure(error)) this.#onFailure(isProbe);
      throw error;
    } finally {
      if (isProbe) {
        this.#probe = undefined;
        ended.resolve();
      }
    }
  }

  /** A call that began before the breaker opened says nothing about the present. */
  #isLate(isProbe: boolean): boolean {
    return !isProbe && this.#state !== 'closed';
  }

  #onAnswer(isProbe: boolean): void {
    if (this.#isLate(isProbe)) return;
    this.#failures = 0;
    this.#change('closed');
  }

  #onFailure(isProbe: boolean): void {
    if (this.#isLate(isProbe)) return;
    this.#failures += 1;
    if (!isProbe && this.#failures < this.#options.failureThreshold) return;
    this.#openedAtMs = this.#options.clock.monotonicMs();
    this.#change('open');
  }

  #change(to: CircuitState): void {
    const from = this.#state;
    this.#state = to;
    if (from !== to) this.#options.onChange?.(from, to);
  }
}

export interface BreakerStatus {
  readonly name: string;
  readonly state: CircuitState;
}

/** The breakers with recent failures, open or not. */
export const troubledBreakers = (breakers: Iterable<CircuitBreaker>): readonly BreakerStatus[] =>
  [...breakers].filter(({ failures }) => failures > 0).map(({ name, state }) => ({ name, state }));
