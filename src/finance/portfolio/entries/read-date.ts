import { dateTyped } from '../../answers/hours-date.ts';

/** A day without a year that lies farther ahead than this is one of last year. */
const MONTHS_AHEAD = 6;
const HAS_YEAR = /^\d{4}/u;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/u;
const BEFORE_YESTERDAY = /^(?:그제|그저께|엊그제)$/u;
const YEAR_LAST = /^(\d{1,2})[-./](\d{1,2})[-./](\d{4})$/u;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const;
const MONTH_FIRST = /^([a-z]{3,9})\.?\s*(\d{1,2})(?:st|nd|rd|th)?(?:,?\s*(\d{4}))?$/iu;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?\s*([a-z]{3,9})\.?(?:,?\s*(\d{4}))?$/iu;
const AGO = /^(\d{1,3}|a|an|one|하루|일|한)\s*(?:(days?|weeks?|months?|일|주일?|달|개월)\s*)?(?:ago|전)$/iu;
const WEEK_DAYS: readonly RegExp[] = [
  /^(?:monday|mon|월요일)$/iu,
  /^(?:tuesday|tue|tues|화요일)$/iu,
  /^(?:wednesday|wed|수요일)$/iu,
  /^(?:thursday|thu|thur|thurs|목요일)$/iu,
  /^(?:friday|fri|금요일)$/iu,
  /^(?:saturday|sat|토요일)$/iu,
  /^(?:sunday|sun|일요일)$/iu,
];
const OF_WEEK =
  /^(?:(지난\s*주|저번\s*주|last\s+week)|(이번\s*주|this\s+week)|지난|저번|last|on)?\s*(\S+)$/iu;

const dateOf = (year: number, month: number, day: number): Temporal.PlainDate | null => {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch {
    return null;
  }
};

/** In January `12/30` is that of the year before. */
const notFarAhead = (date: Temporal.PlainDate | null, today: Temporal.PlainDate): Temporal.PlainDate | null =>
  date && Temporal.PlainDate.compare(date, today.add({ months: MONTHS_AHEAD })) > 0
    ? date.subtract({ years: 1 })
    : date;

/** `Nov 13`, `13 November 2026`; undefined where no month is named. */
const namedMonth = (text: string, today: Temporal.PlainDate): Temporal.PlainDate | null | undefined => {
  const [, m1, d1, y1] = MONTH_FIRST.exec(text) ?? [];
  const [, d2, m2, y2] = DAY_FIRST.exec(text) ?? [];
  const [name, day, year] = m1 === undefined ? [m2, d2, y2] : [m1, d1, y1];
  const month = MONTHS.findIndex((each) => name?.toLowerCase().startsWith(each)) + 1;
  if (month === 0 || day === undefined) return undefined;
  if (year !== undefined) return dateOf(Number(year), month, Number(day));
  return notFarAhead(dateOf(today.year, month, Number(day)), today);
};

/** `3일 전`, `2 weeks ago`, `한 달 전`. */
const ago = (text: string, today: Temporal.PlainDate): Temporal.PlainDate | undefined => {
  const [, count = '', unit = ''] = AGO.exec(text) ?? [];
  if (count === '') return undefined;
  const isWeek = /^(?:week|주)/iu.test(unit);
  const amount = /^\d/u.test(count) ? Number(count) : 1;
  if (/^(?:month|달|개월)/iu.test(unit)) return today.subtract({ months: amount });
  if (isWeek) return today.subtract({ weeks: amount });
  return unit === '' && count !== '하루' ? undefined : today.subtract({ days: amount });
};

/** `last friday`: the last one that is over; `friday`: today, too; `지난주 금요일`: of the week before this one. */
const weekDay = (text: string, today: Temporal.PlainDate): Temporal.PlainDate | undefined => {
  const [, before, current, name = ''] = OF_WEEK.exec(text) ?? [];
  const wanted = WEEK_DAYS.findIndex((each) => each.test(name)) + 1;
  if (wanted === 0) return undefined;
  const inThisWeek = today.add({ days: wanted - today.dayOfWeek });
  if (before !== undefined) return inThisWeek.subtract({ weeks: 1 });
  if (current !== undefined) return inThisWeek;
  const isLast = /^(?:지난|저번|last)/iu.test(text);
  const isOver = wanted < today.dayOfWeek || (wanted === today.dayOfWeek && !isLast);
  return isOver ? inThisWeek : inThisWeek.subtract({ weeks: 1 });
};

/** `11/13/2026`; the day first where it can only be that. */
const yearLast = (text: string): Temporal.PlainDate | null | undefined => {
  const [, first, second, year] = YEAR_LAST.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [a, b] = [Number(first), Number(second)];
  return a > 12 ? dateOf(Number(year), b, a) : dateOf(Number(year), a, b);
};

/** The day that somebody who looks back means. Null for what is none. */
export const readDate = (typed: string, today: Temporal.PlainDate): Temporal.PlainDate | null => {
  const text = typed.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').replace(/에$/u, '');
  if (BEFORE_YESTERDAY.test(text)) return today.subtract({ days: 2 });
  const other = yearLast(text) ?? namedMonth(text, today) ?? ago(text, today) ?? weekDay(text, today);
  if (other) return other;
  const written = text.replace(COMPACT, '$1-$2-$3');
  const found = dateTyped(written, today.toZonedDateTime('UTC').toInstant(), 'UTC');
  return HAS_YEAR.test(written) ? found : notFarAhead(found, today);
};
