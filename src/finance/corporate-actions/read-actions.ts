import type { CorporateAction, PriceGap } from '#src/core/corporate-action.ts';
import type { ActionFacts } from '#src/storage/corporate-actions.ts';
import type { Bar, DailyHistory } from '../market/source.ts';
import { dateOf, daysIn, epochDay } from '../performance/epoch-day.ts';

/** A first price outside of these, against the close before it, is more than news does on most days. */
const GAP = { least: 0.65, most: 1.6 };
/** A split may be dated a day beside the price that shows it. */
const SPLIT_DAYS = 3;

interface Day {
  readonly day: number;
  readonly bar: Bar;
}

const closeBefore = (days: readonly Day[], day: number): Bar | undefined =>
  days.findLast((each) => each.day < day)?.bar;

/** Two dividends of one day are one sum. */
const joined = (actions: readonly CorporateAction[]): readonly CorporateAction[] => {
  const byKey = new Map<string, CorporateAction>();
  for (const action of actions) {
    const key = `${action.kind} ${action.date.toString()}`;
    const same = byKey.get(key);
    const isSum = same?.kind === 'dividend' && action.kind === 'dividend';
    byKey.set(key, isSum ? { ...action, amount: same.amount.plus(action.amount) } : action);
  }
  return [...byKey.values()];
};

const gapsIn = (days: readonly Day[], actions: readonly CorporateAction[]): readonly PriceGap[] => {
  const explained = actions.map(({ date }) => epochDay(date));
  return days.flatMap(({ day, bar }, index) => {
    const before = days[index - 1]?.bar;
    if (!before?.close.greaterThan(0) || !bar.open.greaterThan(0)) return [];
    const change = bar.open.dividedBy(before.close).toNumber();
    if (change >= GAP.least && change <= GAP.most) return [];
    if (explained.some((other) => Math.abs(other - day) <= SPLIT_DAYS)) return [];
    return [{ date: dateOf(day), previousClose: before.close, open: bar.open }];
  });
};

/** What daily bars and the events beside them tell of an instrument. */
export const readActions = (history: DailyHistory): ActionFacts => {
  const moments = daysIn(
    history.timeZone,
    history.bars.map(({ at }) => at),
  );
  const days = history.bars.map((bar, index): Day => ({ bar, day: moments[index] ?? 0 }));
  const reported = joined(
    history.actions.filter((action) => action.kind !== 'split' || !action.ratio.equals(1)),
  );
  const actions = reported.map((action): CorporateAction => {
    if (action.kind === 'split') return action;
    const before = closeBefore(days, epochDay(action.date));
    return before ? { ...action, priceBefore: before.close } : action;
  });
  return { actions, gaps: gapsIn(days, actions) };
};
