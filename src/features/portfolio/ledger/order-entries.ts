import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { mapInSteps, sortInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';

export interface OrderedEntry<Entry extends NewTransaction = NewTransaction> {
  readonly entry: Entry;
  /** Equal for all entries of a day, larger for later days. */
  readonly day: number;
}

interface Sortable<Entry extends NewTransaction = NewTransaction> extends OrderedEntry<Entry> {
  /** Seconds of the day. Entries without a time come last; a split, a spin-off or a merger without one comes first. */
  readonly second: number;
  /** Entries that are not recorded yet come last. */
  readonly number: number;
}

/** Compares by code units, which gives the same order on every machine. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** They change the shares before a market opens. */
const BEFORE_TRADES: ReadonlySet<string> = new Set<NewTransaction['kind']>(['split', 'spin-off', 'merger']);

const FIRST = -1;
const LAST = Number.MAX_SAFE_INTEGER;

const secondOf = ({ kind, time }: NewTransaction): number => {
  if (time) return (time.hour * 60 + time.minute) * 60 + time.second;
  return BEFORE_TRADES.has(kind) ? FIRST : LAST;
};

/** A number that grows with the day. */
const dayNumber = ({ year, month, day }: Temporal.PlainDate): number => (year * 12 + month) * 31 + day;

const toSortable = <Entry extends NewTransaction>(entry: Entry): Sortable<Entry> => ({
  entry,
  day: dayNumber(entry.date),
  second: secondOf(entry),
  number: 'number' in entry && typeof entry.number === 'number' ? entry.number : LAST,
});

const compare = (a: Sortable, b: Sortable): number =>
  a.day - b.day || a.second - b.second || a.number - b.number;

/** Whether an unrecorded entry would count before a recorded one. */
export const countsBefore = (entry: NewTransaction, recorded: NewTransaction): boolean =>
  compare(toSortable(entry), toSortable(recorded)) < 0;

/**
 * The order in which entries count: by day; within a day splits, spin-offs and mergers without a time, then entries by time, then the rest;
 * on ties by their number, and unrecorded entries in the given order. A new entry without a time therefore never
 * changes what counted before it on its day.
 */
export const orderEntries = function* <Entry extends NewTransaction>(
  entries: readonly Entry[],
): Steps<readonly OrderedEntry<Entry>[]> {
  return yield* sortInSteps(yield* mapInSteps(entries, toSortable), compare);
};
