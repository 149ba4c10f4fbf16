import { BLANK, GAP, WEEKDAY_NAME, weekdayNamed } from './calendar-words.ts';
import {
  type DateQuery,
  choosePeriod,
  type DateForm,
  dateOf,
  dayPeriod,
  type FormReading,
  monthOf,
  partNamed,
  partOf,
  type Period,
  quarterOf,
  weekOf,
  withPart,
  yearOf,
} from './calendar-periods.ts';

const form = (pattern: string, read: DateForm['read']): DateForm => ({
  begins: 'letter',
  pattern: new RegExp(pattern, 'iuy'),
  read,
});

/** Days from today. */
const DAY_WORDS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['tonight', 0],
  ['오늘', 0],
  ['금일', 0],
  ['tomorrow', 1],
  ['tmr', 1],
  ['tmrw', 1],
  ['내일', 1],
  ['낼', 1],
  ['명일', 1],
  ['모레', 2],
  ['낼모레', 2],
  ['내일모레', 2],
  ['dayaftertomorrow', 2],
  ['글피', 3],
  ['그글피', 4],
  ['yesterday', -1],
  ['lastnight', -1],
  ['어제', -1],
  ['어저께', -1],
  ['어젯밤', -1],
  ['그제', -2],
  ['그저께', -2],
  ['엊그제', -2],
  ['엊그저께', -2],
  ['daybeforeyesterday', -2],
  ['그끄제', -3],
  ['그끄저께', -3],
]);
const DAY_WORD = `내일모레|낼모레|오늘|금일|내일|낼|명일|모레|그글피|글피|어젯밤|어제|어저께|그제|그저께|엊그제|엊그저께|그끄제|그끄저께|today|tonight|tomorrow|tmrw|tmr|yesterday|last${BLANK}night|(?:the${BLANK})?day${BLANK}(?:before${BLANK}yesterday|after${BLANK}tomorrow)`;

/** `엊그제` is vague, about two days ago. */
const ABOUT_TWO = /^엊그/u;

/** Offset in units, by the word before the unit. */
const OFFSETS: ReadonlyMap<string, number> = new Map([
  ['지지난', -2],
  ['저저번', -2],
  ['지난', -1],
  ['저번', -1],
  ['전', -1],
  ['last', -1],
  ['previous', -1],
  ['prior', -1],
  ['past', -1],
  ['이번', 0],
  ['이', 0],
  ['금', 0],
  ['당', 0],
  ['this', 0],
  ['current', 0],
  ['the', 0],
  ['다음', 1],
  ['담', 1],
  ['차', 1],
  ['next', 1],
  ['coming', 1],
  ['다다음', 2],
]);
const awayOf = (word: string): number => OFFSETS.get(word.toLowerCase().trim()) ?? 0;

const WEEK_KO = '지지난|저저번|지난|저번|이번|금|다다음|다음|담|차';
const MONTH_KO = '지지난|저저번|지난|저번|전|이번|이|당|다다음|다음|담';
const KOREAN_PART = '초반|초|중순|중반|하순|상순|말';

/** The period `away` units from the current one. */
const periodAtOffset = (unit: string, away: number, today: Temporal.PlainDate): Period => {
  switch (unit.toLowerCase()) {
    case 'week':
    case '주':
      return weekOf(today.add({ weeks: away }));
    case 'month':
    case '달':
    case '월':
      return monthOf(today.with({ day: 1 }).add({ months: away }));
    case 'quarter':
    case '분기':
      return quarterOf(today.with({ day: 1 }).add({ months: 3 * away }));
    default:
      return yearOf(today.year + away);
  }
};

/** `월말`, `the end of the year`: of the current period or of the one the caller looks at. */
const partOfPeriod = (unit: string, part: string, ask: DateQuery): FormReading => {
  const { periods, isApproximate = false } = partOf(periodAtOffset(unit, 0, ask.today), part);
  const isAhead = periods.some(({ first }) => Temporal.PlainDate.compare(first, ask.today) > 0);
  const isBehind = periods.some(({ first }) => Temporal.PlainDate.compare(first, ask.today) < 0);
  const away = ask.looks === 'back' && isAhead ? -1 : ask.looks === 'ahead' && isBehind ? 1 : 0;
  if (away === 0) return { periods, isApproximate };
  const other = partOf(periodAtOffset(unit, away, ask.today), part);
  return { periods: [...other.periods, ...periods], isApproximate };
};

const inWeek = (wanted: number, weeks: number, { today }: DateQuery): Temporal.PlainDate =>
  weekOf(today.add({ weeks })).first.add({ days: wanted - 1 });

const days = (...dates: readonly Temporal.PlainDate[]): FormReading => ({
  periods: dates.filter((date, at) => dates.findIndex((other) => other.equals(date)) === at).map(dayPeriod),
});

