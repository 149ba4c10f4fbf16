import { FinClawError } from '#src/kernel/errors.ts';
import type { Clock } from './clock.ts';

/** The signal for work that nobody can stop. */
export const NEVER_ABORTED = new AbortController().signal;

/**
 * Waits for `task` until the signal aborts: an abort ends the wait, not the task. With a clock, the task has `graceMs`
 * from the abort to end by itself. After that this rejects with the signal's reason and ignores the task's outcome.
 */
export const raceAbort = <T>(task: Promise<T>, signal: AbortSignal, clock?: Clock, graceMs = 0): Promise<T> =>
  new Promise((resolve, reject) => {
    let cancelGrace: (() => void) | undefined;
    const leave = (): void => reject(signal.reason);
    const onAbort = (): void => {
      if (clock) cancelGrace = clock.after(graceMs, leave);
      else leave();
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const settle = (outcome: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      cancelGrace?.();
      outcome();
    };
    task.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });

/** The outcome of `task`, or undefined if it takes longer than `maxMs`. The task itself is not stopped. */
export const waitAtMost = async <T>(
  task: Promise<T>,
  maxMs: number,
  clock: Clock,
): Promise<T | undefined> => {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const cancel = clock.after(maxMs, () => resolve(undefined));
  try {
    return await Promise.race([task, late]);
  } finally {
    cancel();
  }
};

/**
 * A signal that follows `parent` and also aborts after `timeoutMs` with `reason`. Call `clear` when done, or declare it
 * with `using`. `lift` removes the deadline and keeps following the parent.
 */
export const withDeadline = (
  parent: AbortSignal,
  timeoutMs: number,
  clock: Clock,
  reason: () => Error,
): Disposable & {
  readonly signal: AbortSignal;
  readonly clear: () => void;
  readonly lift: () => void;
} => {
  const controller = new AbortController();
  // `AbortSignal.any` would cost many times as much.
  const onParent = (): void => controller.abort(parent.reason);
  const cancelTimer = clock.after(timeoutMs, () => controller.abort(reason()));
  if (parent.aborted) onParent();
  else parent.addEventListener('abort', onParent, { once: true });
  const clear = (): void => {
    cancelTimer();
    parent.removeEventListener('abort', onParent);
  };
  return { signal: controller.signal, clear, lift: cancelTimer, [Symbol.dispose]: clear };
};

/** The outcome of `task`. Rejects with `TIME_LIMIT` if it takes longer; the task itself is not stopped. */
export const withTimeLimit = <T>(task: Promise<T>, limitMs: number, clock: Clock): Promise<T> => {
  const late = (): Error => new FinClawError(`It took longer than ${limitMs / 1_000} s`, 'TIME_LIMIT');
  const { signal, clear } = withDeadline(NEVER_ABORTED, limitMs, clock, late);
  return raceAbort(task, signal, clock, 0).finally(clear);
};

/**
 * For optional work: the outcome of `task`, or undefined if it fails or takes longer than `maxMs`. Throws only if
 * `parent` aborts.
 */
export const attemptWithin = async <T>(
  task: (signal: AbortSignal) => Promise<T>,
  maxMs: number,
  clock: Clock,
  parent: AbortSignal,
): Promise<T | undefined> => {
  const late = (): Error => new Error(`It took longer than ${maxMs} ms`);
  const { signal, clear } = withDeadline(parent, maxMs, clock, late);
  try {
    return await raceAbort(task(signal), signal);
  } catch {
    parent.throwIfAborted();
    return undefined;
  } finally {
    clear();
  }
};
