import type { BriefingRecord, WeekDay } from '#src/kernel/people/briefings.ts';
import { isDate } from '#src/reading/dates.ts';
import { readWeekdays } from '#src/reading/weekdays.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import { briefingTexts } from './texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { phasesText } from '#src/markets/answers/hours-format.ts';
import { exchangeCalendar } from '#src/markets/calendar/calendar.ts';
import type { ExchangeData } from '#src/markets/calendar/calendar-data.ts';
import { dateAt, dayOf, stateOn, type TradingDay } from '#src/markets/calendar/sessions.ts';
import { FinClawError } from '#src/kernel/errors.ts';

export type Schedule = Pick<BriefingRecord, 'time' | 'days' | 'timeZone'>;

const WEEKDAYS: readonly WeekDay[] = [1, 2, 3, 4, 5];
const WEEKEND: readonly WeekDay[] = [6, 7];
const EVERY_DAY: readonly WeekDay[] = [...WEEKDAYS, ...WEEKEND];

const isSame = (a: readonly WeekDay[], b: readonly WeekDay[]): boolean => a.join() === b.join();

/** The usual name of a set of days, if it has one. */
export const kindOfDays = (days: readonly WeekDay[]): 'weekdays' | 'weekends' | 'daily' | undefined => {
  if (isSame(days, WEEKDAYS)) return 'weekdays';
  if (isSame(days, WEEKEND)) return 'weekends';
  return isSame(days, EVERY_DAY) ? 'daily' : undefined;
};

/** Reads days as people write them: `weekdays`, `mon,wed,fri`, `월~금`, `매일`. The default is weekdays. */
export const readDays = (text: string | undefined): readonly WeekDay[] | undefined =>
  text === undefined || text.trim() === '' ? WEEKDAYS : readWeekdays(text)?.value;

const ONCE = /^(?:once|한 ?번만?)$/iu;

/** Whether the text names a single day or a single time. */
export const isOneDay = (text: string): boolean =>
  ONCE.test(text.trim()) || isDate(text.trim(), { allowsShort: true });

const EXCHANGES = ['KRX', 'NYSE'] as const;

interface MarketDay {
  readonly key: (typeof EXCHANGES)[number];
  readonly data: ExchangeData;
  readonly day: TradingDay;
}

/** The trading day of each exchange; the date is in the exchange's own calendar. */
const marketDays = (date: Temporal.PlainDate): readonly MarketDay[] =>
  EXCHANGES.flatMap((key) => {
    const data = exchangeCalendar(key);
    return data ? [{ key, data, day: dayOf(data, date) }] : [];
  });

/** The date in the person's time zone. */
export const dateOf = (at: Timestamp, timeZone: string): Temporal.PlainDate =>
  at.toZonedDateTimeISO(timeZone).toPlainDate();

/** A weekday briefing is skipped when no exchange trades. A person who named the days gets it on those days anyway. */
export const isSkipped = ({ days, timeZone }: Pick<Schedule, 'days' | 'timeZone'>, at: Timestamp): boolean =>
  kindOfDays(days) === 'weekdays' &&
  marketDays(dateOf(at, timeZone)).every(({ day }) => day.status === 'closed');

/** `closed (Christmas)`, `open (10:00–16:30, CSAT)`: the state now, and what is unusual about the day. */
const stateText = (
  { data, day }: MarketDay,
  date: Temporal.PlainDate,
  now: Timestamp,
  audience: Audience,
): string => {
  const { locale } = audience;
  const { states } = hoursTexts(locale);
  const isHoliday = day.status === 'closed' && day.isHoliday;
  // In the evening before a holiday of New York its session of today is still open.
  const state = states[isHoliday ? 'closed' : stateOn(dayOf(data, dateAt(data, now)), now)];
  const note = day.note?.[locale];
  if (note === undefined) return state;
  const hours =
    day.status === 'trading'
      ? `${phasesText([day.regular], data.timeZone, date, audience).split('\n', 1)[0]}, `
      : '';
  return `${state} (${hours}${note})`;
};

/** The exchanges on one line: open or closed, and the reason where the day is unusual. */
export const sessionsText = (now: Timestamp, audience: Audience): string =>
  marketDays(dateOf(now, audience.timeZone))
    .map(
      (each) =>
        `${briefingTexts(audience.locale).countries[each.key]} ${stateText(each, dateOf(now, audience.timeZone), now, audience)}`,
    )
    .join(' · ');

/**
 * The first time of a schedule after `after`, in the person's time zone. It comes once a day over clock changes: a time
 * that is skipped comes when the clocks have gone forward, and a time that occurs twice counts once, the first time.
 */
export const nextRunAfter = async (
  { time, days, timeZone }: Schedule,
  after: Timestamp,
): Promise<Timestamp> => {
  // The library is loaded on first use: most bots never need it.
  const { Cron } = await import('croner');
  const pattern = `${time.minute} ${time.hour} * * ${days.join(',')}`;
  const next = new Cron(pattern, { timezone: timeZone, mode: '5-part' }).nextRun(
    new Date(after.epochMilliseconds),
  );
  if (!next)
    throw new FinClawError(`"${pattern}" in ${timeZone} never occurs`, 'BRIEFING_SCHEDULE', {
      isOperational: false,
    });
  return Temporal.Instant.fromEpochMilliseconds(next.getTime());
};

/** The next run that is not skipped. The loop ends, because no calendar is closed for ever. */
export const nextBriefingAt = async (schedule: Schedule, after: Timestamp): Promise<Timestamp> => {
  let next = await nextRunAfter(schedule, after);
  while (isSkipped(schedule, next)) next = await nextRunAfter(schedule, next);
  return next;
};
