import type { Holding } from '#src/kernel/market/finance.ts';
import type { PortfolioRecord, Transaction } from '#src/kernel/market/ledger.ts';
import { readableDecimals } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { deriveLedger } from './derive-ledger.ts';

/** Current holdings with their average cost; empty for an invalid ledger. */
export const currentHoldings = function* (
  { baseCurrency, costMethod, allowsShort }: PortfolioRecord,
  transactions: readonly Transaction[],
): Steps<readonly Holding[]> {
  const counting = transactions.filter(({ isReversed }) => !isReversed);
  const derived = yield* deriveLedger(counting, { baseCurrency, method: costMethod, allowsShort });
  if (derived.status === 'refused') return [];
  return derived.state.positions
    .filter(({ quantity }) => !quantity.isZero())
    .map(({ instrument, quantity, cost }) => {
      const average = cost.local.dividedBy(quantity);
      return {
        instrument,
        quantity,
        averageCost: average.toDecimalPlaces(readableDecimals(average, instrument.priceDecimals + 2)),
      };
    });
};
