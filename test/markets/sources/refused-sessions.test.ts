import { expect, it, onTestFinished } from 'vitest';
import type { Instrument, QuoteResult } from '#src/kernel/market/finance.ts';
import { quotesAnswer } from '#src/features/quotes/quotes.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { openMarket } from '#src/markets/sources/open-market.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import { createUpbitSource } from '#src/markets/sources/upbit/source.ts';
import { createYahooChartQuotes } from '#src/markets/sources/yahoo/chart-quotes.ts';
import { createYahooSource } from '#src/markets/sources/yahoo/source.ts';
import { startFakeYahoo } from '#test/fakes/yahoo/server.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { createRecorder, instrumentOf } from './market-fixtures.ts';

const { signal } = new AbortController();
const MINUTE_MS = 60_000;
const UNAUTHORIZED = { kind: 'status', status: 401 } as const;
const resolve = (query: string) => ({ status: 'found', instrument: instrumentOf(query) }) as const;
const SYMBOLS = Array.from({ length: 30 }, (_, index) => `S${String(index)}`);

/** A live market on a Yahoo of this test alone, an hour after the opening of New York. */
const open = async ({ hasLiveSetup = true } = {}) => {
  const clock = new ManualClock('2026-11-16T15:30:00Z');
  const yahoo = await startFakeYahoo({ now: clock.now });
  onTestFinished(yahoo.stop);
  for (const symbol of SYMBOLS) yahoo.setQuote(symbol, {});
  const { logger, lines } = createRecorder();
  const deps = { baseUrl: yahoo.url, clock, logger };
  const opened = openMarket({
    mode: 'auto',
    hasLiveSetup,
    primary: { create: () => createYahooSource(deps), createFallback: () => createYahooChartQuotes(deps) },
    preferred: [{ create: () => createUpbitSource({ ...deps, baseUrl: 'http://127.0.0.1:9' }) }],
    sample: () => createSampleSource(clock),
    calendar: { sessionOf, lastCloseBefore },
    clock,
    logger,
  });
  /** Time stands still but for the milliseconds in which requests are gathered. */
  const wait = async <T>(task: Promise<T>): Promise<T> => {
    const state = { isOver: false };
    const end = (): void => void (state.isOver = true);
    task.then(end, end);
    while (!state.isOver) await clock.advance(1);
    return task;
  };
  /** Up to the beginning of the next minute. */
  const nextMinute = async (): Promise<void> =>
    clock.advance(MINUTE_MS - (clock.now().epochMilliseconds % MINUTE_MS));
  return { ...opened, clock, yahoo, lines, wait, nextMinute };
};

/** The most requests that any minute had. */
const busiestMinute = (requests: readonly { readonly at: Temporal.Instant }[]): number => {
  const times = requests.map(({ at }) => at.epochMilliseconds);
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE_MS).length));
};

const found = (results: readonly QuoteResult[]) =>
  results.flatMap((result) => (result.status === 'ok' ? [result.quote] : []));

it('an hour without a crumb: every quote comes from the chart and says so, at most 20 requests a minute, then all is as before', async () => {
  const { market, clock, yahoo, wait, nextMinute } = await open();
  const price = quotesAnswer({ market, symbols: { resolve } });
  const audience = { locale: 'en', timeZone: 'America/New_York' } as const;
  const watched: readonly Instrument[] = SYMBOLS.slice(0, 5).map(instrumentOf);
  yahoo.failFamily('crumbed', UNAUTHORIZED);
  const answers: string[] = [];
  for (let minute = 0; minute < 60; minute += 1) {
    // As alerts look at it.
    const looked = found(await wait(market.getQuotes(watched, signal)));
    expect(looked.filter(({ isStale }) => !isStale)).toHaveLength(5);
    for (let person = 0; person < (minute % 3 === 0 ? 1 : 2); person += 1) {
      const symbol = SYMBOLS[(minute * 7 + person * 11) % SYMBOLS.length] ?? '';
      answers.push((await wait(price([symbol], audience, signal))).content);
    }
    if (minute % 10 === 0) {
      const [history, news] = await wait(
        Promise.all([
          market.getHistory(instrumentOf('AAPL'), '1mo', signal),
          market.getNews({ instrument: instrumentOf('AAPL'), limit: 3 }, signal),
        ]),
      );
      expect([history.status, news.status]).toEqual(['ok', 'ok']);
    }
    await nextMinute();
  }
  expect(answers).toHaveLength(100);
  for (const text of answers) {
    expect(text).toContain(' · Yahoo Finance chart');
    expect(text).toContain('The usual source is not answering');
  }
  expect(busiestMinute(yahoo.requests)).toBeLessThanOrEqual(20);
  // It is tried again and again, ever later, and logged as often.
  expect(yahoo.countOf('crumb')).toBe(2 * 14);

  yahoo.failFamily('crumbed', null);
  await clock.advance(5 * MINUTE_MS);
  const after = found(await wait(market.getQuotes(watched, signal)));
  expect(after.map(({ source }) => source)).toEqual(Array<string>(5).fill('Yahoo Finance'));
  expect(after.some(({ isFallback }) => isFallback)).toBe(false);
});

