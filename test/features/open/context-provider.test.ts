import { describe, expect, it } from 'vitest';
import type { NewsItem } from '#src/kernel/market/finance.ts';
import { createMarketHours } from '#src/markets/calendar/calendar.ts';
import { createFinanceContextProvider } from '#src/features/open/context-provider.ts';
import type { Market, MarketResult } from '#src/markets/sources/source.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { newsItem } from '../news/news-support.ts';

/** Of a person of whom nothing is known. */
const personal = {
  getActiveAlerts: async () => [],
  getPortfolio: async () => null,
  getWatchlist: async () => [],
};
const MINUTE_MS = 60_000;
const { signal } = new AbortController();

it.each([
  ['2026-11-13T02:00:00Z', { KRX: 'open', NYSE: 'closed' }],
  ['2026-11-13T15:00:00Z', { KRX: 'closed', NYSE: 'open' }],
  ['2026-11-14T02:00:00Z', { KRX: 'closed', NYSE: 'closed' }],
])('gives the session of each market as of the clock: %s', async (now, expected) => {
  const market: Pick<Market, 'getNews'> = { getNews: async () => ({ status: 'ok', value: [] }) };
  const provider = createFinanceContextProvider({
    hours: createMarketHours(),
    market,
    personal,
    clock: new ManualClock(now),
  });
  const sessions = await provider.getMarketSession?.(signal);
  expect(Object.fromEntries((sessions ?? []).map((one) => [one.market, one.state]))).toMatchObject(expected);
});

type News = MarketResult<readonly NewsItem[]>;
const DOWN: News = { status: 'unavailable', reason: 'down' };
const known = (...titles: readonly string[]): News => ({
  status: 'ok',
  value: titles.map((title) => newsItem(title)),
});

/** A source whose next answers a test gives; without one it does not answer at all. */
const setUp = () => {
  const clock = new ManualClock();
  const asked: PromiseWithResolvers<News>[] = [];
  const market: Pick<Market, 'getNews'> = {
    getNews: () => {
      const next = Promise.withResolvers<News>();
      asked.push(next);
      return next.promise;
    },
  };
  const { getRecentNews } = createFinanceContextProvider({
    hours: createMarketHours(),
    market,
    personal,
    clock,
  });
  if (!getRecentNews) throw new Error('no news');
  const titles = async () => (await getRecentNews(signal)).map(({ title }) => title);
  /** Asks, answers and gives what came of it. */
  const after = async (answer: News) => {
    const titlesThen = titles();
    asked.at(-1)?.resolve(answer);
    return titlesThen;
  };
  return { clock, asked, titles, after, getRecentNews };
};

describe('recent news', () => {
  it('are one request for everybody within five minutes, three different headlines at most', async () => {
    const { clock, asked, titles } = setUp();
    const all = Array.from({ length: 50 }, titles);
    asked[0]?.resolve(known('a', 'A!', 'b', 'c', 'd'));
    expect(new Set((await Promise.all(all)).map((one) => one.join()))).toEqual(new Set(['a,b,c']));
    await clock.advance(5 * MINUTE_MS - 1);
    await titles();
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    await titles();
    expect(asked).toHaveLength(2);
  });

  it('are none where the source has none', async () => {
    const { after } = setUp();
    expect(await after({ status: 'unavailable', reason: 'not-in-sample' })).toEqual([]);
  });

  it('keep an answer waiting for a moment at most, once, and are there for the next one when they come late', async () => {
    const { clock, asked, titles } = setUp();
    const first = expect(titles()).rejects.toThrow('has not answered');
    await clock.advance(1_500);
    await first;
    await expect(titles()).rejects.toThrow('has not answered');
    asked[0]?.resolve(known('late'));
    await clock.advance(0);
    expect(await titles()).toEqual(['late']);
    expect(asked).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it('are not asked for again within a minute of a failure, and nobody waits in it', async () => {
    const { clock, asked, titles, after } = setUp();
    await expect(after(DOWN)).rejects.toThrow('has not answered');
    await expect(titles()).rejects.toThrow('has not answered');
    expect(asked).toHaveLength(1);
    await clock.advance(MINUTE_MS);
    expect(await after(known('back'))).toEqual(['back']);
  });

  it('stay as they were while the source fails, for an hour', async () => {
    const { clock, asked, titles, after } = setUp();
    await after(known('old'));
    await clock.advance(6 * MINUTE_MS);
    expect(await titles()).toEqual(['old']);
    asked[1]?.reject(new Error('broken'));
    await clock.advance(53 * MINUTE_MS);
    expect(await titles()).toEqual(['old']);
    asked[2]?.resolve(DOWN);
    await clock.advance(MINUTE_MS);
    await expect(after(DOWN)).rejects.toThrow('has not answered');
  });

  it('give up a source that never answers, and ask it again later', async () => {
    const { clock, asked, titles } = setUp();
    const waited = expect(titles()).rejects.toThrow();
    await clock.advance(8_000);
    await waited;
    await clock.advance(MINUTE_MS);
    titles().catch(() => undefined);
    expect(asked).toHaveLength(2);
  });

  it('end the waiting of one who was stopped, with the reason', async () => {
    const { clock, getRecentNews } = setUp();
    const stop = new AbortController();
    const waited = expect(getRecentNews(stop.signal)).rejects.toThrow('stopped');
    stop.abort(new Error('stopped'));
    await clock.advance(0);
    await waited;
  });
});
