import type { Clock } from '#src/infra/clock.ts';

const PATIENCE_MS = 800;
const KEEP_MS = 30 * 60_000;
const KEEP_FAILED_MS = 30_000;
const MAX_KEPT = 2_000;

interface Kept<T> {
  readonly found: Promise<T | undefined>;
  untilMs: number;
}

/** Asks once, remembers for a while, and waits for a moment only: what is late is there the next time. */
export const createLookUp = <T>(
  clock: Clock,
  ask: (id: string) => Promise<T | undefined>,
): ((id: string) => Promise<T | undefined>) => {
  const kept = new Map<string, Kept<T>>();

  const start = (id: string): Promise<T | undefined> => {
    const entry: Kept<T> = {
      found: ask(id)
        .catch(() => undefined)
        .then((found) => {
          if (found === undefined) entry.untilMs = clock.monotonicMs() + KEEP_FAILED_MS;
          return found;
        }),
      untilMs: clock.monotonicMs() + KEEP_MS,
    };
    const oldest = kept.size >= MAX_KEPT ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    kept.delete(id);
    kept.set(id, entry);
    return entry.found;
  };

  return async (id) => {
    const known = kept.get(id);
    const found = known && known.untilMs > clock.monotonicMs() ? known.found : start(id);
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const cancel = clock.after(PATIENCE_MS, () => resolve(undefined));
    try {
      return await Promise.race([found, late]);
    } finally {
      cancel();
    }
  };
};
