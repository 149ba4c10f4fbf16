import type { Clock } from '#src/platform/concurrency/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A write to the database takes a turn of the event loop; so many writes may follow each other at once. */
const TURNS = 12;
/** A file that is read for ever must not stop the clock. */
const LONGEST_WAIT_MS = 1_000;

const isDiskBusy = (): boolean => process.getActiveResourcesInfo().includes('FSReqCallback');

/** All promise chains that a callback set off have run by then, also those that waited for the disk. */
const flush = async (): Promise<void> => {
  const giveUpAtMs = performance.now() + LONGEST_WAIT_MS;
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isDiskBusy() && performance.now() < giveUpAtMs) turn = 0;
  }
};

/** Time that stands still until a test moves it. */
export class ManualClock implements Clock {
  readonly #startedAt: Temporal.Instant;
  #elapsedMs = 0;
  #now: { readonly elapsedMs: number; readonly instant: Temporal.Instant };
  readonly #timers = new Set<Timer>();

  constructor(startsAt = '2026-11-13T06:30:00Z') {
    this.#startedAt = Temporal.Instant.from(startsAt);
    this.#now = { elapsedMs: 0, instant: this.#startedAt };
  }

  readonly now = (): Temporal.Instant => {
    // Asked for far more often than it moves.
    if (this.#now.elapsedMs !== this.#elapsedMs)
      this.#now = {
        elapsedMs: this.#elapsedMs,
        instant: this.#startedAt.add({ milliseconds: this.#elapsedMs }),
      };
    return this.#now.instant;
  };

  readonly monotonicMs = (): number => this.#elapsedMs;

  readonly after = (delayMs: number, callback: () => void): (() => void) => {
    const timer: Timer = { dueMs: this.#elapsedMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** How many timers are set: a test sees by it whether something cleaned up. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Fires what falls due on the way, in order, also timers set by those that fired. */
  readonly advance = async (ms: number): Promise<void> => {
    const targetMs = this.#elapsedMs + ms;
    await flush();
    for (let next = this.#nextDue(targetMs); next; next = this.#nextDue(targetMs)) {
      this.#timers.delete(next);
      this.#elapsedMs = Math.max(this.#elapsedMs, next.dueMs);
      next.callback();
      await flush();
    }
    this.#elapsedMs = targetMs;
  };

  /** Time passes while the process is stopped. What fell due fires at the next advance. */
  readonly standStill = (ms: number): void => {
    this.#elapsedMs += ms;
  };

  /** Of timers due at the same time the one set first: a set keeps the order of insertion. */
  #nextDue(targetMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= targetMs && (!next || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}
