import { BLANK, GAP, MONTH_NAME, monthNamed, WEEKDAY_NAME } from './calendar-words.ts';
import {
  type DateQuery,
  type DateForm,
  type DateOrder,
  dateOf,
  monthlessDay,
  dayPeriod,
  type FormReading,
  fullYear,
  yearlessDate,
  monthIn,
  yearlessMonth,
  partNamed,
  partOf,
  type Period,
  quarterIn,
  quarterInSomeYear,
  withPart,
  yearOf,
} from './calendar-periods.ts';

const YEAR = '(?:19|20)\\d\\d';
const NTH = '(?:st|nd|rd|th)';
/** A redundant weekday: `11월 13일(금)`, `Friday, November 13`. */
const WEEKDAY_BEHIND = `(?:${GAP}\\((?:[월화수목금토일]|${WEEKDAY_NAME})\\)|${GAP}[월화수목금토일]요일)?`;
const WEEKDAY_BEFORE = `(?:(?:${WEEKDAY_NAME})(?:,|${BLANK})${GAP}(?:the${BLANK})?)?`;
/** Counts, not dates: `may 3 times`, `March 10 shares`, `5/10 split`. */
const NOT_COUNTED = `(?!${GAP}(?:%|x(?![a-z])|times|shares?|percent|stocks?|split|주(?!일)|개|원|달러|배|won|dollars?|usd|krw|bucks|k(?![a-z])|bn|billion|million|thousand))`;
const RELATIVE_YEAR = '재작년|작년|지난해|전년|올해|금년|내년|내후년';
const YEARS_AWAY: Readonly<Record<string, number>> = {
  재작년: -2,
  작년: -1,
  지난해: -1,
  전년: -1,
  올해: 0,
  금년: 0,
  내년: 1,
  내후년: 2,
};
const KOREAN_PART = '초반|초|중순|중반|하순|상순|말';
const ENGLISH_PART = `(?<part>early|mid|late|(?:the${BLANK})?(?:start|beginning|middle|end)${BLANK}of)(?:${BLANK}|-)(?:the${BLANK}(?:year${BLANK})?)?`;

type Begins = DateForm['begins'];

const form = (
  begins: Begins,
  pattern: string,
  read: DateForm['read'],
  only?: DateForm['only'],
): DateForm => ({
  pattern: new RegExp(pattern, 'iuy'),
  read,
  ...(begins && { begins }),
  ...(only && { only }),
});

const dayOrNone = (date: Temporal.PlainDate | undefined): readonly Period[] =>
  date ? [dayPeriod(date)] : [];

/** The year, as a number or a word. */
const statedYear = (
  written: string | undefined,
  word: string | undefined,
  { today }: DateQuery,
): number | undefined => {
  if (word !== undefined) return today.year + (YEARS_AWAY[word] ?? 0);
  return written === undefined ? undefined : fullYear(written);
};

const saidBy = (year: string | undefined): 'full' | 'yearless' => (year === undefined ? 'yearless' : 'full');

const monthAndDay = (
  month: number,
  day: number,
  year: number | undefined,
  ask: DateQuery,
): readonly Period[] =>
  year === undefined ? yearlessDate(month, day, ask) : dayOrNone(dateOf(year, month, day));

const monthAlone = (month: number, year: number | undefined, ask: DateQuery): readonly Period[] => {
  if (month < 1 || month > 12) return [];
  return year === undefined ? yearlessMonth(month, ask) : [monthIn(year, month)];
};

const withPartOfFirst = (periods: readonly Period[], part: string | undefined): FormReading => {
  const [period] = periods;
  return period && part !== undefined ? partOf(period, part) : { periods };
};

const FAR_YEARS = 10;

