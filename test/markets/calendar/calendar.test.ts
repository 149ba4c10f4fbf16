import { describe, expect, it } from 'vitest';
import type { AssetClass, Instrument, SessionState } from '#src/kernel/market/finance.ts';
import {
  createMarketHours,
  lastCloseBefore,
  nextradeSession,
  sessionOf,
  timeZoneOf,
} from '#src/markets/calendar/calendar.ts';
import { localDay } from '#src/markets/calendar/local-day.ts';
import { everyRow } from '#test/support/every-row.ts';

const hours = createMarketHours();
const at = (zoned: string): Temporal.Instant => Temporal.Instant.from(zoned);
const seoul = (local: string): Temporal.Instant => at(`${local}:00+09:00`);

describe('KRX session state', () => {
  everyRow([
    ['an ordinary day one minute before the opening', '2026-11-13T08:59', 'closed'],
    ['the opening minute', '2026-11-13T09:00', 'open'],
    ['the last minute', '2026-11-13T15:29', 'open'],
    ['the closing minute', '2026-11-13T15:30', 'closed'],
    ['between the close and the after-market', '2026-11-13T15:59', 'closed'],
    ['the after-market', '2026-11-13T16:00', 'after'],
    ['the last minute of the after-market', '2026-11-13T19:59', 'after'],
    ['the end of the after-market', '2026-11-13T20:00', 'closed'],
    ['the last day without an after-market', '2026-09-11T17:00', 'closed'],
    ['the first day with one', '2026-09-14T17:00', 'after'],
    ['Saturday', '2026-11-14T11:00', 'closed'],
    ['Sunday', '2026-11-15T11:00', 'closed'],
    ['Constitution Day, a holiday again since 2026', '2026-07-17T11:00', 'closed'],
    ['the year-end closure', '2026-12-31T11:00', 'closed'],
    ['a substitute holiday', '2026-10-05T11:00', 'closed'],
    ['exam day before its late opening', '2026-11-19T09:59', 'closed'],
    ['exam day at its late opening', '2026-11-19T10:00', 'open'],
    ['exam day past the usual close', '2026-11-19T16:29', 'open'],
    ['exam day at its late close', '2026-11-19T16:30', 'closed'],
    ['exam day when the after-market may be held: not claimed', '2026-11-19T18:00', 'closed'],
    ['the day after the exam at the usual opening', '2026-11-20T09:00', 'open'],
    ['the first trading day before 10:00', '2026-01-02T09:30', 'closed'],
    ['the first trading day at 10:00', '2026-01-02T10:00', 'open'],
    ['a weekday of a year without data', '2029-03-14T11:00', 'unknown'],
    ['a weekend of a year without data', '2029-03-17T11:00', 'unknown'],
    ['a year before the data', '2024-12-30T11:00', 'unknown'],
  ])('%s (%s) is %s', (_, local, state) => {
    const session = hours.sessionAt('KRX', seoul(local));
    expect(session).toMatchObject({ state });
  });

  it('uses the date in Seoul, not in UTC', () => {
    // 2026-11-15T23:59Z is Sunday in UTC and Monday 08:59 in Seoul.
    expect(hours.sessionAt('KRX', at('2026-11-15T23:59:59Z')).state).toBe('closed');
    expect(hours.sessionAt('KRX', at('2026-11-16T00:00:00Z')).state).toBe('open');
  });
});

describe('NYSE session state', () => {
  everyRow([
    ['winter time, a second before the pre-market', '2026-11-13T08:59:59Z', 'closed'],
    ['winter time, the pre-market', '2026-11-13T09:00:00Z', 'pre'],
    ['winter time, a second before the opening', '2026-11-13T14:29:59Z', 'pre'],
    ['winter time, the opening', '2026-11-13T14:30:00Z', 'open'],
    ['winter time, the last second', '2026-11-13T20:59:59Z', 'open'],
    ['winter time, the close', '2026-11-13T21:00:00Z', 'after'],
    ['winter time, the end of after hours, on the next day in UTC', '2026-11-14T01:00:00Z', 'closed'],
    ['the Friday before summer time begins', '2026-03-06T13:30:00Z', 'pre'],
    ['the Monday after summer time began', '2026-03-09T13:30:00Z', 'open'],
    ['that Monday at the summer close', '2026-03-09T20:00:00Z', 'after'],
    ['the Friday before summer time ends', '2026-10-30T13:30:00Z', 'open'],
    ['the Monday after summer time ended', '2026-11-02T13:30:00Z', 'pre'],
    ['Thanksgiving', '2026-11-26T16:00:00Z', 'closed'],
    ['the day after Thanksgiving before its early close', '2026-11-27T17:59:59Z', 'open'],
    ['the day after Thanksgiving at 13:00', '2026-11-27T18:00:00Z', 'after'],
    ['the day after Thanksgiving at 17:00', '2026-11-27T22:00:00Z', 'closed'],
    ['Christmas Eve at 13:00', '2026-12-24T18:00:00Z', 'after'],
    ['Good Friday', '2026-04-03T15:00:00Z', 'closed'],
    ['Independence Day, observed on Friday', '2026-07-03T15:00:00Z', 'closed'],
    ['a year without data', '2029-03-14T15:00:00Z', 'unknown'],
  ])('%s (%s) is %s', (_, instant, state) => {
    expect(hours.sessionAt('NYSE', at(instant))).toMatchObject({ state });
  });
});

