import { type Instrument, isShare, type PriceRange } from '#src/kernel/finance.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/kernel/ledger.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { byTime, type Steps } from '#src/platform/cooperative-tasks.ts';
import type { PortfolioStore } from '../store.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { barDays, epochDay } from '#src/markets/performance/epoch-day.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import {
  AMOUNT_DECIMALS,
  ENTRY_DECIMALS,
  rememberingFixedPoint,
  timesRatio,
  toFixedPoint,
} from '../ledger/fixed-point.ts';
import type { DerivedLedger, LedgerRules } from '../ledger/ledger-state.ts';
import type { CorporateActionFacts, KnownActions } from './corporate-actions.ts';
import { type HeldAction, heldActions } from './held-actions.ts';

export interface GatherDeps {
  readonly store: Pick<PortfolioStore, 'dismissed'>;
  readonly corporateActions: Pick<CorporateActionFacts, 'since' | 'during'>;
  readonly market: Pick<Market, 'getDays'>;
  readonly clock: Clock;
}

/** Reported actions of all holdings in a portfolio. */
export interface PortfolioActions {
  /** Oldest first. */
  readonly actions: readonly HeldAction[];
  /** All entries plus the missing splits. */
  readonly asIf: readonly NewTransaction[];
  /** Symbols with missing splits that `asIf` includes. */
  readonly counted: ReadonlySet<string>;
  /** Symbols with a missing split whose quantities are ambiguous, so they cannot be valued. */
  readonly unsure: ReadonlySet<string>;
  /** Instruments without a source. */
  readonly unknown: readonly Instrument[];
  /** Instruments with outdated facts and the day of the last fetch, by symbol. */
  readonly readUntil: ReadonlyMap<
    string,
    { readonly instrument: Instrument; readonly day: Temporal.PlainDate }
  >;
  readonly sources: readonly string[];
}

/** Callers wait no longer; a late response is stored for the next time. */
const TIMEOUT_MS = 2_500;
/** Over long holidays, the last trading day stands in for the trade date. */
const NEAR_DAYS = 10;

const noActions = (): Error => new Error('no corporate actions in time');

interface Own {
  readonly instrument: Instrument;
  readonly entries: Transaction[];
}

interface Holding extends Own {
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
  /** No shares are left, so only a sale counted without a split can be wrong. */
  readonly isClosed: boolean;
}

const ENTRIES_A_STEP = 256;

/** Shares and funds held now or over some days. */
const holdingsIn = function* (entries: readonly Transaction[]): Steps<readonly Holding[]> {
  const bySymbol = new Map<string, Own>();
  let steps = 0;
  for (const entry of entries) {
    steps += 1;
    if (steps % ENTRIES_A_STEP === 0) yield;
    if (!('instrument' in entry) || !entry.instrument) continue;
    const { instrument } = entry;
    if (!isShare(instrument.assetClass)) continue;
    const own = bySymbol.get(instrument.symbol);
    if (own) own.entries.push(entry);
    else bySymbol.set(instrument.symbol, { instrument, entries: [entry] });
  }
  const holdings: Holding[] = [];
  const fixed = rememberingFixedPoint(ENTRY_DECIMALS);
  for (const own of bySymbol.values()) {
    let left = 0n;
    let [first, last] = [own.entries[0]?.date, own.entries[0]?.date];
    let [firstDay, lastDay] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let isBought = false;
    for (const entry of own.entries) {
      steps += 1;
      if (steps % ENTRIES_A_STEP === 0) yield;
      if (entry.kind === 'buy' || entry.kind === 'rights') left += fixed(entry.quantity);
      else if (entry.kind === 'split') left = timesRatio(left, toFixedPoint(entry.ratio, AMOUNT_DECIMALS));
      else if (entry.kind === 'sell' || entry.kind === 'cash-in-lieu')
        left -= entry.quantity ? fixed(entry.quantity) : 0n;
      isBought ||= entry.kind === 'buy';
      const day = epochDay(entry.date);
      if (day < firstDay) [first, firstDay] = [entry.date, day];
      if (day > lastDay) [last, lastDay] = [entry.date, day];
    }
    const isClosed = left === 0n;
    if (first && last && isBought && !(isClosed && firstDay === lastDay))
      holdings.push({ ...own, first, last, isClosed });
  }
  return holdings;
};

const hasSplitSince = ({ actions }: KnownActions, first: Temporal.PlainDate): boolean =>
  actions.some(({ kind, date }) => kind === 'split' && Temporal.PlainDate.compare(date, first) > 0);

/** Price ranges on the trade dates, in today's shares. */
const rangesFor = async (
  { instrument, entries }: Own,
  { market }: GatherDeps,
  signal: AbortSignal,
): Promise<((date: Temporal.PlainDate) => PriceRange | undefined) | undefined> => {
  const dates = entries.flatMap(({ kind, date }) => (kind === 'buy' || kind === 'sell' ? [date] : []));
  const sorted = dates.toSorted((a, b) => Temporal.PlainDate.compare(a, b));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return undefined;
  const asked = market.getDays(instrument, { first: first.subtract({ days: NEAR_DAYS }), last }, signal);
  const found = await raceAbort(asked, signal);
  if (
    found.status !== 'ok' ||
    found.value.isSample ||
    found.value.instrument.currency !== instrument.currency
  )
    return undefined;
  const { bars } = found.value;
  const days = barDays(found.value);
  return (date) => {
    const day = epochDay(date);
    const at = days.findLastIndex((each) => each <= day);
    const bar = day - (days[at] ?? Number.NEGATIVE_INFINITY) <= NEAR_DAYS ? bars[at] : undefined;
    return bar && { low: bar.low, high: bar.high };
  };
};

