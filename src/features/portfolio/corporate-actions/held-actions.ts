import type { CorporateAction, PriceGap } from '#src/kernel/market/corporate-action.ts';
import type { Instrument, PriceRange } from '#src/kernel/market/finance.ts';
import {
  type Dividend,
  type NewTransaction,
  type Split,
  type Trade,
  type Transaction,
  isShareExchange,
} from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { ENTRY_DECIMALS, Exact, ONE, ZERO } from '../ledger/fixed-point.ts';
import type { KnownActions } from './corporate-actions.ts';
import {
  closingSale,
  countShares,
  daysBetween,
  isBefore,
  isBonusIssue,
  isNone,
  quantityChange,
  SPLIT_DAYS,
} from '../ledger/share-count.ts';

interface OfHolding {
  readonly instrument: Instrument;
  readonly date: Temporal.PlainDate;
  /** Shares held the day before, counted as of that day. */
  readonly held: Decimal;
}

export type HeldSplit = OfHolding & {
  readonly kind: 'split';
  readonly ratio: Decimal;
  /**
   * `counted`: all earlier trades are already in new shares, as apps show them. `mixed`: some are, so recording it
   * would count it twice for those. `twice`: it is recorded although some trades already count it. `closed`: it is
   * missing, and a later sale sold everything as counted without it.
   */
  readonly status:
    | 'recorded'
    | 'other-ratio'
    | 'twice'
    | 'counted'
    | 'missing'
    | 'mixed'
    | 'closed'
    | 'dismissed';
  /** Numbers of the entries that already count it. */
  readonly counting: readonly number[];
  readonly entry?: (Transaction & Split) | undefined;
  /** Number of the sale that sold everything. */
  readonly closedBy?: number | undefined;
};

export type HeldDividend = OfHolding & {
  readonly kind: 'dividend';
  /** Gross amount per share of that day. */
  readonly each: Decimal;
  readonly currency: Currency;
  /** Total gross amount. */
  readonly amount: Decimal;
  /** `early`: probably not paid yet. `check`: large enough to be a spin-off. */
  readonly status: 'recorded' | 'early' | 'check' | 'missing' | 'dismissed';
};

export type HeldGap = OfHolding & PriceGap & { readonly kind: 'gap'; readonly status: 'check' | 'dismissed' };

/** A reported action of a holding, compared with what its owner recorded. */
export type HeldAction = HeldSplit | HeldDividend | HeldGap;

interface Holding {
  readonly instrument: Instrument;
  /** The entries of this instrument that count. */
  readonly entries: readonly Transaction[];
  readonly known: Pick<KnownActions, 'actions' | 'gaps'>;
  /** Price range of a day in today's shares. Absent if it could not be fetched. */
  readonly rangeOn?: ((date: Temporal.PlainDate) => PriceRange | undefined) | undefined;
  readonly isDismissed: (action: { readonly kind: string; readonly date: Temporal.PlainDate }) => boolean;
  readonly today: Temporal.PlainDate;
}

export interface HoldingActions {
  /** Oldest first. */
  readonly actions: readonly HeldAction[];
  /** The entries plus the missing splits. */
  readonly asIf: readonly NewTransaction[];
  /** Splits are missing, but it is unclear in which shares the entries are counted. */
  readonly isUnsure: boolean;
}

type SplitFact = Extract<CorporateAction, { readonly kind: 'split' }>;
type DividendFact = Extract<CorporateAction, { readonly kind: 'dividend' }>;

const SAME_RATIO = 0.01;
/** Trades may be slightly outside the day's range. */
const SLACK = 0.03;
/** Korean year-end dividends are paid, and recorded, this long after the ex-dividend day. */
const PAID_WITHIN_DAYS = 130;
/** Japanese companies pay within three months of the record day, and a day later. */
const EARLY_DAYS: Readonly<Record<string, number>> = { KRW: PAID_WITHIN_DAYS, JPY: 95 };
const EARLY_DAYS_ELSEWHERE = 40;
const RECORDED_BEFORE_DAYS = 7;
/** An amount recorded after tax or rounded still matches. */
const SAME_AMOUNT = { least: 0.7, most: 1.1 };
const LARGE_DIVIDEND = 0.2;

const isSplit = (entry: Transaction): entry is Transaction & Split => entry.kind === 'split';

const isTrade = (entry: Transaction): entry is Transaction & Trade =>
  entry.kind === 'buy' || entry.kind === 'sell';

export const isSameRatio = (a: Decimal, b: Decimal): boolean =>
  a.dividedBy(b).minus(1).abs().lessThanOrEqualTo(SAME_RATIO);

const product = (ratios: readonly Decimal[]): Decimal =>
  ratios.reduce<Decimal>((all, ratio) => all.times(ratio), ONE);

