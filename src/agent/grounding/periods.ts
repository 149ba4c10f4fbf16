/** Lengths of spans in days; negative for spans without a fixed length. */
export const YEAR_TO_DATE = -1;
export const ALL_TIME = -2;

const PERIOD = /^(?<count>\d{1,3})(?<unit>d|w|wk|mo|m|y)$/;
const UNIT_DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, wk: 7, mo: 30.4, m: 30.4, y: 365 };

/** The length of a fact's span: `1y`, `3mo`, `ytd`. Undefined for spans since a date. */
export const periodDaysOf = (period: string | undefined): number | undefined => {
  if (period === undefined) return undefined;
  if (period === 'ytd') return YEAR_TO_DATE;
  if (period === 'max' || period === 'all') return ALL_TIME;
  const { count, unit } = PERIOD.exec(period)?.groups ?? {};
  if (count === undefined || unit === undefined) return undefined;
  // Five trading days are a week.
  return period === '5d' ? 7 : Number(count) * (UNIT_DAYS[unit] ?? 1);
};

const DURATION =
  /\s?(?:(?<trading>거래일)|(?<day>일(?!선)|days?|-day|d)|(?<week>주(?!당|식|가|를|을)|weeks?|-week|wk)|(?<month>개월|달(?!러)|months?|-month|mo)|(?<quarter>분기|quarters?|-quarter)|(?<year>년|years?|-year|yrs?|yr|y))(?![a-z])/iuy;

/** The span that a number and the word after it name: `52주`, `20-day`, `3개월`. */
export const durationAt = (
  text: string,
  count: number,
  at: number,
): { readonly days: number; readonly end: number } | undefined => {
  DURATION.lastIndex = at;
  const match = DURATION.exec(text);
  if (!match?.groups) return undefined;
  const { week, month, quarter, year } = match.groups;
  const unit = year ? 365 : quarter ? 91.2 : month ? 30.4 : week ? 7 : 1;
  return { days: count * unit, end: at + match[0].length };
};

const LEEWAY = 0.12;

/** Whether two spans are the same for a reader: 52 weeks and a year, five days and a week. */
export const isSamePeriod = (one: number, other: number): boolean => {
  if (one < 0 || other < 0) return one === other;
  const [short, long] = one < other ? [one, other] : [other, one];
  return long - short <= Math.max(long * LEEWAY, short >= 5 && long <= 7 ? 2 : 0);
};
