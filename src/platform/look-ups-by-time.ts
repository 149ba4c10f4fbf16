import type { SymbolMatch, SymbolSearch } from '#src/kernel/finance.ts';
import { createYielder } from './yield-by-time.ts';

/** The time slice is used up. Never leaves this file. */
class SliceOver extends Error {}

/**
 * Runs work that looks up many names, and does nothing else that lasts or lingers. When a time slice is used up, it
 * begins anew after others had their turn; what was found by then is not looked up again.
 */
export const lookUpByTime = async <T>(
  symbols: SymbolSearch,
  work: (symbols: SymbolSearch) => T,
  signal: AbortSignal,
): Promise<T> => {
  const known = new Map<string, SymbolMatch>();
  const giveWay = createYielder(signal);
  let pause: Promise<void> | undefined;
  const resolve = (query: string): SymbolMatch => {
    const before = known.get(query);
    if (before) return before;
    pause = giveWay();
    if (pause) throw new SliceOver();
    const match = symbols.resolve(query);
    known.set(query, match);
    return match;
  };
  for (;;) {
    try {
      return work({ ...symbols, resolve });
    } catch (error) {
      if (!(error instanceof SliceOver)) throw error;
      await pause;
    }
  }
};
