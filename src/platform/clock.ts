import { AsyncLocalStorage } from 'node:async_hooks';

/** Time as a dependency, so that tests can control it. */
export interface Clock {
  readonly now: () => Temporal.Instant;
  /** Milliseconds that only go forward: for durations, deadlines and TTLs. */
  readonly monotonicMs: () => number;
  /** Calls `callback` once after the delay; the returned function cancels. */
  readonly after: (delayMs: number, callback: () => void) => () => void;
}

/** A timer may outlive the work that set it, so it does not run in its context: a fence, for instance. */
const outside = AsyncLocalStorage.snapshot();

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(() => outside(callback), delayMs);
    return () => clearTimeout(timer);
  },
};
