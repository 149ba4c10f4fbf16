import { afterEach, beforeEach, expect, it } from 'vitest';
import type { QuoteResult } from '#src/kernel/market/finance.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { openMarket } from '#src/markets/sources/open-market.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import { createUpbitSource } from '#src/markets/sources/upbit/source.ts';
import { createYahooChartQuotes } from '#src/markets/sources/yahoo/chart-quotes.ts';
import { createYahooSource } from '#src/markets/sources/yahoo/source.ts';
import { systemClock as clock } from '#src/platform/concurrency/clock.ts';
import { type FakeUpbit, startFakeUpbit } from '#test/fakes/upbit/server.ts';
import { type FakeYahoo, startFakeYahoo } from '#test/fakes/yahoo/server.ts';
import { checkMarket } from '../../../scripts/doctor/market.ts';
import { createRecorder, instrumentOf, instruments } from './market-fixtures.ts';

const { signal } = new AbortController();
let yahoo: FakeYahoo;
let upbit: FakeUpbit;
beforeEach(async () => {
  [yahoo, upbit] = await Promise.all([startFakeYahoo(), startFakeUpbit()]);
});
afterEach(() => Promise.all([yahoo.stop(), upbit.close()]));

const open = (hasLiveSetup = true) => {
  const { logger } = createRecorder();
  return openMarket({
    mode: 'auto',
    hasLiveSetup,
    primary: {
      create: () => createYahooSource({ baseUrl: yahoo.url, clock, logger }),
      createFallback: () => createYahooChartQuotes({ baseUrl: yahoo.url, clock, logger }),
    },
    preferred: [{ create: () => createUpbitSource({ baseUrl: upbit.url, clock, logger }) }],
    sample: () => createSampleSource(clock),
    calendar: { sessionOf, lastCloseBefore },
    clock,
    logger,
  });
};
const sources = (results: readonly QuoteResult[]): readonly string[] =>
  results.map((result) => (result.status === 'ok' ? result.quote.source : result.reason));

it('fifty people who ask for the same at once are one request to Yahoo', async () => {
  const { market } = open();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => market.getQuotes(instruments('AAPL'), signal)),
  );
  expect(new Set(answers.flatMap(sources))).toEqual(new Set(['Yahoo Finance']));
  expect(yahoo.countOf('quote')).toBe(1);
});

it('won coins come from Upbit, without it from Yahoo, and without both they are down; never from the sample', async () => {
  const won = instruments('BTC-KRW', 'AAPL');
  expect(sources(await open().market.getQuotes(won, signal))).toEqual(['Upbit', 'Yahoo Finance']);
  upbit.fail('500');
  expect(sources(await open().market.getQuotes(won, signal))).toEqual(['Yahoo Finance', 'Yahoo Finance']);
  const history = await open().market.getHistory(instrumentOf('BTC-KRW'), '1mo', signal);
  expect(history).toMatchObject({ status: 'ok', value: { source: 'Yahoo Finance' } });
  yahoo.failAlways('quote', { kind: 'status', status: 500 });
  const { market, breakers } = open();
  expect(sources(await market.getQuotes(won, signal))).toEqual([
    'Yahoo Finance chart',
    'Yahoo Finance chart',
  ]);
  expect(breakers().map(({ name }) => name)).toEqual(['Upbit quotes', 'Yahoo Finance quotes']);
  yahoo.failAlways('chart', { kind: 'status', status: 500 });
  const without = open();
  expect(sources(await without.market.getQuotes(won, signal))).toEqual(['down', 'down']);
  expect(without.breakers().map(({ name }) => name)).toEqual([
    'Upbit quotes',
    'Yahoo Finance quotes',
    'Yahoo Finance chart quotes',
  ]);
});

it('prices are still told while only news and summaries of Yahoo fail', async () => {
  const { market, breakers } = open();
  const apple = instrumentOf('AAPL');
  for (const endpoint of ['search', 'quoteSummary'] as const)
    yahoo.failAlways(endpoint, { kind: 'status', status: 500 });
  // One person asking three times for a page that Yahoo cannot make is enough to open a breaker.
  for (let time = 0; time < 3; time += 1) {
    await market.getNews({ instrument: apple, limit: 5 }, signal);
    await market.getFundamentals(apple, signal);
  }
  expect(sources(await market.getQuotes([apple], signal))).toEqual(['Yahoo Finance']);
  expect(await market.getHistory(apple, '1mo', signal)).toMatchObject({ status: 'ok' });
  expect(breakers()).toEqual([
    { name: 'Yahoo Finance news', state: 'open' },
    { name: 'Yahoo Finance fundamentals', state: 'open' },
  ]);
});

