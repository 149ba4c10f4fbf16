import { hoursMessages } from '#src/markets/answers/hours-messages.ts';
import { briefingMessages } from './messages.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { phasesText } from '#src/markets/answers/hours-format.ts';
import { exchangeCalendar } from '#src/markets/calendar/calendar.ts';
import type { ExchangeData } from '#src/markets/calendar/calendar-data.ts';
import { dateAt, dayOf, stateOn, type TradingDay } from '#src/markets/calendar/sessions.ts';
import { kindOfDays, type Schedule } from './read-schedule.ts';

const EXCHANGES = ['KRX', 'NYSE'] as const;

interface MarketDay {
  readonly key: (typeof EXCHANGES)[number];
  readonly data: ExchangeData;
  readonly day: TradingDay;
}

/** What each exchange does on a date, which is one of its own calendar. */
const marketDays = (date: Temporal.PlainDate): readonly MarketDay[] =>
  EXCHANGES.flatMap((key) => {
    const data = exchangeCalendar(key);
    return data ? [{ key, data, day: dayOf(data, date) }] : [];
  });

/** The person's own date then. */
export const dateOf = (at: Timestamp, timeZone: string): Temporal.PlainDate =>
  at.toZonedDateTimeISO(timeZone).toPlainDate();

/** On a weekday on which no exchange trades there is nothing to tell. Who named the days wants those days. */
export const isLeftOut = ({ days, timeZone }: Pick<Schedule, 'days' | 'timeZone'>, at: Timestamp): boolean =>
  kindOfDays(days) === 'weekdays' &&
  marketDays(dateOf(at, timeZone)).every(({ day }) => day.status === 'closed');

const dayText = ({ day, data }: MarketDay, date: Temporal.PlainDate, audience: Audience): string => {
  const { locale } = audience;
  const t = hoursMessages(locale);
  const note = day.note?.[locale];
  if (day.status === 'closed') return day.isHoliday ? t.closedHoliday({ name: note ?? '' }) : t.closedWeekend;
  const hours =
    day.status === 'unknown'
      ? t.states.unknown
      : phasesText([day.regular], data.timeZone, date, audience).replace('\n', ' · ');
  return note === undefined ? hours : `${hours} · ${note}`;
};

/** One line an exchange: what it does now, its hours of the day, and why they are no usual ones. */
export const sessionsText = (now: Timestamp, audience: Audience): string => {
  const hours = hoursMessages(audience.locale);
  const briefings = briefingMessages(audience.locale);
  const date = dateOf(now, audience.timeZone);
  return marketDays(date)
    .map((each) =>
      briefings.session({
        market: hours.markets[each.key],
        state: hours.states[stateOn(dayOf(each.data, dateAt(each.data, now)), now)],
        day: dayText(each, date, audience),
      }),
    )
    .join('\n');
};
