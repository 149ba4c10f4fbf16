import type { Clock } from './clock.ts';

/**
 * Remembers keys for a while. It only saves work: the database guarantees that something never happens twice, and a key is
 * added here after the database has stored it, never before.
 */
export class Dedupe {
  /** Entries are in order of insertion, so the oldest is always first. */
  readonly #expiresAtMs = new Map<string, number>();
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #maxSize: number;

  constructor(clock: Clock, ttlMs: number, maxSize = 10_000) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#maxSize = maxSize;
  }

  has(key: string): boolean {
    const expiresAtMs = this.#expiresAtMs.get(key);
    return expiresAtMs !== undefined && expiresAtMs > this.#clock.monotonicMs();
  }

  add(key: string): void {
    const nowMs = this.#clock.monotonicMs();
    this.#expiresAtMs.delete(key);
    this.#expiresAtMs.set(key, nowMs + this.#ttlMs);
    for (const [oldest, expiresAtMs] of this.#expiresAtMs) {
      if (expiresAtMs > nowMs && this.#expiresAtMs.size <= this.#maxSize) break;
      this.#expiresAtMs.delete(oldest);
    }
  }

  get size(): number {
    return this.#expiresAtMs.size;
  }
}