/** Matches each split with at most one entry: first by ratio, then by the nearest day. */
const recordedSplits = (
  facts: readonly SplitFact[],
  entries: readonly Transaction[],
): readonly ((Transaction & Split) | undefined)[] => {
  const splits = entries.filter(isSplit);
  const pairs = facts
    .flatMap((fact) =>
      splits.map((entry) => ({
        fact,
        entry,
        days: Math.abs(daysBetween(fact.date, entry.date)),
        isSame: isSameRatio(entry.ratio, fact.ratio),
      })),
    )
    .filter(({ days }) => days <= SPLIT_DAYS)
    .toSorted((a, b) => Number(b.isSame) - Number(a.isSame) || a.days - b.days);
  const found = new Map<SplitFact, Transaction & Split>();
  const taken = new Set<Transaction>();
  for (const { fact, entry } of pairs) {
    if (found.has(fact) || taken.has(entry)) continue;
    found.set(fact, entry);
    taken.add(entry);
  }
  return facts.map((fact) => found.get(fact));
};

interface CountedIn {
  readonly count: number;
  /** The price fits this share count exactly, not just better than others. */
  readonly isExact: boolean;
}

/** Counts the later splits that a trade's quantity already includes. Undefined without a price for its day. */
const countedIn = (
  { date, price }: Trade,
  later: readonly SplitFact[],
  rangeOn: Holding['rangeOn'],
): CountedIn | undefined => {
  const range = rangeOn?.(date);
  if (!range?.low.greaterThan(0)) return undefined;
  const low = range.low.times(1 - SLACK);
  const high = range.high.times(1 + SLACK);
  const usual = range.low.plus(range.high).dividedBy(2);
  const inPiecesAfter = (count: number): Decimal =>
    price.dividedBy(product(later.slice(count).map(({ ratio }) => ratio)));
  const isExact = (count: number): boolean => {
    const each = inPiecesAfter(count);
    return each.greaterThanOrEqualTo(low) && each.lessThanOrEqualTo(high);
  };
  if (isExact(0)) return { count: 0, isExact: true };
  const distances = [...later, undefined].map((_split, count) =>
    Math.abs(Math.log(inPiecesAfter(count).dividedBy(usual).toNumber())),
  );
  const count = distances.indexOf(Math.min(...distances));
  return { count, isExact: isExact(count) };
};

/** Shares held before each date, counted as of that day. `dates` must be ordered. */
const heldOn = function* (
  entries: readonly Transaction[],
  splits: readonly Pick<SplitFact, 'date' | 'ratio'>[],
  own: (entry: Transaction) => Decimal,
  dates: readonly Temporal.PlainDate[],
): Steps<readonly Decimal[]> {
  if (dates.length === 0) return [];
  // A split precedes the trades of its day.
  const moves = [
    ...splits.map(({ date, ratio }) => ({ day: epochDay(date), ratio, pieces: ZERO })),
    ...entries.map((entry) => ({ day: epochDay(entry.date), ratio: ONE, pieces: own(entry) })),
  ].toSorted((a, b) => a.day - b.day);
  let [held, at]: [Decimal, number] = [ZERO, 0];
  const found: Decimal[] = [];
  for (const date of dates) {
    const day = epochDay(date);
    for (let move = moves[at]; move && move.day < day; move = moves[at]) {
      yield;
      held = new Exact(held).times(move.ratio).plus(move.pieces);
      at += 1;
    }
    found.push(held);
  }
  return found;
};

type ExpectedDividend = Omit<HeldDividend, 'status'> & { readonly fact: DividendFact };

const isSameAmount = (amount: Decimal, own: Decimal): boolean => {
  const part = own.dividedBy(amount).toNumber();
  return part >= SAME_AMOUNT.least && part <= SAME_AMOUNT.most;
};

/**
 * Matches each recorded dividend with one expected: by amount, else the latest before it that no other entry matches
 * by amount.
 */
const recordedDividends = (
  expected: readonly ExpectedDividend[],
  entries: readonly Transaction[],
): ReadonlySet<ExpectedDividend> => {
  const matched = new Set<ExpectedDividend>();
  const nearestTo = (entry: Transaction & Dividend, isAnyAmount: boolean): ExpectedDividend | undefined =>
    expected.findLast((each) => {
      const days = daysBetween(each.date, entry.date);
      const isNear = !matched.has(each) && days >= -RECORDED_BEFORE_DAYS && days <= PAID_WITHIN_DAYS;
      return isNear && (isAnyAmount || isSameAmount(each.amount, entry.amount));
    });
  const paid = entries.filter((entry): entry is Transaction & Dividend => entry.kind === 'dividend');
  const odd = paid.filter((entry) => {
    const same = nearestTo(entry, false);
    if (same) matched.add(same);
    return !same;
  });
  for (const entry of odd) {
    const last = nearestTo(entry, true);
    if (last) matched.add(last);
  }
  return matched;
};

