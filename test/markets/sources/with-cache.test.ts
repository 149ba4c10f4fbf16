import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import type { Bar, Fundamentals, History } from '#src/markets/sources/source.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { createFixedCalendar, FLAT_BAR, instrumentOf, instruments, quoteOf } from './market-fixtures.ts';
import { createFailing, open, signal, unreachable } from './resilient-set-up.ts';

const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => `S${from + index}`);

describe('what was asked before', () => {
  it.each([
    ['open', 'AAPL', 15],
    ['pre', 'AAPL', 60],
    ['after', 'AAPL', 60],
    ['closed', 'AAPL', 600],
    ['open', 'BTC-USD', 10],
  ] as const)('is known while %s of %s for %i s', async (state, symbol, seconds) => {
    const { ask, asked, clock } = open({}, new ManualClock(), createFixedCalendar(state));
    await ask([symbol]);
    await clock.advance(seconds * 1_000 - 10);
    await ask([symbol]);
    expect(asked).toHaveLength(1);
    await clock.advance(10);
    await ask([symbol]);
    expect(asked).toHaveLength(2);
  });

  it('before an opening is not an answer after it', async () => {
    const clock = new ManualClock('2026-11-12T23:59:58Z');
    const { ask, asked } = open({}, clock, {
      calendar: { sessionOf, lastCloseBefore: () => null },
      turn: () => undefined,
    });
    await ask(['005930.KS']);
    await clock.advance(1_000);
    await ask(['005930.KS']);
    expect(asked).toHaveLength(1);
    await clock.advance(1_000);
    await ask(['005930.KS']);
    expect(asked).toHaveLength(2);
  });

  it('of a delayed source after the close is soon asked for again, until the close is there', async () => {
    // 15:49 in Seoul, and the source is 20 minutes behind: the close of 15:30 comes in a minute.
    const clock = new ManualClock('2026-11-16T06:49:00Z');
    let asOf = Temporal.Instant.from('2026-11-16T06:29:00Z');
    const counts = { history: 0 };
    const { ask, asked, source } = open(
      {
        getQuotes: async (wanted) => wanted.map((instrument) => quoteOf(instrument, { asOf })),
        getHistory: async (instrument, range) => {
          counts.history += 1;
          return { ...quoteOf(instrument), range, interval: '1d', timeZone: 'Asia/Seoul', bars: [], asOf };
        },
      },
      clock,
      { calendar: { sessionOf: () => 'closed', lastCloseBefore }, turn: () => undefined },
    );
    const askBoth = async () => {
      await source.getHistory?.(instrumentOf('005930.KS'), '1y', signal);
      return ask(['005930.KS']);
    };
    await askBoth();
    asOf = Temporal.Instant.from('2026-11-16T06:30:00Z');
    await clock.advance(60_000);
    expect((await askBoth())[0]?.asOf.toString()).toBe('2026-11-16T06:30:00Z');
    // That one is the close, and is kept.
    await clock.advance(9 * 60_000);
    await askBoth();
    expect([asked.length, counts.history]).toEqual([2, 2]);
  });

  it('without data is believed for a minute, and a failure not at all', async () => {
    const failing = createFailing();
    const { ask, asked, clock } = open(
      {
        getQuotes: async (wanted) =>
          (await failing.getQuotes(wanted)).filter(({ instrument }) => instrument.symbol !== 'NONE'),
      },
      new ManualClock(),
      createFixedCalendar('closed'),
    );
    expect(await ask(['NONE'])).toEqual([]);
    await clock.advance(59_000);
    expect(await ask(['NONE'])).toEqual([]);
    expect(asked).toHaveLength(1);
    await clock.advance(1_000);
    await ask(['NONE']);
    expect(asked).toHaveLength(2);

    failing.fail(unreachable());
    await expect(ask(['AAPL'])).rejects.toMatchObject({ code: 'MARKET_UNREACHABLE' });
    failing.fail(undefined);
    expect(await ask(['AAPL'])).toHaveLength(1);
    // Nothing old takes the place of what fails.
    await clock.advance(600_000);
    failing.fail(unreachable());
    await expect(ask(['AAPL'])).rejects.toMatchObject({ code: 'MARKET_UNREACHABLE' });
    failing.fail(undefined);
    await ask(['AAPL']);
    // A part that is known is not lost where the rest fails.
    failing.fail(unreachable());
    await expect(ask(['AAPL', 'TSLA'])).rejects.toMatchObject({
      found: [{ instrument: { symbol: 'AAPL' } }],
      failedSymbols: ['TSLA'],
    });
  });

  it('of the least recent is forgotten first: 500 quotes are kept', async () => {
    const { ask, asked } = open({}, new ManualClock(), createFixedCalendar('closed'));
    await ask(many(0, 500));
    await ask(['S0']);
    await ask(many(500, 1));
    asked.length = 0;
    await ask(['S0', 'S1', 'S2', 'S500']);
    expect(asked).toEqual([['S1']]);
  });

  it('about earnings in a list does not hide what analysts expect of one', async () => {
    let asked = 0;
    const { source, clock } = open({
      getEarnings: async (wanted, { wantsEstimates }) => {
        asked += 1;
        const date = Temporal.PlainDate.from('2027-01-28');
        return wanted.map((instrument) => ({
          ...quoteOf(instrument),
          from: date,
          to: date,
          isEstimate: true,
          ...(wantsEstimates && instrument.symbol !== 'KO' && { epsEstimate: new Decimal('2.67') }),
        }));
      },
    });
    const estimates = async (wantsEstimates: boolean, ...symbols: readonly string[]) => {
      const answer = source.getEarnings?.(instruments(...symbols), { wantsEstimates }, signal);
      await clock.advance(5);
      return (await answer)?.map(({ epsEstimate }) => epsEstimate?.toString());
    };
    expect(await estimates(false, 'AAPL', 'KO')).toEqual([undefined, undefined]);
    expect(await estimates(true, 'AAPL')).toEqual(['2.67']);
    expect(await estimates(true, 'KO')).toEqual([undefined]);
    await clock.advance(5 * 60_000);
    // One that did not come is asked for again.
    await Promise.all([estimates(false, 'AAPL'), estimates(true, 'AAPL'), estimates(true, 'KO')]);
    expect(asked).toBe(4);
  });

  it('about days is one request for days of the same year, kept while they do not change', async () => {
    const spans: string[] = [];
    const { source, clock } = open({
      getDays: async (instrument, { first, last }) => {
        spans.push(`${instrument.symbol} ${first.toString()} ${last.toString()}`);
        const bars: Bar[] = [];
        for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 }))
          bars.push({ ...FLAT_BAR, at: day.toZonedDateTime('UTC').toInstant() });
        return { ...quoteOf(instrument), timeZone: 'UTC', bars, actions: [], asOf: clock.now() };
      },
    });
    const ask = async (symbol: string, first: string, last: string) => {
      const span = { first: Temporal.PlainDate.from(first), last: Temporal.PlainDate.from(last) };
      const days = await source.getDays?.(instrumentOf(symbol), span, signal);
      return [days?.bars[0]?.at, days?.bars.at(-1)?.at].map((at) => at?.toString().slice(0, 10));
    };
    const [first, second] = await Promise.all([
      ask('USDKRW=X', '2020-03-02', '2020-03-02'),
      ask('USDKRW=X', '2020-03-31', '2020-04-02'),
    ]);
    expect([first, second]).toEqual([
      ['2020-03-02', '2020-03-02'],
      ['2020-03-31', '2020-04-02'],
    ]);
    await ask('AAPL', '2024-05-20', '2024-05-21');
    // Of this year: up to the last day that is over everywhere, and up to now, are two answers.
    await ask('AAPL', '2026-11-02', '2026-11-10');
    await ask('AAPL', '2026-11-02', '2026-11-13');
    expect(spans).toEqual([
      'USDKRW=X 2020-01-01 2020-12-31',
      'AAPL 2024-01-01 2024-12-31',
      'AAPL 2026-01-01 2026-11-11',
      'AAPL 2026-01-01 2026-11-14',
    ]);
    await clock.advance(50 * 60_000);
    await ask('USDKRW=X', '2020-03-02', '2020-03-02');
    await ask('AAPL', '2026-11-03', '2026-11-10');
    await ask('AAPL', '2026-11-02', '2026-11-13');
    expect(spans.slice(4)).toEqual(['AAPL 2026-01-01 2026-11-14']);
    // A split would count all of them anew: days of a share are asked for again after an hour.
    await clock.advance(11 * 60_000);
    await ask('USDKRW=X', '2020-03-02', '2020-03-02');
    await ask('AAPL', '2024-05-20', '2024-05-21');
    expect(spans.slice(5)).toEqual(['AAPL 2024-01-01 2024-12-31']);
  });

  it('of other kinds ages as it should, and is shared', async () => {
    const counts = { history: 0, news: 0, fundamentals: 0 };
    const asOf = Temporal.Instant.from('2026-11-13T06:30:00Z');
    const { source, clock, calendar } = open({
      getHistory: async (instrument, range): Promise<History> => {
        counts.history += 1;
        return {
          instrument,
          range,
          interval: '1d',
          timeZone: 'UTC',
          bars: [{ ...FLAT_BAR, at: asOf }],
          asOf,
          source: 'live',
          isSample: false,
        };
      },
      getNews: async ({ limit }) => {
        counts.news += 1;
        return Array.from({ length: limit }, (_, index) => ({
          title: `${index}`,
          url: 'https://a.b',
          publisher: 'P',
          publishedAt: asOf,
          symbols: [],
        }));
      },
      getFundamentals: async (instrument): Promise<Fundamentals> => {
        counts.fundamentals += 1;
        return { instrument, figures: [], asOf, source: 'live', isSample: false };
      },
    });
    const apple = instrumentOf('AAPL');
    const askAll = async () => {
      const [daily, intraday, news] = await Promise.all([
        source.getHistory?.(apple, '1y', signal),
        source.getHistory?.(apple, '1d', signal),
        source.getNews?.({ limit: 3 }, signal),
        source.getNews?.({ limit: 10 }, signal),
        source.getFundamentals?.(apple, signal),
      ]);
      return [daily?.range, intraday?.range, news?.length];
    };
    expect(await askAll()).toEqual(['1y', '1d', 3]);
    expect(counts).toEqual({ history: 2, news: 1, fundamentals: 1 });
    await clock.advance(60_000);
    await askAll();
    expect(counts).toEqual({ history: 4, news: 1, fundamentals: 1 });
    calendar.turn('closed');
    await askAll();
    await clock.advance(4 * 60_000);
    await askAll();
    expect(counts).toEqual({ history: 7, news: 2, fundamentals: 1 });
    await clock.advance(6 * 3_600_000);
    await askAll();
    expect(counts.fundamentals).toBe(2);
  });
});
