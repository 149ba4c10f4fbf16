interface Share<T> {
  /** The number of places that the owner holds. */
  held: number;
  /** The owner's waiters, in order of arrival. */
  readonly waiting: Set<T>;
}

/**
 * Decides who gets the next free place. Owners take turns, each with their first waiter, and nobody holds more than
 * `maxPerOwner` places. A new owner is next after at most one waiter of each other owner, however many waiters those have.
 * Every call takes constant time.
 */
export class FairShares<T> {
  readonly #maxPerOwner: number;
  readonly #shares = new Map<string, Share<T>>();
  /** Owners with a waiter and below their limit; the first one is next. */
  readonly #rotation = new Set<string>();

  constructor(maxPerOwner = Infinity) {
    this.#maxPerOwner = maxPerOwner;
  }

  /** Whether the owner may hold one more place. */
  mayHold(owner: string): boolean {
    return (this.#shares.get(owner)?.held ?? 0) < this.#maxPerOwner;
  }

  waitingOf(owner: string): number {
    return this.#shares.get(owner)?.waiting.size ?? 0;
  }

  /** Gives the owner a place without a wait. */
  hold(owner: string): void {
    this.#shareOf(owner).held += 1;
    this.#settle(owner);
  }

  /** Takes a place back from the owner. */
  release(owner: string): void {
    this.#shareOf(owner).held -= 1;
    this.#settle(owner);
  }

  wait(owner: string, waiter: T): void {
    this.#shareOf(owner).waiting.add(waiter);
    this.#settle(owner);
  }

  leave(owner: string, waiter: T): void {
    this.#shareOf(owner).waiting.delete(waiter);
    this.#settle(owner);
  }

  /**
   * Gives a place to the next waiter and returns it; undefined if no waiter may have one. With `isReady`, waiters that
   * are not ready are skipped and keep their turn; only then the time depends on their number.
   */
  next(isReady?: (waiter: T) => boolean): T | undefined {
    for (const owner of this.#rotation) {
      for (const waiter of this.#shareOf(owner).waiting)
        if (!isReady || isReady(waiter)) return this.#admit(owner, waiter);
    }
    return undefined;
  }

  #admit(owner: string, waiter: T): T {
    const share = this.#shareOf(owner);
    share.waiting.delete(waiter);
    share.held += 1;
    // `settle` puts the owner at the back of the rotation, if they have more waiters.
    this.#rotation.delete(owner);
    this.#settle(owner);
    return waiter;
  }

  #shareOf(owner: string): Share<T> {
    return this.#shares.getOrInsertComputed(owner, () => ({ held: 0, waiting: new Set() }));
  }

  /** Adds the owner to the rotation or removes them from it, and forgets owners who neither hold nor wait. */
  #settle(owner: string): void {
    const { held, waiting } = this.#shareOf(owner);
    if (waiting.size > 0 && held < this.#maxPerOwner) this.#rotation.add(owner);
    else this.#rotation.delete(owner);
    if (held === 0 && waiting.size === 0) this.#shares.delete(owner);
  }
}
