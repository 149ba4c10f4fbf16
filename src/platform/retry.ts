import { type BackoffOptions, computeBackoff, sleepWithAbort } from './backoff.ts';
import type { Clock } from './clock.ts';

export interface RetryOptions extends BackoffOptions {
  readonly clock: Clock;
  readonly maxAttempts?: number;
  readonly shouldRetry?: (error: unknown, attempt: number) => boolean;
  /** What the other side asked us to wait; goes before the computed delay. */
  readonly retryAfterMs?: (error: unknown) => number | undefined;
  readonly onRetry?: (error: unknown, attempt: number, delayMs: number) => void;
}

/** Runs `task` until it succeeds, is not worth another try, or the signal aborts. Throws the last error. */
export const retry = async <T>(
  task: (attempt: number) => Promise<T>,
  options: RetryOptions,
  signal: AbortSignal,
): Promise<T> => {
  const { maxAttempts = 3, shouldRetry = () => true } = options;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await task(attempt);
    } catch (error) {
      if (signal.aborted || attempt >= maxAttempts || !shouldRetry(error, attempt)) throw error;
      const delayMs = options.retryAfterMs?.(error) ?? computeBackoff(attempt, options);
      options.onRetry?.(error, attempt, delayMs);
      await sleepWithAbort(delayMs, options.clock, signal);
    }
  }
};
