import type { Instrument } from '#src/kernel/finance.ts';
import type { NewTransaction, Trade } from '#src/kernel/ledger.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import { Semaphore } from '#src/platform/semaphore.ts';
import type { Steps } from '#src/platform/cooperative-tasks.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import type { Currency } from '#src/kernel/money.ts';
import { splitFactors } from '../analysis/ledger-moves.ts';
import { dayAnomaly, isTrade, type Anomaly, priceAnomaly } from './anomalies.ts';
import { type PriceDeps, pricesBetween, type ReferenceOn } from './price-reference.ts';
import { type DayRate, type FillRatesDeps, ratesOf } from '../rates/day-rates.ts';
import { askingOnce } from '../rates/fill-rates.ts';
import { exchangeAnomaly, isNearRate } from '../recording/foreign-currency.ts';

/** The most instruments of a file that are compared, with one request each. */
const MAX_INSTRUMENTS = 40;
const AT_ONCE = 8;
/** The time limit of an optional comparison. */
const LOOK_UP_MS = 6_000;

interface Traded {
  readonly instrument: Instrument;
  oldest: Temporal.PlainDate;
  newest: Temporal.PlainDate;
  rows: number;
}

type References = ReadonlyMap<string, ReferenceOn>;

const tradedIn = (trades: readonly Trade[]): readonly Traded[] => {
  const bySymbol = new Map<string, Traded>();
  for (const { instrument, date } of trades) {
    const known = bySymbol.get(instrument.symbol) ?? { instrument, oldest: date, newest: date, rows: 0 };
    known.rows += 1;
    const day = epochDay(date);
    if (day < epochDay(known.oldest)) known.oldest = date;
    if (day > epochDay(known.newest)) known.newest = date;
    bySymbol.set(instrument.symbol, known);
  }
  return [...bySymbol.values()].toSorted((a, b) => b.rows - a.rows).slice(0, MAX_INSTRUMENTS);
};

/** The reference prices of these trades, as far as found in time. Throws on abort alone. */
export const rowReferences = async (
  entries: readonly NewTransaction[],
  deps: Omit<PriceDeps, 'market'> & { readonly market: Pick<Market, 'getDays'> },
  parent: AbortSignal,
): Promise<References> => {
  const { signal, clear } = withDeadline(
    parent,
    LOOK_UP_MS,
    deps.clock,
    () => new Error('no prices in time'),
  );
  const places = new Semaphore(AT_ONCE);
  const found = new Map<string, ReferenceOn>();
  const look = async ({ instrument, oldest, newest }: Traded): Promise<void> => {
    const release = await places.acquire('', signal);
    try {
      const asked = pricesBetween(instrument, { first: oldest, last: newest }, deps, signal);
      const referenceOn = await raceAbort(asked, signal);
      if (referenceOn) found.set(instrument.symbol, referenceOn);
    } finally {
      release();
    }
  };
  try {
    await Promise.all(tradedIn(entries.filter(isTrade)).map(look));
  } catch {
    parent.throwIfAborted();
  } finally {
    clear();
  }
  return found;
};

/** Anomalies of the day and the price of each entry, in order. */
export const rowAnomalies = function* (
  entries: readonly NewTransaction[],
  /** All entries that count with them, whose splits reduce earlier prices. */
  ledger: readonly NewTransaction[],
  references: References,
  today: Temporal.PlainDate,
): Steps<readonly (readonly Anomaly[])[]> {
  const factorOf = splitFactors(ledger);
  const all: (readonly Anomaly[])[] = [];
  for (const entry of entries) {
    yield;
    if (!isTrade(entry)) {
      all.push([]);
      continue;
    }
    const { instrument, date } = entry;
    const reference = references.get(instrument.symbol)?.(date);
    const factor = factorOf(instrument.symbol, epochDay(date));
    const odd = [dayAnomaly(entry, today), reference && priceAnomaly(entry, reference, factor, false)];
    all.push(odd.filter((anomaly) => anomaly !== undefined));
  }
  return all;
};

/** The currency pair to compare: that of an exchange, else the entry's currency in the portfolio's. */
const pairOf = (entry: NewTransaction, base: Currency): readonly [Currency, Currency] | undefined => {
  if (entry.kind === 'fx') return [entry.currency, entry.toCurrency];
  return entry.rate && entry.currency !== base && entry.kind !== 'split' ? [entry.currency, base] : undefined;
};

const anomalyOf = (entry: NewTransaction, market: DayRate, to: Currency): Anomaly | undefined => {
  if (market.status !== 'ok') return undefined;
  if (entry.kind === 'fx') return exchangeAnomaly(entry, market);
  const { rate } = entry;
  if (!rate || market.isSample || isNearRate(rate, market.rate)) return undefined;
  return { kind: 'far-file-rate', rate, market, to };
};

/**
 * Flags rates and exchanges of a file that are far from the day's rate, as far as found in time. Makes one request for
 * each pair and year. Throws on abort alone.
 */
export const fileRateAnomalies = async (
  entries: readonly NewTransaction[],
  baseCurrency: Currency,
  deps: FillRatesDeps,
  parent: AbortSignal,
): Promise<ReadonlyMap<NewTransaction, Anomaly>> => {
  const compared = entries.flatMap((entry) => {
    const pair = pairOf(entry, baseCurrency);
    return pair ? [{ entry, from: pair[0], to: pair[1] }] : [];
  });
  const found = new Map<NewTransaction, Anomaly>();
  if (compared.length === 0) return found;
  const { signal, clear } = withDeadline(parent, LOOK_UP_MS, deps.clock, () => new Error('no rates in time'));
  const once = askingOnce(deps);
  try {
    await Promise.all(
      [...Map.groupBy(compared, ({ from, to }) => `${from} ${to}`).values()].map(async (some) => {
        const [first] = some;
        if (!first) return;
        const days = new Map(some.map(({ entry }) => [entry.date.toString(), entry.date]));
        const asked = ratesOf(first.from, first.to, [...days.values()], once, signal);
        const rateOn = await raceAbort(asked, signal);
        for (const { entry, to } of some) {
          const anomaly = anomalyOf(entry, rateOn(entry.date), to);
          if (anomaly) found.set(entry, anomaly);
        }
      }),
    );
  } catch {
    parent.throwIfAborted();
  } finally {
    clear();
  }
  return found;
};