describe('the next opening', () => {
  everyRow([
    ['KRX', 'before the opening: today', '2026-11-13T08:00:00+09:00', '2026-11-13T09:00:00+09:00'],
    [
      'KRX',
      'at the opening itself: strictly later',
      '2026-11-12T09:00:00+09:00',
      '2026-11-13T09:00:00+09:00',
    ],
    ['KRX', 'over a weekend', '2026-11-13T16:00:00+09:00', '2026-11-16T09:00:00+09:00'],
    ['KRX', 'into exam day', '2026-11-18T16:00:00+09:00', '2026-11-19T10:00:00+09:00'],
    ['KRX', 'over Chuseok and its weekend', '2026-09-23T16:00:00+09:00', '2026-09-28T09:00:00+09:00'],
    ['KRX', 'over the turn of the year', '2026-12-30T16:00:00+09:00', '2027-01-04T10:00:00+09:00'],
    ['NYSE', 'over a weekend', '2026-11-13T21:00:00Z', '2026-11-16T14:30:00Z'],
    ['NYSE', 'over a weekend with a change of time', '2026-10-30T20:00:00Z', '2026-11-02T14:30:00Z'],
    ['NYSE', 'over Thanksgiving', '2026-11-25T21:00:00Z', '2026-11-27T14:30:00Z'],
    ['NYSE', 'while open: the next day', '2026-11-12T15:00:00Z', '2026-11-13T14:30:00Z'],
  ])('%s %s', (market, _, from, expected) => {
    expect(hours.sessionAt(market, at(from)).nextOpenAt?.toString()).toBe(at(expected).toString());
  });

  it.each([
    ['KRX', '2027-12-30T16:00:00+09:00'],
    ['NYSE', '2027-12-31T22:00:00Z'],
    ['KRX', '2029-03-14T11:00:00+09:00'],
  ])('%s has no next opening past the end of the data (%s)', (market, from) => {
    expect(hours.sessionAt(market, at(from)).nextOpenAt).toBeNull();
  });
});

describe('the next change', () => {
  everyRow([
    ['KRX', 'before the opening', '2026-11-13T08:59:00+09:00', 'open', '2026-11-13T09:00:00+09:00'],
    ['KRX', 'while open', '2026-11-13T09:00:00+09:00', 'closed', '2026-11-13T15:30:00+09:00'],
    ['KRX', 'after the close', '2026-11-13T15:30:00+09:00', 'after', '2026-11-13T16:00:00+09:00'],
    ['KRX', 'in the after-market', '2026-11-13T16:00:00+09:00', 'closed', '2026-11-13T20:00:00+09:00'],
    ['KRX', 'over a weekend', '2026-11-13T20:00:00+09:00', 'open', '2026-11-16T09:00:00+09:00'],
    [
      'KRX',
      'from exam day to the day after',
      '2026-11-19T16:30:00+09:00',
      'open',
      '2026-11-20T09:00:00+09:00',
    ],
    ['NYSE', 'at night', '2026-11-13T08:59:00Z', 'pre', '2026-11-13T09:00:00Z'],
    ['NYSE', 'in the pre-market', '2026-11-13T09:00:00Z', 'open', '2026-11-13T14:30:00Z'],
    ['NYSE', 'while open: straight to after hours', '2026-11-13T14:30:00Z', 'after', '2026-11-13T21:00:00Z'],
    ['NYSE', 'after hours', '2026-11-13T21:00:00Z', 'closed', '2026-11-14T01:00:00Z'],
    ['NYSE', 'over a change of time', '2026-10-31T00:00:00Z', 'pre', '2026-11-02T09:00:00Z'],
    ['NYSE', 'on a half day', '2026-11-27T15:00:00Z', 'after', '2026-11-27T18:00:00Z'],
  ])('%s %s', (market, _, from, to, expected) => {
    const { nextChange } = hours.sessionAt(market, at(from));
    expect(nextChange && { to: nextChange.to, at: nextChange.at.toString() }).toEqual({
      to,
      at: at(expected).toString(),
    });
  });

  it.each([
    ['KRX', 'past the last one', '2027-12-30T20:00:00+09:00'],
    ['NYSE', 'past the last one', '2028-01-01T01:00:00Z'],
    ['KRX', 'after the data', '2029-03-14T11:00:00+09:00'],
    ['KRX', 'before the data', '2024-12-30T11:00:00+09:00'],
  ])('%s has no next change %s', (market, _, from) => {
    expect(hours.sessionAt(market, at(from)).nextChange).toBeNull();
  });
});

