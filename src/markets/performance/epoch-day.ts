const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const WEEKDAY_OF_EPOCH = 3;
const DAYS_OF_WEEK = 7;
const WORKING_DAYS = 5;

/** Days since 1970-01-01: dates that are compared and counted ten thousands of times. */
export const epochDay = ({ year, month, day }: Temporal.PlainDate): number =>
  Date.UTC(year, month - 1, day) / DAY_MS;

export const dateOf = (day: number): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(day * DAY_MS)
    .toZonedDateTimeISO('UTC')
    .toPlainDate();

export const isWeekday = (day: number): boolean => (day + WEEKDAY_OF_EPOCH) % DAYS_OF_WEEK < WORKING_DAYS;

/** The days of a place on which these moments are, which must be in order: its clocks are read once a change. */
export const daysIn = (timeZone: string, moments: readonly Temporal.Instant[]): readonly number[] => {
  let [offsetMs, untilMs] = [0, Number.NEGATIVE_INFINITY];
  return moments.map((moment) => {
    const atMs = moment.epochMilliseconds;
    if (atMs >= untilMs) {
      const local = moment.toZonedDateTimeISO(timeZone);
      offsetMs = local.offsetNanoseconds / 1_000_000;
      untilMs = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
    }
    return Math.floor((atMs + offsetMs) / DAY_MS);
  });
};

/** The place of the last day up to this one in days that are in order; -1 where all are later. */
export const lastIndexUpTo = (days: readonly number[], day: number): number => {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? Number.POSITIVE_INFINITY) <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};
