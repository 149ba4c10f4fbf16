import type { Transaction } from '#src/kernel/market/ledger.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Decision } from '#src/features/portfolio/store/record.ts';

/** A short decision, as the store wants it: in steps. */
export const deciding = <Refusal>(
  decide: (existing: readonly Transaction[]) => Decision<Refusal>,
): ((existing: readonly Transaction[]) => Steps<Decision<Refusal>>) =>
  function* (existing) {
    yield;
    return decide(existing);
  };
