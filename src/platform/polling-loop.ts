import type { Clock } from './clock.ts';

/** Something that is looked at when its time has come, or when somebody says that there is something to see. */
export interface PollingLoop {
  /** Resolves when the first look is over. */
  readonly start: () => Promise<void>;
  /** Looks now. Returns at once; before the start and after the stop it does nothing. */
  readonly wake: () => void;
  readonly isRunning: () => boolean;
  /** No look begins any more; the one that is under way is waited for. */
  readonly stop: () => Promise<void>;
}

/**
 * One look at a time, and once more where somebody woke it meanwhile. `look` says in how many milliseconds the next
 * one is due, undefined for none before it is woken; it never rejects. There is one timer at most.
 */
export const createPollingLoop = (
  look: () => Promise<number | undefined>,
  clock: Pick<Clock, 'after'>,
): PollingLoop => {
  let isRunning = false;
  let looking: Promise<void> | undefined;
  let isToLookAgain = false;
  let cancelTimer: (() => void) | undefined;

  const lookOnce = async (): Promise<void> => {
    isToLookAgain = false;
    const delayMs = await look();
    looking = undefined;
    cancelTimer?.();
    cancelTimer = isRunning && delayMs !== undefined ? clock.after(delayMs, wake) : undefined;
    if (isToLookAgain) wake();
  };

  const wake = (): void => {
    if (!isRunning) return;
    if (looking) isToLookAgain = true;
    else looking = lookOnce();
  };

  return {
    start: async () => {
      isRunning = true;
      wake();
      await looking;
    },
    wake,
    isRunning: () => isRunning,
    stop: async () => {
      isRunning = false;
      cancelTimer?.();
      await looking;
    },
  };
};
