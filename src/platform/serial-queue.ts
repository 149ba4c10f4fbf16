/** How somebody waits for those before them in the line. Rejects to leave it; resolves early to go ahead anyway. */
export type WaitForTurn = (before: Promise<void>) => Promise<void>;

/**
 * One after the other under each key, in order of arrival; keys do not wait for each other. A chain of promises and not
 * p-queue, which has no place without a task and cannot let a task that waited too long begin.
 */
export class SerialQueue {
  /** By key: resolves when everybody who is in the line so far has left it. */
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `task` when those before it have ended, however they ended. */
  async run<T>(key: string, task: () => Promise<T>, wait?: WaitForTurn): Promise<T> {
    const leave = await this.enter(key, wait);
    try {
      return await task();
    } finally {
      leave();
    }
  }

  /** Resolves when it is the caller's turn, with what ends it. Rejects only where `wait` does. */
  async enter(key: string, wait: WaitForTurn = (before) => before): Promise<() => void> {
    const before = this.#tails.get(key);
    const { promise: mine, resolve } = Promise.withResolvers<void>();
    const tail = before ? before.then(() => mine) : mine;
    this.#tails.set(key, tail);
    const leave = (): void => {
      resolve();
      void tail.then(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    };
    try {
      if (before) await wait(before);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Resolves when everybody who is in a line now has left it. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}
