import { JOB_TIMEOUT_MS } from '#src/markets/charts/drawing-process.ts';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly haste: number;
  readonly fire: () => void;
  cancel: () => void;
}

export interface LeapingClock extends Clock {
  /** So much time is over at once, here and outside; what fell due meanwhile happens now. */
  readonly leap: (ms: number) => void;
  /** The same without the platform, which waits for nothing: its deadlines stay. */
  readonly hurryOn: (ms: number) => void;
  /** The clock of the platform, on which nobody is in a hurry. */
  readonly outside: Clock;
}

/** Real time that a test can move on. Waits are so many times shorter: Slack takes a message a second in a chat. */
export const createLeapingClock = (haste = 1): LeapingClock => {
  let aheadMs = 0;
  let outsideAheadMs = 0;
  const timers = new Set<Timer>();
  const now = (): Temporal.Instant => systemClock.now().add({ milliseconds: Math.round(aheadMs) });
  const monotonicMs = (): number => systemClock.monotonicMs() + aheadMs;
  const arm = (timer: Timer): void => {
    timer.cancel = systemClock.after(Math.max(0, timer.dueMs - monotonicMs()) / timer.haste, timer.fire);
  };
  const hurryOn = (ms: number): void => {
    aheadMs += ms;
    for (const timer of timers) {
      timer.cancel();
      arm(timer);
    }
  };
  return {
    now,
    monotonicMs,
    after: (delayMs, callback) => {
      const timer: Timer = {
        dueMs: monotonicMs() + delayMs,
        // To start the process that draws takes its time, however much of a hurry a test is in.
        haste: delayMs === JOB_TIMEOUT_MS ? 1 : haste,
        fire: () => {
          timers.delete(timer);
          callback();
        },
        cancel: () => undefined,
      };
      timers.add(timer);
      arm(timer);
      return () => {
        timers.delete(timer);
        timer.cancel();
      };
    },
    hurryOn,
    leap: (ms) => {
      outsideAheadMs += ms;
      hurryOn(ms);
    },
    outside: {
      ...systemClock,
      now: () => systemClock.now().add({ milliseconds: outsideAheadMs }),
      monotonicMs: () => systemClock.monotonicMs() + outsideAheadMs,
    },
  };
};