/** The last such weekday before today, or today if allowed. */
const previousWeekday = (wanted: number, { today }: DateQuery, canBeToday: boolean): Temporal.PlainDate => {
  const back = (today.dayOfWeek - wanted + 7) % 7;
  return today.subtract({ days: back === 0 && !canBeToday ? 7 : back });
};

const nextOf = (wanted: number, { today }: DateQuery, canBeToday: boolean): Temporal.PlainDate => {
  const ahead = (wanted - today.dayOfWeek + 7) % 7;
  return today.add({ days: ahead === 0 && !canBeToday ? 7 : ahead });
};

/** A weekday alone. Looking ahead on a Friday, `friday` means the next one. */
const bareWeekday = (wanted: number, ask: DateQuery): FormReading => {
  if (ask.looks === 'back') return days(previousWeekday(wanted, ask, true));
  if (ask.looks === 'ahead') return days(nextOf(wanted, ask, false));
  return days(nextOf(wanted, ask, true), previousWeekday(wanted, ask, true));
};

/** `last friday`, `next friday`: ambiguous unless it is the nearest one. */
const qualifiedWeekday = (which: string, wanted: number, ask: DateQuery): FormReading => {
  const last = previousWeekday(wanted, ask, false);
  switch (which.toLowerCase().replaceAll(/\s+/gu, ' ')) {
    case 'last':
    case '지난':
    case '저번':
      return days(last, inWeek(wanted, -1, ask));
    case 'past':
    case 'this past':
      return days(last);
    case 'next':
      return days(inWeek(wanted, 1, ask), nextOf(wanted, ask, false));
    case '다음':
    case '담':
      return days(nextOf(wanted, ask, false), inWeek(wanted, 1, ask));
    case 'coming':
    case 'this coming':
    case '오는':
    case '돌아오는':
      return days(nextOf(wanted, ask, false));
    default: {
      const ofWeek = inWeek(wanted, 0, ask);
      const isOver = Temporal.PlainDate.compare(ofWeek, ask.today) < 0;
      return ask.looks === 'ahead' && isOver ? days(ofWeek.add({ weeks: 1 }), ofWeek) : days(ofWeek);
    }
  }
};

/** Abbreviations that are also words: `I sat`, `the sun`, `we wed`. */
const AMBIGUOUS_WEEKDAYS = /^(?:mon|wed|sat|sun)$/iu;

/** In the Korean lunar calendar. */
const lunar = (year: number, monthCode: string, day: number): Temporal.PlainDate =>
  Temporal.PlainDate.from({ calendar: 'dangi', year, monthCode, day }).withCalendar('iso8601');

const HOLIDAYS: readonly (readonly [RegExp, (year: number) => Temporal.PlainDate])[] = [
  [/eve|이브/iu, (year) => new Temporal.PlainDate(year, 12, 24)],
  [/^(?:christmas|xmas|크리스마스|성탄절)/iu, (year) => new Temporal.PlainDate(year, 12, 25)],
  [/^(?:설|구정)/u, (year) => lunar(year, 'M01', 1)],
  [/^(?:추석|한가위)/u, (year) => lunar(year, 'M08', 15)],
  [/^/u, (year) => new Temporal.PlainDate(year, 1, 1)],
];
const HOLIDAY = `(?:christmas|xmas)(?:${BLANK}(?:day|eve))?|new${BLANK}year['’]?s?${BLANK}day|크리스마스(?:${GAP}이브)?|성탄절|신정|새해${GAP}첫날|설날|구정|추석|한가위`;

const holiday = (name: string, yearsAway: number | undefined, ask: DateQuery): FormReading => {
  const on = HOLIDAYS.find(([pattern]) => pattern.test(name))?.[1];
  if (!on) return { periods: [] };
  const { today } = ask;
  if (yearsAway !== undefined) return days(on(today.year + yearsAway));
  const around = [-1, 0, 1].map((away) => dayPeriod(on(today.year + away)));
  // A question about a holiday means the next one.
  const looks = ask.looks === 'back' ? 'back' : 'ahead';
  return { periods: choosePeriod(around, { ...ask, looks }) };
};

