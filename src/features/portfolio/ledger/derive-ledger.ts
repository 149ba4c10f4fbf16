import { isTransfer, type NewTransaction } from '#src/kernel/market/ledger.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { DeriveLedger, LedgerProblem } from './ledger-state.ts';
import { type OrderedEntry, orderEntries } from './order-entries.ts';
import { Replay } from './replay.ts';

const MONEY_KINDS: ReadonlySet<string> = new Set(['deposit', 'withdrawal', 'fx']);

/** An entry that only moves cash; cash is counted from the first of these on. */
export const isMoneyMove = (entry: NewTransaction): boolean =>
  MONEY_KINDS.has(entry.kind) || (isTransfer(entry) && 'amount' in entry);

const APPLIED_A_STEP = 16;

const replayed = function* (
  entries: readonly OrderedEntry[],
  replay: Replay,
): Steps<LedgerProblem | undefined> {
  let today = entries[0]?.day;
  for (const [index, ordered] of entries.entries()) {
    const problem = (ordered.day === today ? undefined : replay.endDay()) ?? replay.apply(ordered);
    if (problem) return problem;
    today = ordered.day;
    if (index % APPLIED_A_STEP === 0) yield;
  }
  return replay.endDay();
};

/** The caller guarantees that an entry's currency is that of its instrument. */
export const deriveLedger: DeriveLedger = function* (transactions, rules) {
  const entries = yield* orderEntries(transactions);
  const replay = new Replay(
    rules,
    entries.find(({ entry }) => isMoneyMove(entry)),
  );
  const problem = yield* replayed(entries, replay);
  return problem ? { status: 'refused', problem } : { status: 'ok', state: yield* replay.state() };
};