it('a list that is longer than a minute allows for has its turns in order, and what is old is never taken for new', async () => {
  const { market, clock, yahoo, wait, nextMinute } = await open();
  yahoo.failFamily('crumbed', { kind: 'status', status: 429 });
  const seen = new Map<string, number>();
  for (let minute = 0; minute < 8; minute += 1) {
    const quotes = found(await wait(market.getQuotes(SYMBOLS.map(instrumentOf), signal)));
    for (const { instrument, asOf, isStale, isLastKnown } of quotes) {
      const ageMs = clock.now().epochMilliseconds - asOf.epochMilliseconds;
      if (!isLastKnown) seen.set(instrument.symbol, minute);
      // Alerts do not judge a stale price.
      if (ageMs > 2 * MINUTE_MS) expect(isStale).toBe(true);
    }
    // One person's question fits in beside it.
    const asked = await wait(market.getQuotes([instrumentOf('MSFT')], signal));
    expect(found(asked).map(({ isLastKnown }) => isLastKnown)).toEqual([undefined]);
    if (minute >= 4) {
      expect(seen.size).toBe(30);
      for (const last of seen.values()) expect(minute - last).toBeLessThan(4);
    }
    await nextMinute();
  }
  const busiest = busiestMinute(yahoo.requests);
  expect([busiest > 10, busiest <= 20]).toEqual([true, true]);
});

it('a 429 of charts holds chart quotes and histories back, not the usual quotes and news', async () => {
  const { market, yahoo, wait, breakers } = await open();
  yahoo.failFamily('chart', { kind: 'status', status: 429 });
  const apple = instrumentOf('AAPL');
  expect(await wait(market.getHistory(apple, '1mo', signal))).toMatchObject({ reason: 'down' });
  expect(found(await wait(market.getQuotes([apple], signal)))[0]?.source).toBe('Yahoo Finance');
  yahoo.failFamily('crumbed', UNAUTHORIZED);
  expect(await wait(market.getQuotes([instrumentOf('MSFT')], signal))).toMatchObject([{ reason: 'limited' }]);
  expect(yahoo.countOf('chart')).toBe(1);
  expect(await wait(market.getNews({ limit: 3 }, signal))).toMatchObject({ status: 'ok' });
  expect(breakers().map(({ name }) => name)).toEqual(['Yahoo Finance quotes', 'Yahoo Finance history']);
});

it('two live sources that are more than 1 % apart in the same minute are both shown', async () => {
  const { market, clock, yahoo, wait } = await open();
  const [apple, microsoft] = [instrumentOf('AAPL'), instrumentOf('MSFT')];
  expect(await wait(market.getHistory(apple, '1mo', signal))).toMatchObject({ status: 'ok' });
  const quoteOf = async (instrument: Instrument) =>
    found(await wait(market.getQuotes([instrument], signal)))[0];
  expect((await quoteOf(apple))?.otherPrice).toBeUndefined();

  await wait(market.getHistory(microsoft, '1mo', signal));
  yahoo.setQuote('MSFT', { regularMarketPrice: 520.4 });
  const disputed = await quoteOf(microsoft);
  expect(disputed?.price.toString()).toBe('520.4');
  expect(disputed?.otherPrice?.price.toString()).toBe('510.18');
  expect(disputed?.otherPrice?.source).toBe('Yahoo Finance chart');
  const price = quotesAnswer({ market, symbols: { resolve } });
  const audience = { locale: 'ko', timeZone: 'Asia/Seoul' } as const;
  const { content, facts, cards } = await wait(price(['MSFT'], audience, signal));
  expect(content).toContain('같은 시각 Yahoo Finance chart 가격: $510.18 (-1.96%)');
  expect(cards?.items[0]?.footer).toContain('$510.18');
  expect(facts).toContainEqual(expect.objectContaining({ metric: 'priceElsewhere', value: '510.18' }));
  // Of another minute it says nothing.
  await clock.advance(2 * MINUTE_MS);
  expect((await quoteOf(microsoft))?.otherPrice).toBeUndefined();
});

it('somebody who just tries the bot has live prices where only sessions are refused', async () => {
  const { market, yahoo, wait, kind } = await open({ hasLiveSetup: false });
  yahoo.failFamily('crumbed', UNAUTHORIZED);
  expect(found(await wait(market.getQuotes([instrumentOf('AAPL')], signal)))[0]?.source).toBe(
    'Yahoo Finance chart',
  );
  expect(kind()).toBe('live');
});

it('of a list that is too long for a minute exchange rates and the first named come first, and the rest is limited', async () => {
  const { market, yahoo, wait } = await open();
  yahoo.failFamily('crumbed', UNAUTHORIZED);
  const rate: Instrument = { ...instrumentOf('USDKRW=X'), assetClass: 'fx', currency: 'KRW' };
  yahoo.setQuote('USDKRW=X', { currency: 'KRW' });
  const results = await wait(market.getQuotes([...SYMBOLS.map(instrumentOf), rate], signal));
  const told = found(results).map(({ instrument }) => instrument.symbol);
  expect(told.toSorted()).toEqual([...SYMBOLS.slice(0, told.length - 1), 'USDKRW=X'].toSorted());
  expect(told.length).toBeGreaterThan(5);
  const reasons = results.flatMap((result) => (result.status === 'ok' ? [] : [result.reason]));
  expect(new Set(reasons)).toEqual(new Set(['limited']));
});
