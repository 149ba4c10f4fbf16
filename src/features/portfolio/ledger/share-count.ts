import { isTransfer, type NewTransaction, type Transaction } from '#src/kernel/market/ledger.ts';
import type { Decimal } from '#src/kernel/money.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { Exact, ZERO } from './fixed-point.ts';

/** People record a split some days off. */
export const SPLIT_DAYS = 14;
/** Shares of a bonus issue arrive weeks after its ex-date. */
const BONUS_DAYS = 60;
/** Smaller quantities are rounding remainders. */
const DUST = new Exact('1e-9');

export const isNone = (pieces: Decimal): boolean => pieces.abs().lessThan(DUST);

export const daysBetween = (a: Temporal.PlainDate, b: Temporal.PlainDate): number =>
  epochDay(b) - epochDay(a);

export const isBefore = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(a, b) < 0;

export const quantityChange = (entry: NewTransaction): Decimal => {
  if (entry.kind === 'buy' || entry.kind === 'rights') return entry.quantity;
  if (isTransfer(entry) && entry.kind === 'transfer-in') return 'quantity' in entry ? entry.quantity : ZERO;
  return 'quantity' in entry ? (entry.quantity?.negated() ?? ZERO) : ZERO;
};

const rank = ({ kind }: Transaction): number => (kind === 'split' ? 0 : 1);

/** Counts shares day by day; a split precedes the trades of its day. */
export const countShares = function* (
  entries: readonly Transaction[],
): Generator<{ readonly entry: Transaction; readonly before: Decimal; readonly after: Decimal }, void> {
  let held: Decimal = ZERO;
  for (const entry of entries.toSorted(
    (a, b) => Temporal.PlainDate.compare(a.date, b.date) || rank(a) - rank(b),
  )) {
    const before = held;
    held =
      entry.kind === 'split'
        ? new Exact(held).times(entry.ratio)
        : new Exact(held).plus(quantityChange(entry));
    yield { entry, before, after: held };
  }
};

/** Sources report a bonus issue as a split. Shares recorded at no price may belong to it. */
export const isBonusIssue = (
  { date, ratio }: { readonly date: Temporal.PlainDate; readonly ratio: Decimal },
  entries: readonly Transaction[],
): boolean => {
  if (!ratio.greaterThan(1)) return false;
  for (const { entry, before } of countShares(entries)) {
    if (entry.kind !== 'rights' || !entry.price.isZero()) continue;
    const days = daysBetween(date, entry.date);
    if (days < -SPLIT_DAYS || days > BONUS_DAYS) continue;
    // Fractions are paid out in cash.
    if (before.times(ratio.minus(1)).minus(entry.quantity).abs().lessThan(1)) return true;
  }
  return false;
};

/** The number of the first sale on or after a day that left no shares. */
export const closingSale = (
  since: Temporal.PlainDate,
  entries: readonly Transaction[],
): number | undefined => {
  for (const { entry, after } of countShares(entries))
    if (entry.kind === 'sell' && !isBefore(entry.date, since) && isNone(after)) return entry.number;
  return undefined;
};
