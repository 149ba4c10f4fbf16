/** Which of three numbers comes first. The year is the third one, or the first one, as in `26.11.13`. */
export type DateOrder = 'month-first' | 'day-first' | 'year-first';

export interface DateOptions {
  /**
   * Where a day without a year, a day of the month or a day of the week lies: `back` for what was done, `ahead` for
   * what is to come, `near` for whichever is closest.
   */
  readonly looks?: 'back' | 'ahead' | 'near';
  /** Where it is known, as in a file: `03/04/2026` then has one reading only. */
  readonly order?: DateOrder;
  /** `20261113` is a day. Otherwise it is a number. */
  readonly allowsCompact?: boolean;
  /** `11/13` and `13일` are days without a word beside them that says so. Otherwise `5/10` may be a ratio. */
  readonly allowsShort?: boolean;
}

/** A stretch of the calendar; a day has the same first and last day. */
export interface Period {
  readonly precision: 'day' | 'week' | 'month' | 'quarter' | 'year';
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
  /** Of `03/04/2026` and the like: the orders in which it is this day. */
  readonly orders?: readonly DateOrder[];
}

/** What a form's reader gets. */
export interface Ask {
  readonly today: Temporal.PlainDate;
  readonly looks: 'back' | 'ahead' | 'near';
  readonly order: DateOrder | undefined;
}

/** The periods that a form can mean, the likeliest first. Empty if no calendar has such a day. */
export interface FormReading {
  readonly periods: readonly Period[];
  readonly isApproximate?: boolean;
  /** Also something else, unless a word beside it says that it is a date: `in May`, and for a day `on sat`. */
  readonly needs?: 'any word' | 'a word of days' | undefined;
  /** Callers that allow short dates do not need such a word: `11/13`, `13일`, `13 mar`. */
  readonly isShort?: boolean;
  /** Absent: it was counted from today. */
  readonly said?: 'full' | 'yearless' | undefined;
}

export type Groups = Readonly<Record<string, string | undefined>>;

export interface DateForm {
  /** Sticky, any case. */
  readonly pattern: RegExp;
  /** The characters with which it always begins, to skip other places. */
  readonly begins?: 'digit' | 'letter';
  /** Only where the whole text is a date, or where the caller allows it. */
  readonly only?: 'whole' | 'compact';
  /** Undefined if it is not a date. */
  readonly read: (groups: Groups, ask: Ask) => FormReading | undefined;
}

const compare = (a: Temporal.PlainDate, b: Temporal.PlainDate): number => Temporal.PlainDate.compare(a, b);

/** Undefined for a day that no calendar has. */
export const dateOf = (year: number, month: number, day: number): Temporal.PlainDate | undefined => {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch {
    return undefined;
  }
};

export const dayPeriod = (date: Temporal.PlainDate): Period => ({
  precision: 'day',
  first: date,
  last: date,
});

/** Weeks begin on Monday. */
export const weekOf = (date: Temporal.PlainDate): Period => {
  const first = date.subtract({ days: date.dayOfWeek - 1 });
  return { precision: 'week', first, last: first.add({ days: 6 }) };
};

export const monthOf = (date: Temporal.PlainDate): Period => ({
  precision: 'month',
  first: date.with({ day: 1 }),
  last: date.with({ day: date.daysInMonth }),
});

export const quarterOf = (date: Temporal.PlainDate): Period => {
  const first = date.with({ month: date.month - ((date.month - 1) % 3), day: 1 });
  return { precision: 'quarter', first, last: first.add({ months: 3 }).subtract({ days: 1 }) };
};

export const yearOf = (year: number): Period => ({
  precision: 'year',
  first: new Temporal.PlainDate(year, 1, 1),
  last: new Temporal.PlainDate(year, 12, 31),
});

export const monthIn = (year: number, month: number): Period =>
  monthOf(new Temporal.PlainDate(year, month, 1));
export const quarterIn = (year: number, quarter: number): Period =>
  quarterOf(new Temporal.PlainDate(year, quarter * 3, 1));

