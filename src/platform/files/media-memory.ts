import { FairShares } from '../concurrency/fair-shares.ts';

/** A file is in memory as its pieces, as one text of bytes and as the body of a request: some three times its size. */
const MAX_BYTES = 64_000_000;

/** The files of people that are in memory at once, in bytes, over all conversations. */
export type MediaMemory = ReturnType<typeof createMediaMemory>;

interface Waiter {
  readonly bytes: number;
  readonly admit: () => void;
}

export const createMediaMemory = (maxBytes = MAX_BYTES) => {
  const shares = new FairShares<Waiter>();
  let freeBytes = maxBytes;

  /** Only the next one is looked at: small files must not keep a large one waiting. */
  const next = (): Waiter | undefined => {
    let isFirst = true;
    return shares.next(({ bytes }) => {
      const fits = isFirst && bytes <= freeBytes;
      isFirst = false;
      return fits;
    });
  };
  const admitAll = (): void => {
    for (let waiter = next(); waiter; waiter = next()) {
      freeBytes -= waiter.bytes;
      waiter.admit();
    }
  };

  return {
    /** Runs the work when there is room for a file of this size. People take turns. Rejects with the signal's reason. */
    hold: async <T>(owner: string, size: number, work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
      signal.throwIfAborted();
      const bytes = Math.min(size, maxBytes);
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          shares.leave(owner, waiter);
          reject(signal.reason);
          // The next one in the queue may fit.
          admitAll();
        };
        const admit = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        const waiter: Waiter = { bytes, admit };
        signal.addEventListener('abort', onAbort, { once: true });
        shares.wait(owner, waiter);
        admitAll();
      });
      try {
        return await work();
      } finally {
        freeBytes += bytes;
        shares.release(owner);
        admitAll();
      }
    },
  };
};
