import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Localized } from '#src/kernel/locale.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { ExchangeData } from './calendar-data.ts';
import { tradingPlaceOf } from './calendar.ts';
import { dateAt, isWeekend } from './sessions.ts';

/** A date on which an exchange was closed. */
export interface ClosedDate {
  readonly market: string;
  /** Absent on weekends. */
  readonly holiday?: Localized;
}

/** Korean shares traded on Saturdays until 1998. */
const FIRST_YEAR_WITHOUT_SATURDAYS = 1999;
/** Longer than any closure of an exchange. */
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

/** US shares also trade overnight, from this hour of the previous evening until the pre-market. */
const OVERNIGHT_FROM: Readonly<Record<string, Temporal.PlainTime>> = { NYSE: new Temporal.PlainTime(20) };

/** True if a time at the exchange belongs to the overnight session of the next day. */
const isOvernight = ({ market }: ExchangeData, time: Temporal.PlainTime): boolean => {
  const from = OVERNIGHT_FROM[market];
  return from !== undefined && Temporal.PlainTime.compare(time, from) >= 0;
};

/**
 * Tells why the market was closed on a date, at a time of the exchange's clock if given. Undefined if it was open,
 * never closes or is unknown: outside the data only weekends are known. The evening before a trading day counts as
 * open for US shares.
 */
export const closureOn = (
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
 * The last trading day before and the first after a closed date. Days of years without holiday data are never
 * returned.
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

/** The market's name. Undefined for coins and instruments without a calendar. */
export const marketOf = (instrument: Instrument): string | undefined => exchangeOf(instrument)?.market;

/** The exchange's time zone. Undefined for coins and instruments without a calendar. */
export const exchangeZone = (instrument: Instrument): string | undefined => exchangeOf(instrument)?.timeZone;

/** The date at the exchange. Undefined for coins and instruments without a calendar. */
export const exchangeDate = (instrument: Instrument, at: Timestamp): Temporal.PlainDate | undefined => {
  const data = exchangeOf(instrument);
  return data && dateAt(data, at);
};

/** The default trade date: today at the exchange, or the person's today if the exchange is closed. */
export const tradingToday = (
  instrument: Instrument,
  today: Temporal.PlainDate,
  now: Timestamp,
): Temporal.PlainDate => {
  const data = exchangeOf(instrument);
  const theirs = data && dateAt(data, now);
  return theirs && !closedAt(data, theirs) ? theirs : today;
};