/** `26` is 2026. */
export const fullYear = (written: string): number => Number(written) + (written.length === 2 ? 2_000 : 0);

const EARLY = /^(?:초|초반|상순|early|start|beginning)$/iu;
const MIDDLE = /^(?:중순|중반|mid|middle)$/iu;
const IS_EXACT = /^(?:start|beginning|end)$/iu;

/** `the end of` is `end`. */
export const partNamed = (written: string): string => written.replace(/^the\s+/iu, '').split(/\s/u)[0] ?? '';

/** `작년 말`, `early October`: a day of the period. */
export const partOf = (period: Period, part: string): FormReading => {
  const { first, last, precision } = period;
  const middle =
    precision === 'year' ? first.with({ month: 7 }) : first.add({ days: precision === 'quarter' ? 45 : 14 });
  const date = EARLY.test(part) ? first : MIDDLE.test(part) ? middle : last;
  return { periods: [dayPeriod(date)], isApproximate: !IS_EXACT.test(part) };
};

export const withPart = (period: Period, part: string | undefined): FormReading =>
  part === undefined ? { periods: [period] } : partOf(period, part);

const distance = (period: Period, today: Temporal.PlainDate): number =>
  compare(period.first, today) > 0
    ? today.until(period.first, { largestUnit: 'day' }).days
    : compare(period.last, today) < 0
      ? period.last.until(today, { largestUnit: 'day' }).days
      : 0;

/** A day in the near future stays there even when looking back: a slip is shown, not moved to last year. */
const SLIP_DAYS = 31;

/** Which of the periods of one name is meant, given in the order of time. */
export const chosenOf = (
  sorted: readonly Period[],
  { today, looks }: Ask,
  slipDays = 0,
): readonly Period[] => {
  const past = sorted.findLast(({ first }) => compare(first, today) <= 0);
  const coming = sorted.find(({ last }) => compare(last, today) >= 0);
  const both = past && coming && compare(past.first, coming.first) === 0;
  if (!past || !coming || both) return [past ?? coming].flatMap((period) => period ?? []);
  const isSlip = today.until(coming.first, { largestUnit: 'day' }).days <= slipDays;
  if (looks === 'back') return isSlip ? [coming, past] : [past];
  if (looks === 'ahead') return [coming];
  return distance(past, today) < distance(coming, today) ? [past, coming] : [coming, past];
};

/** A month and a day without a year. */
export const inSomeYear = (month: number, day: number, ask: Ask): readonly Period[] => {
  const { year } = ask.today;
  const days = [year - 1, year, year + 1].flatMap((each) => dateOf(each, month, day) ?? []);
  // February 29 may lie on one side only. On the wrong one it was not meant.
  const isMeant = ({ first }: Period): boolean => {
    const ahead = ask.today.until(first, { largestUnit: 'day' }).days;
    return ask.looks === 'near' || (ask.looks === 'back' ? ahead <= SLIP_DAYS : ahead >= 0);
  };
  return chosenOf(days.map(dayPeriod), ask, SLIP_DAYS)
    .filter(isMeant)
    .slice(0, ask.looks === 'near' ? 1 : 2);
};

/** A month without a year. */
export const monthInSomeYear = (month: number, ask: Ask): readonly Period[] => {
  if (month < 1 || month > 12) return [];
  const { year } = ask.today;
  return chosenOf(
    [year - 1, year, year + 1].map((each) => monthIn(each, month)),
    ask,
  ).slice(0, 1);
};

export const quarterInSomeYear = (quarter: number, ask: Ask): readonly Period[] => {
  const { year } = ask.today;
  return chosenOf(
    [year - 1, year, year + 1].map((each) => quarterIn(each, quarter)),
    ask,
  ).slice(0, 1);
};

/** `13일`, `the 13th`. */
export const dayOfSomeMonth = (day: number, ask: Ask): readonly Period[] => {
  const months = [-2, -1, 0, 1, 2].map((distance) => ask.today.with({ day: 1 }).add({ months: distance }));
  const days = months.flatMap((month) => dateOf(month.year, month.month, day) ?? []);
  return chosenOf(days.map(dayPeriod), ask);
};
