import type { Bar } from '../sources/source.ts';

const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday; weeks start on Monday. */
const WEEKDAY_OF_EPOCH = 3;
const DAYS_OF_WEEK = 7;
const WORKING_DAYS = 5;

/** Days since 1970-01-01, for code that compares tens of thousands of dates. */
export const epochDay = ({ year, month, day }: Pick<Temporal.PlainDate, 'year' | 'month' | 'day'>): number =>
  Date.UTC(year, month - 1, day) / DAY_MS;

/** The start of the day in UTC. */
export const startMsOf = (day: number): number => day * DAY_MS;

export const dateOf = (day: number): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(startMsOf(day)).toZonedDateTimeISO('UTC').toPlainDate();

/** ISO date, such as `2026-11-13`. */
export const isoDateOf = (day: number): string => new Date(startMsOf(day)).toISOString().slice(0, 10);

export const weekOf = (day: number): number => Math.floor((day + WEEKDAY_OF_EPOCH) / DAYS_OF_WEEK);

export const isWeekday = (day: number): boolean => (day + WEEKDAY_OF_EPOCH) % DAYS_OF_WEEK < WORKING_DAYS;

/**
 * Converts epoch milliseconds to local wall-clock milliseconds, so that a day is a division. The offset is cached
 * until the next clock change, because time zone lookups per bar are slow.
 */
export const wallClockIn = (timeZone: string): ((epochMs: number) => number) => {
  let [fromMs, untilMs, offsetMs] = [0, 0, 0];
  return (epochMs) => {
    if (epochMs < fromMs || epochMs >= untilMs) {
      const local = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);
      fromMs = epochMs;
      untilMs = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
      offsetMs = local.offsetNanoseconds / 1_000_000;
    }
    return epochMs + offsetMs;
  };
};

/** Local days of epoch milliseconds. */
export const dayNumberIn = (timeZone: string): ((epochMs: number) => number) => {
  const wallClock = wallClockIn(timeZone);
  return (epochMs) => Math.floor(wallClock(epochMs) / DAY_MS);
};

/** The day of each bar at its exchange. */
export const barDays = ({
  bars,
  timeZone,
}: {
  readonly bars: readonly Pick<Bar, 'at'>[];
  readonly timeZone: string;
}): readonly number[] => {
  const dayOf = dayNumberIn(timeZone);
  return bars.map(({ at }) => dayOf(at.epochMilliseconds));
};

/** The index of the last day at or before `day` in ordered days. -1 if all are later. */
export const lastIndexUpTo = (days: readonly number[], day: number): number => {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? Number.POSITIVE_INFINITY) <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};
