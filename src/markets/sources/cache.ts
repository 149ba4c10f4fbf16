import { LRUCache } from 'lru-cache';
import type { Clock } from '#src/platform/concurrency/clock.ts';

interface Entry<T> {
  readonly value: T;
  /** Expiry by the monotonic clock and by the wall clock. */
  readonly expiresAtMs: number;
  readonly wallExpiresAtMs: number;
}

interface CacheOptions<T> {
  readonly clock: Clock;
  readonly maxEntries: number;
  /** For values of very different size: the weight of one value, and the limit of all together. */
  readonly weigh?: (value: T) => number;
  readonly maxWeight?: number;
}

/**
 * A bounded cache that evicts the least recently used entry first. Each entry has its own TTL. The TTL of `lru-cache`
 * knows one clock only, so entries carry their expiry themselves.
 */
export class Cache<T> {
  readonly #entries: LRUCache<string, Entry<T>>;
  readonly #clock: Clock;

  constructor({ clock, maxEntries, weigh, maxWeight = 0 }: CacheOptions<T>) {
    this.#clock = clock;
    this.#entries = new LRUCache({
      max: maxEntries,
      ...(weigh && {
        maxSize: maxWeight,
        // A size must be positive, and a value larger than the whole cache would not be stored.
        sizeCalculation: ({ value }) => Math.min(Math.max(1, weigh(value)), maxWeight),
      }),
    });
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    return entry && !this.#isExpired(entry) ? entry.value : undefined;
  }

  set(key: string, value: T, ttlMs: number): void {
    this.#entries.set(key, {
      value,
      expiresAtMs: this.#clock.monotonicMs() + ttlMs,
      wallExpiresAtMs: this.#clock.now().epochMilliseconds + ttlMs,
    });
    for (const oldest of this.#entries.rkeys()) {
      const entry = this.#entries.peek(oldest);
      if (!entry || !this.#isExpired(entry)) break;
      this.#entries.delete(oldest);
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Both clocks count: the monotonic clock stops while the machine sleeps, and the wall clock may be set back. */
  #isExpired({ expiresAtMs, wallExpiresAtMs }: Entry<T>): boolean {
    return expiresAtMs <= this.#clock.monotonicMs() || wallExpiresAtMs <= this.#clock.now().epochMilliseconds;
  }
}
