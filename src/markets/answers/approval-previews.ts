import { LRUCache } from 'lru-cache';

/** Few questions are open at once; older ones are dropped. */
const MAX_SHOWN = 1_000;

/** Keeps what an approval question showed until the call runs, when the result may differ. Lost on restart. */
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