/** Three numbers in every order people write, likeliest first. */
const numericPeriods = (
  first: string,
  second: string,
  third: string,
  isDotted: boolean,
  { today, looks, order }: DateQuery,
): readonly Period[] => {
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  const last = fullYear(third);
  const monthFirst = third.length > 1 ? dateOf(last, a, b) : undefined;
  const dayFirst = third.length > 1 ? dateOf(last, b, a) : undefined;
  const yearFirst = first.length === 2 && third.length <= 2 ? dateOf(fullYear(first), b, c) : undefined;
  if (order !== undefined)
    return dayOrNone({ 'month-first': monthFirst, 'day-first': dayFirst, 'year-first': yearFirst }[order]);
  const inOrder: readonly (readonly [DateOrder, Temporal.PlainDate | undefined])[] =
    isDotted && third.length <= 2
      ? [
          ['year-first', yearFirst],
          ['month-first', monthFirst],
          ['day-first', dayFirst],
        ]
      : [
          ['month-first', monthFirst],
          ['day-first', dayFirst],
          ['year-first', yearFirst],
        ];
  const orders = new Map<string, DateOrder[]>();
  for (const [each, date] of inOrder)
    if (date) orders.set(date.toString(), [...(orders.get(date.toString()) ?? []), each]);
  /** Far away or in the unexpected direction: not meant if there is another reading. */
  const isUnlikely = ({ first: date }: Period): boolean => {
    const side = Temporal.PlainDate.compare(date, today);
    const isBeside = looks === 'back' ? side > 0 : looks === 'ahead' && side < 0;
    return isBeside || Math.abs(date.year - today.year) > FAR_YEARS;
  };
  const periods = Array.from(orders, ([date, all]) => ({
    ...dayPeriod(Temporal.PlainDate.from(date)),
    orders: all,
  }));
  return [...periods.filter((period) => !isUnlikely(period)), ...periods.filter(isUnlikely)];
};

/** `11/13`; day first only if nothing else is possible. */
const shortPeriods = (first: number, second: number, ask: DateQuery): readonly Period[] => {
  const monthFirst = ask.order === 'day-first' ? [] : yearlessDate(first, second, ask);
  const dayFirst = ask.order === 'month-first' || first === second ? [] : yearlessDate(second, first, ask);
  return [...monthFirst, ...dayFirst.slice(0, 1)];
};

const isMonthAndDay = (first: number, second: number): boolean =>
  first >= 1 && second >= 1 && first <= 31 && second <= 31 && (first <= 12 || second <= 12);

/** Also English words or tickers, which need a date word beside them. */
const AMBIGUOUS_MONTHS = /^(?:mar|may|march|dec|jan)$/iu;
/** Written like a code: `buy 5 NOV`. */
const TICKER = /^[A-Z]{3}$/u;

