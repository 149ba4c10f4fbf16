import type { Locale } from '#src/kernel/locale.ts';
import { corporateActionMessages } from '../messages/actions.ts';
import { codeFor } from '#src/kernel/finance.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/kernel/ledger.ts';
import { byTime } from '#src/platform/cooperative-tasks.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import type { DerivedLedger, LedgerRules } from '../ledger/ledger-state.ts';
import type { ValuedHolding } from '../summary/portfolio-value.ts';
import { deriveWithSplits, gatherActions, type GatherDeps, type PortfolioActions } from './gather-actions.ts';
import type { HeldAction, HeldSplit } from './held-actions.ts';
import {
  actionsCommand,
  followedOffers,
  isMissingSplit,
  mixedLine,
  type OfferContext,
  type Offers,
  splitChoice,
  splitParams,
  typedCommands,
} from './offers.ts';

/** The ledger as every view counts it, including reported splits that nobody recorded. */
export interface CountedLedger {
  readonly derived: DerivedLedger;
  /** The entries it was derived from. */
  readonly entries: readonly NewTransaction[];
  readonly found: PortfolioActions;
  /** Symbols whose quantities do not match today's prices and cannot be valued. */
  readonly unvalued: ReadonlySet<string>;
  /** Symbols whose figures are marked, because they include an unrecorded split or leave out a dismissed one. */
  readonly marked: ReadonlySet<string>;
}

const MAX_SPLITS = 3;
/** Ratios of value to cost beyond which a split is likely. */
const SPLIT_LIKE = { least: 0.6, most: 1.8 };

const isDismissedSplit = (action: HeldAction): action is HeldSplit =>
  action.kind === 'split' && action.status === 'dismissed';

/** `entries` are the ones that count. Throws only on abort. */
export const deriveCountedLedger = async (
  portfolio: Pick<PortfolioRecord, 'id' | 'ownerId'>,
  entries: readonly Transaction[],
  rules: LedgerRules,
  deps: GatherDeps,
  signal: AbortSignal,
): Promise<CountedLedger> => {
  const found = await gatherActions({ portfolio, entries }, deps, signal);
  const counted = await byTime(deriveWithSplits(found, entries, rules), signal);
  const dismissed = found.actions.filter(isDismissedSplit).map(({ instrument }) => instrument.symbol);
  return {
    ...counted,
    found,
    marked: found.counted.union(counted.unvalued).union(new Set(dismissed)),
  };
};

/** Tells on every view that a dismissed split is left out, and how to restore it. */
export const dismissedSplitLines = (
  { actions }: Pick<PortfolioActions, 'actions'>,
  context: OfferContext,
): readonly string[] => {
  const t = corporateActionMessages(context.audience.locale);
  const splits = actions.filter(isDismissedSplit);
  return splits.slice(0, MAX_SPLITS).map((split) =>
    t.splitDismissed({
      ...splitParams(split, context),
      command: `${actionsCommand(context)} ${t.restoreWord} ${codeFor(split.instrument, context.symbols)}`,
    }),
  );
};

/** The same notes for views without a list of splits and dividends. */
export const splitNotes = (
  { found, unvalued }: Pick<CountedLedger, 'found' | 'unvalued'>,
  context: OfferContext,
): Offers => {
  const t = corporateActionMessages(context.audience.locale);
  const missing = found.actions.filter(isMissingSplit);
  const shown = missing.slice(0, MAX_SPLITS);
  const more = missing.length - shown.length;
  const choices = shown.flatMap((split) => splitChoice(split, context));
  return {
    lines: [
      ...shown.map((split) =>
        unvalued.has(split.instrument.symbol)
          ? t.splitUnsure(splitParams(split, context))
          : split.status === 'mixed'
            ? mixedLine(split, 'all', context)
            : t.splitCounted(splitParams(split, context)),
      ),
      ...(more > 0 ? [t.moreSplits({ count: more, command: actionsCommand(context) })] : []),
      ...dismissedSplitLines(found, context),
    ],
    choices,
    typed: typedCommands(choices, context),
  };
};

/** Offers after recording an entry: unrecorded splits after its day, and those it was recorded after. */
export const recordedOffers = (
  found: PortfolioActions,
  date: Temporal.PlainDate,
  context: OfferContext,
): Offers => {
  const t = corporateActionMessages(context.audience.locale);
  const isBehind = (split: HeldSplit): boolean =>
    split.status === 'missing' &&
    Temporal.PlainDate.compare(split.date, date) <= 0 &&
    !found.unsure.has(split.instrument.symbol);
  const offers = followedOffers(found, context, (split) =>
    isBehind(split) ? t.splitCounted(splitParams(split, context)) : undefined,
  );
  return { ...offers, lines: [...offers.lines, ...dismissedSplitLines(found, context)] };
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
  return holdings.filter(({ position, worth }) => {
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
    .map(({ position }) => readUntil.get(position.instrument.symbol) ?? position.firstDate)
    .toSorted((a, b) => Temporal.PlainDate.compare(a, b))[0];
  const names = unchecked.map(({ position }) => narrowName(position.instrument, locale)).join(', ');
  return since ? [corporateActionMessages(locale).splitsUnchecked({ names, since: since.toString() })] : [];
};