describe('the note', () => {
  it.each([
    ['KRX', '2026-11-13T11:00:00+09:00', undefined, undefined],
    ['KRX', '2026-11-14T11:00:00+09:00', undefined, undefined],
    ['KRX', '2026-09-25T11:00:00+09:00', '추석', 'Chuseok'],
    ['NYSE', '2026-11-26T11:00:00-05:00', '추수감사절', 'Thanksgiving Day'],
    ['NYSE', '2026-11-27T11:00:00-05:00', '추수감사절 다음 날 조기 마감', 'Early close after Thanksgiving'],
  ])('%s on %s is %s', (market, from, ko, en) => {
    expect(hours.sessionAt(market, at(from)).note).toEqual(ko === undefined ? undefined : { ko, en });
  });

  it('says that the after-market of exam day is unknown and its hours are unconfirmed', () => {
    const { note } = hours.sessionAt('KRX', seoul('2026-11-19T18:00'));
    expect(note?.en).toMatch(
      /CSAT.*after-market hours of this day are not known.*expected; to be re-checked/,
    );
    // There was none before.
    expect(hours.sessionAt('KRX', seoul('2025-11-13T18:00')).note?.en).not.toContain('after-market');
  });

  it('marks every date of 2027 as expected on KRX but not on NYSE', () => {
    for (const day of ['2027-01-04', '2027-02-09', '2027-06-16', '2027-12-30']) {
      const { note } = hours.sessionAt('KRX', seoul(`${day}T11:00`));
      expect(note?.en).toContain('expected, not yet confirmed by the exchange');
      expect(note?.ko).toContain('거래소가 아직 확정하지 않았습니다');
    }
    expect(hours.sessionAt('NYSE', at('2027-06-16T15:00:00Z')).note).toBeUndefined();
    expect(hours.sessionAt('KRX', seoul('2027-11-18T11:00')).note?.en).toContain(
      'may be the day of the CSAT',
    );
  });

  it.each(['2024-12-31T11:00', '2028-01-03T11:00'])('names the covered years on %s', (local) => {
    expect(hours.sessionAt('KRX', seoul(local)).note?.en).toContain('2025-01-01 to 2027-12-31');
  });
});

const of = (assetClass: AssetClass, exchange: string): Instrument => ({
  symbol: 'X',
  ticker: 'X',
  name: { ko: 'X', en: 'X' },
  exchange,
  assetClass,
  currency: 'USD',
  priceDecimals: 2,
});

