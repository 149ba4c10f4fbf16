import { GAP } from './calendar-words.ts';
import { characterTest, isAsciiLetter, isDigit, isLetterOrDigit } from './characters.ts';
import {
  dayNumber,
  daysInMonthOf,
  daysInMonthsNear,
  daysNear,
  withYearOfFirst,
  withYearOfLast,
} from './day-numbers.ts';
import { endAt, foldWidth, matchAt } from './reading.ts';
import {
  dateAtDigit,
  dateAtLetter,
  SECOND_DAY,
  SECOND_KOREAN_DAY,
  THE_NTH,
  type WrittenDate,
} from './report-date-forms.ts';

/** A date in a text that reports facts. */
export interface DateMention {
  readonly start: number;
  readonly end: number;
  /** Days since 1970 that it may mean, likeliest first. Empty for months, quarters, years and impossible days. */
  readonly days: readonly number[];
  /** Counted from today: `어제`, `last Friday`. */
  readonly isRelative: boolean;
}

export interface ReportDateOptions {
  /** Read `12일` and `on the 12th` as days of the month that the text speaks of. Otherwise they may be spans or ranks. */
  readonly allowsBareDays?: boolean;
}

/** How a date is tied to the one before it. */
type Join = 'range' | 'list';

interface Joined extends WrittenDate {
  readonly join?: Join | undefined;
  /** The day of a month that is not written. */
  readonly bareDay?: number;
}

const RANGE = new RegExp(
  `${GAP}(?:[~—-]|부터|에서|(?:to|through|thru|until|till)(?![a-z]))${GAP}(?:the[ \\t])?`,
  'iuy',
);
const LIST = new RegExp(`${GAP}(?:과|와|및|(?:and|or)(?![a-z]))${GAP}(?:the[ \\t])?`, 'iuy');
/** Without these words before a month, the number in `January 26 and 29` may be anything. */
const OPENS_RANGE = /(?:from|between)[ \t]{1,3}$/iu;
const LONGEST_OPENING = 12;
/** The end of a range that words do not go on after. */
const NOTHING_FOLLOWS = /[ \t]{0,3}(?:[,.;:)|\n]|$)/uy;
/** What follows a day of the month but not a span. */
const OF_A_DAY = new RegExp(`에(?!서)|자(?![가-힣])|부터|까지|${GAP}(?:종가|시가|마감|오전|오후|현지)`, 'uy');
const LIST_BEFORE = /[,·~;(][ \t]?$/u;
/** How far behind a date a day still is in its month. */
const SAME_MONTH_REACH = 120;

const isSign = characterTest(/[$₩€£¥#@%+:]/u);
const isJoint = characterTest(/[.,/-]/u);
const isBlank = characterTest(/[ \t]/u);
/** First letters of months, weekdays, quarters and relative days. */
const mayStartEnglish = characterTest(/[jfmasondtwqly]/i);
const mayStartKorean = characterTest(/[월화수목금토일어그엊지이다오]/u);

/** False after characters that rule out a date: `$2026`, `1,11/13`, `-11`. */
const beginsAt = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1);
  if (isLetterOrDigit(before) || isSign(before)) return false;
  return !(isJoint(before) && isLetterOrDigit(text.charCodeAt(at - 2)));
};

const opensRange = (text: string, at: number): boolean =>
  isBlank(text.charCodeAt(at - 1)) && OPENS_RANGE.test(text.slice(Math.max(0, at - LONGEST_OPENING), at));

/** The second day of a range or list, if it names no month: `26~29일`, `January 26 and 29, 2027`. */
const secondDay = (text: string, first: WrittenDate, at: number, join: Join): Joined | undefined => {
  if (!first.day) return undefined;
  const korean = matchAt(SECOND_KOREAN_DAY, text, at);
  const match = korean ?? matchAt(SECOND_DAY, text, at);
  if (!match) return undefined;
  const { d, y } = match.groups ?? {};
  const end = at + match[0].length;
  const day = Number(d);
  const isLater = day > first.day.day;
  const isSure =
    y !== undefined ||
    at === first.end + 1 ||
    (join === 'range' && endAt(NOTHING_FOLLOWS, text, end) !== undefined) ||
    opensRange(text, first.start);
  if (!korean && !(isSure && isLater)) return undefined;
  const year = y === undefined ? undefined : Number(y);
  const month = isLater ? first.day.month : (first.day.month % 12) + 1;
  return { start: at, end, day: { year, month, day }, join };
};

const bareDayAt = (
  text: string,
  at: number,
  end: number,
  previous: Joined | undefined,
): Joined | undefined => {
  const isLetter = isAsciiLetter(text.charCodeAt(at));
  // Most words are none.
  if (isLetter && !text.startsWith('the ', at)) return undefined;
  const match = matchAt(isLetter ? THE_NTH : SECOND_KOREAN_DAY, text, at);
  if (!match) return undefined;
  const bare = { start: at, end: at + match[0].length, day: undefined, bareDay: Number(match.groups?.['d']) };
  if (isLetter || match[0].endsWith(')') || endAt(OF_A_DAY, text, bare.end) !== undefined) return bare;
  const isNear = previous !== undefined && at - end <= SAME_MONTH_REACH;
  return isNear && LIST_BEFORE.test(text.slice(Math.max(0, at - 2), at)) ? bare : undefined;
};

const isMonthKnown = ({ day, bareDay }: Joined): boolean => day !== undefined || bareDay !== undefined;

/** The dates of a text as they are written. */
const writtenDates = (
  text: string,
  today: Temporal.PlainDate,
  allowsBareDays: boolean,
): readonly Joined[] => {
  const found: Joined[] = [];
  let at = 0;
  let dated: Joined | undefined;
  const take = (date: Joined): void => {
    found.push(date);
    at = date.end;
    if (isMonthKnown(date)) dated = date;
  };
  const dateAt = (position: number): Joined | undefined => {
    const code = text.charCodeAt(position);
    if (isDigit(code)) return dateAtDigit(text, position, today);
    return mayStartEnglish(code) || mayStartKorean(code) ? dateAtLetter(text, position, today) : undefined;
  };
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (!isDigit(code) && !mayStartEnglish(code) && !mayStartKorean(code)) {
      at += 1;
      continue;
    }
    const date = beginsAt(text, at)
      ? (dateAt(at) ?? (allowsBareDays ? bareDayAt(text, at, dated?.end ?? 0, dated) : undefined))
      : undefined;
    if (!date) {
      at += 1;
      while (
        isDigit(code)
          ? isDigit(text.charCodeAt(at))
          : isAsciiLetter(code) && isAsciiLetter(text.charCodeAt(at))
      )
        at += 1;
      continue;
    }
    take(date);
    for (let last: Joined = date; last.day;) {
      const toRange = endAt(RANGE, text, at);
      const to = toRange ?? endAt(LIST, text, at);
      if (to === undefined) break;
      const join: Join = toRange === undefined && !opensRange(text, last.start) ? 'list' : 'range';
      const next = dateAt(to);
      const second = next?.day ? { ...next, join } : secondDay(text, last, to, join);
      if (!second) break;
      take(second);
      last = second;
    }
  }
  return found;
};

