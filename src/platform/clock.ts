/** Time as a dependency, so that a test can hold and move it. */
export interface Clock {
  readonly now: () => Temporal.Instant;
  /** Milliseconds that only go forward: for durations, deadlines and TTLs. */
  readonly monotonicMs: () => number;
  /** Calls back once; the returned function cancels. */
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
