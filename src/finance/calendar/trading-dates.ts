import type { Instrument } from '#src/core/finance.ts';
import type { Localized } from '#src/core/i18n.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { ExchangeData } from './calendar-data.ts';
import { exchangeCalendar, tradingPlaceOf } from './calendar.ts';
import { dateAt } from './session-walk.ts';
import { isWeekend } from './trading-day.ts';

/** A date on which an exchange did not trade. */
export interface ClosedDate {
  readonly market: string;
  /** Absent: it was a weekend. */
  readonly holiday?: Localized;
}

/** Korean shares were traded on Saturdays until 1998. */
const FIRST_YEAR_WITHOUT_SATURDAYS = 1999;
/** No exchange is closed for longer. */
const LONGEST_PAUSE_DAYS = 15;

const closedAt = (data: ExchangeData, date: Temporal.PlainDate): ClosedDate | undefined => {
  const { market } = data;
  if (isWeekend(date)) return date.year >= FIRST_YEAR_WITHOUT_SATURDAYS ? { market } : undefined;
  const holiday = data.holidays[String(date.year)]?.[date.toString()];
  return holiday && { market, holiday };
};

const exchangeOf = (instrument: Instrument): ExchangeData | undefined => {
  const place = tradingPlaceOf(instrument);
  return place?.kind === 'exchange' ? place.data : undefined;
};

/**
 * Whether its market was closed on that date. Undefined where it traded, where it always does, and where nobody here
 * knows: of years outside the data weekends are known, holidays are not.
 */
export const closedOn = (instrument: Instrument, date: Temporal.PlainDate): ClosedDate | undefined => {
  const data = exchangeOf(instrument);
  return data && closedAt(data, date);
};

/**
 * The trading days around a date on which its market was closed: the last before it and the first after it. A day of a
 * year whose holidays are not known is never named as one.
 */
export const tradingDatesAround = (
  instrument: Instrument,
  date: Temporal.PlainDate,
): readonly Temporal.PlainDate[] => {
  const data = exchangeOf(instrument);
  if (!data) return [];
  return [-1, 1].flatMap((direction) => {
    for (let days = 1; days <= LONGEST_PAUSE_DAYS; days += 1) {
      const other = date.add({ days: direction * days });
      if (!data.holidays[String(other.year)]) return [];
      if (!closedAt(data, other)) return [other];
    }
    return [];
  });
};

/** The name of its market; undefined for coins and what has no calendar. */
export const marketOf = (instrument: Instrument): string | undefined => exchangeOf(instrument)?.market;

/** The exchange's own date at that moment; undefined for coins and what has no calendar. */
export const exchangeDate = (instrument: Instrument, at: Timestamp): Temporal.PlainDate | undefined => {
  const data = exchangeOf(instrument);
  return data && dateAt(data, at);
};

/**
 * The day of a trade that is told without one: the exchange's own at that moment, for that is when it was made. Where
 * the exchange is closed on it, the person's today.
 */
export const tradingToday = (
  instrument: Instrument,
  today: Temporal.PlainDate,
  now: Timestamp,
): Temporal.PlainDate => {
  const data = exchangeOf(instrument);
  const theirs = data && dateAt(data, now);
  return theirs && !closedAt(data, theirs) ? theirs : today;
};

/** Korean shares are traded at Nextrade before and after the exchange. */
const WIDEST: Readonly<Record<string, string>> = { KRX: 'NXT' };

/** Whether it is traded at that time of a trading day, before and after the regular session included. */
const isInHours = (data: ExchangeData, at: Temporal.ZonedDateTime): boolean => {
  const { extended, regular } = exchangeCalendar(WIDEST[data.market] ?? data.market) ?? data;
  const [from, to] = [extended.pre?.hours[0] ?? regular[0], extended.after?.hours[1] ?? regular[1]];
  const time = at.withTimeZone(data.timeZone).toPlainTime();
  return Temporal.PlainTime.compare(time, from) >= 0 && Temporal.PlainTime.compare(time, to) < 0;
};

/**
 * A moment as the clock of the exchange shows it. Somebody who is elsewhere and gives a time at which nothing is traded
 * has read it from a statement of that exchange (`10:30` of a US share, in Seoul): then it is the exchange's already,
 * and undefined. `isCertain`: the zone was named.
 */
export const sessionMoment = (
  instrument: Instrument,
  moment: Temporal.ZonedDateTime,
  isCertain: boolean,
): Temporal.ZonedDateTime | undefined => {
  const data = exchangeOf(instrument);
  return data && (isCertain || isInHours(data, moment)) ? moment.withTimeZone(data.timeZone) : undefined;
};

/** The way back: the day and the time that a person in that zone writes for a moment of the exchange. */
export const writtenMoment = (
  instrument: Instrument,
  date: Temporal.PlainDate,
  plainTime: Temporal.PlainTime,
  timeZone: string,
): { readonly date: string; readonly time: string } => {
  const data = exchangeOf(instrument);
  const there = data && date.toZonedDateTime({ timeZone: data.timeZone, plainTime });
  const here = there && isInHours(data, there) ? there.withTimeZone(timeZone) : undefined;
  const time = (here?.toPlainTime() ?? plainTime).toString().replace(/:00$/u, '');
  return { date: (here?.toPlainDate() ?? date).toString(), time };
};
