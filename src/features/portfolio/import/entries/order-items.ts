import type { Steps } from '#src/platform/steps.ts';
import type { TransactionTable } from '../tables/find-tables.ts';
import { compareDates, type Item } from './items.ts';
import { pointsOf } from './points.ts';
import { misfits } from './reconcile.ts';

const compareTimes = (a: Item, b: Item): number => {
  const [first, second] = [a.draft?.time, b.draft?.time];
  return first && second ? Temporal.PlainTime.compare(first, second) : 0;
};

const byDay = function* (items: readonly Item[]): Steps<readonly Item[]> {
  const sorted = items.toSorted(compareDates);
  yield;
  const ordered: Item[] = [];
  for (const day of Map.groupBy(sorted, ({ day: number }) => number).values()) {
    yield;
    ordered.push(...(day.every(({ draft }) => draft?.time) ? day.toSorted(compareTimes) : day));
  }
  return ordered;
};

/** The newest first, as most brokers of the United States have it. */
const isDescending = (items: readonly Item[]): boolean => {
  let steps = 0;
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before) steps += Math.sign(compareDates(before, item));
  }
  return steps > 0;
};

/** In the order of time: what lies within one day runs down the file or up, as the balances or the days tell. */
export const inOrder = function* (
  tables: readonly TransactionTable[],
  items: readonly Item[],
): Steps<readonly Item[]> {
  // Our own export is in the order in which it was recorded, and that order counts within a day.
  if (tables.every(({ header }) => header.isOwn)) return items;
  const byTable = Map.groupBy(items, ({ table }) => table);
  const ordered: Item[] = [];
  for (const table of tables) {
    const own = byTable.get(table) ?? [];
    const down = yield* byDay(own);
    const up = yield* byDay(own.toReversed());
    const hasBalances = own.some(({ draft }) => draft?.balance);
    const downFits = hasBalances ? yield* misfits(yield* pointsOf(down)) : 0;
    const upFits = hasBalances ? yield* misfits(yield* pointsOf(up)) : 0;
    const isUp = downFits === upFits ? isDescending(own) : upFits < downFits;
    ordered.push(...(isUp ? up : down));
  }
  return yield* byDay(ordered);
};
