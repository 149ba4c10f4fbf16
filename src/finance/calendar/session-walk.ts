import type { MarketSession, SessionState } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { ExchangeData } from './calendar-data.ts';
import { localDay } from './local-day.ts';
import { dayOf, type Phase, type TradingDay } from './trading-day.ts';

type Change = NonNullable<MarketSession['nextChange']>;

/** `b` is a time of the calendar, in whole minutes. `Temporal.Instant.compare` would take ten times as long. */
const isBefore = (a: Timestamp, b: Timestamp): boolean => a.epochMilliseconds < b.epochMilliseconds;

/** The exchange's own date at that moment. */
export const dateAt = (data: ExchangeData, at: Timestamp): Temporal.PlainDate =>
  localDay(at, data.timeZone).date;

const isWithin = ({ from, to }: Phase, at: Timestamp): boolean => !isBefore(at, from) && isBefore(at, to);

export const stateOn = (day: TradingDay, at: Timestamp): SessionState => {
  if (day.status !== 'trading') return day.status;
  return day.phases.find((phase) => isWithin(phase, at))?.state ?? 'closed';
};

/**
 * The first that `find` finds on this date or, going on by `step` days, on another one; null where the data ends
 * before. It ends for certain: days run into a year that the data does not have.
 */
const walk = <Found>(
  data: ExchangeData,
  start: Temporal.PlainDate,
  step: 1 | -1,
  find: (day: Extract<TradingDay, { readonly status: 'trading' }>) => Found | undefined,
): Found | null => {
  for (let date = start; ; date = date.add({ days: step })) {
    const day = dayOf(data, date);
    if (day.status === 'unknown') return null;
    const found = day.status === 'trading' ? find(day) : undefined;
    if (found !== undefined) return found;
  }
};

/** Where one phase ends the next may begin: then it changes to that, and not to closed. */
const changesOn = (phases: readonly Phase[]): readonly Change[] =>
  phases.flatMap(({ state, from, to }, index) => {
    const isFollowed = phases[index + 1]?.from.equals(to) === true;
    const begin: Change = { to: state, at: from };
    return isFollowed ? [begin] : [begin, { to: 'closed' as const, at: to }];
  });

export const nextChangeAfter = (data: ExchangeData, at: Timestamp): Change | null =>
  walk(data, dateAt(data, at), 1, ({ phases }) =>
    changesOn(phases).find((change) => isBefore(at, change.at)),
  );

/** Strictly later: at an opening itself it is the one after. */
export const nextOpenAfter = (data: ExchangeData, at: Timestamp): Timestamp | null =>
  walk(data, dateAt(data, at), 1, ({ regular }) => (isBefore(at, regular.from) ? regular.from : undefined));

/** The end of the last regular session that is over at that moment. */
export const lastCloseUpTo = (data: ExchangeData, at: Timestamp): Timestamp | null =>
  walk(data, dateAt(data, at), -1, ({ regular }) => (isBefore(at, regular.to) ? undefined : regular.to));