describe('the session of an instrument', () => {
  const OPEN_IN_SEOUL = at('2026-11-13T02:00:00Z');
  const PRE_IN_NEW_YORK = at('2026-11-13T10:00:00Z');

  everyRow<[AssetClass, string, Temporal.Instant, SessionState, string]>([
    ['equity', 'KOSPI', OPEN_IN_SEOUL, 'open', 'Asia/Seoul'],
    ['etf', 'KOSDAQ', OPEN_IN_SEOUL, 'open', 'Asia/Seoul'],
    ['index', 'KRX', OPEN_IN_SEOUL, 'open', 'Asia/Seoul'],
    ['equity', 'NASDAQ', PRE_IN_NEW_YORK, 'pre', 'America/New_York'],
    ['equity', 'NYSE American', PRE_IN_NEW_YORK, 'pre', 'America/New_York'],
    ['etf', 'NYSE Arca', PRE_IN_NEW_YORK, 'pre', 'America/New_York'],
    ['index', 'S&P', PRE_IN_NEW_YORK, 'closed', 'America/New_York'],
    ['index', 'Dow Jones', at('2026-11-13T15:00:00Z'), 'open', 'America/New_York'],
    ['index', 'Cboe', at('2026-11-13T15:00:00Z'), 'open', 'America/New_York'],
    ['index', 'Osaka', OPEN_IN_SEOUL, 'unknown', 'UTC'],
    ['equity', 'TSE', at('2026-12-30T03:00:00Z'), 'closed', 'Asia/Tokyo'],
    ['equity', 'TSE', at('2026-12-30T06:29:00Z'), 'open', 'Asia/Tokyo'],
    ['index', 'TSE', at('2026-12-31T01:00:00Z'), 'closed', 'Asia/Tokyo'],
    ['equity', 'TSE', at('2027-03-22T01:00:00Z'), 'closed', 'Asia/Tokyo'],
    ['equity', 'TSE', at('2028-01-05T01:00:00Z'), 'unknown', 'Asia/Tokyo'],
    ['equity', 'HKEX', at('2026-12-23T05:00:00Z'), 'open', 'Asia/Hong_Kong'],
    ['equity', 'HKEX', at('2026-12-24T03:59:00Z'), 'open', 'Asia/Hong_Kong'],
    ['equity', 'HKEX', at('2026-12-24T05:00:00Z'), 'closed', 'Asia/Hong_Kong'],
    ['equity', 'HKEX', at('2027-02-09T03:00:00Z'), 'closed', 'Asia/Hong_Kong'],
    ['equity', 'LSE', at('2026-11-13T16:29:00Z'), 'open', 'Europe/London'],
    ['equity', 'LSE', at('2026-12-24T12:30:00Z'), 'closed', 'Europe/London'],
    ['equity', 'LSE', at('2026-12-28T12:00:00Z'), 'closed', 'Europe/London'],
    ['equity', 'Xetra', OPEN_IN_SEOUL, 'unknown', 'UTC'],
    ['rate', 'Cboe', at('2026-11-13T15:00:00Z'), 'unknown', 'America/New_York'],
    ['crypto', 'Crypto', at('2026-12-25T00:00:00Z'), 'open', 'UTC'],
    ['fx', 'FX', OPEN_IN_SEOUL, 'open', 'UTC'],
  ])('%s on %s at %s is %s', (assetClass, exchange, moment, state, timeZone) => {
    expect(sessionOf(of(assetClass, exchange), moment)).toBe(state);
    expect(timeZoneOf(of(assetClass, exchange))).toBe(timeZone);
  });

  everyRow([
    ['winter, the last second of the week', '2026-11-13T21:59:59Z', 'open', '2026-11-06T22:00:00Z'],
    ['winter, the end of the week', '2026-11-13T22:00:00Z', 'closed', '2026-11-13T22:00:00Z'],
    ['winter, before the week', '2026-11-15T21:59:59Z', 'closed', '2026-11-13T22:00:00Z'],
    ['winter, the beginning of the week', '2026-11-15T22:00:00Z', 'open', '2026-11-13T22:00:00Z'],
    ['summer, the end of the week', '2026-10-30T21:00:00Z', 'closed', '2026-10-30T21:00:00Z'],
    ['the Sunday on which the clocks went back', '2026-11-01T21:59:59Z', 'closed', '2026-10-30T21:00:00Z'],
    ['that Sunday at 17:00', '2026-11-01T22:00:00Z', 'open', '2026-10-30T21:00:00Z'],
    ['the Sunday on which the clocks went forward', '2026-03-08T21:00:00Z', 'open', '2026-03-06T22:00:00Z'],
  ])('currencies: %s (%s) is %s', (_, moment, state, lastClose) => {
    const usdkrw = of('fx', 'FX');
    expect(sessionOf(usdkrw, at(moment))).toBe(state);
    expect(lastCloseBefore(usdkrw, at(moment))?.toString()).toBe(lastClose);
  });

  it('has no last close for markets that never close or are unknown', () => {
    expect(lastCloseBefore(of('crypto', 'Crypto'), OPEN_IN_SEOUL)).toBeNull();
    expect(lastCloseBefore(of('index', 'Osaka'), OPEN_IN_SEOUL)).toBeNull();
    expect(lastCloseBefore(of('equity', 'KOSPI'), seoul('2028-01-03T18:00'))).toBeNull();
    expect(lastCloseBefore(of('equity', 'KOSPI'), seoul('2025-01-02T15:29'))).toBeNull();
  });
});

