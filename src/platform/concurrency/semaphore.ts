import { FairShares } from './fair-shares.ts';

/** Limits how many run at once, in total and for one owner. Owners take turns; a waiter leaves when its signal aborts. */
export class Semaphore {
  #free: number;
  #waiting = 0;
  readonly #shares: FairShares<() => void>;

  constructor(limit: number, maxPerOwner = limit) {
    this.#free = limit;
    this.#shares = new FairShares(maxPerOwner);
  }

  /** Resolves with a function that releases the place; calling it twice does nothing. Rejects with the signal's reason. */
  async acquire(owner: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0 && this.#shares.mayHold(owner)) {
      this.#free -= 1;
      this.#shares.hold(owner);
    } else await this.#wait(owner, signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#free += 1;
      this.#shares.release(owner);
      this.#admit();
    };
  }

  get waiting(): number {
    return this.#waiting;
  }

  #admit(): void {
    const admit = this.#free > 0 ? this.#shares.next() : undefined;
    if (!admit) return;
    this.#free -= 1;
    this.#waiting -= 1;
    admit();
  }

  #wait(owner: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting -= 1;
        this.#shares.leave(owner, admit);
        reject(signal.reason);
      };
      const admit = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting += 1;
      this.#shares.wait(owner, admit);
    });
  }
}
