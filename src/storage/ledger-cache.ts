import type { PortfolioId } from '#src/core/ids.ts';
import type { Transaction } from '#src/core/ledger.ts';

/** Entries whose ledger is gone from memory weigh next to nothing, but not for ever. */
const MAX_KNOWN = 200;

export interface LedgerCache {
  /** `lastNumber`: of the newest row, reversals included. The same one stands for the same ledger, for ever. */
  readonly get: (id: PortfolioId, lastNumber: number) => readonly Transaction[] | undefined;
  /** Only what is committed: a number that is rolled back is given to another entry. */
  readonly set: (id: PortfolioId, lastNumber: number, entries: readonly Transaction[]) => void;
}

/**
 * Ledgers as they were read last: a long one takes longer to read than to reckon with, and a person's is asked for
 * again and again within a minute. Nothing is kept from the garbage collector.
 */
export const createLedgerCache = (): LedgerCache => {
  const known = new Map<
    PortfolioId,
    { readonly lastNumber: number; readonly entries: WeakRef<readonly Transaction[]> }
  >();
  return {
    get: (id, lastNumber) => {
      const found = known.get(id);
      return found?.lastNumber === lastNumber ? found.entries.deref() : undefined;
    },
    set: (id, lastNumber, entries) => {
      known.delete(id);
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size >= MAX_KNOWN) known.delete(oldest);
      known.set(id, { lastNumber, entries: new WeakRef(entries) });
    },
  };
};
