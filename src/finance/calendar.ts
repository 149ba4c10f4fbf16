import { z } from 'zod';
import type { Instrument, MarketHours, MarketSession, SessionState } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import data from './data/trading-calendars.json' with { type: 'json' };

const exchangeSchema = z.object({
  tz: z.string(),
  regular: z.tuple([z.string(), z.string()]),
  /** Year → date → name. A year that is not a key is not known at all. */
  holidays: z.record(z.string(), z.record(z.string(), z.string())),
  special: z.record(z.string(), z.object({ open: z.string(), close: z.string() })),
});
type ExchangeCalendar = z.output<typeof exchangeSchema>;

/** By the names that people read; the data has ISO 10383 codes. */
const CALENDARS: ReadonlyMap<string, ExchangeCalendar> = new Map([
  ['KRX', exchangeSchema.parse(data.exchanges.XKRX)],
  ['NYSE', exchangeSchema.parse(data.exchanges.XNYS)],
]);

const MARKET_OF_EXCHANGE: Readonly<Record<string, string>> = {
  KRX: 'KRX',
  KOSPI: 'KRX',
  KOSDAQ: 'KRX',
  NYSE: 'NYSE',
  'NYSE Arca': 'NYSE',
  NASDAQ: 'NYSE',
  'S&P': 'NYSE',
};

type RegularHours =
  | { readonly status: 'trading'; readonly opensAt: Timestamp; readonly closesAt: Timestamp }
  | { readonly status: 'closed' }
  | { readonly status: 'unknown' };

const SATURDAY = 6;
const isWeekend = (date: Temporal.PlainDate): boolean => date.dayOfWeek >= SATURDAY;

/** Wall-clock hours become instants in the exchange's own zone, so a change of summer time needs no rule here. */
const regularHours = (calendar: ExchangeCalendar, date: Temporal.PlainDate): RegularHours => {
  const holidays = calendar.holidays[String(date.year)];
  if (!holidays) return { status: 'unknown' };
  const day = date.toString();
  if (isWeekend(date) || holidays[day] !== undefined) return { status: 'closed' };
  const [open, close] = calendar.regular;
  const hours = calendar.special[day] ?? { open, close };
  const instantOf = (time: string): Timestamp =>
    date.toZonedDateTime({ timeZone: calendar.tz, plainTime: time }).toInstant();
  return { status: 'trading', opensAt: instantOf(hours.open), closesAt: instantOf(hours.close) };
};

const isBefore = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) < 0;

const stateAt = (hours: RegularHours, at: Timestamp): SessionState => {
  if (hours.status !== 'trading') return hours.status;
  return !isBefore(at, hours.opensAt) && isBefore(at, hours.closesAt) ? 'open' : 'closed';
};

/** Ends for certain: days run into a year that the data does not have. */
const nextOpenAfter = (calendar: ExchangeCalendar, at: Timestamp): Timestamp | null => {
  let date = at.toZonedDateTimeISO(calendar.tz).toPlainDate();
  for (;;) {
    const hours = regularHours(calendar, date);
    if (hours.status === 'unknown') return null;
    if (hours.status === 'trading' && isBefore(at, hours.opensAt)) return hours.opensAt;
    date = date.add({ days: 1 });
  }
};

/** Regular sessions only: what happens before and after them counts as closed. */
export const createMarketHours = (): MarketHours => ({
  markets: [...CALENDARS.keys()],
  sessionAt: (market, at): MarketSession => {
    const calendar = CALENDARS.get(market);
    if (!calendar) return { market, state: 'unknown', isOpen: false, nextOpenAt: null, timezone: 'UTC' };
    const state = stateAt(regularHours(calendar, at.toZonedDateTimeISO(calendar.tz).toPlainDate()), at);
    return {
      market,
      state,
      isOpen: state === 'open',
      nextOpenAt: nextOpenAfter(calendar, at),
      timezone: calendar.tz,
    };
  },
});

/** When coins and currencies, which no bell ends, are taken to close their day. */
const OFF_EXCHANGE_CLOSE = '21:00';

/** When regular trading in it ends on that date; null where it does not trade or the date is not known. */
export const closingTime = (instrument: Instrument, date: Temporal.PlainDate): Timestamp | null => {
  if (instrument.assetClass === 'crypto' || instrument.assetClass === 'fx') {
    if (instrument.assetClass === 'fx' && isWeekend(date)) return null;
    return date.toZonedDateTime({ timeZone: 'UTC', plainTime: OFF_EXCHANGE_CLOSE }).toInstant();
  }
  const calendar = CALENDARS.get(MARKET_OF_EXCHANGE[instrument.exchange] ?? '');
  const hours = calendar && regularHours(calendar, date);
  return hours?.status === 'trading' ? hours.closesAt : null;
};