interface Gathered {
  readonly portfolio: Pick<PortfolioRecord, 'id' | 'ownerId'>;
  /** The entries that count. */
  readonly entries: readonly Transaction[];
  /** Restricts the result to one symbol. */
  readonly symbol?: string | undefined;
}

/** Throws only on abort. */
export const gatherActions = async (
  { portfolio, entries, symbol: only }: Gathered,
  deps: GatherDeps,
  parent: AbortSignal,
): Promise<PortfolioActions> => {
  const { signal, clear } = withDeadline(parent, TIMEOUT_MS, deps.clock, noActions);
  const inTime = async <T>(asked: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await raceAbort(asked(), signal);
    } catch (error) {
      parent.throwIfAborted();
      if (!signal.aborted) throw error;
      return undefined;
    }
  };
  const dismissed = await deps.store.dismissed(portfolio.ownerId, portfolio.id);
  const isOver = new Set(dismissed.map(({ symbol, kind, date }) => `${symbol} ${kind} ${date}`));
  const actionsOf = async (own: Holding) => {
    const { instrument, first, last, isClosed } = own;
    const known = await inTime(() =>
      isClosed
        ? deps.corporateActions.during(instrument, { first, last }, signal)
        : deps.corporateActions.since(instrument, first, signal),
    );
    if (known?.status !== 'ok') return { own, source: '', found: undefined, readUntil: undefined };
    const { readUntil } = known;
    const rangeOn = hasSplitSince(known, first)
      ? await inTime(() => rangesFor(own, deps, signal))
      : undefined;
    const holding = {
      ...own,
      known,
      rangeOn,
      isDismissed: ({ kind, date }: { readonly kind: string; readonly date: Temporal.PlainDate }) =>
        isOver.has(`${instrument.symbol} ${kind} ${date.toString()}`),
      today: deps.clock.now().toZonedDateTimeISO('UTC').toPlainDate(),
    };
    const found = await byTime(heldActions(holding), parent);
    const wrong = found.actions.filter(({ status }) => status === 'closed');
    // Closed holdings matter only if a sale is wrong.
    if (own.isClosed && wrong.length === 0) return { own, source: '', found: undefined, readUntil };
    return {
      own,
      source: known.source,
      found: own.isClosed ? { ...found, actions: wrong } : found,
      readUntil,
    };
  };
  try {
    const all = await byTime(holdingsIn(entries), parent);
    const holdings = all.filter(({ instrument }) => only === undefined || instrument.symbol === only);
    const gathered = await Promise.all(holdings.map(actionsOf));
    const counted = new Map(
      gathered.flatMap(({ own, found }) =>
        found && found.asIf.length !== own.entries.length && !found.isUnsure
          ? [[own.instrument.symbol, found.asIf] as const]
          : [],
      ),
    );
    const isOfOther = (entry: Transaction): boolean =>
      !('instrument' in entry) || !entry.instrument || !counted.has(entry.instrument.symbol);
    return {
      actions: gathered
        .flatMap(({ found }) => found?.actions ?? [])
        .toSorted((a, b) => Temporal.PlainDate.compare(a.date, b.date)),
      asIf: counted.size === 0 ? entries : [...entries.filter(isOfOther), ...[...counted.values()].flat()],
      counted: new Set(counted.keys()),
      unsure: new Set(gathered.flatMap(({ own, found }) => (found?.isUnsure ? [own.instrument.symbol] : []))),
      unknown: gathered.flatMap(({ own, found }) => (found || own.isClosed ? [] : [own.instrument])),
      readUntil: new Map(
        gathered.flatMap(({ own: { instrument }, readUntil: day }) =>
          day ? [[instrument.symbol, { instrument, day }] as const] : [],
        ),
      ),
      sources: [...new Set(gathered.map(({ source }) => source))].filter((source) => source !== ''),
    };
  } finally {
    clear();
  }
};

/**
 * The ledger with the missing splits. If it rejects them, the ledger as recorded; the affected symbols cannot be
 * valued then.
 */
export const deriveWithSplits = function* (
  found: PortfolioActions,
  entries: readonly Transaction[],
  rules: LedgerRules,
): Steps<{
  readonly derived: DerivedLedger;
  /** The entries it was derived from. */
  readonly entries: readonly NewTransaction[];
  readonly unvalued: ReadonlySet<string>;
}> {
  if (found.counted.size > 0) {
    const derived = yield* deriveLedger(found.asIf, rules);
    if (derived.status === 'ok') return { derived, entries: found.asIf, unvalued: found.unsure };
  }
  const derived = yield* deriveLedger(entries, rules);
  return { derived, entries, unvalued: found.unsure.union(found.counted) };
};
