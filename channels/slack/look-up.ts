import { LRUCache } from 'lru-cache';
import { waitAtMost } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';

const PATIENCE_MS = 800;
const KEEP_MS = 30 * 60_000;
const KEEP_FAILED_MS = 30_000;
const MAX_KEPT = 5_000;

interface Kept<T> {
  readonly found: Promise<T | undefined>;
  /** Once it is there. */
  value?: T;
  untilMs: number;
}

export interface LookUp<T> {
  /** Asks once, remembers for a while, and waits for a moment only: what is late is there the next time. */
  readonly find: (id: string) => Promise<T | undefined>;
  /** What was found last, however long ago, without asking. */
  readonly known: (id: string) => T | undefined;
  /** Whether asking is of no use now: it was found, or could not be, a short while ago. */
  readonly isFresh: (id: string) => boolean;
}

/** Of more than it keeps, it forgets what nobody asked for the longest. */
export const createLookUp = <T>(clock: Clock, ask: (id: string) => Promise<T | undefined>): LookUp<T> => {
  const kept = new LRUCache<string, Kept<T>>({ max: MAX_KEPT });

  const start = (id: string, before: T | undefined): Kept<T> => {
    const entry: Kept<T> = {
      found: ask(id)
        .catch(() => undefined)
        .then((found) => {
          if (found === undefined) entry.untilMs = clock.monotonicMs() + KEEP_FAILED_MS;
          else entry.value = found;
          return found;
        }),
      ...(before === undefined ? {} : { value: before }),
      untilMs: clock.monotonicMs() + KEEP_MS,
    };
    return entry;
  };

  const isFresh = (id: string): boolean => (kept.get(id)?.untilMs ?? 0) > clock.monotonicMs();

  return {
    isFresh,
    known: (id) => kept.get(id)?.value,
    find: async (id) => {
      const last = kept.get(id);
      const entry = last && isFresh(id) ? last : start(id, last?.value);
      kept.set(id, entry);
      return waitAtMost(entry.found, PATIENCE_MS, clock);
    },
  };
};
