import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { UntilOptions } from './api.ts';
import { ConnectionDropped } from './errors.ts';
import type { Happening, OffenceEntry, SlackHistoryEntry } from './history.ts';
import type { Moment, OnMoment } from './options.ts';

/** Things that happen outside of the fake are looked for so often. */
const POLL_MS = 20;
const SHOWN_ENTRIES = 15;

/** What happened, in order, and those who wait for something to happen. */
export class Chronicle {
  readonly history: SlackHistoryEntry[] = [];
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #watchers = new Set<() => void>();
  #onMoment: OnMoment | undefined;

  constructor(clock: Clock, onMoment: OnMoment | undefined) {
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
    this.#onMoment = onMoment;
  }

  setOnMoment(callback: OnMoment | undefined): void {
    this.#onMoment = callback;
  }

  note(happening: Happening): void {
    this.history.push({ ...happening, atMs: Math.round(this.#clock.monotonicMs() - this.#startedMs) });
    // Whoever noted it may still be about to change what the watchers look at.
    queueMicrotask(() => {
      for (const look of this.#watchers) look();
    });
  }

  offend(rule: OffenceEntry['rule'], detail: string): void {
    this.note({ type: 'offence', rule, detail });
  }

  /** Throws `ConnectionDropped` where the test says so. */
  moment(moment: Moment): void {
    if (this.#onMoment?.(moment) === 'drop') throw new ConnectionDropped(moment.name);
  }

  async until(predicate: () => boolean, options: UntilOptions = {}): Promise<void> {
    const { timeoutMs = 20_000, what = 'what the test waits for' } = options;
    if (predicate()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      try {
        if (predicate()) resolve();
      } catch (error) {
        reject(error);
      }
    };
    const poll = setInterval(look, POLL_MS);
    const timer = setTimeout(() => reject(new Error(this.#report(what, timeoutMs))), timeoutMs);
    this.#watchers.add(look);
    try {
      await promise;
    } finally {
      clearInterval(poll);
      clearTimeout(timer);
      this.#watchers.delete(look);
    }
  }

  #report(what: string, timeoutMs: number): string {
    const last = this.history.slice(-SHOWN_ENTRIES).map((entry) => JSON.stringify(entry).slice(0, 300));
    return [`After ${timeoutMs} ms still missing: ${what}. The last that happened:`, ...last].join('\n  ');
  }
}
