import { expect, it } from 'vitest';
import { createYahooChartQuotes } from '#src/markets/sources/yahoo/chart-quotes.ts';
import { createRecorder } from '../market-fixtures.ts';
import { AAPL, failureOf, instrument, MSFT, SAMSUNG, setUp, signal } from './set-up.ts';

const open = async () => {
  const { fake, clock, source: usual } = await setUp();
  const { logger, lines } = createRecorder();
  return { fake, usual, chart: createYahooChartQuotes({ baseUrl: fake.url, clock, logger }), lines };
};

it('a chart quote equals the usual quote except for extended hours', async () => {
  const { fake, usual, chart } = await open();
  fake.setQuote('AAPL', { postMarketPrice: 280, postMarketTime: 1_900_000_000 });
  const wanted = [
    AAPL,
    SAMSUNG,
    instrument('BTC-USD', { assetClass: 'crypto' }),
    instrument('USDKRW=X', { assetClass: 'fx', currency: 'KRW' }),
    instrument('^KS11', { assetClass: 'index', currency: 'points' }),
    instrument('NOPE'),
  ];
  const [theirs, ours] = await Promise.all(
    [usual, chart].map((source) => source.getQuotes(wanted, signal())),
  );
  expect(ours).toHaveLength(5);
  expect(ours).toEqual(
    theirs?.map(({ extended: _extended, delayMinutes, ...quote }) => ({
      ...quote,
      // Beside a chart Yahoo says nothing of the delay; of Seoul it is known.
      ...(delayMinutes === 20 && { delayMinutes }),
      source: 'Yahoo Finance chart',
    })),
  );
  expect(fake.requests.filter(({ endpoint }) => endpoint === 'chart')).toHaveLength(6);
});

it('chart quotes are fetched one by one: an invalid chart fails alone, and an outage costs one request', async () => {
  const { fake, chart, lines } = await open();
  fake.failNext('chart', { kind: 'change', change: () => ({ chart: { result: 'odd' } }) });
  expect(await failureOf(chart.getQuotes([AAPL, MSFT, SAMSUNG], signal()))).toMatchObject({
    found: [{ instrument: { symbol: 'MSFT' } }, { instrument: { symbol: '005930.KS' } }],
    failedSymbols: ['AAPL'],
    cause: { code: 'MARKET_BAD_DATA' },
  });
  fake.setQuote('AAPL', { regularMarketTime: undefined });
  expect(await chart.getQuotes([AAPL], signal())).toEqual([]);
  expect(lines).toMatchObject([{ symbol: 'AAPL', problem: 'no time' }]);
  for (const [fault, code] of [
    [{ kind: 'status', status: 500 }, 'MARKET_UNREACHABLE'],
    [{ kind: 'status', status: 429 }, 'MARKET_RATE_LIMITED'],
  ] as const) {
    const before = fake.countOf('chart');
    fake.failAlways('chart', fault);
    expect(await failureOf(chart.getQuotes([AAPL, MSFT, SAMSUNG], signal()))).toMatchObject({ code });
    expect(fake.countOf('chart') - before).toBe(1);
  }
});