export const RELATIVE_FORMS: readonly DateForm[] = [
  form(`(?<word>${DAY_WORD})`, ({ word = '' }, { today }) => {
    const key = word
      .toLowerCase()
      .replace(/^the\b/u, '')
      .replaceAll(/[ \t]/gu, '');
    return {
      periods: [dayPeriod(today.add({ days: DAY_WORDS.get(key) ?? 0 }))],
      isApproximate: ABOUT_TWO.test(key),
    };
  }),
  // 지난주 금요일
  form(`(?<which>${WEEK_KO})${GAP}주${GAP}(?<day>${WEEKDAY_NAME})`, ({ which = '', day = '' }, ask) =>
    days(inWeek(weekdayNamed(day), awayOf(which), ask)),
  ),
  // last week friday, last week's Friday, Friday of last week
  form(
    `(?:(?<which1>last|this|next)${BLANK}week(?:['’]s|${BLANK}on)?${BLANK}(?<day1>${WEEKDAY_NAME})|(?<day2>${WEEKDAY_NAME})${BLANK}(?:of${BLANK})?(?<which2>last|this|next)${BLANK}week)`,
    ({ which1, day1, which2, day2 }, ask) =>
      days(inWeek(weekdayNamed(day1 ?? day2 ?? ''), awayOf(which1 ?? which2 ?? ''), ask)),
  ),
  // last friday, 지난 금요일
  form(
    `(?<which>(?:this${BLANK})?(?:past|coming)|last|this|next|지난|저번|이번|돌아오는|오는|다음|담)${GAP}(?<day>${WEEKDAY_NAME})`,
    ({ which = '', day = '' }, ask) => qualifiedWeekday(which, weekdayNamed(day), ask),
  ),
  form(`(?<day>${WEEKDAY_NAME})`, ({ day = '' }, ask) => ({
    ...bareWeekday(weekdayNamed(day), ask),
    needs: AMBIGUOUS_WEEKDAYS.test(day) ? 'a word of days' : undefined,
  })),
  // 지난주, 이번 달 15일, 지난달 말, 이번 분기
  form(`(?<which>${WEEK_KO})${GAP}주`, ({ which = '' }, { today }) => ({
    periods: [periodAtOffset('주', awayOf(which), today)],
  })),
  form(
    `(?:(?<which>${MONTH_KO})${GAP}달|(?<short>전|당)월)${GAP}(?<d>\\d{1,2})${GAP}일`,
    ({ which, short, d }, { today }) => {
      const { year, month } = periodAtOffset('달', awayOf(which ?? short ?? ''), today).first;
      const date = dateOf(year, month, Number(d));
      return { periods: date ? [dayPeriod(date)] : [] };
    },
  ),
  form(
    `(?:(?<which>${MONTH_KO})${GAP}(?<unit>달|분기)|(?<short>전|당)(?<shortUnit>월|분기))(?:${GAP}(?<part>${KOREAN_PART}))?`,
    ({ which, unit, short, shortUnit, part }, { today }) =>
      withPart(periodAtOffset(unit ?? shortUnit ?? '', awayOf(which ?? short ?? ''), today), part),
  ),
  // 월말, 연초, 분기말
  form(`(?<unit>월|연|년|분기)(?<part>초|말)`, ({ unit = '', part = '' }, ask) =>
    partOfPeriod(unit, part, ask),
  ),
  // last month, the end of the year, early next month, year-end
  form(
    `(?:(?<part>early|mid|late|(?:the${BLANK})?(?:start|beginning|middle|end)${BLANK}of)(?:${BLANK}|-))?(?<which>last|this|next|previous|prior|current|the)${BLANK}(?<unit>week|month|quarter|year)`,
    ({ part, which = '', unit = '' }, ask) => {
      const word = partNamed(part ?? '');
      // `the year` alone is not a date.
      if (which.toLowerCase() === 'the')
        return part === undefined ? undefined : partOfPeriod(unit, word, ask);
      return withPart(periodAtOffset(unit, awayOf(which), ask.today), part === undefined ? undefined : word);
    },
  ),
  form(
    `(?:end${BLANK}of${BLANK}(?<unit1>week|month|quarter|year)|(?<unit2>month|quarter|year)[ -]end)`,
    ({ unit1, unit2 }, ask) => partOfPeriod(unit1 ?? unit2 ?? '', 'end', ask),
  ),
  form(
    `(?:the${BLANK})?(?<unit>week|month|quarter|year)${BLANK}before${BLANK}last`,
    ({ unit = '' }, { today }) => ({
      periods: [periodAtOffset(unit, -2, today)],
    }),
  ),
  form(
    `(?:about${BLANK})?(?<same>this${BLANK}time|same${BLANK}day|today)${BLANK}last${BLANK}year`,
    ({ same = '' }, { today }) => ({
      periods: [dayPeriod(today.subtract({ years: 1 }))],
      isApproximate: /time/iu.test(same),
    }),
  ),
  // 작년 추석, 크리스마스, last Christmas
  form(
    `(?:(?<year>작년|지난해|올해|내년|지난|last|this|next)${GAP})?(?<name>${HOLIDAY})`,
    ({ year, name = '' }, ask) => {
      const away = { 작년: -1, 지난해: -1, 올해: 0, 내년: 1 }[year ?? ''];
      if (/^(?:last|지난)$/iu.test(year ?? '')) return holiday(name, undefined, { ...ask, looks: 'back' });
      if (/^next$/iu.test(year ?? '')) return holiday(name, undefined, { ...ask, looks: 'ahead' });
      return holiday(name, away, ask);
    },
  ),
];
