import { daysIn } from '#src/markets/performance/epoch-day.ts';
import type { History } from '#src/markets/sources/source.ts';

/** Closes of days, oldest first; at least one. For statistics: floats. */
export interface DailyCloses {
  /** Days since 1970-01-01, of the exchange. */
  readonly days: readonly number[];
  readonly values: readonly number[];
}

/**
 * The closes of a history. The close before its first bar, where there is one, counts for `from`: a year is measured
 * from the last close of the year before.
 */
export const dailyClosesOf = ({ bars, timeZone, baseClose }: History, from: number): DailyCloses => {
  const days = daysIn(
    timeZone,
    bars.map(({ at }) => at),
  );
  const values = bars.map(({ close }) => close.toNumber());
  const hasBase = baseClose !== undefined && (days[0] ?? from) > from;
  return hasBase ? { days: [from, ...days], values: [baseClose.toNumber(), ...values] } : { days, values };
};

/** Reads closes in the order of days, carrying the last one over days that have none. */
export interface CloseCursor {
  /** Days may only go forward. */
  readonly moveTo: (day: number) => void;
  /** The last close until then; undefined before the first. */
  readonly close: () => number | undefined;
  /** The day itself has one. */
  readonly isTradedToday: () => boolean;
}

export const closeCursor = ({ days, values }: DailyCloses): CloseCursor => {
  let [at, today] = [-1, Number.NEGATIVE_INFINITY];
  return {
    moveTo: (day) => {
      today = day;
      while ((days[at + 1] ?? Number.POSITIVE_INFINITY) <= day) at += 1;
    },
    close: () => values[at],
    isTradedToday: () => days[at] === today,
  };
};
