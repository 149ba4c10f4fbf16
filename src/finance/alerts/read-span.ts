import type { Timestamp } from '#src/core/ids.ts';
import { dateTyped } from '../answers/hours-date.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** Minutes of a unit, by how it begins. */
const UNITS: readonly (readonly [pattern: string, minutes: number])[] = [
  ['개월|달|months?|mo', 30 * DAY],
  ['주일?|weeks?|wks?|w', 7 * DAY],
  ['일|days?|d', DAY],
  ['시간|hours?|hrs?|h', HOUR],
  ['분|minutes?|mins?|m', 1],
];

/** `2h`, `90 min`, `30일`; as a part of a longer pattern. */
export const SPAN = String.raw`\d{1,6}(?:\.\d{1,2})? ?(?:${UNITS.map(([unit]) => unit).join('|')})`;
/** `2026-12-31`, `12/31`, `12월 31일`. */
export const DATE = String.raw`(?:\d{4} ?[-./년] ?)?\d{1,2} ?[-./월] ?\d{1,2}(?: ?일|\.)?`;

const WEEK_DAYS = [
  'mon(?:day)?|월요일',
  'tue(?:s(?:day)?)?|화요일',
  'wed(?:nesday)?|수요일',
  'thu(?:rs(?:day)?)?|목요일',
  'fri(?:day)?|금요일',
  'sat(?:urday)?|토요일',
  'sun(?:day)?|일요일',
] as const;
const IS_WEEK_DAY = WEEK_DAYS.map((name) => new RegExp(`(?:${name})$`, 'iu'));
const NEXT_WEEK = String.raw`next(?: week)?|다음 ?주`;
const THIS_WEEK = String.raw`this(?: week)?|이번 ?주`;
/** Days that have no number: `tomorrow`, `Friday`, `다음 주 금요일`, `연말`. */
export const DAY_NAME = String.raw`today|tomorrow|오늘|내일|모레|(?:(?:${NEXT_WEEK}|${THIS_WEEK}) ?)?(?:${WEEK_DAYS.join('|')})|(?:${NEXT_WEEK}|${THIS_WEEK})|this month|end of (?:the |this )?month|이번 ?달|월말|end of (?:the |this )?year|연말|올해`;

const ONE = new RegExp(
  `^(\\d{1,6}(?:\\.\\d{1,2})?) ?(?:${UNITS.map(([unit]) => `(${unit})`).join('|')})$`,
  'iu',
);

/** Whole minutes; undefined for what is no stretch of time. */
export const readSpanMinutes = (typed: string): number | undefined => {
  const match = ONE.exec(typed.replaceAll(/\s+/gu, ' ').trim());
  if (!match) return undefined;
  const unit = UNITS.find((_, index) => match[index + 2] !== undefined);
  return Math.round(Number(match[1]) * (unit?.[1] ?? 1));
};

const NAMED = new RegExp(`^(?:${DAY_NAME})$`, 'iu');
const IN_NEXT_WEEK = new RegExp(`^(?:${NEXT_WEEK})`, 'iu');
const IN_A_WEEK = new RegExp(`^(?:${NEXT_WEEK}|${THIS_WEEK})`, 'iu');
const SUNDAY = 7;

/** The last day that is meant by a name; a day of the week is the next of that name, and never today. */
const dayNamed = (typed: string, today: Temporal.PlainDate): Temporal.PlainDate | undefined => {
  if (!NAMED.test(typed)) return undefined;
  if (/month|달|월말/iu.test(typed)) return today.with({ day: today.daysInMonth });
  if (/year|연말|올해/iu.test(typed)) return today.with({ month: 12, day: 31 });
  const named = IS_WEEK_DAY.findIndex((pattern) => pattern.test(typed)) + 1;
  if (!IN_A_WEEK.test(typed))
    return named === 0 ? undefined : today.add({ days: (named - today.dayOfWeek + 7) % 7 || 7 });
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  return monday.add({ days: (named || SUNDAY) - 1, weeks: IN_NEXT_WEEK.test(typed) ? 1 : 0 });
};

/** `12/31`. */
const WITHOUT_YEAR = /^(?!.*\d{4}).*\d/u;

/** The end of that day, where the person is. A day without a year is the next one of that name. */
const endOfDate = (typed: string, now: Timestamp, timeZone: string): Timestamp | undefined => {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  const date = dayNamed(typed, today) ?? dateTyped(typed, now, timeZone);
  if (!date) return undefined;
  const isPast = Temporal.PlainDate.compare(date, today) < 0;
  const meant = isPast && WITHOUT_YEAR.test(typed) ? date.add({ years: 1 }) : date;
  return meant.add({ days: 1 }).toZonedDateTime(timeZone).toInstant();
};

const BESIDE = /^(?:for|until|till?|to) | ?(?:까지(?:만)?|동안|간)$/giu;

/** `30d`, `2026-12-31`, `until Friday`, `내일까지`: until when. Undefined for what is none, or is past. */
export const readUntil = (typed: string, now: Timestamp, timeZone: string): Timestamp | undefined => {
  const text = typed.replaceAll(/\s+/gu, ' ').trim().replaceAll(BESIDE, '');
  const minutes = readSpanMinutes(text);
  const until = minutes === undefined ? endOfDate(text, now, timeZone) : now.add({ minutes });
  return until && Temporal.Instant.compare(until, now) > 0 ? until : undefined;
};
