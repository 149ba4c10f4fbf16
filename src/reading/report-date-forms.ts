import { GAP, MONTH_NAME, monthNamed } from './calendar-words.ts';
import { fullYear } from './calendar-periods.ts';
import { characterTest, isAsciiLetter, isDigit } from './characters.ts';
import { dateAt } from './dates.ts';
import { dayNumber, type StatedDay } from './day-numbers.ts';
import { endAt, matchAt } from './reading.ts';

/** A date as it is written. Its year may follow from what stands beside it. */
export interface WrittenDate {
  readonly start: number;
  readonly end: number;
  readonly day: StatedDay | undefined;
  /** What the general reader of dates makes of it, for dates that have no month and day to look at. */
  readonly days?: readonly number[];
  readonly isRelative?: boolean;
}

const BLANK = '[ \\t]{1,3}';
const YEAR = '(?:19|20)\\d\\d';
const DAY = '(?:3[01]|[12]\\d|0?[1-9])(?!\\d)';
const MONTH = '(?:1[0-2]|0?[1-9])(?!\\d)';
const NTH = '(?:st|nd|rd|th)?(?![a-z\\d])';
const WEEKDAY = '[월화수목금토일](?:요일)?|(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?';
const WEEKDAY_BEHIND = `(?:${GAP}(?:\\((?:${WEEKDAY})\\)|[월화수목금토일]요일))?`;
const YEAR_BEHIND = `(?:(?:,|${BLANK})${GAP}(?<y>${YEAR})(?![\\d.,]?\\d))?`;
/** Counts, not days: `may 3 times`, `March 10 shares`, `1/2 of it`. */
const NOT_COUNTED = `(?!${GAP}(?:%|x(?![a-z])|times|shares?|percent|stocks?|companies|split|of |주(?!일)|개|원|달러|배|won|dollars?|usd|krw|bucks|k(?![a-z])|bn|billion|million|thousand))(?![.,]?\\d)`;
/** Spans, not days: `20일선`, `12일 EMA`, `5일 연속`, `3일에 걸쳐`. */
const NOT_A_SPAN = `(?!${GAP}(?:선|이동|이평|평균|지수|단순|간|동안|연속|이내|만에|전|후|뒤|째|물|변동|수익률|거래|ema|sma|ma(?![a-z])|rsi|var|atr|adx|cci)|에${GAP}걸)`;

const pattern = (source: string): RegExp => new RegExp(source, 'iuy');

/** 2026-11-13, 2026/11/13, 2026. 11. 13., 2026년 11월 13일, 26년 11월 13일 */
const YEAR_FIRST = pattern(
  `(?<y>${YEAR}|\\d\\d(?=${GAP}년))(?:-(?<m1>${MONTH})-(?<d1>${DAY})|/(?<m2>${MONTH})/(?<d2>${DAY})|\\.${GAP}(?<m3>${MONTH})\\.${GAP}(?<d3>${DAY})|${GAP}년${GAP}(?<m4>${MONTH})${GAP}월${GAP}(?<d4>\\d{1,2})(?:${GAP}일|(?=${GAP}[~-]${GAP}\\d{1,2}${GAP}일)))${WEEKDAY_BEHIND}`,
);
/** 11월 13일, 11월 13일(금), and 1월 26 of `1월 26~29일`, which has the unit for both. */
const KOREAN = pattern(
  `(?<m>\\d{1,2})${GAP}월${GAP}(?<d>\\d{1,2})(?:${GAP}일|(?=${GAP}[~-]${GAP}\\d{1,2}${GAP}일))${WEEKDAY_BEHIND}`,
);
/** 11/13, 11/13(금) */
const SLASHED = pattern(`(?<m>${MONTH})/(?<d>${DAY})(?![/%])${NOT_COUNTED}${WEEKDAY_BEHIND}`);
/** 11-14 06:00 */
const BEFORE_CLOCK = pattern(`(?<m>${MONTH})[-.](?<d>${DAY})(?=${BLANK}\\d{1,2}:\\d\\d)`);
/** 11.13(금) */
const BEFORE_WEEKDAY = pattern(`(?<m>${MONTH})\\.${GAP}(?<d>${DAY})\\.?${GAP}\\((?:${WEEKDAY})\\)`);
/** 11-14, if nothing else stands in the cell of a table */
const IN_CELL = pattern(`(?<m>0[1-9]|1[0-2])-(?<d>0[1-9]|[12]\\d|3[01])(?=[ \\t]{0,20}(?:\\||\\n|$))`);
/** 13 Nov 2026, 13th of November */
const DAY_FIRST = pattern(
  `(?<d>\\d{1,2})(?<nth>st|nd|rd|th)?(?:-|${BLANK}(?:of${BLANK})?)(?<m>${MONTH_NAME})(?![a-z])\\.?(?:(?:,|-|${BLANK})${GAP}(?<y>${YEAR})(?![\\d.,]?\\d))?`,
);
/** 26 of `26-29 January 2027` */
const FIRST_OF_TWO = pattern(
  `(?<d>${DAY})(?=${GAP}(?:-|to|and)${GAP}${DAY}${BLANK}(?<m>${MONTH_NAME})(?![a-z])\\.?${YEAR_BEHIND})`,
);
/** Nov 13, November 13th, 2026 */
const MONTH_FIRST = pattern(
  `(?<m>${MONTH_NAME})\\.?${BLANK}(?<d>\\d{1,2})${NTH}${YEAR_BEHIND}${NOT_COUNTED}`,
);
/** 11/13/2026, 13.11.2026, 26.11.13: the general reader knows their orders. */
const THREE_NUMBERS = pattern(
  `\\d{1,2}(?<mark>[-./])\\d{1,2}\\k<mark>(?:${YEAR}|\\d\\d)(?![\\d%]|[.,/-]\\d)`,
);
/** 2026년 3월, 2026년 3분기, 7월, 3분기: they have no day. */
const KOREAN_PERIOD = pattern(
  `(?:${YEAR}${GAP}년(?:${GAP}(?:${MONTH}${GAP}월|[1-4]${GAP}분기))?|${MONTH}${GAP}월|[1-4]${GAP}분기)(?:${GAP}(?:초|중순|말))?(?![a-z\\d]|(?![에은는이가의도만과와부까로기])[가-힣])`,
);
/** March 2026, Q3 2026 */
const ENGLISH_PERIOD = pattern(`(?:(?:${MONTH_NAME})\\.?,?|q[1-4])${BLANK}${YEAR}(?![\\d.,]?\\d)`);
/** `Friday,` before November 13 */
const WEEKDAY_BEFORE = pattern(
  `(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\\.?,?${BLANK}(?:the${BLANK})?(?=\\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`,
);
const RELATIVE = pattern(
  `(?:(?:지지난|지난|이번|다음)${GAP}주?${GAP}|오는${GAP})?[월화수목금토일]요일|어제|그제|그저께|엊그제|(?:(?:last|this|next)${BLANK})?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?![a-z])|yesterday`,
);