const daysOf = (
  date: Joined,
  others: readonly Joined[],
  index: number,
  today: Temporal.PlainDate,
): readonly number[] => {
  const { day } = date;
  if (!day) return date.days ?? [];
  if (day.year !== undefined) return [dayNumber(day.year, day.month, day.day) ?? []].flat();
  const [before, after] = [others[index - 1], others[index + 1]];
  const near = daysNear(day.month, day.day, today);
  const resolved =
    after?.join !== undefined && after.day?.year !== undefined
      ? withYearOfLast(day, after.day)
      : date.join !== undefined && before?.day?.year !== undefined
        ? withYearOfFirst(before.day, day)
        : day;
  if (resolved.year === undefined) return near;
  const own = [dayNumber(resolved.year, resolved.month, resolved.day) ?? []].flat();
  const isRange = (after?.day?.year === undefined ? date.join : after.join) === 'range';
  return isRange ? own : [...new Set([...own, ...near])];
};

/** Every date of a text that reports facts, left to right, without prepositions and particles. */
export const reportDatesIn = (
  text: string,
  today: Temporal.PlainDate,
  { allowsBareDays = false }: ReportDateOptions = {},
): readonly DateMention[] => {
  const found = writtenDates(foldWidth(text), today, allowsBareDays);
  const mentions: DateMention[] = [];
  let known: DateMention | undefined;
  for (const [index, date] of found.entries()) {
    const { start, end, bareDay, isRelative = false } = date;
    const isNear = known !== undefined && start - known.end <= SAME_MONTH_REACH;
    const days =
      bareDay === undefined
        ? daysOf(date, found, index, today)
        : known && isNear
          ? known.days.flatMap((day) => daysInMonthOf(day, bareDay))
          : daysInMonthsNear(bareDay, today);
    const mention = { start, end, days, isRelative };
    mentions.push(mention);
    if (isMonthKnown(date)) known = mention;
  }
  return mentions;
};
