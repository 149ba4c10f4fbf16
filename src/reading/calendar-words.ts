import { isLetterOrDigit } from './characters.ts';

/**
 * Calendar and clock words shared by the readers of dates, times, spans and schedules, as case-insensitive pattern
 * parts.
 */

/** Spaces within a date, which never spans lines. */
export const GAP = '[ \\t]{0,3}';
export const BLANK = '[ \\t]{1,3}';

export const MONTH_NAME =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** 1 to 12, or 0 if the name is not a month. */
export const monthNamed = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

export const WEEKDAY_NAME =
  'mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|[월화수목금토일](?:요일|욜)';
const WEEKDAYS_EN = 'mon tue wed thu fri sat sun'.split(' ');
const WEEKDAYS_KO = '월화수목금토일';

/** 1 (Monday) to 7, or 0 if the name is not a weekday. */
export const weekdayNamed = (name: string): number =>
  Math.max(WEEKDAYS_EN.indexOf(name.slice(0, 3).toLowerCase()), WEEKDAYS_KO.indexOf(name.slice(0, 1))) + 1;

/** Used before 달, 시, 시간, 주, 해. */
const NATIVE = '한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두'.split(' ');
/** Used before 년, 개월, 주일. */
const SINO = '일 이 삼 사 오 육 칠 팔 구 십 십일 십이'.split(' ');
const ENGLISH = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const MORE_NATIVE = { 석: 3, 넉: 4 };
const MORE_SINO = { 이십: 20, 삼십: 30 };
const MORE_ENGLISH = { a: 1, an: 1, fifteen: 15, twenty: 20, thirty: 30, ninety: 90 };

const numbered = (words: readonly string[], others: Readonly<Record<string, number>>): Map<string, number> =>
  new Map([...words.map((word, index) => [word, index + 1] as const), ...Object.entries(others)]);

const COUNTS = {
  native: numbered(NATIVE, MORE_NATIVE),
  sino: numbered(SINO, MORE_SINO),
  english: numbered(ENGLISH, MORE_ENGLISH),
};
const ALL_COUNTS = new Map([...COUNTS.native, ...COUNTS.sino, ...COUNTS.english]);

const longestFirst = (words: Iterable<string>): string =>
  [...words].toSorted((a, b) => b.length - a.length).join('|');

export const NATIVE_COUNT = longestFirst(COUNTS.native.keys());
export const SINO_COUNT = longestFirst(COUNTS.sino.keys());
export const ENGLISH_COUNT = longestFirst(COUNTS.english.keys());

/** `3`, `1.5`, `두`, `a`, `twelve`. */
export const countOf = (written: string): number => ALL_COUNTS.get(written.toLowerCase()) ?? Number(written);

/** Letters and digits of any script. */
export const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && isLetterOrDigit(character.charCodeAt(0));
