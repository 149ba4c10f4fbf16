/** Order of the numbers in a date. The year comes last, or first as in `26.11.13`. */
export type DateOrder = 'month-first' | 'day-first' | 'year-first';

export interface DateOptions {
  /** Where an incomplete date lies: `back` for past events, `ahead` for future ones, `near` for the closest. */
  readonly looks?: 'back' | 'ahead' | 'near';
  /** The known order of a file's dates, which makes `03/04/2026` unambiguous. */
  readonly order?: DateOrder;
  /** Read `20261113` as a date. Otherwise it is a number. */
  readonly allowsCompact?: boolean;
  /** Read `11/13` and `13일` as dates without a date word beside them. Otherwise `5/10` may be a ratio. */
  readonly allowsShort?: boolean;
}

/** A calendar period. For a day, `first` equals `last`. */
export interface Period {
  readonly precision: 'day' | 'week' | 'month' | 'quarter' | 'year';
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
  /** For dates like `03/04/2026`: the orders that give this day. */
  readonly orders?: readonly DateOrder[];
}

export interface DateQuery {
  readonly today: Temporal.PlainDate;
  readonly looks: 'back' | 'ahead' | 'near';
  readonly order: DateOrder | undefined;
}

/** The periods a form can mean, likeliest first. Empty for impossible dates. */
export interface FormReading {
  readonly periods: readonly Period[];
  readonly isApproximate?: boolean;
  /** Set for words that are ambiguous without a date word beside them: `in May`, and for days `on sat`. */
  readonly needs?: 'any word' | 'a word of days' | undefined;
  /** Short forms such as `11/13`, `13일` and `13 mar` need no date word if the caller allows short dates. */
  readonly isShort?: boolean;
  /** Absent for dates counted from today. */
  readonly said?: 'full' | 'yearless' | undefined;
}

export type Groups = Readonly<Record<string, string | undefined>>;

export interface DateForm {
  /** Sticky and case-insensitive. */
  readonly pattern: RegExp;
  /** The kind of the first character, for skipping other positions. */
  readonly begins?: 'digit' | 'letter';
  /** Restricts the form to whole texts, or to callers that allow compact dates. */
  readonly only?: 'whole' | 'compact';
  /** Undefined if the match is not a date. */
  readonly read: (groups: Groups, ask: DateQuery) => FormReading | undefined;
}

const compare = (a: Temporal.PlainDate, b: Temporal.PlainDate): number => Temporal.PlainDate.compare(a, b);

/** Every month has these days. */
const SURE_DAYS = 28;
const LAST_YEAR = 9_999;

/** Undefined for days that do not exist. */
export const dateOf = (year: number, month: number, day: number): Temporal.PlainDate | undefined => {
  const isSure = year >= 1 && year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= SURE_DAYS;
  if (isSure) return new Temporal.PlainDate(year, month, day);
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

/** Weeks start on Monday. */
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

/** `26` → 2026. */
export const fullYear = (written: string): number => Number(written) + (written.length === 2 ? 2_000 : 0);

const EARLY = /^(?:초|초반|상순|early|start|beginning)$/iu;
const MIDDLE = /^(?:중순|중반|mid|middle)$/iu;
const IS_EXACT = /^(?:start|beginning|end)$/iu;

/** `the end of` → `end`. */
export const partNamed = (written: string): string => written.replace(/^the\s+/iu, '').split(/\s/u)[0] ?? '';

/** A day of the period: `작년 말`, `early October`. */
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

/** A day in the near future is kept even when looking back, so that a slip is visible and not moved to last year. */
const SLIP_DAYS = 31;

/** The intended one of several periods with the same name, given in chronological order. */
export const choosePeriod = (
  sorted: readonly Period[],
  { today, looks }: DateQuery,
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

/** A month and day without a year. */
export const yearlessDate = (month: number, day: number, ask: DateQuery): readonly Period[] => {
  const { year } = ask.today;
  const days = [year - 1, year, year + 1].flatMap((each) => dateOf(each, month, day) ?? []);
  // February 29 may exist on one side only, possibly the wrong one.
  const isMeant = ({ first }: Period): boolean => {
    const ahead = ask.today.until(first, { largestUnit: 'day' }).days;
    return ask.looks === 'near' || (ask.looks === 'back' ? ahead <= SLIP_DAYS : ahead >= 0);
  };
  return choosePeriod(days.map(dayPeriod), ask, SLIP_DAYS)
    .filter(isMeant)
    .slice(0, ask.looks === 'near' ? 1 : 2);
};

/** A month without a year. */
export const yearlessMonth = (month: number, ask: DateQuery): readonly Period[] => {
  if (month < 1 || month > 12) return [];
  const { year } = ask.today;
  return choosePeriod(
    [year - 1, year, year + 1].map((each) => monthIn(each, month)),
    ask,
  ).slice(0, 1);
};

export const quarterInSomeYear = (quarter: number, ask: DateQuery): readonly Period[] => {
  const { year } = ask.today;
  return choosePeriod(
    [year - 1, year, year + 1].map((each) => quarterIn(each, quarter)),
    ask,
  ).slice(0, 1);
};

/** A day of the month: `13일`, `the 13th`. */
export const monthlessDay = (day: number, ask: DateQuery): readonly Period[] => {
  const { year, month } = ask.today;
  /** Months since the year 0. */
  const current = year * 12 + month - 1;
  const days = [-2, -1, 0, 1, 2].flatMap((away) => {
    const index = current + away;
    return dateOf(Math.floor(index / 12), (index % 12) + 1, day) ?? [];
  });
  return choosePeriod(days.map(dayPeriod), ask);
};
