import { describe, expect, it } from 'vitest';
import type { QuoteResult } from '#src/kernel/market/finance.ts';
import { marketError } from '#src/markets/sources/errors.ts';
import { openMarket } from '#src/markets/sources/open-market.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import type { MarketSource } from '#src/markets/sources/source.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import {
  createFixedCalendar,
  createLiveSource,
  createRecorder,
  instrumentOf,
  instruments,
  quoteOf,
} from './market-fixtures.ts';

const { signal } = new AbortController();
const down = async (): Promise<never> => {
  throw marketError('MARKET_UNREACHABLE', 'host out of reach');
};
const never = (): Promise<never> => Promise.withResolvers<never>().promise;

interface Case {
  readonly mode?: 'auto' | 'yahoo' | 'sample';
  readonly hasLiveSetup?: boolean;
  readonly hasLiveModel?: () => boolean;
  readonly yahoo?: MarketSource['getQuotes'];
  readonly upbit?: MarketSource['getQuotes'];
  /** Default: out of reach. */
  readonly chart?: MarketSource['getQuotes'];
}

const open = ({ mode = 'auto', hasLiveSetup = false, hasLiveModel, yahoo, upbit, chart = down }: Case) => {
  const clock = new ManualClock();
  const { logger, lines } = createRecorder();
  const yahooSource = createLiveSource({ name: 'Yahoo', ...(yahoo && { getQuotes: yahoo }) });
  const upbitSource = createLiveSource({
    name: 'Upbit',
    supports: ({ symbol }) => symbol.endsWith('-KRW'),
    ...(upbit && { getQuotes: upbit }),
  });
  const opened = openMarket({
    mode,
    hasLiveSetup,
    ...(hasLiveModel && { hasLiveModel }),
    primary: {
      create: () => yahooSource.source,
      createFallback: () => createLiveSource({ name: 'Yahoo chart', getQuotes: chart }).source,
    },
    preferred: [{ create: () => upbitSource.source }],
    sample: () => createSampleSource(clock),
    calendar: createFixedCalendar().calendar,
    clock,
    logger,
  });
  const ask = async (...symbols: readonly string[]): Promise<readonly string[]> => {
    const asked = opened.market.getQuotes(instruments(...symbols), signal);
    await clock.advance(50);
    return (await asked).map((result: QuoteResult) =>
      result.status === 'ok' ? result.quote.source : result.reason,
    );
  };
  return { ...opened, ask, clock, lines, yahooAsked: yahooSource.asked };
};

describe('a live market', () => {
  it.each([
    { mode: 'yahoo', hasLiveSetup: false },
    { mode: 'auto', hasLiveSetup: true },
  ] as const)('stays live when nothing can be reached: %o', async (choice) => {
    const { ask, kind, breakers } = open({ ...choice, yahoo: down, upbit: down });
    expect(kind()).toBe('live');
    expect(await ask('AAPL', 'BTC-KRW')).toEqual(['down', 'down']);
    expect(kind()).toBe('live');
    expect(breakers().map(({ name }) => name)).toEqual([
      'Upbit quotes',
      'Yahoo quotes',
      'Yahoo chart quotes',
    ]);
  });

  it('has won coins from Upbit, and from Yahoo while Upbit is down', async () => {
    const { ask } = open({ mode: 'yahoo' });
    expect(await ask('BTC-KRW', 'BTC-USD')).toEqual(['Upbit', 'Yahoo']);
    const { ask: askWithout } = open({ mode: 'yahoo', upbit: down });
    expect(await askWithout('BTC-KRW')).toEqual(['Yahoo']);
  });
});

