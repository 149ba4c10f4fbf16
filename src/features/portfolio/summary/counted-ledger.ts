import type { Locale } from '#src/kernel/locale.ts';
import { corporateActionTexts } from '../texts/actions.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/kernel/market/ledger.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { type DerivedLedger, rulesOf } from '../ledger/ledger-state.ts';
import type { PortfolioStore } from '../store/store.ts';
import type { ValuedHolding } from './portfolio-value.ts';
import {
  deriveWithSplits,
  gatherActions,
  type GatherDeps,
  type PortfolioActions,
} from '../corporate-actions/gather-actions.ts';
import { isDismissedSplit } from '../corporate-actions/offers.ts';

/** The ledger as every view counts it, including reported splits that nobody recorded. */
export interface CountedLedger {
  readonly derived: DerivedLedger;
  /** The recorded entries that count. */
  readonly recorded: readonly Transaction[];
  /** The entries it was derived from, with missing splits. */
  readonly entries: readonly NewTransaction[];
  readonly found: PortfolioActions;
  /** Symbols whose quantities do not match today's prices and cannot be valued. */
  readonly unvalued: ReadonlySet<string>;
  /** Symbols whose figures are marked, because they include an unrecorded split or leave out a dismissed one. */
  readonly marked: ReadonlySet<string>;
}

export interface CountDeps extends GatherDeps {
  readonly store: Pick<PortfolioStore, 'list' | 'transactions' | 'dismissed'>;
}

/** Ratios of value to cost beyond which a split is likely. */
const SPLIT_LIKE = { least: 0.6, most: 1.8 };

/** Reads a portfolio's entries and derives its ledger. Throws if the store fails, and on abort. */
export const countLedger = async (
  portfolio: PortfolioRecord,
  deps: CountDeps,
  signal: AbortSignal,
): Promise<CountedLedger> => {
  const all = await deps.store.transactions(portfolio.ownerId, portfolio.id, signal);
  const recorded = all.filter(({ isReversed }) => !isReversed);
  const found = await gatherActions({ portfolio, entries: recorded }, deps, signal);
  const counted = await byTime(deriveWithSplits(found, recorded, rulesOf(portfolio)), signal);
  const dismissed = found.actions.filter(isDismissedSplit).map(({ instrument }) => instrument.symbol);
  return {
    ...counted,
    recorded,
    found,
    marked: found.counted.union(counted.unvalued).union(new Set(dismissed)),
  };
};

type Unchecked = Pick<PortfolioActions, 'unknown' | 'readUntil'>;

/**
 * Holdings whose splits were not read for a day or more, and holdings without any source whose value differs from
 * its cost as much as after a split.
 */
export const uncheckedHoldings = (
  holdings: readonly ValuedHolding[],
  { unknown, readUntil }: Unchecked,
): readonly ValuedHolding[] => {
  const symbols = new Set(unknown.map(({ symbol }) => symbol));
  return holdings.filter(({ position, quote, worth }) => {
    // The sample has no splits.
    if (quote?.isSample === true) return false;
    if (worth && readUntil.has(position.instrument.symbol)) return true;
    if (!worth || position.cost.local.isZero() || !symbols.has(position.instrument.symbol)) return false;
    const part = worth.value.local.dividedBy(position.cost.local).toNumber();
    return part <= SPLIT_LIKE.least || part >= SPLIT_LIKE.most;
  });
};

export const uncheckedLines = (
  unchecked: readonly ValuedHolding[],
  { readUntil }: Unchecked,
  locale: Locale,
): readonly string[] => {
  const since = unchecked
    .map(({ position }) => readUntil.get(position.instrument.symbol)?.day ?? position.firstDate)
    .toSorted((a, b) => Temporal.PlainDate.compare(a, b))[0];
  const names = unchecked.map(({ position }) => narrowName(position.instrument, locale)).join(', ');
  return since ? [corporateActionTexts(locale).splitsUnchecked({ names, since: since.toString() })] : [];
};
