interface Share<T> {
  /** Places that the owner holds now. */
  held: number;
  /** In order of arrival. */
  readonly waiting: Set<T>;
}

/**
 * Who is next for a place that many wait for. Owners take turns, each with the first of their own waiters, and nobody
 * holds more than `maxPerOwner` places. An owner who waits for nothing else is next after at most one waiter of each
 * other owner, however many waiters those have. Every call takes constant time.
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

  /** The owner holds one more place, without having waited for it. */
  hold(owner: string): void {
    this.#shareOf(owner).held += 1;
    this.#settle(owner);
  }

  /** The owner gives a place back. */
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
   * The next waiter, whose owner holds a place from now on. Undefined where nobody who waits may hold one more. With
   * `isReady`, waiters that are not ready keep their place and are passed over; only then the time depends on how many.
   */
  next(isReady?: (waiter: T) => boolean): T | undefined {
    for (const owner of this.#rotation) {
      for (const waiter of this.#shareOf(owner).waiting)
        if (!isReady || isReady(waiter)) return this.#take(owner, waiter);
    }
    return undefined;
  }

  #take(owner: string, waiter: T): T {
    const share = this.#shareOf(owner);
    share.waiting.delete(waiter);
    share.held += 1;
    // At the back again, if anything is left to wait for.
    this.#rotation.delete(owner);
    this.#settle(owner);
    return waiter;
  }

  #shareOf(owner: string): Share<T> {
    const known = this.#shares.get(owner);
    if (known) return known;
    const created: Share<T> = { held: 0, waiting: new Set() };
    this.#shares.set(owner, created);
    return created;
  }

  /** Puts the owner into the rotation or takes them out of it, and forgets who neither holds nor waits. */
  #settle(owner: string): void {
    const { held, waiting } = this.#shareOf(owner);
    if (waiting.size > 0 && held < this.#maxPerOwner) this.#rotation.add(owner);
    else this.#rotation.delete(owner);
    if (held === 0 && waiting.size === 0) this.#shares.delete(owner);
  }
}
