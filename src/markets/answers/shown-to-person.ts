import { LRUCache } from 'lru-cache';

/** Questions that wait for an answer are few; older ones are given up. */
const MAX_SHOWN = 1_000;

/** What a person was shown when they were asked, until the call is made: by then it may come out differently. Lost by a restart. */
export const createShown = <T extends {}>() => {
  const shown = new LRUCache<string, T>({ max: MAX_SHOWN });
  return {
    keep: (key: string, value: T): void => {
      shown.set(key, value);
    },
    take: (key: string): T | undefined => {
      const value = shown.get(key);
      shown.delete(key);
      return value;
    },
  };
};
