import type { NewTransaction } from '#src/kernel/ledger.ts';
import { mapInSteps, sortInSteps, type Steps } from '#src/platform/steps.ts';

export interface OrderedEntry<Entry extends NewTransaction = NewTransaction> {
  readonly entry: Entry;
  /** The same for all entries of a day; larger on later days. */
  readonly day: number;
}

interface Sortable<Entry extends NewTransaction = NewTransaction> extends OrderedEntry<Entry> {
  /** Seconds of the day; those without a time come after all that have one. A split without a time comes first. */
  readonly second: number;
  /** What is not recorded yet comes after what is. */
  readonly number: number;
}

/** By code units: the same on every machine. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const FIRST = -1;
const LAST = Number.MAX_SAFE_INTEGER;

const secondOf = ({ kind, time }: NewTransaction): number => {
  if (time) return (time.hour * 60 + time.minute) * 60 + time.second;
  return kind === 'split' ? FIRST : LAST;
};

/** One number a day, in the order of days. */
const dayNumber = ({ year, month, day }: Temporal.PlainDate): number => (year * 12 + month) * 31 + day;

const toSortable = <Entry extends NewTransaction>(entry: Entry): Sortable<Entry> => ({
  entry,
  day: dayNumber(entry.date),
  second: secondOf(entry),
  number: 'number' in entry && typeof entry.number === 'number' ? entry.number : LAST,
});

const compare = (a: Sortable, b: Sortable): number =>
  a.day - b.day || a.second - b.second || a.number - b.number;

/** Whether an entry that is not recorded yet would count before one that is. */
export const countsBefore = (entry: NewTransaction, recorded: NewTransaction): boolean =>
  compare(toSortable(entry), toSortable(recorded)) < 0;

/**
 * The order in which entries count: by day; within a day splits without a time, then all that have a time by it, then
 * the rest; where that says nothing, by the number under which they were recorded, and what is not recorded yet in the
 * order given. A new entry without a time thus never changes what counted before it on its day.
 */
export const orderEntries = function* <Entry extends NewTransaction>(
  entries: readonly Entry[],
): Steps<readonly OrderedEntry<Entry>[]> {
  return yield* sortInSteps(yield* mapInSteps(entries, toSortable), compare);
};
