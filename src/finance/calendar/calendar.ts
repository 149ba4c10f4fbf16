import type { Instrument, MarketHours, MarketSession, SessionState } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import { calendarFile, type ExchangeData } from './calendar-data.ts';
import { isFxOpen, lastFxClose } from './fx-week.ts';
import { dateAt, lastCloseUpTo, nextChangeAfter, nextOpenAfter, stateOn } from './session-walk.ts';
import { dayOf, inBoth, isWeekend } from './trading-day.ts';

let byMarket: ReadonlyMap<string, ExchangeData> | undefined;

/** By the names that people read; the data has ISO 10383 codes. */
const calendars = (): ReadonlyMap<string, ExchangeData> =>
  (byMarket ??= new Map(Object.values(calendarFile().exchanges).map((data) => [data.market, data])));

/**
 * Whose hours an exchange keeps. Nasdaq has the holidays and half days of NYSE; US indices are those of the shares in
 * them. An exchange that is not here has no calendar: its state is unknown.
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
  // A fund of which it is only known that it is listed in America.
  US: 'NYSE',
};

export const exchangeCalendar = (exchange: string): ExchangeData | undefined =>
  calendars().get(exchange) ?? calendars().get(MARKET_OF_EXCHANGE[exchange.toUpperCase()] ?? '');

/** Where, and so when, something trades. */
export type TradingPlace =
  | { readonly kind: 'exchange'; readonly data: ExchangeData }
  | { readonly kind: 'crypto' }
  | { readonly kind: 'fx' };

/** Null where nobody here knows. */
export const tradingPlaceOf = ({ assetClass, exchange }: Instrument): TradingPlace | null => {
  if (assetClass === 'crypto' || assetClass === 'fx') return { kind: assetClass };
  const data = exchangeCalendar(exchange);
  return data ? { kind: 'exchange', data } : null;
};

/** Where its sessions are known: yields are taken at the hours of bonds, which are not in the data. */
const sessionPlaceOf = (instrument: Instrument): TradingPlace | null =>
  instrument.assetClass === 'rate' ? null : tradingPlaceOf(instrument);

/** An index is counted in regular hours only, whatever its shares do before and after them. */
const withoutExtended = (state: SessionState): SessionState =>
  state === 'pre' || state === 'after' ? 'closed' : state;

/** The state of trading in it at that moment; `unknown` outside the data and where there is no calendar. */
export const sessionOf = (instrument: Instrument, at: Timestamp): SessionState => {
  const place = sessionPlaceOf(instrument);
  if (!place) return 'unknown';
  if (place.kind === 'crypto') return 'open';
  if (place.kind === 'fx') return isFxOpen(at) ? 'open' : 'closed';
  const state = stateOn(dayOf(place.data, dateAt(place.data, at)), at);
  return instrument.assetClass === 'index' ? withoutExtended(state) : state;
};

/**
 * What Nextrade does while KRX does not trade a Korean share: its pre-market or after-market. Funds are not traded
 * there. Undefined where neither trades, and where KRX does.
 */
export const nextradeSession = (instrument: Instrument, at: Timestamp): 'pre' | 'after' | undefined => {
  const isKorean = exchangeCalendar(instrument.exchange)?.market === 'KRX';
  const data = exchangeCalendar('NXT');
  if (!isKorean || !data || instrument.assetClass !== 'equity' || sessionOf(instrument, at) !== 'closed')
    return undefined;
  const state = stateOn(dayOf(data, dateAt(data, at)), at);
  return state === 'pre' || state === 'after' ? state : undefined;
};

/** The end of the last regular session that ended at or before `at`; null for what never closes or is not known. */
export const lastCloseBefore = (instrument: Instrument, at: Timestamp): Timestamp | null => {
  const place = sessionPlaceOf(instrument);
  if (!place || place.kind === 'crypto') return null;
  return place.kind === 'fx' ? lastFxClose(at) : lastCloseUpTo(place.data, at);
};

const OFF_EXCHANGE_TIME_ZONE = 'UTC';
/** When coins and currencies, which no bell ends, are taken to close their day. */
const OFF_EXCHANGE_CLOSE = '21:00';

/** Whose dates its days are; coins, currencies and what has no calendar: UTC. */
export const timeZoneOf = (instrument: Instrument): string => {
  const place = tradingPlaceOf(instrument);
  return place?.kind === 'exchange' ? place.data.timeZone : OFF_EXCHANGE_TIME_ZONE;
};

/** When regular trading in it ends on that date; null where it does not trade or the date is not known. */
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
  note: inBoth((words) => words.noCalendar({ market })),
});

/** Sessions of the exchanges that there are calendars of. `nextOpenAt` is about regular trading. */
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
