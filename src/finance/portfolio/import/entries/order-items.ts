import { misfits } from './reconcile.ts';
import type { TransactionTable } from '../tables/find-tables.ts';
import { compareDates, type Item } from './items.ts';
import { pointsOf } from './points.ts';

const compareTimes = (a: Item, b: Item): number => {
  const [first, second] = [a.draft?.time, b.draft?.time];
  return first && second ? Temporal.PlainTime.compare(first, second) : 0;
};

const byDay = (items: readonly Item[]): readonly Item[] => {
  const sorted = items.toSorted(compareDates);
  const days = [...Map.groupBy(sorted, ({ date }) => date?.toString() ?? '').values()];
  return days.flatMap((day) => (day.every(({ draft }) => draft?.time) ? day.toSorted(compareTimes) : day));
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
export const inOrder = (tables: readonly TransactionTable[], items: readonly Item[]): readonly Item[] => {
  const byTable = Map.groupBy(items, ({ table }) => table);
  const ordered = tables.flatMap((table) => {
    const own = byTable.get(table) ?? [];
    const down = byDay(own);
    const up = byDay(own.toReversed());
    const [downFits, upFits] = [misfits(pointsOf(down)), misfits(pointsOf(up))];
    if (downFits !== upFits) return downFits < upFits ? down : up;
    return isDescending(own) ? up : down;
  });
  return byDay(ordered);
};
