/** Questions that wait for an answer are few; older ones are given up. */
const MAX_SHOWN = 1_000;

/** What a person was shown when they were asked, until the call is made: by then it may come out differently. Lost by a restart. */
export const createShown = <T>() => {
  const shown = new Map<string, T>();
  return {
    keep: (key: string, value: T): void => {
      shown.set(key, value);
      const [oldest] = shown.keys();
      if (shown.size > MAX_SHOWN && oldest !== undefined) shown.delete(oldest);
    },
    take: (key: string): T | undefined => {
      const value = shown.get(key);
      shown.delete(key);
      return value;
    },
  };
};
