import { askedToWaitMs, ChannelError } from '#src/kernel/errors.ts';
import { NEVER_ABORTED } from './abort.ts';
import type { Clock } from './clock.ts';

export interface BackoffOptions {
  readonly minDelayMs?: number;
  readonly maxDelayMs?: number;
  /** Picks a delay between zero and the computed one, so that many callers spread out. Default true. */
  readonly jitter?: boolean;
  readonly random?: () => number;
}

/** The delay after a failed attempt, which doubles up to the maximum; `attempt` counts from 1. */
export const computeBackoff = (attempt: number, options: BackoffOptions = {}): number => {
  const { minDelayMs = 1_000, maxDelayMs = 30_000, jitter = true, random = Math.random } = options;
  const ceiling = Math.min(maxDelayMs, minDelayMs * 2 ** (attempt - 1));
  return jitter ? Math.round(ceiling * random()) : ceiling;
};

/** Resolves after the delay; rejects with the signal's reason as soon as it aborts. */
export const sleepWithAbort = (delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(delayMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });

export interface RetryOptions extends BackoffOptions {
  readonly clock: Clock;
  readonly maxAttempts?: number;
  readonly shouldRetry?: (error: unknown, attempt: number) => boolean;
  /** The delay that the server asked for, which overrides the computed one. */
  readonly retryAfterMs?: (error: unknown) => number | undefined;
  readonly onRetry?: (error: unknown, attempt: number, delayMs: number) => void;
}

/** Runs `task` until it succeeds, should not be retried, or the signal aborts. Throws the last error. */
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

const isTemporary = (error: unknown): boolean =>
  error instanceof ChannelError
    ? error.failure !== 'refused'
    : error instanceof DOMException && error.name === 'TimeoutError';

/**
 * For a request to a platform that nobody waits for and that must arrive, such as taking back a sign of work: what is left
 * would promise an answer forever.
 */
export const insist = <T>(request: () => Promise<T>, clock: Clock, maxAttempts = 3): Promise<T> =>
  retry(
    request,
    { clock, maxAttempts, jitter: false, shouldRetry: isTemporary, retryAfterMs: askedToWaitMs },
    NEVER_ABORTED,
  );
