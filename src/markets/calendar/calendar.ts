import type { Instrument, MarketHours, MarketSession, SessionState } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { calendarFile, type ExchangeData } from './calendar-data.ts';
import { isFxOpen, lastFxClose } from './fx-week.ts';
import {
  dateAt,
  dayOf,
  inEveryLocale,
  isWeekend,
  lastCloseAtOrBefore,
  nextChangeAfter,
  nextOpenAfter,
  stateOn,
} from './sessions.ts';

let byMarket: ReadonlyMap<string, ExchangeData> | undefined;

/** Calendars by display name, because instruments carry names and not ISO 10383 codes. */
const calendars = (): ReadonlyMap<string, ExchangeData> =>
  (byMarket ??= new Map(Object.values(calendarFile().exchanges).map((data) => [data.market, data])));

/**
 * The calendar each exchange follows. Nasdaq shares the holidays and half days of NYSE, and US indices trade with
 * their shares. An exchange that is missing here has no calendar, so its state is unknown.
 */
const MARKET_OF_EXCHANGE: Readonly<Record<string, string>> = {
  KRX: 'KRX',
  KOSPI: 'KRX',
  KOSDAQ: 'KRX',
  KONEX: 'KRX',
  NYSE: 'NYSE',
  'NYSE ARCA': 'NYSE',
  'NYSE AMERICAN': 'NYSE',
  NASDAQ: 'NYSE',
  'S&P': 'NYSE',
  'DOW JONES': 'NYSE',
  'FTSE RUSSELL': 'NYSE',
  CBOE: 'NYSE',
  // The list marks some funds only as listed in the United States.
  US: 'NYSE',
};

export const exchangeCalendar = (exchange: string): ExchangeData | undefined =>
  calendars().get(exchange) ?? calendars().get(MARKET_OF_EXCHANGE[exchange.toUpperCase()] ?? '');

/** The venue of an instrument, which decides its trading hours. */
export type TradingPlace =
  | { readonly kind: 'exchange'; readonly data: ExchangeData }
  | { readonly kind: 'crypto' }
  | { readonly kind: 'fx' };

/** Null if the exchange has no calendar. */
export const tradingPlaceOf = ({ assetClass, exchange }: Instrument): TradingPlace | null => {
  if (assetClass === 'crypto' || assetClass === 'fx') return { kind: assetClass };
  const data = exchangeCalendar(exchange);
  return data ? { kind: 'exchange', data } : null;
};

/** Excludes yields: they follow bond market hours, which the data does not have. */
const sessionPlaceOf = (instrument: Instrument): TradingPlace | null =>
  instrument.assetClass === 'rate' ? null : tradingPlaceOf(instrument);

/** An index is calculated in regular hours only, even if its shares trade before and after them. */
const regularOnly = (state: SessionState): SessionState =>
  state === 'pre' || state === 'after' ? 'closed' : state;

/** The trading state of an instrument. `unknown` outside the data and without a calendar. */
export const sessionOf = (instrument: Instrument, at: Timestamp): SessionState => {
  const place = sessionPlaceOf(instrument);
  if (!place) return 'unknown';
  if (place.kind === 'crypto') return 'open';
  if (place.kind === 'fx') return isFxOpen(at) ? 'open' : 'closed';
  const state = stateOn(dayOf(place.data, dateAt(place.data, at)), at);
  return instrument.assetClass === 'index' ? regularOnly(state) : state;
};

/**
 * The Nextrade session that trades a Korean share while KRX is closed. Nextrade does not trade funds. Undefined
 * while KRX trades or Nextrade is closed.
 */
export const nextradeSession = (instrument: Instrument, at: Timestamp): 'pre' | 'after' | undefined => {
  const isKorean = exchangeCalendar(instrument.exchange)?.market === 'KRX';
  const data = exchangeCalendar('NXT');
  if (!isKorean || !data || instrument.assetClass !== 'equity' || sessionOf(instrument, at) !== 'closed')
    return undefined;
  const state = stateOn(dayOf(data, dateAt(data, at)), at);
  return state === 'pre' || state === 'after' ? state : undefined;
};

/** The end of the last regular session at or before `at`. Null for markets that never close and for unknown ones. */
export const lastCloseBefore = (instrument: Instrument, at: Timestamp): Timestamp | null => {
  const place = sessionPlaceOf(instrument);
  if (!place || place.kind === 'crypto') return null;
  return place.kind === 'fx' ? lastFxClose(at) : lastCloseAtOrBefore(place.data, at);
};

const OFF_EXCHANGE_TIME_ZONE = 'UTC';
/** The conventional daily close of coins and currencies, which have no closing bell. */
const OFF_EXCHANGE_CLOSE = '21:00';

/**
 * The time zone of the instrument's trading dates: its exchange's, or UTC for coins, currencies and unknown
 * exchanges.
 */
export const timeZoneOf = (instrument: Instrument): string => {
  const place = tradingPlaceOf(instrument);
  return place?.kind === 'exchange' ? place.data.timeZone : OFF_EXCHANGE_TIME_ZONE;
};

/** The end of regular trading on a date. Null if the market is closed or the date is outside the data. */
export const closingTime = (instrument: Instrument, date: Temporal.PlainDate): Timestamp | null => {
  const place = tradingPlaceOf(instrument);
  if (!place) return null;
  if (place.kind !== 'exchange') {
    if (place.kind === 'fx' && isWeekend(date)) return null;
    return date
      .toZonedDateTime({ timeZone: OFF_EXCHANGE_TIME_ZONE, plainTime: OFF_EXCHANGE_CLOSE })
      .toInstant();
  }
  const day = dayOf(place.data, date);
  return day.status === 'trading' ? day.regular.to : null;
};

const noCalendar = (market: string): MarketSession => ({
  market,
  state: 'unknown',
  nextOpenAt: null,
  nextChange: null,
  note: inEveryLocale((words) => words.noCalendar({ market })),
});

/** Sessions of every exchange with a calendar. `nextOpenAt` refers to regular trading. */
export const createMarketHours = (): MarketHours => ({
  get markets() {
    return [...calendars().keys()];
  },
  sessionAt: (market, at): MarketSession => {
    const data = exchangeCalendar(market);
    if (!data) return noCalendar(market);
    const day = dayOf(data, dateAt(data, at));
    const state = stateOn(day, at);
    return {
      market,
      state,
      nextOpenAt: nextOpenAfter(data, at),
      nextChange: nextChangeAfter(data, at),
      ...(day.note && { note: day.note }),
    };
  },
});
