import type { Holding } from '#src/core/finance.ts';
import type { PortfolioRecord, Transaction } from '#src/core/ledger.ts';
import type { Steps } from '#src/infra/steps.ts';
import { deriveLedger } from './derive-ledger.ts';

/** What is held now, with what a piece of it cost; nothing for a ledger that cannot be. */
export const heldIn = function* (
  { baseCurrency, costMethod, allowsShort }: PortfolioRecord,
  transactions: readonly Transaction[],
): Steps<readonly Holding[]> {
  const counting = transactions.filter(({ isReversed }) => !isReversed);
  const derived = yield* deriveLedger(counting, { baseCurrency, method: costMethod, allowsShort });
  if (derived.status === 'refused') return [];
  return derived.state.positions
    .filter(({ quantity }) => !quantity.isZero())
    .map(({ instrument, quantity, cost }) => ({
      instrument,
      quantity,
      averageCost: cost.local.dividedBy(quantity).toDecimalPlaces(instrument.priceDecimals + 2),
    }));
};
