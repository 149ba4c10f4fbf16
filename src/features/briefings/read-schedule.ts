import type { BriefingRecord, WeekDay } from '#src/kernel/briefing.ts';
import { isDate } from '#src/language/dates.ts';
import { readWeekdays } from '#src/language/weekdays.ts';

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

/** Days as people write them: `weekdays`, `mon,wed,fri`, `월~금`, `매일`. Nothing said: weekdays. */
export const readDays = (text: string | undefined): readonly WeekDay[] | undefined =>
  text === undefined || text.trim() === '' ? WEEKDAYS : readWeekdays(text)?.value;

const ONCE = /^(?:once|한 ?번만?)$/iu;

/** A single day is meant, or a single time. */
export const isOneDay = (text: string): boolean =>
  ONCE.test(text.trim()) || isDate(text.trim(), { allowsShort: true });
