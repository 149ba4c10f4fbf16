import type { Holding } from '#src/kernel/finance.ts';
import { type PortfolioRecord, SAMPLE_PRICE_NOTE, type Transaction } from '#src/kernel/ledger.ts';
import { readableDecimals } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/cooperative-tasks.ts';
import { deriveLedger } from './derive-ledger.ts';

/** Current holdings with their average cost; empty for an invalid ledger. */
export const currentHoldings = function* (
  { baseCurrency, costMethod, allowsShort }: PortfolioRecord,
  transactions: readonly Transaction[],
): Steps<readonly Holding[]> {
  const counting = transactions.filter(({ isReversed }) => !isReversed);
  const derived = yield* deriveLedger(counting, { baseCurrency, method: costMethod, allowsShort });
  if (derived.status === 'refused') return [];
  const sampled = new Set(
    counting.flatMap((entry) =>
      entry.note?.includes(SAMPLE_PRICE_NOTE) && 'instrument' in entry ? [entry.instrument.symbol] : [],
    ),
  );
  return derived.state.positions
    .filter(({ quantity }) => !quantity.isZero())
    .map(({ instrument, quantity, cost }) => {
      const average = cost.local.dividedBy(quantity);
      return {
        instrument,
        quantity,
        ...(sampled.has(instrument.symbol) && { isSample: true as const }),
        averageCost: average.toDecimalPlaces(readableDecimals(average, instrument.priceDecimals + 2)),
      };
    });
};
