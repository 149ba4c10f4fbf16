import { describe, expect, it } from 'vitest';
import { createMarketHours } from '#src/finance/calendar.ts';

const hours = createMarketHours();
const at = (zoned: string): Temporal.Instant => Temporal.Instant.from(zoned);
const seoul = (local: string): Temporal.Instant => at(`${local}:00+09:00`);

describe('KRX session state', () => {
  it.each([
    ['an ordinary day one minute before the opening', '2026-11-13T08:59', 'closed'],
    ['the opening minute', '2026-11-13T09:00', 'open'],
    ['the last minute', '2026-11-13T15:29', 'open'],
    ['the closing minute', '2026-11-13T15:30', 'closed'],
    ['after-market hours, which are not regular', '2026-11-13T17:00', 'closed'],
    ['Saturday', '2026-11-14T11:00', 'closed'],
    ['Sunday', '2026-11-15T11:00', 'closed'],
    ['Constitution Day, a holiday again since 2026', '2026-07-17T11:00', 'closed'],
    ['the year-end closure', '2026-12-31T11:00', 'closed'],
    ['a substitute holiday', '2026-10-05T11:00', 'closed'],
    ['exam day before its late opening', '2026-11-19T09:59', 'closed'],
    ['exam day at its late opening', '2026-11-19T10:00', 'open'],
    ['exam day past the usual close', '2026-11-19T16:29', 'open'],
    ['exam day at its late close', '2026-11-19T16:30', 'closed'],
    ['the day after the exam at the usual opening', '2026-11-20T09:00', 'open'],
    ['the first trading day before 10:00', '2026-01-02T09:30', 'closed'],
    ['the first trading day at 10:00', '2026-01-02T10:00', 'open'],
    ['a weekday of a year without data', '2029-03-14T11:00', 'unknown'],
    ['a weekend of a year without data', '2029-03-17T11:00', 'unknown'],
    ['a year before the data', '2024-12-30T11:00', 'unknown'],
  ])('%s (%s) is %s', (_, local, state) => {
    const session = hours.sessionAt('KRX', seoul(local));
    expect(session).toMatchObject({ state, isOpen: state === 'open', timezone: 'Asia/Seoul' });
  });

  it('goes by the date in Seoul, not by the date in UTC', () => {
    // 2026-11-15T23:59Z is Sunday in UTC and Monday 08:59 in Seoul.
    expect(hours.sessionAt('KRX', at('2026-11-15T23:59:59Z')).state).toBe('closed');
    expect(hours.sessionAt('KRX', at('2026-11-16T00:00:00Z')).state).toBe('open');
  });
});

describe('NYSE session state', () => {
  it.each([
    ['winter time, a second before the opening', '2026-11-13T14:29:59Z', 'closed'],
    ['winter time, the opening', '2026-11-13T14:30:00Z', 'open'],
    ['winter time, the last second', '2026-11-13T20:59:59Z', 'open'],
    ['winter time, the close', '2026-11-13T21:00:00Z', 'closed'],
    ['the Friday before summer time begins', '2026-03-06T13:30:00Z', 'closed'],
    ['the Monday after summer time began', '2026-03-09T13:30:00Z', 'open'],
    ['that Monday at the summer close', '2026-03-09T20:00:00Z', 'closed'],
    ['the Friday before summer time ends', '2026-10-30T13:30:00Z', 'open'],
    ['the Monday after summer time ended', '2026-11-02T13:30:00Z', 'closed'],
    ['Thanksgiving', '2026-11-26T16:00:00Z', 'closed'],
    ['the day after Thanksgiving before its early close', '2026-11-27T17:59:59Z', 'open'],
    ['the day after Thanksgiving at 13:00', '2026-11-27T18:00:00Z', 'closed'],
    ['Christmas Eve at 13:00', '2026-12-24T18:00:00Z', 'closed'],
    ['Good Friday', '2026-04-03T15:00:00Z', 'closed'],
    ['Independence Day, observed on Friday', '2026-07-03T15:00:00Z', 'closed'],
    ['a year without data', '2029-03-14T15:00:00Z', 'unknown'],
  ])('%s (%s) is %s', (_, instant, state) => {
    expect(hours.sessionAt('NYSE', at(instant))).toMatchObject({ state, timezone: 'America/New_York' });
  });
});

describe('the next opening', () => {
  it.each([
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
  ])('%s is not known past the end of the data (%s)', (market, from) => {
    expect(hours.sessionAt(market, at(from)).nextOpenAt).toBeNull();
  });
});

it('covers KRX and NYSE, and says that any other market is unknown', () => {
  expect(hours.markets).toEqual(['KRX', 'NYSE']);
  expect(hours.sessionAt('LSE', at('2026-11-13T12:00:00Z'))).toMatchObject({
    market: 'LSE',
    state: 'unknown',
    isOpen: false,
    nextOpenAt: null,
  });
});
