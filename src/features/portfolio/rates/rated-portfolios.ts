import type { OwnerId, PortfolioId } from '#src/kernel/ids.ts';
import type { PortfolioRecord, Transaction } from '#src/kernel/market/ledger.ts';
import { NEVER_ABORTED, raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { PortfolioStore } from '../store/store.ts';
import type { FillRatesDeps } from './day-rates.ts';
import { type CompletedLedger, completeRates, lacksRate } from './fill-rates.ts';

/** The time limit for rates, which the next request can fill in. */
const LOOK_UP_MS = 4_000;

/** A portfolio store whose entries include the rates that have become known since they were recorded. */
export interface RatedPortfolios extends PortfolioStore {
  /** Returns entries whose missing rate was filled in since the last call, so that each is announced once. */
  readonly takeFilled: (id: PortfolioId) => readonly Transaction[];
}

/** The part of the store that announces filled-in rates; a store that fills none in lacks it. */
export type FilledRates = Partial<Pick<RatedPortfolios, 'takeFilled'>>;

const byNumber = (a: Transaction, b: Transaction): number => a.number - b.number;

/**
 * Wraps a store so that entries without a rate get the rate of their day, which is looked up once and stored beside
 * the ledger. The ledger itself is not changed.
 */
export const ratedPortfolios = (store: PortfolioStore, deps: FillRatesDeps): RatedPortfolios => {
  /** The store caches ledgers, so the same array is the same ledger. */
  const completed = new WeakMap<readonly Transaction[], readonly Transaction[]>();
  /** Ledgers as last shown, with rates that another lookup may fill in. */
  const shown = new WeakMap<readonly Transaction[], readonly Transaction[]>();
  /** Numbers of entries that were shown without a rate. */
  const waiting = new Map<PortfolioId, ReadonlySet<number>>();
  const untold = new Map<PortfolioId, readonly Transaction[]>();

  const lookUp = async (
    recorded: readonly Transaction[],
    { baseCurrency }: PortfolioRecord,
    parent: AbortSignal,
  ): Promise<CompletedLedger> => {
    const { signal, clear } = withDeadline(
      parent,
      LOOK_UP_MS,
      deps.clock,
      () => new Error('no rates in time'),
    );
    try {
      return await raceAbort(completeRates(recorded, baseCurrency, deps, signal), signal);
    } catch (error) {
      parent.throwIfAborted();
      if (!signal.aborted) throw error;
      const entries = recorded.map((entry): Transaction =>
        lacksRate(entry, baseCurrency) ? { ...entry, rateFrom: 'waits' } : entry,
      );
      return { entries, filledNow: [], isFinal: false };
    } finally {
      clear();
    }
  };

  const remember = (id: PortfolioId, { entries, filledNow }: CompletedLedger): void => {
    const before = waiting.get(id);
    const isNew = new Set(filledNow);
    const filled = entries.filter(
      (entry) => entry.rateFrom === 'later' && (isNew.has(entry) || before?.has(entry.number)),
    );
    const open = entries.filter(({ rateFrom }) => rateFrom !== undefined && rateFrom !== 'later');
    if (open.length > 0) waiting.set(id, new Set(open.map(({ number }) => number)));
    else waiting.delete(id);
    if (filled.length === 0) return;
    const known = new Map((untold.get(id) ?? []).map((entry) => [entry.number, entry]));
    for (const entry of filled) known.set(entry.number, entry);
    untold.set(id, [...known.values()].toSorted(byNumber));
  };

  const transactions = async (
    ownerId: OwnerId,
    id: PortfolioId,
    signal: AbortSignal = NEVER_ABORTED,
  ): Promise<readonly Transaction[]> => {
    const recorded = await store.transactions(ownerId, id, signal);
    const known = completed.get(recorded);
    if (known) return known;
    const portfolio = (await store.list(ownerId)).find((each) => each.id === id);
    if (!portfolio || !recorded.some((entry) => lacksRate(entry, portfolio.baseCurrency))) {
      completed.set(recorded, recorded);
      return recorded;
    }
    const ledger = await lookUp(recorded, portfolio, signal);
    remember(id, ledger);
    shown.set(recorded, ledger.entries);
    if (ledger.isFinal) completed.set(recorded, ledger.entries);
    return ledger.entries;
  };

  return {
    ...store,
    transactions,
    record: async (ownerId, id, clientIds, decide, signal = NEVER_ABORTED) => {
      // Recording and undoing do not wait for rates of other entries.
      const recorded = await store.transactions(ownerId, id, signal);
      const byId = new Map((shown.get(recorded) ?? []).map((entry) => [entry.id, entry]));
      const decideRated: typeof decide = (existing, portfolio) =>
        decide(
          existing.map((entry) => byId.get(entry.id) ?? entry),
          portfolio,
        );
      const outcome = await store.record(ownerId, id, clientIds, decideRated, signal);
      if (outcome.status !== 'reversed') return outcome;
      const transactions = outcome.transactions.map((each) => ({
        ...(byId.get(each.id) ?? each),
        isReversed: true,
      }));
      return { status: 'reversed', transactions };
    },
    recordBoth: async (ownerId, ids, clientIds, decide, signal = NEVER_ABORTED) => {
      const rated = async (id: PortfolioId): Promise<ReadonlyMap<string, Transaction>> => {
        const recorded = await store.transactions(ownerId, id, signal);
        return new Map((shown.get(recorded) ?? []).map((entry) => [entry.id, entry]));
      };
      const [from, to] = [await rated(ids.from), await rated(ids.to)];
      const decideRated: typeof decide = (existing, portfolios) =>
        decide(
          {
            from: existing.from.map((entry) => from.get(entry.id) ?? entry),
            to: existing.to.map((entry) => to.get(entry.id) ?? entry),
          },
          portfolios,
        );
      return store.recordBoth(ownerId, ids, clientIds, decideRated, signal);
    },
    takeFilled: (id) => {
      const filled = untold.get(id) ?? [];
      untold.delete(id);
      return filled;
    },
  };
};
