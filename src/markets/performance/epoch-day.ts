const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday; weeks start on Monday. */
const WEEKDAY_OF_EPOCH = 3;
const DAYS_OF_WEEK = 7;
const WORKING_DAYS = 5;

/** Days since 1970-01-01, for code that compares tens of thousands of dates. */
export const epochDay = ({ year, month, day }: Temporal.PlainDate): number =>
  Date.UTC(year, month - 1, day) / DAY_MS;

export const dateOf = (day: number): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(day * DAY_MS)
    .toZonedDateTimeISO('UTC')
    .toPlainDate();

export const isWeekday = (day: number): boolean => (day + WEEKDAY_OF_EPOCH) % DAYS_OF_WEEK < WORKING_DAYS;

/** The local days of moments, which must be in order: the offset is looked up once per clock change. */
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
