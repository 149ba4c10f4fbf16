import { expect, it } from 'vitest';
import { AAPL, failureOf, setUp, signal } from '#test/markets/sources/yahoo/set-up.ts';
import { createBlocks } from './longest-block.ts';

const PATIENCE = { timeout: 300_000 };

/** Short, because the fake makes up a right answer too. What is beyond it is read all the same. */
const SPAN = { first: Temporal.PlainDate.from('2026-11-05'), last: Temporal.PlainDate.from('2026-11-12') };
const DAY_SECONDS = 86_400;
const NEWEST = 1_794_441_600;

/** A chart of this many bars, in the order that `place` gives; `stepSeconds` apart. */
const chartOf = (
  bars: number,
  { place = (index: number) => index, stepSeconds = DAY_SECONDS, events = 0 } = {},
): string => {
  const series = (value: (index: number) => number): readonly number[] =>
    Array.from({ length: bars }, (_, index) => value(index));
  const at = series((index) => NEWEST - (bars - place(index)) * stepSeconds);
  const price = series((index) => 100.1 + (index % 997) / 7);
  const dividends = Object.fromEntries(
    Array.from({ length: events }, (_, index) => [
      index,
      { date: NEWEST - index * DAY_SECONDS, amount: 0.1, currency: 'x' },
    ]),
  );
  const meta = { currency: 'USD', exchangeTimezoneName: 'America/New_York', symbol: 'AAPL' };
  const quote = [{ open: price, high: price, low: price, close: price, volume: series((index) => index) }];
  return JSON.stringify({
    chart: { result: [{ meta, timestamp: at, indicators: { quote }, events: { dividends } }] },
  });
};

const CHARTS: readonly (readonly [string, string, 'read' | 'refused'])[] = [
  ['sixty years of days', chartOf(16_300), 'read'],
  ['days in no order', chartOf(16_300, { place: (index) => (index * 7_919) % 16_300 }), 'read'],
  ['seconds of one day', chartOf(16_300, { stepSeconds: 1 }), 'read'],
  ['more bars than are read', chartOf(30_000, { stepSeconds: 60 }), 'refused'],
  ['many dividends', chartOf(10, { events: 40_000 }), 'read'],
  [
    'zones that do not exist',
    JSON.stringify({ chart: { result: [{ meta: { exchangeTimezoneName: 'x'.repeat(2_900_000) } }] } }),
    'refused',
  ],
];

it('no chart of a market stalls the bot, and each is read or refused', PATIENCE, async () => {
  const { fake, source } = await setUp();
  const blocks = createBlocks('chart');
  for (const [name, body, outcome] of CHARTS) {
    fake.failAlways('chart', { kind: 'status', status: 200, body });
    await blocks.of(name, async () => {
      const asked = Promise.resolve(source.getDays?.(AAPL, SPAN, signal()));
      if (outcome === 'refused') expect(await failureOf(asked)).toMatchObject({ code: /^MARKET_/ });
      else expect((await asked)?.bars.length).toBeGreaterThan(0);
    });
  }
  blocks.expectNone();
});

const listed = (count: number): string =>
  JSON.stringify({
    quoteResponse: {
      result: Array.from({ length: count }, () => ({
        symbol: 'AAPL',
        currency: 'USD',
        regularMarketPrice: 1,
      })),
    },
  });

it('no list of quotes or of news stalls the bot', PATIENCE, async () => {
  const { fake, source } = await setUp();
  const blocks = createBlocks('list of a market');
  fake.failAlways('quote', { kind: 'status', status: 200, body: listed(40_000) });
  await blocks.of('quotes', async () => {
    expect(await failureOf(source.getQuotes([AAPL], signal()))).toMatchObject({ code: 'MARKET_BAD_DATA' });
  });
  const news = {
    title: 'a'.repeat(14_000),
    link: 'https://a.example/',
    publisher: 'b',
    providerPublishTime: NEWEST,
  };
  const body = JSON.stringify({
    news: Array.from({ length: 200 }, (_, index) => ({
      ...news,
      title: `${index} ${news.title}`,
      link: `${news.link}${index}`,
    })),
  });
  fake.failAlways('search', { kind: 'status', status: 200, body });
  await blocks.of('news', async () => {
    const found = await source.getNews?.({ instrument: AAPL, limit: 10 }, signal());
    expect(found?.map(({ title }) => title.length)).toEqual(Array.from({ length: 10 }, () => 500));
  });
  blocks.expectNone();
});