export const WRITTEN_FORMS: readonly DateForm[] = [
  // 2026-11-13, 2026/11/13, 2026. 11. 13.
  form(
    'digit',
    `(?<y>[12]\\d{3})(?:-(?<m1>\\d{1,2})-(?<d1>\\d{1,2})|/(?<m2>\\d{1,2})/(?<d2>\\d{1,2})|\\.${GAP}(?<m3>\\d{1,2})\\.${GAP}(?<d3>\\d{1,2})(?:\\.(?!\\d))?)${WEEKDAY_BEHIND}`,
    ({ y, m1, d1, m2, d2, m3, d3 }) => ({
      periods: dayOrNone(dateOf(Number(y), Number(m1 ?? m2 ?? m3), Number(d1 ?? d2 ?? d3))),
      said: 'full',
    }),
  ),
  form(
    'digit',
    `(?<y>${YEAR})(?<m>\\d{2})(?<d>\\d{2})`,
    ({ y, m, d }) => {
      const date = dateOf(Number(y), Number(m), Number(d));
      return date && { periods: [dayPeriod(date)], said: 'full' };
    },
    'compact',
  ),
  // 2026-11, 2026.11
  form(
    'digit',
    `(?<y>${YEAR})[-./](?<m>\\d{1,2})`,
    ({ y, m }, ask) => ({ periods: monthAlone(Number(m), Number(y), ask) }),
    'whole',
  ),
  // 2026년 11월 13일, 작년 10월 3일, 11월 13일
  form(
    undefined,
    `(?:(?:(?<y>(?:${YEAR}|\\d\\d))${GAP}년|(?<ry>${RELATIVE_YEAR}))${GAP})?(?<m>\\d{1,2})${GAP}월${GAP}(?<d>\\d{1,2})${GAP}일${WEEKDAY_BEHIND}`,
    ({ y, ry, m, d }, ask) => ({
      periods: monthAndDay(Number(m), Number(d), statedYear(y, ry, ask), ask),
      said: ry === undefined ? saidBy(y) : undefined,
    }),
  ),
  // 2026년 11월, 작년 10월, 3월 초
  form(
    undefined,
    `(?:(?:(?<y>(?:${YEAR}|\\d\\d))${GAP}년|(?<ry>${RELATIVE_YEAR}))${GAP})?(?<m>\\d{1,2})${GAP}월(?:${GAP}(?<part>${KOREAN_PART}))?`,
    ({ y, ry, m, part }, ask) => withPartOfFirst(monthAlone(Number(m), statedYear(y, ry, ask), ask), part),
  ),
  // 2025년 3분기, 작년 4분기, 3분기 말
  form(
    undefined,
    `(?:(?:(?<y>(?:${YEAR}|\\d\\d))${GAP}년|(?<ry>${RELATIVE_YEAR}))${GAP})?(?<q>[1-4])${GAP}분기(?:${GAP}(?<part>${KOREAN_PART}))?`,
    ({ y, ry, q, part }, ask) => {
      const year = statedYear(y, ry, ask);
      const periods = year === undefined ? quarterInSomeYear(Number(q), ask) : [quarterIn(year, Number(q))];
      return withPartOfFirst(periods, part);
    },
  ),
  // 2025년, 2025년 말, 25년 말
  form(
    'digit',
    `(?:(?<y>${YEAR})${GAP}년(?:도)?(?:${GAP}(?<part1>${KOREAN_PART}))?|(?<short>\\d\\d)${GAP}년${GAP}(?<part2>${KOREAN_PART}))`,
    ({ y, short, part1, part2 }) => withPart(yearOf(fullYear(y ?? short ?? '')), part1 ?? part2),
  ),
  // 작년, 작년 말, 작년 이맘때
  form(
    'letter',
    `(?<ry>${RELATIVE_YEAR})(?:${GAP}(?:(?<part>${KOREAN_PART})|(?<same>이맘${GAP}때|오늘|같은${GAP}날|이${GAP}무렵)))?`,
    ({ ry = '', part, same }, { today }) => {
      const years = YEARS_AWAY[ry] ?? 0;
      if (same === undefined) return withPart(yearOf(today.year + years), part);
      return { periods: [dayPeriod(today.add({ years }))], isApproximate: /이맘|무렵/u.test(same) };
    },
  ),
  // 13일
  form(
    undefined,
    `(?:(?:지난|오는|이번)${BLANK})?(?<d>\\d{1,2})일${WEEKDAY_BEHIND}(?!${GAP}(?:한${GAP}번|전|후|뒤|동안|간|만에|연속|이내|안에))`,
    ({ d }, ask) => ({
      periods: monthlessDay(Number(d), ask),
      needs: 'any word',
      isShort: true,
    }),
  ),
  // Nov 13, November 13th, 2026, Friday, Nov 13
  form(
    'letter',
    `${WEEKDAY_BEFORE}(?<m>${MONTH_NAME})\\.?(?:-|${GAP})(?<d>\\d{1,2})(?!\\d)${NTH}?(?:(?:,|-|${BLANK})${GAP}(?<y>${YEAR})(?![\\d.,]\\d))?${NOT_COUNTED}`,
    ({ m = '', d, y }, ask) => ({
      periods: monthAndDay(monthNamed(m), Number(d), y === undefined ? undefined : Number(y), ask),
      needs: y === undefined && TICKER.test(m) ? 'any word' : undefined,
      said: saidBy(y),
    }),
  ),
  // 13 Nov 2026, 13th of November, 13-Nov-2026
  form(
    undefined,
    `${WEEKDAY_BEFORE}(?:the${BLANK})?(?<d>\\d{1,2})(?<nth>${NTH})?(?:${BLANK}of${BLANK}|-|${GAP})(?<m>${MONTH_NAME})(?![a-z])\\.?(?:(?:,|-|${GAP})${GAP}(?<y>${YEAR})(?![\\d.,]\\d))?`,
    ({ m = '', d, nth, y }, ask) => ({
      periods: monthAndDay(monthNamed(m), Number(d), y === undefined ? undefined : Number(y), ask),
      needs:
        y === undefined && nth === undefined && (AMBIGUOUS_MONTHS.test(m) || TICKER.test(m))
          ? 'any word'
          : undefined,
      isShort: !TICKER.test(m),
      said: saidBy(y),
    }),
  ),
  // November 2026, early October, end of October 2025, last March
  form(
    'letter',
    `(?:${ENGLISH_PART})?(?<m>${MONTH_NAME})(?![a-z])\\.?(?:,?${BLANK}(?<y>${YEAR})(?![\\d.,]\\d))?`,
    ({ part, m = '', y }, ask) => {
      const periods = monthAlone(monthNamed(m), y === undefined ? undefined : Number(y), ask);
      if (part === undefined) return { periods, needs: y === undefined ? 'any word' : undefined };
      return withPartOfFirst(periods, partNamed(part));
    },
  ),
  form(
    'letter',
    `(?<which>last|this|next)${BLANK}(?<m>${MONTH_NAME})(?![a-z])${NOT_COUNTED}(?!${GAP}\\d)`,
    ({ which = '', m = '' }, ask) => {
      const looks =
        which.toLowerCase() === 'last' ? 'back' : which.toLowerCase() === 'next' ? 'ahead' : ask.looks;
      const month = monthNamed(m);
      const isNow = month === ask.today.month && which.toLowerCase() !== 'this';
      if (isNow) return { periods: [monthIn(ask.today.year + (looks === 'back' ? -1 : 1), month)] };
      return { periods: yearlessMonth(month, { ...ask, looks }) };
    },
  ),
  // Q3 2025, 3Q25, 2025 Q3, third quarter of 2025
  form(
    undefined,
    `(?:(?<y1>${YEAR})${BLANK})?(?:q(?<q1>[1-4])|(?<q2>[1-4])q|(?:the${BLANK})?(?<word>first|second|third|fourth)${BLANK}quarter)(?:${GAP}(?:of${BLANK})?['’]?(?<y2>${YEAR}|\\d\\d))?(?!${BLANK}holdings)`,
    ({ y1, q1, q2, word = '', y2 }, ask) => {
      const named = ['first', 'second', 'third', 'fourth'].indexOf(word.toLowerCase()) + 1;
      const quarter = named || Number(q1 ?? q2);
      const year = y1 ?? y2;
      return {
        periods: year === undefined ? quarterInSomeYear(quarter, ask) : [quarterIn(fullYear(year), quarter)],
      };
    },
  ),
  // early 2025, end of 2025
  form('letter', `${ENGLISH_PART}(?<y>${YEAR})${NOT_COUNTED}`, ({ part = '', y }) =>
    partOf(yearOf(Number(y)), partNamed(part)),
  ),
  // in 2025, since 2025
  form('letter', `(?:in|since|during)${BLANK}(?<y>${YEAR})${NOT_COUNTED}`, ({ y }) => ({
    periods: [yearOf(Number(y))],
  })),
  // 11/13/2026, 13.11.2026, 03/04/26
  form(
    'digit',
    `(?<a>\\d{1,2})(?<sep>[-./])(?<b>\\d{1,2})\\k<sep>(?<c>${YEAR}|\\d{1,2})(?:\\.(?!\\d))?`,
    ({ a = '', sep, b = '', c = '' }, ask) => {
      const periods = numericPeriods(a, b, c, sep === '.', ask);
      return periods.length === 0 && c.length <= 2 ? undefined : { periods, said: 'full' };
    },
  ),
  // 11/13
  form('digit', `(?<a>\\d{1,2})/(?<b>\\d{1,2})${NOT_COUNTED}`, ({ a, b }, ask) =>
    isMonthAndDay(Number(a), Number(b))
      ? {
          periods: shortPeriods(Number(a), Number(b), ask),
          needs: 'any word',
          isShort: true,
          said: 'yearless',
        }
      : undefined,
  ),
  // 11-13, 11. 13., 13/45
  form(
    'digit',
    `(?<a>\\d{1,2})[-./]${GAP}(?<b>\\d{1,2})\\.?`,
    ({ a, b }, ask) => ({ periods: shortPeriods(Number(a), Number(b), ask), said: 'yearless' }),
    'whole',
  ),
  // the 13th, the 3rd of last month
  form(
    'letter',
    `the${BLANK}(?<d>\\d{1,2})${NTH}(?![a-z])(?:${BLANK}(?:of${BLANK}(?:(?<which>last|this|next)|the)${BLANK}month))?`,
    ({ d, which }, ask) => {
      if (which === undefined) return { periods: monthlessDay(Number(d), ask) };
      const away = { last: -1, this: 0, next: 1 }[which.toLowerCase()] ?? 0;
      const { year, month } = ask.today.with({ day: 1 }).add({ months: away });
      return { periods: dayOrNone(dateOf(year, month, Number(d))) };
    },
  ),
  form('digit', `(?<d>\\d{1,2})${NTH}`, ({ d }, ask) => ({ periods: monthlessDay(Number(d), ask) }), 'whole'),
];
