import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from './clock.ts';

/** A poll is not part of the work that woke the loop, and must not run in its context: a fence, for instance. */
const outside = AsyncLocalStorage.snapshot();

/**
 * Polls when the next poll is due, or when it is woken: one at a time, and another one if it was woken meanwhile. `poll`
 * gives the delay until the next one in milliseconds, or undefined for none before it is woken; it never rejects. There is
 * at most one timer.
 */
export const createPollingLoop = (poll: () => Promise<number | undefined>, clock: Pick<Clock, 'after'>) => {
  let isRunning = false;
  let isStopped = false;
  let polling: Promise<void> | undefined;
  let wasWoken = false;
  let cancelTimer: (() => void) | undefined;

  const pollOnce = async (): Promise<void> => {
    wasWoken = false;
    const delayMs = await poll();
    polling = undefined;
    cancelTimer?.();
    cancelTimer = isRunning && delayMs !== undefined ? clock.after(delayMs, wake) : undefined;
    if (wasWoken) wake();
  };

  const wake = (): void => {
    if (!isRunning) return;
    if (polling) wasWoken = true;
    else polling = outside(pollOnce);
  };

  return {
    /** Resolves when the first poll is over. Does nothing after the stop, because a program may be stopped while it starts. */
    start: async () => {
      isRunning = !isStopped;
      wake();
      await polling;
    },
    /** Polls now and returns at once. Does nothing before the start and after the stop. */
    wake,
    isRunning: (): boolean => isRunning,
    /** Begins no further poll, and waits for the one that is under way. */
    stop: async () => {
      isStopped = true;
      isRunning = false;
      cancelTimer?.();
      await polling;
    },
  };
};