everyRow([
  ['2026-11-16T08:10', 'pre'],
  ['2026-11-16T08:55', 'closed'],
  ['2026-11-16T09:00', 'closed'],
  ['2026-11-16T09:01', 'open'],
  ['2026-11-16T15:25', 'closed'],
  ['2026-11-16T15:40', 'after'],
  ['2026-11-16T20:00', 'closed'],
  // The exam day and the first trading day of a year have no pre-market.
  ['2026-11-19T08:10', 'closed'],
  ['2026-11-19T16:10', 'open'],
  ['2026-11-19T16:40', 'after'],
  ['2026-01-02T08:10', 'closed'],
  ['2026-01-02T10:01', 'open'],
  ['2026-01-02T18:00', 'after'],
  // A holiday of KRX; a day before Nextrade began.
  ['2026-12-25T10:00', 'closed'],
  ['2025-03-03T10:00', 'closed'],
  ['2025-02-28T10:00', 'closed'],
])('at %s in Seoul Nextrade is %s', (moment, state) => {
  expect(hours.sessionAt('NXT', seoul(moment)).state).toBe(state);
});

it('shows Nextrade for Korean shares only while KRX is closed, and never for funds', () => {
  const share = of('equity', 'KOSPI');
  expect(nextradeSession(share, seoul('2026-11-16T08:10'))).toBe('pre');
  expect(nextradeSession(share, seoul('2026-11-16T15:45'))).toBe('after');
  expect(nextradeSession(share, seoul('2026-11-16T10:00'))).toBeUndefined();
  expect(nextradeSession(share, seoul('2026-11-16T17:00'))).toBeUndefined();
  expect(nextradeSession(of('etf', 'KOSPI'), seoul('2026-11-16T08:10'))).toBeUndefined();
  expect(nextradeSession(of('equity', 'NASDAQ'), seoul('2026-11-16T08:10'))).toBeUndefined();
});

it('opens and closes around the break at noon in Tokyo', () => {
  const next = (moment: string) => hours.sessionAt('TSE', at(moment)).nextChange;
  expect(next('2026-11-13T01:00:00Z')).toEqual({ to: 'closed', at: at('2026-11-13T02:30:00Z') });
  expect(next('2026-11-13T03:00:00Z')).toEqual({ to: 'open', at: at('2026-11-13T03:30:00Z') });
  expect(next('2026-11-13T06:00:00Z')).toEqual({ to: 'closed', at: at('2026-11-13T06:30:00Z') });
});

it('covers six markets and reports others as unknown', () => {
  expect(hours.markets).toEqual(['KRX', 'NXT', 'NYSE', 'TSE', 'HKEX', 'LSE']);
  expect(hours.sessionAt('Xetra', at('2026-11-13T12:00:00Z'))).toMatchObject({
    market: 'Xetra',
    state: 'unknown',
    nextOpenAt: null,
    nextChange: null,
  });
});

const QUARTER_MS = 15 * 60_000;
/** Three days around: an ordinary day, clocks forward, clocks back, clocks back one minute after midnight, a day left out. */
const PLACES = [
  ['Asia/Seoul', '2026-11-13T00:00:00Z'],
  ['America/New_York', '2026-03-08T00:00:00Z'],
  ['America/New_York', '2026-11-01T00:00:00Z'],
  ['America/St_Johns', '2005-10-30T00:00:00Z'],
  ['Pacific/Apia', '2011-12-30T00:00:00Z'],
  ['Asia/Kathmandu', '2026-11-13T00:00:00Z'],
] as const;

it("cached local days equal the zone's days, also around clock changes", () => {
  for (const [zone, middle] of PLACES) {
    const startMs = Temporal.Instant.from(middle).epochMilliseconds - 36 * 3_600_000;
    const moments = Array.from({ length: 288 }, (_, index) =>
      Temporal.Instant.fromEpochMilliseconds(startMs + index * QUARTER_MS - 1),
    );
    // Twice: read, and remembered.
    for (const at of [...moments, ...moments]) {
      const expected = at.toZonedDateTimeISO(zone).toPlainDate();
      const { date, text } = localDay(at, zone);
      expect(`${zone} ${date.toString()} ${text}`).toBe(
        `${zone} ${expected.toString()} ${expected.toString()}`,
      );
    }
  }
});