const dividendStatus = (
  dividend: ExpectedDividend,
  isRecorded: boolean,
  { isDismissed, today }: Holding,
): HeldDividend['status'] => {
  if (isRecorded) return 'recorded';
  if (isDismissed(dividend)) return 'dismissed';
  const { amount, priceBefore } = dividend.fact;
  if (priceBefore?.greaterThan(0) && amount.dividedBy(priceBefore).greaterThan(LARGE_DIVIDEND))
    return 'check';
  const days = EARLY_DAYS[dividend.currency] ?? EARLY_DAYS_ELSEWHERE;
  return daysBetween(dividend.date, today) < days ? 'early' : 'missing';
};

/** Compares the reported actions of one holding with its entries. Pure. */
export const heldActions = function* (holding: Holding): Steps<HoldingActions> {
  const { instrument, known, rangeOn, isDismissed } = holding;
  // Most shares have no actions, which saves the walk through a long ledger.
  if (known.actions.length === 0 && (known.gaps ?? []).length === 0)
    return { actions: [], asIf: holding.entries, isUnsure: false };
  const entries = holding.entries.toSorted((a, b) => epochDay(a.date) - epochDay(b.date));
  const facts = known.actions.filter((action): action is SplitFact => action.kind === 'split');
  const recorded = recordedSplits(facts, entries);
  const bonus = new Set(facts.filter((fact, index) => !recorded[index] && isBonusIssue(fact, entries)));
  const isOpen = (fact: SplitFact, index: number): boolean =>
    !recorded[index] && !bonus.has(fact) && !isDismissed(fact);
  const { counted, exact, isAnyPriceKnown } = yield* countSplits(entries, facts, rangeOn, facts.some(isOpen));
  const countsIn = (entry: Transaction, index: number): boolean => (counted.get(entry) ?? 0) > index;
  const splitsCountedIn = (entry: Transaction): readonly SplitFact[] =>
    facts.filter((fact, index) => isBefore(entry.date, fact.date) && countsIn(entry, index));
  const thenPieces = (entry: Transaction): Decimal =>
    counted.has(entry)
      ? new Exact(quantityChange(entry)).dividedBy(product(splitsCountedIn(entry).map(({ ratio }) => ratio)))
      : quantityChange(entry);

  const exchanges = entries.filter(isShareExchange);
  const others = entries.filter(isSplit).filter((entry) => !recorded.includes(entry));
  const happened = [
    ...facts.flatMap((fact, index) =>
      recorded[index] ? [recorded[index]] : isDismissed(fact) || bonus.has(fact) ? [] : [fact],
    ),
    ...others,
  ];
  const heldAt = (reported: readonly { readonly date: Temporal.PlainDate }[]): Steps<readonly Decimal[]> =>
    heldOn(
      entries,
      happened,
      thenPieces,
      reported.map(({ date }) => date),
    );

  const splits: HeldSplit[] = [];
  const held = yield* heldAt(facts);
  for (const [index, fact] of facts.entries()) {
    const pieces = held[index] ?? ZERO;
    if (isNone(pieces)) continue;
    const own = (entry: Transaction): Decimal => (countsIn(entry, index) ? ZERO : thenPieces(entry));
    const [left = ZERO] = yield* heldOn(entries, happened, own, [fact.date]);
    const inNew = entries.filter((entry) => isBefore(entry.date, fact.date) && countsIn(entry, index));
    const entry = recorded[index];
    const closedBy = entry ? undefined : closingSale(fact.date, entries);
    const statusOf = (): HeldSplit['status'] => {
      if (bonus.has(fact)) return 'recorded';
      if (entry && !isSameRatio(entry.ratio, fact.ratio))
        return isDismissed(fact) ? 'dismissed' : 'other-ratio';
      if (entry) return !isDismissed(fact) && inNew.some((each) => exact.has(each)) ? 'twice' : 'recorded';
      if (isDismissed(fact)) return 'dismissed';
      if (inNew.length > 0 && isNone(left)) return 'counted';
      if (closedBy !== undefined) return 'closed';
      return inNew.length === 0 ? 'missing' : 'mixed';
    };
    const counting = inNew.map(({ number }) => number);
    splits.push({ ...fact, instrument, held: pieces, status: statusOf(), counting, entry, closedBy });
  }

  const paid = known.actions.filter((action): action is DividendFact => action.kind === 'dividend');
  const heldThen = yield* heldAt(paid);
  const steps = splits.some(({ status }) => status === 'closed') ? [...countShares(entries)] : [];
  /** True if no shares were left by the owner's count. */
  const isClosedOn = (date: Temporal.PlainDate): boolean => {
    const last = steps.findLast(({ entry }) => isBefore(entry.date, date));
    return last !== undefined && isNone(last.after);
  };
  const expected = paid.flatMap((fact, index): readonly ExpectedDividend[] => {
    const pieces = heldThen[index] ?? ZERO;
    if (isNone(pieces) || pieces.isNegative() || isClosedOn(fact.date)) return [];
    const { date, currency } = fact;
    const later = facts.filter((split) => isBefore(date, split.date)).map(({ ratio }) => ratio);
    const each = new Exact(fact.amount).times(product(later));
    const amount = each.times(pieces);
    return [{ kind: 'dividend', instrument, date, currency, held: pieces, each, amount, fact }];
  });
  const matched = recordedDividends(expected, entries);
  const dividends = expected.map((each): HeldDividend => {
    const { fact: _, ...dividend } = each;
    const isSpunOff = exchanges.some((own) => Math.abs(daysBetween(own.date, each.date)) <= SPLIT_DAYS);
    const status = dividendStatus(each, matched.has(each), holding);
    return { ...dividend, status: isSpunOff && status === 'check' ? 'recorded' : status };
  });

  const wide = known.gaps ?? [];
  const heldAtGap = yield* heldAt(wide);
  const gaps = wide.flatMap((gap, index): readonly HeldGap[] => {
    const pieces = heldAtGap[index] ?? ZERO;
    const isExplained = [...others, ...exchanges].some(
      ({ date }) => Math.abs(daysBetween(date, gap.date)) <= SPLIT_DAYS,
    );
    if (isNone(pieces) || isExplained || isClosedOn(gap.date)) return [];
    const action = { ...gap, kind: 'gap', instrument, held: pieces } as const;
    return [{ ...action, status: isDismissed(action) ? 'dismissed' : 'check' }];
  });

  const missing = splits.filter(({ status }) => status === 'missing' || status === 'mixed');
  return {
    actions: [...splits, ...dividends, ...gaps].toSorted((a, b) =>
      Temporal.PlainDate.compare(a.date, b.date),
    ),
    asIf: yield* withSplits(holding, missing, splitsCountedIn),
    isUnsure: missing.length > 0 && !isAnyPriceKnown,
  };
};

