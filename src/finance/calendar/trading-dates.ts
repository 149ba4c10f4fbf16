import type { Instrument } from '#src/core/finance.ts';
import type { Localized } from '#src/core/i18n.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { ExchangeData } from './calendar-data.ts';
import { tradingPlaceOf } from './calendar.ts';
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

/** US shares are traded overnight, from this hour of the evening before until the pre-market. */
const OVERNIGHT_FROM: Readonly<Record<string, Temporal.PlainTime>> = { NYSE: new Temporal.PlainTime(20) };

/** Whether a time on the exchange's clock belongs to the overnight trading of the next day. */
const isOvernight = ({ market }: ExchangeData, time: Temporal.PlainTime): boolean => {
  const from = OVERNIGHT_FROM[market];
  return from !== undefined && Temporal.PlainTime.compare(time, from) >= 0;
};

/**
 * Whether its market was closed on that date, at that time of the exchange's clock where it is known. Undefined where it
 * traded, where it always does, and where nobody here knows: of years outside the data weekends are known, holidays are
 * not. On the evening before a trading day US shares are traded, whatever day it is.
 */
export const closedOn = (
  instrument: Instrument,
  date: Temporal.PlainDate,
  time?: Temporal.PlainTime,
): ClosedDate | undefined => {
  const data = exchangeOf(instrument);
  if (!data) return undefined;
  const isTraded = time !== undefined && isOvernight(data, time) && !closedAt(data, date.add({ days: 1 }));
  return isTraded ? undefined : closedAt(data, date);
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

/** The zone of its exchange's clock; undefined for coins and what has no calendar. */
export const exchangeZone = (instrument: Instrument): string | undefined => exchangeOf(instrument)?.timeZone;

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