it('a 429 in the middle of sixty symbols costs one request: charts give some of them, and work for all else', async () => {
  const { market } = open();
  const many = Array.from({ length: 60 }, (_, index) => `S${String(index)}`);
  for (const symbol of many) yahoo.setQuote(symbol, {});
  yahoo.failNext(
    'quote',
    { kind: 'wait', until: Promise.resolve() },
    { kind: 'status', status: 429, retryAfter: '60' },
  );
  const told = sources(await market.getQuotes(instruments(...many), signal));
  const [usual = 0, chart = 0] = ['Yahoo Finance', 'Yahoo Finance chart'].map(
    (each) => told.filter((source) => source === each).length,
  );
  expect([10, 50]).toContain(usual);
  // A long list leaves some requests of the minute for others.
  expect(chart).toBe(9);
  expect(told.filter((source) => source === 'limited')).toHaveLength(60 - usual - chart);
  expect(await market.getFundamentals(instrumentOf('AAPL'), signal)).toMatchObject({ reason: 'down' });
  expect([yahoo.countOf('quote'), yahoo.countOf('quoteSummary')]).toEqual([2, 0]);
  expect(await market.getHistory(instrumentOf('AAPL'), '1mo', signal)).toMatchObject({ status: 'ok' });
  expect(await market.getNews({ limit: 3 }, signal)).toMatchObject({ status: 'ok' });
});

it('a 429 of Upbit holds back neither its candles nor Yahoo, which has the coin meanwhile', async () => {
  const { market, breakers } = open();
  upbit.fail('429', 3_600);
  const won = instruments('BTC-KRW', 'AAPL');
  expect(sources(await market.getQuotes(won, signal))).toEqual(['Yahoo Finance', 'Yahoo Finance']);
  expect(breakers().map(({ name }) => name)).toEqual(['Upbit quotes']);
  upbit.fail(undefined);
  const history = await market.getHistory(instrumentOf('BTC-KRW'), '1mo', signal);
  expect(history).toMatchObject({ status: 'ok', value: { source: 'Upbit' } });
  expect(sources(await market.getQuotes(instruments('ETH-KRW'), signal))).toEqual(['Yahoo Finance']);
});

it('the doctor names what of a source does not work, and what that means', async () => {
  const { logger } = createRecorder();
  const market = { mode: 'yahoo', hasLiveSetup: true, yahooUrl: yahoo.url, upbitUrl: upbit.url } as const;
  const check = async () =>
    (await checkMarket({ market }, logger)).map(({ status, text }) => `${status} ${text}`);
  const upbitAnswers = 'ok Market data: Upbit answers (coins in won)';
  expect(await check()).toEqual(['ok Market data: Yahoo Finance answers', upbitAnswers]);
  yahoo.failFamily('crumbed', { kind: 'status', status: 401 });
  expect(await check()).toEqual([
    expect.stringMatching(/^note .*gives no quotes .*from its charts/u),
    upbitAnswers,
  ]);
  yahoo.failFamily('chart', { kind: 'status', status: 429 });
  expect(await check()).toEqual([
    expect.stringMatching(/^bad .*Yahoo Finance cannot be used/u),
    upbitAnswers,
  ]);
  yahoo.failFamily('crumbed', null);
  expect(await check()).toEqual([
    expect.stringMatching(/^note .*gives no charts .*limits the request rate/u),
    upbitAnswers,
  ]);
});

it('somebody who just tries the bot gets real prices where Yahoo answers, else the sample', async () => {
  const tried = open(false);
  expect(sources(await tried.market.getQuotes(instruments('TSLA'), signal))).toEqual(['Yahoo Finance']);
  expect(tried.kind()).toBe('live');
  await yahoo.stop();
  const offline = open(false);
  expect(sources(await offline.market.getQuotes(instruments('TSLA'), signal))).toEqual(['sample data']);
  expect(offline.kind()).toBe('sample');
  yahoo = await startFakeYahoo();
});
