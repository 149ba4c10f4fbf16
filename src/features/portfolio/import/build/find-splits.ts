import { instrumentOf, type NewTransaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { contentKey, countByKey } from '../entry-content.ts';
import type { Item } from './items.ts';
import { namedIn, statedCurrency } from './line-money.ts';
import { type MakeContext, makeEntries } from './make-entries.ts';
import { heldAfter } from './reconcile.ts';

const ZERO = new Decimal(0);
const MAX_TO = 100;
const MAX_FROM = 20;

/** The simplest ratio that leaves less than one share over, which was paid in cash. */
const simpleRatio = (before: Decimal, after: Decimal): Decimal | undefined => {
  let best: { readonly ratio: Decimal; readonly size: number } | undefined;
  for (let from = 1; from <= MAX_FROM; from += 1)
    for (let to = 1; to <= MAX_TO; to += 1) {
      const size = from + to;
      if (best && best.size <= size) continue;
      const ratio = new Decimal(to).dividedBy(from);
      const over = before.times(ratio).minus(after);
      if (!over.isNegative() && over.lessThan(1)) best = { ratio, size };
    }
  return best?.ratio;
};

/**
 * The ratio of a split by the quantity before it and the change, and the fraction that was paid in cash. With `hasCash`
 * there was such a payment, so the quantities do not give the exact ratio.
 */
const ratioBetween = (
  before: Decimal,
  added: Decimal,
  hasCash: boolean,
): { readonly ratio: Decimal; readonly fraction: Decimal } | undefined => {
  const after = before.plus(added);
  if (!before.greaterThan(0) || !after.greaterThan(0) || added.isZero()) return undefined;
  const exact = after.dividedBy(before);
  const simple = hasCash ? simpleRatio(before, after) : undefined;
  return simple && !simple.equals(exact)
    ? { ratio: simple, fraction: before.times(simple).minus(after) }
    : { ratio: exact, fraction: ZERO };
};

const MAX_CASH_DAYS = 60;

const isWaiting = ({ problem }: Item): boolean => problem?.kind === 'no-ratio';

/** Finds the ratio of splits that state only the added shares, by the quantity held before them. */
export const findRatios = function* (
  items: readonly Item[],
  already: readonly NewTransaction[],
  context: MakeContext,
): Steps<void> {
  if (!items.some(isWaiting)) return;
  const byInstrument = Map.groupBy(
    items.filter(({ entries: [entry] }) => entry?.kind === 'cash-in-lieu'),
    ({ entries: [entry] }) => (entry ? (instrumentOf(entry)?.symbol ?? '') : ''),
  );
  const held = new Map<string, Decimal>();
  const apply = (entry: NewTransaction): void => {
    const symbol = instrumentOf(entry)?.symbol;
    if (symbol !== undefined) held.set(symbol, heldAfter(held.get(symbol) ?? ZERO, entry));
  };
  const recorded = already
    .map((entry) => ({ entry, day: epochDay(entry.date) }))
    .toSorted((a, b) => a.day - b.day);
  // Entries that are recorded already must not be counted twice.
  const there = yield* countByKey(already);
  let next = 0;
  for (const item of items) {
    yield;
    const { day, draft } = item;
    for (let at = recorded[next]; at && at.day < day; at = recorded[next]) {
      apply(at.entry);
      next += 1;
    }
    if (isWaiting(item) && draft?.quantity) {
      const found = context.find(namedIn(draft, statedCurrency(draft)));
      if (found.status !== 'found') continue;
      const { instrument } = found;
      const cash = byInstrument
        .get(instrument.symbol)
        ?.find((other) => Math.abs(other.day - day) <= MAX_CASH_DAYS);
      const before = draft.held?.greaterThan(draft.quantity)
        ? draft.held.minus(draft.quantity)
        : (held.get(instrument.symbol) ?? ZERO);
      const ratio = ratioBetween(before, draft.quantity, cash !== undefined);
      if (!ratio) continue;
      const made = makeEntries({ ...draft, ratio: ratio.ratio.toFixed() }, context);
      if (made.status !== 'entries') continue;
      Object.assign(item, { entries: made.entries, problem: undefined });
      if (cash && !ratio.fraction.isZero())
        cash.entries = cash.entries.map((entry) =>
          entry.kind === 'cash-in-lieu' && entry.quantity === undefined
            ? { ...entry, quantity: ratio.fraction }
            : entry,
        );
    }
    for (const entry of item.entries) {
      const key = contentKey(entry);
      const left = there.get(key) ?? 0;
      if (left > 0) there.set(key, left - 1);
      else apply(entry);
    }
  }
};
