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

/** A moment on two clocks, because the monotonic one stands still while a machine is suspended. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wall: Temporal.Instant;
}

export const momentOf = (clock: Clock): Moment => ({ monotonicMs: clock.monotonicMs(), wall: clock.now() });

export const sinceMs = ({ monotonicMs, wall }: Moment, clock: Clock): number =>
  Math.max(clock.monotonicMs() - monotonicMs, clock.now().since(wall).total('milliseconds'));

/** A timer for the work that sets it: what it sends is checked like the rest of that work. The work cancels it at its end. */
export const afterInContext = (clock: Clock, delayMs: number, callback: () => void): (() => void) =>
  clock.after(delayMs, AsyncLocalStorage.bind(callback));

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) => {
    // A timer that is due already may be late by a fraction of a millisecond, which Node warns about.
    const timer = setTimeout(() => outside(callback), Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};
