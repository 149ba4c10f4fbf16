const DAY_MS = 86_400_000;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const FEBRUARY = 2;
/** Nobody means the day a year ago or in a year by the name of today. */
const WITHIN_A_YEAR = 364;
const MONTH_DAYS = 31;

/** A day as it is written, perhaps without its year. */
export interface StatedDay {
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Days since 1970, without a date object. Undefined for days that do not exist. */
export const dayNumber = (year: number, month: number, day: number): number | undefined => {
  const length = (MONTH_LENGTHS[month - 1] ?? 0) + (month === FEBRUARY && isLeap(year) ? 1 : 0);
  if (day < 1 || day > length) return undefined;
  return Math.round(Date.UTC(year, month - 1, day) / DAY_MS);
};

/** The past ones first, but a day in the next month before one that is nearly a year ago. */
const byLikelihood = (
  days: readonly (number | undefined)[],
  today: number,
  reach: number,
): readonly number[] => {
  const near = days.filter((day) => day !== undefined && Math.abs(day - today) <= reach) as number[];
  const rank = (day: number): number =>
    day <= today ? today - day : day - today <= MONTH_DAYS ? day - today : reach + (day - today);
  return near.length < 2 ? near : near.toSorted((a, b) => rank(a) - rank(b));
};

/** What a day without a year may mean: less than a year away from today. */
export const daysNear = (month: number, day: number, today: Temporal.PlainDate): readonly number[] =>
  byLikelihood(
    [-1, 0, 1].map((years) => dayNumber(today.year + years, month, day)),
    dayNumber(today.year, today.month, today.day) ?? 0,
    WITHIN_A_YEAR,
  );

/** What a day without a month may mean: at most a month away from today. */
export const daysInMonthsNear = (day: number, today: Temporal.PlainDate): readonly number[] =>
  byLikelihood(
    [-1, 0, 1].map((months) => {
      const month = today.month - 1 + months;
      return dayNumber(today.year + Math.floor(month / 12), ((month + 12) % 12) + 1, day);
    }),
    dayNumber(today.year, today.month, today.day) ?? 0,
    MONTH_DAYS,
  );

/** The days with this number in the month of another day, and in the next month if it would lie before that one. */
export const daysInMonthOf = (other: number, day: number): readonly number[] => {
  const date = new Date(other * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  const same = dayNumber(year, month, day);
  const next =
    same !== undefined && same < other
      ? dayNumber(year + (month === 12 ? 1 : 0), (month % 12) + 1, day)
      : undefined;
  return [same, next].filter((each) => each !== undefined);
};

const isBefore = (a: StatedDay, b: StatedDay): boolean =>
  a.month < b.month || (a.month === b.month && a.day < b.day);

/** The first day of a range, if only the last one has a year: `July 10 to September 18, 2025`. */
export const withYearOfLast = (first: StatedDay, last: StatedDay): StatedDay =>
  last.year === undefined ? first : { ...first, year: last.year - (isBefore(last, first) ? 1 : 0) };

/** The last day of a range, if only the first one has a year: `2025년 12월 9일부터 1월 5일까지`. */
export const withYearOfFirst = (first: StatedDay, last: StatedDay): StatedDay =>
  first.year === undefined ? last : { ...last, year: first.year + (isBefore(last, first) ? 1 : 0) };
