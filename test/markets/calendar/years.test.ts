import { describe, expect, it } from 'vitest';
import type { Instrument, SessionState } from '#src/kernel/market/finance.ts';
import { closingTime, lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { calendarFile } from '#src/markets/calendar/calendar-data.ts';

/**
 * Every day of three years, written down a second time by hand: what the exchanges do must not be read from the file
 * that is tested.
 */
interface Exchange {
  readonly instrument: Instrument;
  readonly code: string;
  readonly holidays: Readonly<Record<number, string>>;
  /** Minutes that Greenwich is ahead of it on that day. */
  readonly toUtcMinutes: (day: string) => number;
  /** When the state changes on a day on which it trades, in its own time. */
  readonly changes: (day: string) => readonly (readonly [time: string, state: SessionState])[];
}

const stock = (symbol: string, exchange: string): Instrument => ({
  symbol,
  ticker: symbol,
  name: { ko: symbol, en: symbol },
  exchange,
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
});

const KRX_SPECIAL: Readonly<Record<string, readonly [open: string, close: string]>> = {
  '2025-01-02': ['10:00', '15:30'],
  '2025-11-13': ['10:00', '16:30'],
  '2026-01-02': ['10:00', '15:30'],
  '2026-11-19': ['10:00', '16:30'],
  '2027-01-04': ['10:00', '15:30'],
};
const NYSE_EARLY = new Set([
  '2025-07-03',
  '2025-11-28',
  '2025-12-24',
  '2026-11-27',
  '2026-12-24',
  '2027-11-26',
]);
const SUMMER = [
  ['2025-03-09', '2025-11-02'],
  ['2026-03-08', '2026-11-01'],
  ['2027-03-14', '2027-11-07'],
] as const;

const KRX: Exchange = {
  instrument: stock('005930.KS', 'KOSPI'),
  code: 'XKRX',
  holidays: {
    2025: '01-01 01-27 01-28 01-29 01-30 03-03 05-01 05-05 05-06 06-03 06-06 08-15 10-03 10-06 10-07 10-08 10-09 12-25 12-31',
    2026: '01-01 02-16 02-17 02-18 03-02 05-01 05-05 05-25 06-03 07-17 08-17 09-24 09-25 10-05 10-09 12-25 12-31',
    2027: '01-01 02-08 02-09 03-01 05-03 05-05 05-13 07-19 08-16 09-14 09-15 09-16 10-04 10-11 12-27 12-31',
  },
  toUtcMinutes: () => -9 * 60,
  changes: (day) => {
    const [open, close] = KRX_SPECIAL[day] ?? ['09:00', '15:30'];
    const hasAfter = day >= '2026-09-14' && close === '15:30';
    return [
      [open, 'open'],
      [close, 'closed'],
      ...(hasAfter
        ? ([
            ['16:00', 'after'],
            ['20:00', 'closed'],
          ] as const)
        : []),
    ];
  },
};

const NYSE: Exchange = {
  instrument: stock('AAPL', 'NASDAQ'),
  code: 'XNYS',
  holidays: {
    2025: '01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25',
    2026: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25',
    2027: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24',
  },
  toUtcMinutes: (day) => (SUMMER.some(([from, to]) => from <= day && day < to) ? 4 : 5) * 60,
  changes: (day) => [
    ['04:00', 'pre'],
    ['09:30', 'open'],
    [NYSE_EARLY.has(day) ? '13:00' : '16:00', 'after'],
    [NYSE_EARLY.has(day) ? '17:00' : '20:00', 'closed'],
  ],
};

const DAYS = Array.from({ length: 365 * 3 }, (_, index) => {
  const date = Temporal.PlainDate.from('2025-01-01').add({ days: index });
  return { date, day: date.toString() };
});

const isTradingDay = ({ holidays }: Exchange, { date, day }: (typeof DAYS)[number]): boolean =>
  date.dayOfWeek < 6 && !(holidays[date.year] ?? '').split(' ').includes(day.slice(5));

const instantOf = (exchange: Exchange, day: string, time: string): Temporal.Instant =>
  Temporal.Instant.from(`${day}T${time}:00Z`).add({ minutes: exchange.toUtcMinutes(day) });

describe.each([
  ['KRX', KRX, 52, 731],
  ['NYSE', NYSE, 31, 752],
] as const)('%s, every day from 2025 to 2027', (_, exchange, holidayCount, tradingDayCount) => {
  const { instrument } = exchange;
  const trading = DAYS.filter((each) => isTradingDay(exchange, each));

  it('has the right state on both sides of every change', () => {
    const wrong: string[] = [];
    const expectState = (at: Temporal.Instant, expected: SessionState): void => {
      const state = sessionOf(instrument, at);
      if (state !== expected) wrong.push(`${at.toString()}: ${state}, not ${expected}`);
    };
    for (const each of DAYS) {
      let before: SessionState = 'closed';
      const changes = isTradingDay(exchange, each) ? exchange.changes(each.day) : [];
      for (const [time, state] of changes) {
        const at = instantOf(exchange, each.day, time);
        expectState(at.subtract({ minutes: 1 }), before);
        expectState(at, state);
        before = state;
      }
      if (changes.length === 0)
        for (const time of ['09:00', '10:00', '12:00', '15:29', '16:30', '19:00'])
          expectState(instantOf(exchange, each.day, time), 'closed');
    }
    expect(wrong).toEqual([]);
    expect(trading).toHaveLength(tradingDayCount);
  });

  it('closes on time, and the last close belongs to the last finished day', () => {
    const wrong: string[] = [];
    const expectSame = (what: string, a: Temporal.Instant | null, b: Temporal.Instant | null): void => {
      if (a?.toString() !== b?.toString()) wrong.push(`${what}: ${a?.toString()}, not ${b?.toString()}`);
    };
    let previous: Temporal.Instant | null = null;
    for (const each of DAYS) {
      const [, close] = isTradingDay(exchange, each)
        ? exchange.changes(each.day).filter(([time]) => time >= '09:00')
        : [];
      const at: Temporal.Instant | null = close ? instantOf(exchange, each.day, close[0]) : null;
      expectSame(each.day, closingTime(instrument, each.date), at);
      if (at)
        expectSame(`before ${each.day}`, lastCloseBefore(instrument, at.subtract({ seconds: 1 })), previous);
      if (at) expectSame(`after ${each.day}`, lastCloseBefore(instrument, at), at);
      previous = at ?? previous;
    }
    expect(wrong).toEqual([]);
  });

  it('names every holiday and special day in both languages', () => {
    const data = calendarFile().exchanges[exchange.code];
    const listed = Object.values(data?.holidays ?? {}).flatMap((year) => Object.entries(year));
    expect(listed).toHaveLength(holidayCount);
    const names = [
      ...listed.map(([, name]) => name),
      ...Object.values(data?.special ?? {}).map(({ name }) => name),
    ];
    expect(
      names.filter(({ ko, en }) => !/\p{Script=Hangul}/u.test(ko) || /\p{Script=Hangul}/u.test(en)),
    ).toEqual([]);
  });
});
