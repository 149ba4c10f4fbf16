import type { BriefingRecord, WeekDay } from '#src/core/briefing.ts';

/** When a briefing is told. */
export type Schedule = Pick<BriefingRecord, 'time' | 'days' | 'timeZone'>;

const WEEKDAYS: readonly WeekDay[] = [1, 2, 3, 4, 5];
const WEEKEND: readonly WeekDay[] = [6, 7];
const EVERY_DAY: readonly WeekDay[] = [...WEEKDAYS, ...WEEKEND];

const isSame = (a: readonly WeekDay[], b: readonly WeekDay[]): boolean => a.join() === b.join();

/** Which of the usual sets of days it is, if any. */
export const kindOfDays = (days: readonly WeekDay[]): 'weekdays' | 'weekends' | 'daily' | undefined => {
  if (isSame(days, WEEKDAYS)) return 'weekdays';
  if (isSame(days, WEEKEND)) return 'weekends';
  return isSame(days, EVERY_DAY) ? 'daily' : undefined;
};

/** Short, with single blanks: what all patterns below are made for. */
const keyOf = (text: string): string =>
  text.slice(0, 60).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

const MOMENTS: ReadonlyMap<string, number> = new Map([
  ['noon', 12],
  ['정오', 12],
  ['midnight', 0],
  ['자정', 0],
]);

const TIME = new RegExp(
  [
    String.raw`^(?<at>at )?(?<before>오전|오후|새벽|아침|점심|낮|저녁|밤|am|pm)? ?`,
    String.raw`(?<hour>\d{1,2})(?:[:.]?(?<minute>\d{2})|(?<si> ?시)(?: ?(?:(?<bun>\d{1,2}) ?분|(?<half>반)))?)?`,
    String.raw` ?(?<after>[ap]\.?m\.?)? ?에?$`,
  ].join(''),
);

/** The hour of the day by the part of it that was named; undefined where the two do not fit. */
const hourIn = (part: string, hour: number): number | undefined => {
  if (hour > 12) return /^(?:오후|저녁|밤|pm)$/.test(part) ? hour : undefined;
  if (hour === 0) return /^(?:오전|새벽|밤|am)$/.test(part) ? 0 : undefined;
  switch (part) {
    case '오전':
    case '새벽':
    case 'am':
      return hour % 12;
    case '아침':
      return hour < 12 ? hour : undefined;
    case '오후':
    case 'pm':
      return (hour % 12) + 12;
    case '저녁':
      return hour < 12 ? hour + 12 : undefined;
    case '밤':
      // One at night is one o'clock; ten at night is not.
      return hour === 12 ? 0 : hour < 6 ? hour : hour + 12;
    default:
      // Noon: from ten to three or so.
      return hour >= 10 ? hour : hour + 12;
  }
};

/** A time of day as people write it: `08:30`, `830`, `8:30am`, `at 6`, `아침 8시 반`, `정오`. A bare hour is none. */
export const readTime = (text: string): Temporal.PlainTime | undefined => {
  const key = keyOf(text);
  const moment = MOMENTS.get(key);
  if (moment !== undefined) return new Temporal.PlainTime(moment);
  const { at, before, hour, minute, si, bun, half, after } = TIME.exec(key)?.groups ?? {};
  if (hour === undefined || (before !== undefined && after !== undefined)) return undefined;
  const part = before ?? after?.replaceAll('.', '');
  if ((at ?? minute ?? si ?? part) === undefined) return undefined;
  const hours = part === undefined ? Number(hour) : hourIn(part, Number(hour));
  const minutes = half === undefined ? Number(minute ?? bun ?? 0) : 30;
  if (hours === undefined || hours > 23 || minutes > 59) return undefined;
  return new Temporal.PlainTime(hours, minutes);
};

const SETS: ReadonlyMap<string, readonly WeekDay[]> = new Map(
  Object.entries({
    weekday: WEEKDAYS,
    weekdays: WEEKDAYS,
    평일: WEEKDAYS,
    주중: WEEKDAYS,
    daily: EVERY_DAY,
    day: EVERY_DAY,
    everyday: EVERY_DAY,
    매일: EVERY_DAY,
    날마다: EVERY_DAY,
    weekend: WEEKEND,
    weekends: WEEKEND,
    주말: WEEKEND,
  }),
);

const DAY = String.raw`mon(?:days?)?|tue(?:s(?:days?)?)?|wed(?:nesdays?)?|thu(?:r(?:s(?:days?)?)?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?|[월화수목금토일](?:요일)?`;
const SEPARATOR = String.raw`[\s,、·/&+]|and\b|및`;
const DAY_LIST = new RegExp(`^(?:(?:${DAY})(?:(?:${SEPARATOR})*|\\s*[-~–]\\s*))+$`);
const EACH_DAY = new RegExp(`([-~–]\\s*)?(${DAY})`, 'g');

const EN_DAYS: readonly string[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const KO_DAYS = '월화수목금토일';

const dayNamed = (name: string): number =>
  Math.max(EN_DAYS.indexOf(name.slice(0, 3)), KO_DAYS.indexOf(name.slice(0, 1))) + 1;

/** From one day to another, over the end of the week where they are so: `금~월`. */
const daysBetween = (from: number, to: number): readonly number[] =>
  Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => ((from - 1 + index) % 7) + 1);

/** Days as people write them: `weekdays`, `mon,wed,fri`, `월~금`, `매일`. Nothing said: weekdays. */
export const readDays = (text: string | undefined): readonly WeekDay[] | undefined => {
  const key = keyOf(text ?? '')
    .replaceAll(/^(?:on|every|each|매주) | ?(?:마다|에)$/g, '')
    .trim();
  if (key === '') return WEEKDAYS;
  const set = SETS.get(key);
  if (set) return set;
  if (!DAY_LIST.test(key)) return undefined;
  const chosen = new Set<number>();
  let last = 0;
  for (const [, dash, name = ''] of key.matchAll(EACH_DAY)) {
    const day = dayNamed(name);
    for (const each of dash === undefined || last === 0 ? [day] : daysBetween(last, day)) chosen.add(each);
    last = day;
  }
  return EVERY_DAY.filter((day) => chosen.has(day));
};

const ONE_DAY =
  /^(?:on )?(?:today|tomorrow|once|오늘|내일|모레|한 ?번만?|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/월] ?\d{1,2}일?)에?$/;

/** A single day is meant, or a single time. */
export const isOneDay = (text: string): boolean => ONE_DAY.test(keyOf(text));
