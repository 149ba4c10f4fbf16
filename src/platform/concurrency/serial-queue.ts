/** Waits for the earlier tasks of a key. It may reject to leave the queue, or resolve early to go ahead anyway. */
export type WaitForTurn = (before: Promise<void>) => Promise<void>;

/**
 * Runs tasks of the same key one after the other, in order of arrival; keys do not wait for each other. It is a chain of
 * promises, because p-queue cannot reserve a place without a task, nor start a task that has waited too long.
 */
export class SerialQueue {
  /** A promise for each key that resolves when all queued tasks have ended. */
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `task` when the earlier ones have ended, whether they succeeded or not. */
  async run<T>(key: string, task: () => Promise<T>, wait?: WaitForTurn): Promise<T> {
    const leave = await this.enter(key, wait);
    try {
      return await task();
    } finally {
      leave();
    }
  }

  /** Resolves when it is the caller's turn, with a function that ends it. Rejects only where `wait` does. */
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

  /** Resolves when everything that is queued now has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}
