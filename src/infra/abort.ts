import type { Clock } from './clock.ts';

/** For work that nobody can stop. */
export const NEVER_ABORTED = new AbortController().signal;

/** Waits for `task` as long as the signal allows: an abort ends the waiting, not the task. */
export const waitUnless = <T>(task: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const settle = (outcome: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      outcome();
    };
    task.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });

/**
 * Waits for `task`, but not for ever: once the signal aborts, the task has `graceMs` to end by itself;
 * after that this rejects with the signal's reason and the task's own outcome is ignored.
 */
export const raceAbort = <T>(
  task: Promise<T>,
  signal: AbortSignal,
  clock: Clock,
  graceMs: number,
): Promise<T> =>
  new Promise((resolve, reject) => {
    let cancelGrace: (() => void) | undefined;
    const onAbort = (): void => {
      cancelGrace = clock.after(graceMs, () => reject(signal.reason));
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

/**
 * A signal that follows `parent` and also aborts after `timeoutMs` with `reason`; call `clear` when done. `lift`
 * takes the deadline away and leaves the parent.
 */
export const withDeadline = (
  parent: AbortSignal,
  timeoutMs: number,
  clock: Clock,
  reason: () => Error,
): { readonly signal: AbortSignal; readonly clear: () => void; readonly lift: () => void } => {
  const controller = new AbortController();
  // `AbortSignal.any` would do the same at many times the cost; this one is cleared in any case.
  const onParent = (): void => controller.abort(parent.reason);
  const cancelTimer = clock.after(timeoutMs, () => controller.abort(reason()));
  if (parent.aborted) onParent();
  else parent.addEventListener('abort', onParent, { once: true });
  const clear = (): void => {
    cancelTimer();
    parent.removeEventListener('abort', onParent);
  };
  return { signal: controller.signal, clear, lift: cancelTimer };
};

/** The items of `source`, but no waiting past an abort: a source that does not listen is left behind. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  aborted.catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Lets a source that does listen clean up; nobody waits for one that does not.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
