/** Time as a dependency, so that tests can control it. */
export interface Clock {
  readonly now: () => Temporal.Instant;
  /** Milliseconds that only go forward: for durations, deadlines and TTLs. */
  readonly monotonicMs: () => number;
  /** Calls `callback` once after the delay; the returned function cancels. */
  readonly after: (delayMs: number, callback: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
