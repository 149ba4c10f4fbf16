import type { NewTransaction, Trade } from '#src/kernel/market/ledger.ts';
import type { Currency } from '#src/kernel/money.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';
import { dateOf, epochDay } from '#src/markets/performance/epoch-day.ts';
import { splitFactors } from '../ledger/ledger-moves.ts';
import { type DayRate, type FillRatesDeps, ratesOf } from '../rates/day-rates.ts';
import { askingOnce } from '../rates/fill-rates.ts';
import { exchangeAnomaly, isNearRate } from '../record/foreign-currency.ts';
import { type Anomaly, dayAnomaly, isTrade, priceAnomaly } from '../checks/anomalies.ts';
import { type DayPriceDeps, pricesBetween, type ReferenceOn } from '../checks/price-reference.ts';

/** The most instruments of a file that are compared, with one request each. */
const MAX_INSTRUMENTS = 40;
const AT_ONCE = 8;
/** The time limit of an optional comparison. */
const LOOK_UP_MS = 6_000;

/** Runs an optional comparison until its time limit. Throws on abort alone. */
const inTime = async (
  compare: (signal: AbortSignal) => Promise<unknown>,
  clock: Clock,
  parent: AbortSignal,
): Promise<void> => {
  const { signal, clear } = withDeadline(parent, LOOK_UP_MS, clock, () => new Error('no answer in time'));
  try {
    await compare(signal);
  } catch {
    parent.throwIfAborted();
  } finally {
    clear();
  }
};

/** The reference prices of the most traded instruments by symbol, as far as found in time. */
const referencesFor = async (
  trades: readonly Trade[],
  deps: DayPriceDeps,
  parent: AbortSignal,
): Promise<ReadonlyMap<string, ReferenceOn>> => {
  const found = new Map<string, ReferenceOn>();
  const mostTraded = [...Map.groupBy(trades, ({ instrument }) => instrument.symbol)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MAX_INSTRUMENTS);
  const places = new Semaphore(AT_ONCE);
  const lookUp = async (
    [symbol, own]: readonly [string, readonly Trade[]],
    signal: AbortSignal,
  ): Promise<void> => {
    const [first] = own;
    if (!first) return;
    const days = own.map(({ date }) => epochDay(date));
    const span = { first: dateOf(Math.min(...days)), last: dateOf(Math.max(...days)) };
    const release = await places.acquire('', signal);
    try {
      const referenceOn = await raceAbort(pricesBetween(first.instrument, span, deps, signal), signal);
      if (referenceOn) found.set(symbol, referenceOn);
    } finally {
      release();
    }
  };
  await inTime((signal) => Promise.all(mostTraded.map((each) => lookUp(each, signal))), deps.clock, parent);
  return found;
};

/** The currency pair to compare: that of an exchange, else the entry's currency in the portfolio's. */
const pairOf = (entry: NewTransaction, base: Currency): readonly [Currency, Currency] | undefined => {
  if (entry.kind === 'fx') return [entry.currency, entry.toCurrency];
  return entry.rate && entry.currency !== base && entry.kind !== 'split' ? [entry.currency, base] : undefined;
};

const rateAnomaly = (entry: NewTransaction, market: DayRate, to: Currency): Anomaly | undefined => {
  if (market.status !== 'ok') return undefined;
  if (entry.kind === 'fx') return exchangeAnomaly(entry, market);
  const { rate } = entry;
  if (!rate || market.isSample || isNearRate(rate, market.rate)) return undefined;
  return { kind: 'far-file-rate', rate, market, to };
};

/**
 * Flags rates and exchanges that are far from the day's rate, as far as found in time. Makes one request for each pair
 * and year.
 */
const rateAnomalies = async (
  entries: readonly NewTransaction[],
  baseCurrency: Currency,
  deps: FillRatesDeps,
  parent: AbortSignal,
): Promise<ReadonlyMap<NewTransaction, Anomaly>> => {
  const found = new Map<NewTransaction, Anomaly>();
  const compared = entries.flatMap((entry) => {
    const pair = pairOf(entry, baseCurrency);
    return pair ? [{ entry, from: pair[0], to: pair[1] }] : [];
  });
  const once = askingOnce(deps);
  const lookUp = async (own: typeof compared, signal: AbortSignal): Promise<void> => {
    const [first] = own;
    if (!first) return;
    const days = new Map(own.map(({ entry }) => [entry.date.toString(), entry.date]));
    const asked = ratesOf(first.from, first.to, [...days.values()], once, signal);
    const rateOn = await raceAbort(asked, signal);
    for (const { entry, to } of own) {
      const anomaly = rateAnomaly(entry, rateOn(entry.date), to);
      if (anomaly) found.set(entry, anomaly);
    }
  };
  const pairs = [...Map.groupBy(compared, ({ from, to }) => `${from} ${to}`).values()];
  await inTime((signal) => Promise.all(pairs.map((own) => lookUp(own, signal))), deps.clock, parent);
  return found;
};

interface FileContext {
  /** The entries that count in the portfolio; later splits among them reduce prices. */
  readonly recorded: readonly NewTransaction[];
  readonly baseCurrency: Currency;
  readonly today: Temporal.PlainDate;
  /** Looked-up rates are those of their day and need no check. */
  readonly hasStatedRate: (entry: NewTransaction) => boolean;
}

/**
 * Flags odd days, prices and rates among the entries of a file, as far as prices and rates are found in time. Throws on
 * abort alone.
 */
export const fileAnomalies = async (
  entries: readonly NewTransaction[],
  { recorded, baseCurrency, today, hasStatedRate }: FileContext,
  deps: DayPriceDeps & FillRatesDeps,
  signal: AbortSignal,
): Promise<ReadonlyMap<NewTransaction, readonly Anomaly[]>> => {
  const rated = entries.filter((entry) => entry.kind === 'fx' || hasStatedRate(entry));
  const [references, rates] = await Promise.all([
    referencesFor(entries.filter(isTrade), deps, signal),
    rateAnomalies(rated, baseCurrency, deps, signal),
  ]);
  const collect = function* (): Steps<ReadonlyMap<NewTransaction, readonly Anomaly[]>> {
    const factorOf = splitFactors([...recorded, ...entries]);
    const found = new Map<NewTransaction, readonly Anomaly[]>();
    const tradeAnomalies = (trade: Trade): readonly (Anomaly | undefined)[] => {
      const { symbol } = trade.instrument;
      const factor = factorOf(symbol, epochDay(trade.date));
      const reference = references.get(symbol)?.(trade.date);
      return [dayAnomaly(trade, today), priceAnomaly(trade, reference, factor, false)];
    };
    for (const entry of entries) {
      yield;
      const odd = [...(isTrade(entry) ? tradeAnomalies(entry) : []), rates.get(entry)];
      const anomalies = odd.filter((anomaly) => anomaly !== undefined);
      if (anomalies.length > 0) found.set(entry, anomalies);
    }
    return found;
  };
  return byTime(collect(), signal);
};