/**
 * Splits that each trade's quantity already includes. If all are recorded, only an exact price match
 * casts doubt.
 */
const countSplits = function* (
  entries: readonly Transaction[],
  facts: readonly SplitFact[],
  rangeOn: Holding['rangeOn'],
  isAnyOpen: boolean,
): Steps<{
  readonly counted: ReadonlyMap<Transaction, number>;
  readonly exact: ReadonlySet<Transaction>;
  readonly isAnyPriceKnown: boolean;
}> {
  const counted = new Map<Transaction, number>();
  const exact = new Set<Transaction>();
  let isAnyPriceKnown = false;
  if (facts.length > 0)
    for (const entry of entries) {
      yield;
      if (!isTrade(entry)) continue;
      const later = facts.filter(({ date }) => isBefore(entry.date, date));
      const found = countedIn(entry, later, rangeOn);
      if (!found) continue;
      isAnyPriceKnown = true;
      if (found.isExact) exact.add(entry);
      if (found.count > 0 && (found.isExact || isAnyOpen))
        counted.set(entry, facts.length - later.length + found.count);
    }
  return { counted, exact, isAnyPriceKnown };
};

/** The entries as if the splits had been recorded. */
const withSplits = function* (
  { entries, instrument }: Holding,
  missing: readonly HeldSplit[],
  splitsCountedIn: (entry: Transaction) => readonly SplitFact[],
): Steps<readonly NewTransaction[]> {
  const isApplied = (fact: SplitFact): boolean => missing.some(({ date }) => date.equals(fact.date));
  const asIf: NewTransaction[] = [];
  for (const entry of entries) {
    yield;
    const factor = product(
      splitsCountedIn(entry)
        .filter(isApplied)
        .map(({ ratio }) => ratio),
    );
    if (!isTrade(entry) || factor.equals(1)) asIf.push(entry);
    else
      asIf.push({
        ...entry,
        quantity: new Exact(entry.quantity).dividedBy(factor).toDecimalPlaces(ENTRY_DECIMALS),
        price: new Exact(entry.price).times(factor),
      });
  }
  for (const { date, ratio } of missing)
    asIf.push({
      kind: 'split',
      clientId: `as-if:${instrument.symbol}:${date.toString()}`,
      date,
      currency: instrument.currency,
      instrument,
      ratio,
    });
  return asIf;
};
