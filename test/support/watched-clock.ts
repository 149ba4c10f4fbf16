import type { Clock } from '#src/platform/concurrency/clock.ts';
import { SHOW_AFTER_MS } from '#src/chat/delivery/live-answers.ts';
import { ManualClock } from './manual-clock.ts';

/** The first backoff before another try is at most this; nothing else waits so shortly, but signs that work goes on. */
const SHORT_MS = 1_000;
/** Of real time. */
const LEFT_AFTER_MS = 15_000;

interface Watcher {
  readonly delayMs: number;
  readonly resolve: () => void;
}

/**
 * Manual time for the whole program beside real servers. Backoffs pass by themselves, since their length is
 * chance; for everything longer a test waits until the program waits for it, and then moves the time.
 */
export class WatchedClock implements Clock {
  readonly #manual: ManualClock;
  /** The delays of the timers that are set. */
  readonly #pending = new Set<{ readonly delayMs: number }>();
  readonly #watchers = new Set<Watcher>();
  #moving: Promise<void> = Promise.resolve();

  constructor(startsAt?: string) {
    this.#manual = new ManualClock(startsAt);
  }

  readonly now = (): Temporal.Instant => this.#manual.now();

  readonly monotonicMs = (): number => this.#manual.monotonicMs();

  readonly after = (delayMs: number, callback: () => void): (() => void) => {
    const timer = { delayMs };
    this.#pending.add(timer);
    const cancel = this.#manual.after(delayMs, () => {
      this.#pending.delete(timer);
      callback();
    });
    if (delayMs === SHOW_AFTER_MS) this.#passIfLeft(timer);
    else if (delayMs <= SHORT_MS) void this.advance(delayMs);
    for (const watcher of this.#watchers) this.#tell(watcher);
    return () => {
      this.#pending.delete(timer);
      cancel();
    };
  };

  /** Resolves as soon as the program waits for exactly so long. */
  readonly untilWaiting = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      const watcher = { delayMs, resolve };
      this.#watchers.add(watcher);
      this.#tell(watcher);
    });

  /** One move after the other: two at once would turn the time back. */
  readonly advance = (ms: number): Promise<void> => {
    this.#moving = this.#moving.then(() => this.#manual.advance(ms));
    return this.#moving;
  };

  /** A sign of work is nearly always cancelled, and a backoff is by chance as long: that one nobody cancels. */
  #passIfLeft(timer: { readonly delayMs: number }): void {
    const pass = (): void => {
      if (this.#pending.has(timer)) void this.advance(timer.delayMs);
    };
    setTimeout(pass, LEFT_AFTER_MS).unref();
  }

  #tell(watcher: Watcher): void {
    if (![...this.#pending].some(({ delayMs }) => delayMs === watcher.delayMs)) return;
    this.#watchers.delete(watcher);
    watcher.resolve();
  }
}
