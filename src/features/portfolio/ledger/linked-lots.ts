import {
  isShareTransfer,
  type MovedLot,
  type NewTransaction,
  type ShareTransfer,
} from '#src/kernel/market/ledger.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { deriveLedger } from './derive-ledger.ts';
import type { LedgerRules } from './ledger-state.ts';
import { lotsText } from './moved-lots.ts';

export interface LinkedLedger {
  readonly entries: readonly NewTransaction[];
  readonly rules: LedgerRules;
}

const isLinkedIn = (entry: NewTransaction): entry is ShareTransfer & { readonly link: string } =>
  isShareTransfer(entry) && entry.kind === 'transfer-in' && entry.link !== undefined;

export const hasLinkedLots = ({ entries }: Pick<LinkedLedger, 'entries'>): boolean =>
  entries.some(isLinkedIn);

/**
 * Gives what came with a transfer the cost that it has in the ledger it left, under the rules at hand: a report may count
 * in another currency or by another method than the portfolios do. Each round settles one more move of a chain.
 */
export const withLinkedLots = function* (
  ledgers: readonly LinkedLedger[],
): Steps<readonly (readonly NewTransaction[])[]> {
  let current = ledgers.map(({ entries }) => entries);
  const rounds = ledgers.reduce((sum, { entries }) => sum + entries.filter(isLinkedIn).length, 0);
  for (let round = 0; round < rounds; round += 1) {
    const left = new Map<string, readonly MovedLot[]>();
    for (const [index, { rules }] of ledgers.entries()) {
      const derived = yield* deriveLedger(current[index] ?? [], rules);
      if (derived.status === 'ok')
        for (const { entry, lots } of derived.state.moved)
          if (entry.link !== undefined) left.set(entry.link, lots);
    }
    let isChanged = false;
    const linked = (entry: NewTransaction): NewTransaction => {
      const lots = isLinkedIn(entry) ? left.get(entry.link) : undefined;
      if (!lots || !isLinkedIn(entry) || lotsText(lots) === lotsText(entry.lots)) return entry;
      isChanged = true;
      return { ...entry, lots };
    };
    current = current.map((entries) => entries.map(linked));
    if (!isChanged) break;
  }
  return current;
};