/** `29` of `January 26 and 29, 2027`. */
export const SECOND_DAY = pattern(`(?<d>${DAY})${NTH}${YEAR_BEHIND}${NOT_COUNTED}`);
/** `29일` of `1월 26일에서 29일`. */
export const SECOND_KOREAN_DAY = pattern(`(?<d>${DAY})${GAP}일${WEEKDAY_BEHIND}${NOT_A_SPAN}`);
/** `on the 12th`, from the article on. */
export const THE_NTH = pattern(
  `the${BLANK}(?<d>${DAY.replace('(?!\\d)', '')})(?:st|nd|rd|th)(?![a-z])(?!${BLANK}(?:day|week|month|quarter|year|straight|consecutive|percentile|place|time|most|largest|highest|lowest))`,
);

/** Words as well, which are months only with a capital: `it may 3 …`. */
const IS_WORD = /^(?:mar|may|march|dec|jan)$/u;
/** Written like a ticker: `MAR 10`. */
const IS_TICKER = /^[A-Z]{3}$/u;

/** `작년 10월 3일`. */
const YEAR_WORD = /(?<word>재작년|작년|지난해|전년|올해|금년|내년)[ \t]{0,3}$/u;
const YEARS_AWAY: Readonly<Record<string, number>> = {
  재작년: -2,
  작년: -1,
  지난해: -1,
  전년: -1,
  올해: 0,
  금년: 0,
  내년: 1,
};
const LONGEST_YEAR_WORD = 6;
const isYearWordEnd = characterTest(/[년해]/u);
const isBlank = characterTest(/[ \t]/u);

/** The position before the blanks before this one. */
const beforeBlanks = (text: string, at: number): number => {
  let before = at - 1;
  while (isBlank(text.charCodeAt(before)) && at - before < 20) before -= 1;
  return before;
};

const yearBefore = (text: string, at: number, today: Temporal.PlainDate): number | undefined => {
  if (!isYearWordEnd(text.charCodeAt(beforeBlanks(text, at)))) return undefined;
  const word = YEAR_WORD.exec(text.slice(Math.max(0, at - LONGEST_YEAR_WORD), at))?.groups?.['word'];
  return word === undefined ? undefined : today.year + (YEARS_AWAY[word] ?? 0);
};

const read = (form: RegExp, text: string, at: number): WrittenDate | undefined => {
  const match = matchAt(form, text, at);
  if (!match) return undefined;
  const { y, nth, m, m1, m2, m3, m4, d, d1, d2, d3, d4 } = match.groups ?? {};
  const month = m ?? m1 ?? m2 ?? m3 ?? m4 ?? '';
  const isName = !isDigit(month.charCodeAt(0));
  if (isName && y === undefined && nth === undefined && (IS_WORD.test(month) || IS_TICKER.test(month)))
    return undefined;
  return {
    start: at,
    end: at + match[0].length,
    day: {
      year: y === undefined ? undefined : fullYear(y),
      month: isName ? monthNamed(month) : Number(month),
      day: Number(d ?? d1 ?? d2 ?? d3 ?? d4),
    },
  };
};

