import {
  instrumentOf,
  type NewTransaction,
  type PortfolioRecord,
  type Transaction,
} from '#src/kernel/ledger.ts';
import { gatherActions, type GatherDeps } from '../corporate-actions/gather-actions.ts';
import { daysBetween, SPLIT_DAYS } from '../corporate-actions/share-count.ts';
import { type HeldSplit, isSameRatio } from '../corporate-actions/held-actions.ts';
import { isMissingSplit, type OfferContext, splitCommand } from '../corporate-actions/offers.ts';
import { isTrade, type Oddity } from './oddities.ts';

type SplitOddity = Extract<Oddity, { readonly kind: 'missing-split' | 'other-ratio' | 'known-split' }>;

interface SplitContext extends Omit<OfferContext, 'portfolio'> {
  readonly portfolio: PortfolioRecord;
  /** Those that count. */
  readonly existing: readonly Transaction[];
}

const isRecorded = ({ entry }: HeldSplit): boolean => entry !== undefined;

/**
 * What is odd about an entry because of the splits that a source reports: it counts on a split that is not recorded,
 * or is a split of another ratio, or one that counts already. Nothing where no source could be asked in time. Throws
 * on abort alone.
 */
export const splitOddities = async (
  entry: NewTransaction,
  context: SplitContext,
  deps: GatherDeps,
  signal: AbortSignal,
): Promise<readonly SplitOddity[]> => {
  const { portfolio, existing } = context;
  const symbol = instrumentOf(entry)?.symbol;
  if (symbol === undefined || (!isTrade(entry) && entry.kind !== 'split')) return [];
  // Splits change only what was held before them.
  const isHeld = existing.some(
    (other) =>
      instrumentOf(other)?.symbol === symbol && Temporal.PlainDate.compare(other.date, entry.date) <= 0,
  );
  if (!isHeld) return [];
  const { actions } = await gatherActions({ portfolio, entries: existing, symbol }, deps, signal);
  if (entry.kind !== 'split')
    return actions
      .filter(isMissingSplit)
      .filter(({ date }) => Temporal.PlainDate.compare(date, entry.date) <= 0)
      .map((split) => ({ kind: 'missing-split', split, command: splitCommand(split, context) }));
  const daysOff = (split: HeldSplit): number => Math.abs(daysBetween(split.date, entry.date));
  // Of two splits within some days, an entry is meant for the one that has none yet.
  const near = actions
    .filter((action): action is HeldSplit => action.kind === 'split' && daysOff(action) <= SPLIT_DAYS)
    .toSorted((a, b) => Number(isRecorded(a)) - Number(isRecorded(b)) || daysOff(a) - daysOff(b));
  const same = near.find(({ ratio }) => isSameRatio(ratio, entry.ratio));
  if (!same) return near.slice(0, 1).map((split) => ({ kind: 'other-ratio', split }));
  // The very same entry is told of as a duplicate.
  const isAgain = same.entry?.date.equals(entry.date) === true && same.entry.ratio.equals(entry.ratio);
  const isKnown = isRecorded(same) || same.status === 'counted' || same.status === 'mixed';
  return isKnown && !isAgain ? [{ kind: 'known-split', split: same }] : [];
};
