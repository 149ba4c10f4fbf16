import type { Clock } from '#src/infra/clock.ts';

interface Entry<T> {
  readonly value: T;
  readonly weight: number;
  /** By the clock that only runs on, and by that of the wall. */
  readonly expiresAtMs: number;
  readonly wallExpiresAtMs: number;
}

interface CacheOptions<T> {
  readonly clock: Clock;
  readonly maxEntries: number;
  /** What one entry weighs, where they differ much. */
  readonly weigh?: (value: T) => number;
  readonly maxWeight?: number;
}

/** Remembers for a while, and at most so much: what was not asked for the longest goes first. */
export class Cache<T> {
  /** In order of use, the least recent first. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #options: Required<CacheOptions<T>>;
  #weight = 0;

  constructor(options: CacheOptions<T>) {
    this.#options = { weigh: () => 0, maxWeight: 0, ...options };
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry || this.#isExpired(entry)) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, ttlMs: number): void {
    this.#drop(key);
    const weight = this.#options.weigh(value);
    const { clock } = this.#options;
    this.#entries.set(key, {
      value,
      weight,
      expiresAtMs: clock.monotonicMs() + ttlMs,
      wallExpiresAtMs: clock.now().epochMilliseconds + ttlMs,
    });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (oldest === key || (!this.#isTooFull() && !this.#isExpired(entry))) break;
      this.#drop(oldest);
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  #isTooFull(): boolean {
    return this.#entries.size > this.#options.maxEntries || this.#weight > this.#options.maxWeight;
  }

  /** By both clocks: the one stands still while the machine sleeps, the other may be set back. */
  #isExpired({ expiresAtMs, wallExpiresAtMs }: Entry<T>): boolean {
    const { clock } = this.#options;
    return expiresAtMs <= clock.monotonicMs() || wallExpiresAtMs <= clock.now().epochMilliseconds;
  }

  #drop(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
