import { instrumentOf, type NewTransaction, type TransactionKind } from '#src/core/ledger.ts';
import type { Decimal } from '#src/core/money.ts';
import { mapInSteps, sortInSteps, type Steps } from '#src/infra/steps.ts';

/** Of one day: what brings money or pieces in comes before what takes them out. */
const RANK: Readonly<Record<TransactionKind, number>> = {
  split: 0,
  deposit: 1,
  fx: 2,
  buy: 3,
  rights: 3,
  dividend: 4,
  interest: 4,
  sell: 5,
  'cash-in-lieu': 5,
  fee: 6,
  tax: 6,
  withdrawal: 7,
};

type Content = readonly (string | Decimal | undefined)[];

export interface OrderedEntry {
  readonly entry: NewTransaction;
  /** The same for all entries of a day; larger on later days. */
  readonly day: number;
}

interface Sortable extends OrderedEntry {
  readonly rank: number;
  readonly symbol: string;
  /** Read where days, kinds and symbols are the same. */
  content?: Content;
  /** Read where all else is the same. */
  instrumentText?: string;
}

/** With the currency and the rate: all that a ledger's state depends on. */
const ownContent = (entry: NewTransaction): Content => {
  switch (entry.kind) {
    case 'buy':
    case 'sell':
    case 'rights':
      return [entry.price, entry.quantity, entry.fee, entry.tax];
    case 'dividend':
    case 'interest':
      return [entry.amount, entry.tax];
    case 'cash-in-lieu':
      return [entry.amount, entry.quantity];
    case 'tax':
      return [entry.amount, entry.isRefund ? 'refund' : undefined];
    case 'split':
      return [entry.ratio];
    case 'fx':
      return [entry.amount, entry.toCurrency, entry.toAmount, entry.toRate];
    case 'fee':
    case 'deposit':
    case 'withdrawal':
      return [entry.amount];
    default:
      return [];
  }
};

const contentOf = (item: Sortable): Content =>
  (item.content ??= [...ownContent(item.entry), item.entry.currency, item.entry.rate]);

/** By code units: the same on every machine. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Comparing makes a new decimal, which is too dear for the many that are the same. */
const isSame = (a: Decimal, b: Decimal): boolean =>
  a.s === b.s && a.e === b.e && a.d.length === b.d.length && a.d.every((word, index) => word === b.d[index]);

const compareValues = (a: string | Decimal | undefined, b: string | Decimal | undefined): number => {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  if (typeof a === 'string' || typeof b === 'string') return compareText(String(a), String(b));
  return isSame(a, b) ? 0 : a.cmp(b);
};

const compareContent = (a: Sortable, b: Sortable): number => {
  const [ofA, ofB] = [contentOf(a), contentOf(b)];
  let difference = 0;
  for (let index = 0; index < ofA.length && difference === 0; index += 1)
    difference = compareValues(ofA[index], ofB[index]);
  return difference;
};

const instrumentText = (item: Sortable): string =>
  (item.instrumentText ??= JSON.stringify(instrumentOf(item.entry)) ?? '');

/** The same instrument may have been written differently at different times; one of them is shown. */
const compareRest = (a: Sortable, b: Sortable): number =>
  compareText(instrumentText(a), instrumentText(b)) || compareText(a.entry.clientId, b.entry.clientId);

const compare = (a: Sortable, b: Sortable): number =>
  a.day - b.day ||
  a.rank - b.rank ||
  compareText(a.symbol, b.symbol) ||
  compareContent(a, b) ||
  compareRest(a, b);

/** One number a day, in the order of days. */
const dayNumber = ({ year, month, day }: Temporal.PlainDate): number => (year * 12 + month) * 31 + day;

const toSortable = (entry: NewTransaction): Sortable => ({
  entry,
  day: dayNumber(entry.date),
  rank: RANK[entry.kind],
  symbol: instrumentOf(entry)?.symbol ?? '',
});

/**
 * The order in which entries count: by day, then kind, then what they say. It does not depend on the order in which
 * they came, and those that say the same may be taken for each other.
 */
export const orderEntries = function* (entries: readonly NewTransaction[]): Steps<readonly OrderedEntry[]> {
  return yield* sortInSteps(yield* mapInSteps(entries, toSortable), compare);
};
