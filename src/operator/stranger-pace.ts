import { LRUCache } from 'lru-cache';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { addressClass } from './login-limit.ts';

const WINDOW_MS = 1_000;
const MAX_PER_CLASS = 30;
const MAX_TOGETHER = 100;
const MAX_KNOWN = 200;

/** Keeps requests without a session from taking the time of everybody else at this process. */
export const createStrangerPace = (clock: Clock) => {
  /** Secrets that opened a session here. Whether they still do is checked with each request. */
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  let beganAtMs = -Infinity;
  let together = 0;
  let byClass = new Map<string, number>();

  return {
    remember: (secret: string): void => void known.set(secret, true),
    /** Counts a request. True: it is one too many in this second. */
    isTooMany: (secret: string | undefined, address: string): boolean => {
      if (secret !== undefined && known.has(secret)) return false;
      const nowMs = clock.monotonicMs();
      if (nowMs - beganAtMs >= WINDOW_MS) {
        beganAtMs = nowMs;
        together = 0;
        byClass = new Map();
      }
      const from = addressClass(address);
      const own = byClass.get(from) ?? 0;
      if (own >= MAX_PER_CLASS || together >= MAX_TOGETHER) return true;
      byClass.set(from, own + 1);
      together += 1;
      return false;
    },
  };
};
