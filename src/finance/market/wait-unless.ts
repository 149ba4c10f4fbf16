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
