import type { WeekDay } from '#src/kernel/people/briefings.ts';
import { BLANK, GAP, weekdayNamed } from './calendar-words.ts';
import { everyReading, foldWidth, matchAt, type Reading } from './reading.ts';

const WORKING: readonly WeekDay[] = [1, 2, 3, 4, 5];
const WEEKEND: readonly WeekDay[] = [6, 7];
const ALL: readonly WeekDay[] = [...WORKING, ...WEEKEND];

const SETS: ReadonlyMap<string, readonly WeekDay[]> = new Map(
  Object.entries({
    weekday: WORKING,
    weekdays: WORKING,
    평일: WORKING,
    주중: WORKING,
    daily: ALL,
    day: ALL,
    everyday: ALL,
    매일: ALL,
    날마다: ALL,
    weekend: WEEKEND,
    weekends: WEEKEND,
    주말: WEEKEND,
  }),
);

const DAY =
  'mon(?:days?)?|tue(?:s(?:days?)?)?|wed(?:nesdays?)?|thu(?:r(?:s(?:days?)?)?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?|[월화수목금토일](?:요일|욜)?';
const SEPARATOR = `${GAP}(?:(?:[,、·/&+~-]|and(?![a-z])|및)${GAP}){0,2}`;
const SET = `(?:every${GAP}|each${BLANK})(?:day|weekday|weekend|morning|evening|night)|weekdays?|weekends?|daily|평일|주중|주말|매일|날마다`;

/** The weekdays with the words around them. */
const DAYS = new RegExp(
  `(?:(?:on|every|each|매주)${BLANK})?(?:(?<set>${SET})|(?<list>(?:${DAY})(?:${SEPARATOR}(?:${DAY})){0,13}))(?:마다|에)?,?(?!\\S)`,
  'iuy',
);
const EACH_DAY = new RegExp(`(?<dash>[~-][ \\t]{0,3})?(?<name>${DAY})`, 'giu');

/** Wraps around the end of the week: `금~월`. */
const daysBetween = (from: number, to: number): readonly number[] =>
  Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => ((from - 1 + index) % 7) + 1);

const daysOf = (list: string): readonly WeekDay[] => {
  const chosen = new Set<number>();
  let last = 0;
  for (const { groups } of list.matchAll(EACH_DAY)) {
    const day = weekdayNamed(groups?.['name'] ?? '');
    const isRange = groups?.['dash'] !== undefined && last > 0;
    for (const each of isRange ? daysBetween(last, day) : [day]) chosen.add(each);
    last = day;
  }
  return ALL.filter((day) => chosen.has(day));
};

const readingAt = (text: string, at: number): Reading<readonly WeekDay[]> | undefined => {
  const match = /\S/u.test(text[at - 1] ?? ' ') ? null : matchAt(DAYS, text, at);
  if (!match) return undefined;
  const { set, list = '' } = match.groups ?? {};
  const word = set?.toLowerCase().replace(/^(?:every|each)[ \t]{0,3}(?=\S)/u, '');
  const value = word === undefined ? daysOf(list) : (SETS.get(word) ?? ALL);
  return { value, start: at, end: at + match[0].length, isApproximate: false, alternatives: [] };
};

/** Recurring weekdays in a sentence: `weekdays`, `mon,wed,fri`, `월~금`. */
export const weekdaysIn = (text: string): readonly Reading<readonly WeekDay[]>[] =>
  everyReading(text, readingAt);

/** The whole text as weekdays. */
export const readWeekdays = (text: string): Reading<readonly WeekDay[]> | undefined => {
  const folded = foldWidth(text).trimEnd();
  const reading = readingAt(folded, folded.length - folded.trimStart().length);
  return reading?.end === folded.length ? reading : undefined;
};
