import { type Instrument, isShare, type PriceRange, type Quote } from '#src/kernel/market/finance.ts';
import {
  instrumentsOf,
  isShareExchange,
  type NewTransaction,
  type PortfolioRecord,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { quantityChange, isBefore } from '../ledger/share-count.ts';
import type { PortfolioStore } from '../store/store.ts';
import { foundQuotes } from '#src/markets/answers/quote-table.ts';
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
import { type HeldAction, heldActions, type HoldingActions } from './held-actions.ts';
import type { FeatureUses } from '#src/features/services.ts';
import { timeZoneOf } from '#src/markets/calendar/calendar.ts';
import { differsLikeSplit, mayStillBeSplit, nearest } from '#src/markets/sources/split-doubt.ts';

export interface GatherDeps extends FeatureUses<'clock' | 'market.getDays' | 'market.getQuotes'> {
  readonly store: Pick<PortfolioStore, 'dismissed'>;
  readonly corporateActions: Pick<CorporateActionFacts, 'since' | 'during' | 'lookAgain'>;
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
  /** Instruments whose price may be counted in other shares than the entries, by symbol. They cannot be valued. */
  readonly doubted: ReadonlyMap<string, Instrument>;
  /** Symbols whose price was in doubt until the owner said why. */
  readonly settled: ReadonlySet<string>;
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

/** Received shares, as the count of the holding that they came to sees them. They are no entries of the ledger. */
const received = new WeakSet<NewTransaction>();

const asReceived = (entry: Transaction, instrument: Instrument): Transaction => {
  if (!isShareExchange(entry) || entry.instrument.symbol === instrument.symbol) return entry;
  const { quantity: _given, toQuantity, ...rest } = entry;
  const none = new Decimal(0);
  const shares: Transaction = {
    ...rest,
    kind: 'rights',
    instrument,
    quantity: toQuantity,
    price: none,
    fee: none,
    tax: none,
  };
  received.add(shares);
  return shares;
};

const ENTRIES_A_STEP = 256;

/** Shares and funds held now or over some days. */
const holdingsIn = function* (entries: readonly Transaction[]): Steps<readonly Holding[]> {
  const bySymbol = new Map<string, Own>();
  let steps = 0;
  for (const entry of entries) {
    steps += 1;
    if (steps % ENTRIES_A_STEP === 0) yield;
    for (const instrument of instrumentsOf(entry)) {
      if (!isShare(instrument.assetClass)) continue;
      const own = bySymbol.getOrInsertComputed(instrument.symbol, () => ({ instrument, entries: [] }));
      own.entries.push(asReceived(entry, instrument));
    }
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
      else if (entry.kind === 'transfer-in') left += fixed(quantityChange(entry));
      else if (entry.kind === 'split') left = timesRatio(left, toFixedPoint(entry.ratio, AMOUNT_DECIMALS));
      else if ('quantity' in entry) left -= entry.quantity ? fixed(entry.quantity) : 0n;
      isBought ||= entry.kind === 'buy' || entry.kind === 'transfer-in' || received.has(entry);
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

interface GatheredOf {
  readonly own: Holding;
  readonly source: string;
  readonly found: HoldingActions | undefined;
  readonly readUntil: Temporal.PlainDate | undefined;
  readonly priced: PriceState;
}

const hasSplitSince = ({ actions }: KnownActions, first: Temporal.PlainDate): boolean =>
  actions.some(({ kind, date }) => kind === 'split' && Temporal.PlainDate.compare(date, first) > 0);

/** The current prices, if they arrive in time. A price far from the last known one shows a split that is not known yet. */
const quotesOf = async (
  held: readonly Own[],
  { market, clock }: GatherDeps,
  parent: AbortSignal,
): Promise<ReadonlyMap<string, Quote>> => {
  if (held.length === 0) return new Map();
  const { signal, clear } = withDeadline(parent, TIMEOUT_MS, clock, noActions);
  try {
    const asked = market.getQuotes(
      held.map(({ instrument }) => instrument),
      signal,
    );
    const found = foundQuotes(await raceAbort(asked, signal));
    return new Map(found.map((quote) => [quote.instrument.symbol, quote]));
  } catch (error) {
    parent.throwIfAborted();
    if (!signal.aborted) throw error;
    return new Map();
  } finally {
    clear();
  }
};

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
  const all = await byTime(holdingsIn(entries), parent);
  const holdings = all.filter(({ instrument }) => only === undefined || instrument.symbol === only);
  const quotes = await quotesOf(
    holdings.filter(({ isClosed }) => !isClosed),
    deps,
    parent,
  );
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
  const ask = ({ instrument, first, last, isClosed }: Holding) =>
    inTime(() =>
      isClosed
        ? deps.corporateActions.during(instrument, { first, last }, signal)
        : deps.corporateActions.since(instrument, first, signal),
    );
  const actionsOf = async (own: Holding, asked = ask(own)): Promise<GatheredOf> => {
    const { instrument, first } = own;
    const quote = quotes.get(instrument.symbol);
    const answer = await asked;
    if (answer?.status !== 'ok')
      return { own, source: '', found: undefined, readUntil: undefined, priced: 'sure' };
    const known = inPrice(answer, quote);
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
    const priced = priceState({ ...holding, actions: found.actions, quote });
    const wrong = found.actions.filter(({ status }) => status === 'closed');
    // Closed holdings matter only if a sale is wrong.
    if (own.isClosed && wrong.length === 0)
      return { own, source: '', found: undefined, readUntil, priced: 'sure' };
    return {
      own,
      source: known.source,
      found: own.isClosed ? { ...found, actions: wrong } : found,
      readUntil,
      priced: own.isClosed ? 'sure' : priced,
    };
  };
  /** Where the price is in doubt, the source is asked again at once. */
  const settledOf = async (own: Holding): Promise<GatheredOf> => {
    const first = await actionsOf(own);
    if (first.priced !== 'doubt') return first;
    return actionsOf(
      own,
      inTime(() => deps.corporateActions.lookAgain(own.instrument, own.first, signal)),
    );
  };
  try {
    const gathered = await Promise.all(holdings.map(settledOf));
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
      asIf:
        counted.size === 0
          ? entries
          : [
              ...entries.filter(isOfOther),
              ...[...counted.values()].flat().filter((entry) => !received.has(entry)),
            ],
      counted: new Set(counted.keys()),
      unsure: new Set(gathered.flatMap(({ own, found }) => (found?.isUnsure ? [own.instrument.symbol] : []))),
      doubted: new Map(
        gathered.flatMap(({ own: { instrument }, priced }) =>
          priced === 'doubt' ? [[instrument.symbol, instrument] as const] : [],
        ),
      ),
      settled: new Set(
        gathered.flatMap(({ own, priced }) => (priced === 'settled' ? [own.instrument.symbol] : [])),
      ),
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
  const unvalued = found.unsure.union(found.doubted);
  if (found.counted.size > 0) {
    const derived = yield* deriveLedger(found.asIf, rules);
    if (derived.status === 'ok') return { derived, entries: found.asIf, unvalued };
  }
  const derived = yield* deriveLedger(entries, rules);
  return { derived, entries, unvalued: unvalued.union(found.counted) };
};

interface DatedRatio {
  readonly date: Temporal.PlainDate;
  readonly ratio: Decimal;
}

const splitsIn = (all: readonly (HeldAction | Transaction | KnownActions['actions'][number])[]) =>
  all.filter((each): each is typeof each & DatedRatio => each.kind === 'split' && 'ratio' in each);

const ratioAfter = (splits: readonly DatedRatio[], day: Temporal.PlainDate): Decimal =>
  splits.reduce(
    (ratio, split) => (isBefore(day, split.date) ? ratio.times(split.ratio) : ratio),
    new Decimal(1),
  );

const dayOf = ({ instrument, asOf }: Quote): Temporal.PlainDate =>
  asOf.toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();

/** The facts without splits of a day that the price is from before. */
const inPrice = (known: KnownActions, quote: Quote | undefined): KnownActions => {
  if (!quote) return known;
  const day = dayOf(quote);
  return {
    ...known,
    actions: known.actions.filter(({ kind, date }) => kind !== 'split' || !isBefore(day, date)),
  };
};

/** Whether the price, or the close before it, is near the last known close. */
const fitsClose = (
  { price, previousClose, doubt }: Quote,
  { date, price: close }: NonNullable<KnownActions['close']>,
  ways: readonly (readonly DatedRatio[])[],
): boolean =>
  ways.some((splits) => {
    const expected = close.dividedBy(ratioAfter(splits, date));
    const before = doubt?.previousClose ?? previousClose ?? price;
    return !differsLikeSplit(nearest(expected, [price, before]), expected);
  });

/** Whether the splits that somebody recorded explain what the quote contradicts. */
const isExplainedBy = (
  own: readonly DatedRatio[],
  { price, doubt }: Quote,
  day: Temporal.PlainDate,
): boolean => {
  const ratio = ratioAfter(own, day.subtract({ days: 1 }));
  return (
    !ratio.equals(1) &&
    !differsLikeSplit(price, (doubt?.previousClose ?? price.times(ratio)).dividedBy(ratio))
  );
};

interface Priced {
  readonly instrument: Instrument;
  readonly entries: readonly Transaction[];
  readonly known: KnownActions;
  /** What the owner makes of it. */
  readonly actions: readonly HeldAction[];
  readonly quote: Quote | undefined;
  readonly today: Temporal.PlainDate;
}

/**
 * Whether a holding's price may be counted in other shares than its entries. `settled`: its owner has answered that, with a
 * split or with "it is none".
 */
type PriceState = 'sure' | 'doubt' | 'settled';

const priceState = ({ instrument, entries, known, actions, quote, today }: Priced): PriceState => {
  const gaps = actions.filter(({ kind, date }) => kind === 'gap' && mayStillBeSplit(instrument, date, today));
  if (gaps.some(({ status }) => status === 'check')) return 'doubt';
  if (!quote || quote.isSample) return 'sure';
  const day = dayOf(quote);
  const own = splitsIn(entries);
  // A split that somebody recorded before anything was traded at its price.
  if (own.some(({ date }) => isBefore(day, date) && !isBefore(today, date))) return 'doubt';
  if (quote.doubt)
    return gaps.some(({ date }) => date.equals(day)) || isExplainedBy(own, quote, day) ? 'settled' : 'doubt';
  const { close } = known;
  const isOdd =
    close && !isBefore(day, close.date) && !fitsClose(quote, close, [splitsIn(known.actions), own]);
  return isOdd ? 'doubt' : 'sure';
};
