import { expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { completeQuote } from '#src/markets/sources/market.ts';
import { everyRow } from '#test/support/every-row.ts';
import { instrumentOf, quoteOf } from './market-fixtures.ts';

const at = (text: string) => Temporal.Instant.from(text);
const calendar = { sessionOf, lastCloseBefore };

everyRow([
  // Friday 2026-11-13; KRX is open 09:00–15:30 in Seoul, with an after-market from 16:00.
  ['005930.KS', 20, '2026-11-13T11:00+09:00', '2026-11-13T10:21+09:00', 'open', false],
  ['005930.KS', 20, '2026-11-13T11:00+09:00', '2026-11-13T10:19+09:00', 'open', true],
  // Without a word about a delay none is granted.
  ['005930.KS', undefined, '2026-11-13T11:00+09:00', '2026-11-13T10:41+09:00', 'open', false],
  ['005930.KS', undefined, '2026-11-13T11:00+09:00', '2026-11-13T10:39+09:00', 'open', true],
  // Five minutes after the opening a source that is 20 minutes behind has yesterday's close, as it should.
  ['005930.KS', 20, '2026-11-13T09:05+09:00', '2026-11-12T15:30+09:00', 'open', false],
  ['005930.KS', 20, '2026-11-13T09:05+09:00', '2026-11-11T15:30+09:00', 'open', true],
  ['005930.KS', 20, '2026-11-13T09:45+09:00', '2026-11-12T15:30+09:00', 'open', true],
  ['005930.KS', 20, '2026-11-13T16:30+09:00', '2026-11-13T15:01+09:00', 'after', false],
  ['005930.KS', 20, '2026-11-13T16:30+09:00', '2026-11-13T14:59+09:00', 'after', true],
  // Over the weekend it stays the close of Friday, not of Thursday.
  ['005930.KS', 20, '2026-11-15T12:00+09:00', '2026-11-13T15:30+09:00', 'closed', false],
  ['005930.KS', 20, '2026-11-15T12:00+09:00', '2026-11-12T15:30+09:00', 'closed', true],
  ['AAPL', 0, '2026-11-13T08:00-05:00', '2026-11-12T16:00-05:00', 'pre', false],
  ['BTC-KRW', 0, '2026-11-15T12:00Z', '2026-11-15T11:41Z', 'open', false],
  ['BTC-KRW', 0, '2026-11-15T12:00Z', '2026-11-15T11:39Z', 'open', true],
  // Nobody knows its hours: four days.
  ['^TNX', 15, '2026-11-16T12:00Z', '2026-11-12T12:01Z', 'unknown', false],
  ['^TNX', 15, '2026-11-16T12:00Z', '2026-11-12T11:59Z', 'unknown', true],
])('a price of %s, %s min late, at %s as of %s: %s, stale %s', (symbol, delay, now, asOf, state, isStale) => {
  const quote = quoteOf(instrumentOf(symbol), {
    asOf: at(asOf),
    ...(delay !== undefined && { delayMinutes: delay }),
  });
  expect(completeQuote(quote, calendar, at(now))).toEqual({ ...quote, sessionState: state, isStale });
});

it('a price that is told once more is stale after two minutes of trading, and its delay and old extended price are not told', () => {
  const cases = [
    ['AAPL', '2026-11-13T11:00-05:00', '2026-11-13T10:59-05:00', 'fresh'],
    ['AAPL', '2026-11-13T11:00-05:00', '2026-11-13T10:57-05:00', 'stale'],
    ['BTC-KRW', '2026-11-15T12:00Z', '2026-11-15T11:57Z', 'stale'],
    ['^TNX', '2026-11-16T12:00Z', '2026-11-16T11:57Z', 'stale'],
    // The close of a market that is closed is no older for it.
    ['AAPL', '2026-11-15T12:00Z', '2026-11-13T16:00-05:00', 'fresh'],
  ] as const;
  const told = cases.map(([symbol, now, asOf]) => {
    const extended = { session: 'after', price: new Decimal(1), asOf: at(asOf) } as const;
    const last = quoteOf(instrumentOf(symbol), {
      asOf: at(asOf),
      delayMinutes: 0,
      isLastKnown: true,
      extended,
    });
    const quote = completeQuote(last, calendar, at(now));
    expect(quote.delayMinutes).toBeUndefined();
    return `${quote.isStale ? 'stale' : 'fresh'} ${quote.extended ? 'extended' : ''}`.trim();
  });
  expect(told).toEqual(['fresh extended', 'stale', 'stale', 'stale', 'fresh']);
});

everyRow([
  // KRX closes at 15:30; what is traded from 16:00 to 20:00 is no close.
  ['005930.KS', '2026-11-13T15:31+09:00', undefined],
  ['005930.KS', '2026-11-13T15:45+09:00', undefined],
  ['005930.KS', '2026-11-13T15:46+09:00', true],
  ['005930.KS', '2026-11-13T17:12+09:00', true],
  // An hour later on the day of the exam.
  ['005930.KS', '2026-11-19T16:40+09:00', undefined],
  ['005930.KS', '2026-11-19T17:12+09:00', true],
  ['005930.KS', '2026-11-16T10:00+09:00', undefined],
  ['^KS11', '2026-11-13T17:12+09:00', undefined],
  ['AAPL', '2026-11-13T17:12-05:00', undefined],
  ['BTC-KRW', '2026-11-13T17:12+09:00', undefined],
])('a price of %s as of %s is one after the close: %s', (symbol, asOf, expected) => {
  const quote = quoteOf(instrumentOf(symbol), { asOf: at(asOf) });
  const later = at(asOf).add({ minutes: 20 });
  expect(completeQuote(quote, calendar, later).isAfterClose).toBe(expected);
  // Where the source tells the two apart, its regular price is one.
  const extended = { session: 'after', price: new Decimal(1), asOf: at(asOf) } as const;
  expect(completeQuote({ ...quote, extended }, calendar, later).isAfterClose).toBeUndefined();
});
