import type { Clock } from '#src/platform/concurrency/clock.ts';
import { FailoverError } from '../errors.ts';

/** Aborts one request when the caller does, or when no data has arrived for too long. */
export type IdleGuard = ReturnType<typeof createIdleGuard>;

export const createIdleGuard = (parent: AbortSignal, idleTimeoutMs: number, clock: Clock) => {
  const controller = new AbortController();
  let touchedAtMs = clock.monotonicMs();
  let cancel: () => void;
  const onParent = (): void => controller.abort(parent.reason);
  const clear = (): void => {
    cancel();
    parent.removeEventListener('abort', onParent);
  };
  // One timer for the whole request, because a new one for every read would cost more than the read.
  const watch = (delayMs: number): void => {
    cancel = clock.after(delayMs, () => {
      const leftMs = touchedAtMs + idleTimeoutMs - clock.monotonicMs();
      if (leftMs > 0) watch(leftMs);
      else controller.abort(new FailoverError(`No data for ${idleTimeoutMs / 1_000} s`, 'timeout'));
    });
  };
  watch(idleTimeoutMs);
  if (parent.aborted) onParent();
  else parent.addEventListener('abort', onParent, { once: true });
  return {
    signal: controller.signal,
    /** Data arrived. */
    touch: () => {
      touchedAtMs = clock.monotonicMs();
    },
    clear,
    /** The caller no longer needs the answer. */
    abandon: () => {
      clear();
      controller.abort();
    },
  };
};
