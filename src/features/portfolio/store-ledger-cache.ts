import { LRUCache } from 'lru-cache';
import type { PortfolioId, TransactionId } from '#src/kernel/ids.ts';
import type { Transaction } from '#src/kernel/ledger.ts';

/** A ledger as it was when its newest row was `lastNumber`, reversals included. */
export interface Ledger {
  /** 0: there is no row. */
  readonly lastNumber: number;
  readonly entries: readonly Transaction[];
  /** By the client id of a reversal: what it took back. */
  readonly reversals: ReadonlyMap<string, TransactionId>;
}

/** Entries whose ledger is gone from memory weigh next to nothing, but not for ever. */
const MAX_KNOWN = 200;

export interface LedgerCache {
  /** The same number stands for the same ledger, for ever. */
  readonly get: (id: PortfolioId, lastNumber: number) => Ledger | undefined;
  /** Only what is committed: a number that is rolled back is given to another entry. */
  readonly set: (id: PortfolioId, ledger: Ledger) => void;
}

/**
 * Ledgers as they were read last: a long one takes longer to read than to reckon with, and a person's is asked for
 * again and again within a minute. Nothing is kept from the garbage collector.
 */
export const createLedgerCache = (): LedgerCache => {
  const known = new LRUCache<PortfolioId, { readonly lastNumber: number; readonly ledger: WeakRef<Ledger> }>({
    max: MAX_KNOWN,
  });
  return {
    get: (id, lastNumber) => {
      const found = known.get(id);
      return found?.lastNumber === lastNumber ? found.ledger.deref() : undefined;
    },
    set: (id, ledger) => {
      known.set(id, { lastNumber: ledger.lastNumber, ledger: new WeakRef(ledger) });
    },
  };
};
