/**
 * Lets the events of one chat pass one after the other. Without it a look-up that takes a little longer
 * would let a later message overtake an earlier one before either is stored.
 */
export class ArrivalOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `task` when those that came before it under the same key have ended, however they ended. */
  async pass<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(task, task);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
