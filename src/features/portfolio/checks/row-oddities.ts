import type { Instrument } from '#src/kernel/finance.ts';
import type { NewTransaction, Trade } from '#src/kernel/ledger.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import { Semaphore } from '#src/platform/semaphore.ts';
import type { Steps } from '#src/platform/steps.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { splitFactors } from '../analysis/value-series-held.ts';
import { dayOddity, isTrade, type Oddity, priceOddity } from './oddities.ts';
import { type PriceDeps, pricesBetween, type ReferenceOn } from './price-reference.ts';

/** Of a file of many instruments these are compared: one history each, however many rows it has. */
const MAX_INSTRUMENTS = 40;
const AT_ONCE = 8;
/** Nobody waits longer for comparisons that can be left out. */
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

/** What the prices of these trades are compared with, as far as it is known in time. Throws on abort alone. */
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

/** What is odd about the day and the price of each, in their order. */
export const rowOddities = function* (
  entries: readonly NewTransaction[],
  /** All that counts with them: splits among it make prices of the past smaller. */
  ledger: readonly NewTransaction[],
  references: References,
  today: Temporal.PlainDate,
): Steps<readonly (readonly Oddity[])[]> {
  const factorOf = splitFactors(ledger);
  const all: (readonly Oddity[])[] = [];
  for (const entry of entries) {
    yield;
    if (!isTrade(entry)) {
      all.push([]);
      continue;
    }
    const { instrument, date } = entry;
    const reference = references.get(instrument.symbol)?.(date);
    const factor = factorOf(instrument.symbol, epochDay(date));
    const odd = [dayOddity(entry, today), reference && priceOddity(entry, reference, factor, false)];
    all.push(odd.filter((oddity) => oddity !== undefined));
  }
  return all;
};
