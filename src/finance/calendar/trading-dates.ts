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

/**
 * The day of a trade that is told without one. It is the person's today, but where the market is closed on that date and
 * trades on its own: Saturday at three in the morning in Seoul is Friday afternoon in New York.
 */
export const tradingToday = (
  instrument: Instrument,
  today: Temporal.PlainDate,
  now: Timestamp,
): Temporal.PlainDate => {
  const data = exchangeOf(instrument);
  if (!data || !closedAt(data, today)) return today;
  const theirs = dateAt(data, now);
  return closedAt(data, theirs) ? today : theirs;
};