/** A period, which has no day. */
const period = (form: RegExp, text: string, at: number): WrittenDate | undefined => {
  const end = endAt(form, text, at);
  return end === undefined ? undefined : { start: at, end, day: undefined };
};

/** What the general reader of dates says about this part of the text. */
const general = (
  text: string,
  start: number,
  end: number,
  today: Temporal.PlainDate,
): WrittenDate | undefined => {
  const reading = dateAt(text, start, {}, today);
  if (!reading) return undefined;
  const days = [reading.value, ...reading.alternatives].flatMap((value) =>
    value.status === 'date' && value.precision === 'day'
      ? (dayNumber(value.first.year, value.first.month, value.first.day) ?? [])
      : [],
  );
  const isRelative = reading.value.status === 'date' && reading.value.said === 'relative';
  return { start, end, day: undefined, days, isRelative };
};

const LONGEST_GAP = 3;
const YEAR_DIGITS = 4;
const isYearMark = characterTest(/[-/.년]/u);

/** A date that starts with this digit. The character after the number tells which form it can be. */
export const dateAtDigit = (text: string, at: number, today: Temporal.PlainDate): WrittenDate | undefined => {
  let end = at + 1;
  while (isDigit(text.charCodeAt(end))) end += 1;
  const length = end - at;
  if (length === 3 || length > YEAR_DIGITS) return undefined;
  let next = end;
  while (isBlank(text.charCodeAt(next)) && next - end < LONGEST_GAP) next += 1;
  const mark = text.charAt(next);
  if (length === YEAR_DIGITS) {
    if (!isYearMark(mark.charCodeAt(0))) return undefined;
    return read(YEAR_FIRST, text, at) ?? (mark === '년' ? period(KOREAN_PERIOD, text, at) : undefined);
  }
  if (mark === '년') return read(YEAR_FIRST, text, at);
  if (mark === '월') {
    const date = read(KOREAN, text, at);
    if (!date?.day) return period(KOREAN_PERIOD, text, at);
    return { ...date, day: { ...date.day, year: yearBefore(text, at, today) } };
  }
  if (mark === '분') return period(KOREAN_PERIOD, text, at);
  if (isAsciiLetter(mark.charCodeAt(0))) return read(DAY_FIRST, text, at) ?? read(FIRST_OF_TWO, text, at);
  if (mark === '-' && next > end) return read(FIRST_OF_TWO, text, at);
  if (next > end || (mark !== '/' && mark !== '-' && mark !== '.')) return undefined;
  const three = endAt(THREE_NUMBERS, text, at);
  if (three !== undefined) return general(text, at, three, today);
  if (mark === '/') return read(SLASHED, text, at);
  const clock = read(BEFORE_CLOCK, text, at);
  if (clock) return clock;
  if (mark === '.') return read(BEFORE_WEEKDAY, text, at);
  if (isAsciiLetter(text.charCodeAt(end + 1))) return read(DAY_FIRST, text, at);
  const cell = text.charAt(beforeBlanks(text, at)) === '|' ? read(IN_CELL, text, at) : undefined;
  return cell ?? read(FIRST_OF_TWO, text, at);
};

const LOWER = 32;
/** Three letters or two syllables as one number, which needs no new string for each word of a text. */
const startCode = (text: string, at: number): number => {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  if (!isAsciiLetter(first)) return first * 0x1_00_00 + second;
  return ((first | LOWER) << 16) | ((second | LOWER) << 8) | (text.charCodeAt(at + 2) | LOWER);
};

/** How months, weekdays, quarters and relative days start. */
const STARTS: ReadonlySet<number> = new Set(
  `jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun las thi nex yes q1_ q2_ q3_ q4_
   월요 화요 수요 목요 금요 토요 일요 어제 그제 그저 엊그 지지 지난 이번 다음 오는`
    .split(/\s+/u)
    .map((start) => startCode(start.replace('_', ' '), 0)),
);

const relative = (text: string, at: number, today: Temporal.PlainDate): WrittenDate | undefined => {
  const end = endAt(RELATIVE, text, at);
  return end === undefined ? undefined : general(text, at, end, today);
};

/** A date that starts with this letter, in English or Korean. */
export const dateAtLetter = (
  text: string,
  at: number,
  today: Temporal.PlainDate,
): WrittenDate | undefined => {
  if (!STARTS.has(startCode(text, at))) return undefined;
  if (!isAsciiLetter(text.charCodeAt(at))) return relative(text, at, today);
  const start = endAt(WEEKDAY_BEFORE, text, at) ?? at;
  const date = isDigit(text.charCodeAt(start))
    ? dateAtDigit(text, start, today)
    : read(MONTH_FIRST, text, start);
  if (date) return { ...date, start: at };
  return period(ENGLISH_PERIOD, text, at) ?? relative(text, at, today);
};