describe('a market that somebody just tries', () => {
  it('is live for good where Yahoo answers the first question', async () => {
    let isDown = false;
    const live = createLiveSource({ name: 'Yahoo' }).source;
    const { ask, kind, lines } = open({
      yahoo: (wanted, signal) => (isDown ? down() : live.getQuotes(wanted, signal)),
    });
    expect(kind()).toBe('undecided');
    expect(await ask('TSLA')).toEqual(['Yahoo']);
    expect(kind()).toBe('live');
    expect(lines).toMatchObject([{ level: 'info', message: 'Market data: live' }]);
    isDown = true;
    expect(await ask('AAPL')).toEqual(['down']);
  });

  it.each([
    ['cannot be reached', down],
    ['has no price', async () => []],
  ])('is the sample for good where Yahoo %s', async (_, yahoo) => {
    const { ask, kind, lines, yahooAsked } = open({ yahoo });
    expect(await ask('AAPL', 'BTC-KRW')).toEqual(['sample data', 'sample data']);
    expect(kind()).toBe('sample');
    expect(await ask('NOPE')).toEqual(['not-in-sample']);
    expect(yahooAsked).toHaveLength(1);
    expect(lines).toMatchObject([{ level: 'info', message: 'Market data: sample, until the next start' }]);
  });

  it('is live where a key was added since, also when Yahoo cannot be reached', async () => {
    let hasKey = false;
    const { ask, kind } = open({ yahoo: down, hasLiveModel: () => hasKey });
    hasKey = true;
    expect(await ask('AAPL')).toEqual(['down']);
    expect(kind()).toBe('live');
  });

  it('turns live at the next question once it is used in earnest, and never back', async () => {
    let hasKey = false;
    let answer: MarketSource['getQuotes'] = down;
    const { ask, kind } = open({
      yahoo: (wanted, by) => answer(wanted, by),
      hasLiveModel: () => hasKey,
    });
    expect(await ask('AAPL')).toEqual(['sample data']);
    hasKey = true;
    expect(kind()).toBe('sample');
    expect(await ask('AAPL')).toEqual(['down']);
    answer = createLiveSource({ name: 'Yahoo' }).source.getQuotes;
    hasKey = false;
    expect(await ask('AAPL')).toEqual(['Yahoo']);
    expect(kind()).toBe('live');
  });

  it('asks once for all first questions, at most 3 s; who aborts waits no longer', async () => {
    const { market, kind, clock, lines, yahooAsked } = open({ yahoo: never });
    const controller = new AbortController();
    const impatient = market.getQuotes(instruments('AAPL'), controller.signal);
    const patient = market.getQuotes(instruments('AAPL'), signal);
    const history = market.getHistory(instrumentOf('AAPL'), '1y', signal);
    const reason = new Error('stopped by the user');
    controller.abort(reason);
    await expect(impatient).rejects.toBe(reason);
    await clock.advance(2_999);
    expect(kind()).toBe('undecided');
    await clock.advance(1);
    expect(await patient).toMatchObject([{ status: 'ok', quote: { isSample: true } }]);
    expect(await history).toMatchObject({ status: 'ok' });
    expect(yahooAsked).toHaveLength(1);
    // It may be there after all: whoever reads the log knows what to do.
    expect(lines).toMatchObject([{ level: 'warn', source: 'Yahoo', waitedMs: 3_000 }]);
    expect(lines[0]?.message).toContain('FINCLAW_MARKET=yahoo');
    expect(clock.pendingTimers).toBe(0);
  });
});

/** What Yahoo does from one question to the next, and whose prices these have then. */
const ORDERS: readonly (readonly [yahoo: string, told: string])[] = [
  ['down back down back', 'sample sample sample sample'],
  ['refused back down back', 'chart live none live'],
  ['limited back refused down', 'chart live chart none'],
  ['down refused limited back', 'sample sample sample sample'],
  ['empty back down', 'sample sample sample'],
  ['back down back refused back', 'live none live chart live'],
  ['back limited down back', 'live chart none live'],
  ['down KEY down back refused', 'sample none none live chart'],
  ['refused KEY down back', 'chart chart none live'],
  ['down back KEY back down', 'sample sample live live none'],
];

it('no order of outage, sample and recovery has made-up prices beside real ones, or after them', async () => {
  for (const [order, expected] of ORDERS) {
    let state = '';
    let hasKey = false;
    const live = createLiveSource({ name: 'live' }).source;
    const { market, clock } = open({
      hasLiveModel: () => hasKey,
      yahoo: async (wanted, by) => {
        if (state === 'refused') throw marketError('MARKET_REFUSED', 'no crumb');
        if (state === 'limited') throw marketError('MARKET_RATE_LIMITED', '429', { retryAfterMs: 1_000 });
        if (state === 'down') return down();
        return state === 'empty' ? [] : live.getQuotes(wanted, by);
      },
      chart: async (wanted) =>
        state === 'down' ? down() : wanted.map((each) => quoteOf(each, { source: 'chart' })),
    });
    const told: string[] = [];
    for (const next of order.split(' ')) {
      if (next === 'KEY') hasKey = true;
      else state = next;
      // Past every cache, pause and breaker.
      await clock.advance(3_600_000);
      const asked = market.getQuotes(instruments('AAPL', 'TSLA', 'MSFT'), signal);
      await clock.advance(50);
      const sources = (await asked).map((result) => {
        if (result.status !== 'ok') return 'none';
        expect(result.quote.isSample).toBe(result.quote.source === 'sample data');
        return result.quote.isSample ? 'sample' : result.quote.source;
      });
      told.push([...new Set(sources)].join('+'));
    }
    expect(told.join(' '), order).toBe(expected);
  }
});

it('the sample asks nobody', async () => {
  const { ask, kind, yahooAsked } = open({ mode: 'sample', hasLiveSetup: true });
  expect(kind()).toBe('sample');
  expect(await ask('AAPL')).toEqual(['sample data']);
  expect(yahooAsked).toEqual([]);
});
