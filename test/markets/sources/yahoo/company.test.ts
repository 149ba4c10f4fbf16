import { describe, expect, it } from 'vitest';
import { AAPL, failureOf, instrument, MSFT, NOW, SAMSUNG, setUp, signal } from './set-up.ts';

const epoch = (at: string): number => Temporal.Instant.from(at).epochMilliseconds / 1000;

const story = (title: string, link: string, minutesAgo: number, more: object = {}) => ({
  uuid: link,
  title,
  link,
  publisher: 'Reuters',
  providerPublishTime: epoch(NOW) - minutesAgo * 60,
  type: 'STORY',
  ...more,
});

describe('Yahoo news', () => {
  it('comes newest first, without duplicates, with valid links', async () => {
    const { fake, source } = await setUp();
    fake.setNews([
      story('Apple rises', 'https://news.example/1', 30),
      story('  Apple\n falls ', 'https://news.example/2', 5, { relatedTickers: ['AAPL', '005930.KS'] }),
      story('APPLE RISES!', 'https://other.example/1', 40),
      story('Another', 'https://news.example/2', 50),
      story('Click me', 'javascript:alert(1)', 1),
      { title: 'half of one' },
    ]);
    const news = await source.getNews?.({ instrument: AAPL, limit: 5 }, signal());
    expect(JSON.parse(JSON.stringify(news))).toEqual([
      {
        title: 'Apple falls',
        url: 'https://news.example/2',
        publisher: 'Reuters',
        publishedAt: '2026-11-12T14:55:00Z',
        symbols: ['AAPL', '005930.KS'],
      },
      expect.objectContaining({ title: 'Apple rises', url: 'https://news.example/1', symbols: [] }),
    ]);
  });

  it('is searched by name if the symbol finds none, and by indices for the market', async () => {
    const { fake, source } = await setUp();
    fake.setNews([], 'AAPL');
    fake.setNews([story('By name', 'https://news.example/1', 1)], 'AAPL Inc.');
    fake.setNews([story('New York', 'https://news.example/2', 2)], '^GSPC');
    fake.setNews([story('Seoul', 'https://news.example/3', 1)], '^KS11');
    const titles = async (query: { instrument?: typeof AAPL; limit: number }) =>
      (await source.getNews?.(query, signal()))?.map(({ title }) => title);
    expect(await titles({ instrument: AAPL, limit: 5 })).toEqual(['By name']);
    expect(await titles({ limit: 5 })).toEqual(['Seoul', 'New York']);
    expect(await titles({ limit: 1 })).toEqual(['Seoul']);
    fake.failNext('search', { kind: 'change', change: () => ({ news: 'none' }) });
    expect(
      await failureOf(Promise.resolve(source.getNews?.({ instrument: MSFT, limit: 1 }, signal()))),
    ).toMatchObject({ code: 'MARKET_BAD_DATA' });
  });
});

describe('Yahoo fundamentals', () => {
  it('have units and leave out missing figures', async () => {
    const { fake, source } = await setUp();
    fake.setSummary('TSM', {
      price: { currency: 'USD', marketCap: 0 },
      summaryDetail: {
        trailingPE: 'Infinity',
        dividendYield: 0.0125,
        exDividendDate: epoch('2026-12-10T00:00:00Z'),
      },
      defaultKeyStatistics: { trailingEps: 9.99 },
      // Reports in another currency than it is traded in.
      financialData: {
        financialCurrency: 'TWD',
        totalRevenue: 2_147_483_648,
        grossMargins: -0.0711,
        debtToEquity: 22.5,
      },
      assetProfile: { sector: `Chips\u001b[31m\n@\u202e${'x'.repeat(10_000)}`, industry: '\u200b' },
    });
    fake.setQuote('TSM', {});
    const found = await source.getFundamentals?.(instrument('TSM'), signal());
    expect(found?.figures).toEqual([
      { metric: 'epsTrailing', value: '9.99', unit: 'USD' },
      { metric: 'dividendYield', value: '1.25', unit: '%' },
      { metric: 'exDividendDate', value: '2026-12-10', unit: 'text' },
      { metric: 'revenue', value: '2147483648', unit: 'TWD' },
      { metric: 'grossMargin', value: '-7.11', unit: '%' },
      { metric: 'debtToEquity', value: '22.5', unit: '%' },
      { metric: 'sector', value: `Chips [31m @ ${'x'.repeat(87)}`, unit: 'text' },
    ]);
    const apple = await source.getFundamentals?.(AAPL, signal());
    expect(apple?.figures).toHaveLength(21);
    expect(await source.getFundamentals?.(instrument('NOPE'), signal())).toBeNull();
  });
});

describe('a Yahoo failure outside quotes', () => {
  it.each([
    ['no list', { quoteSummary: { result: {} } }],
    ['an empty list', { quoteSummary: { result: [], error: null } }],
    ['a word for a part', { quoteSummary: { result: [{ price: 'none' }] } }],
  ])('with an invalid summary is bad data: %s', async (_, body) => {
    const { fake, source } = await setUp();
    fake.failNext('quoteSummary', { kind: 'change', change: () => body });
    expect(await failureOf(Promise.resolve(source.getFundamentals?.(AAPL, signal())))).toMatchObject({
      code: 'MARKET_BAD_DATA',
    });
  });

  it('is a rate limit for charts, news and summaries too, and is not retried', async () => {
    const { fake, source } = await setUp();
    const asks = {
      chart: () => source.getHistory?.(AAPL, '1mo', signal()),
      search: () => source.getNews?.({ instrument: AAPL, limit: 5 }, signal()),
      quoteSummary: () => source.getFundamentals?.(AAPL, signal()),
    };
    for (const endpoint of ['chart', 'search', 'quoteSummary'] as const) {
      fake.failNext(endpoint, { kind: 'status', status: 429, retryAfter: '30' });
      expect(await failureOf(Promise.resolve(asks[endpoint]()))).toMatchObject({
        code: 'MARKET_RATE_LIMITED',
        details: { retryAfterMs: 30_000 },
      });
      expect(fake.countOf(endpoint)).toBe(1);
    }
  });
});

describe('Yahoo earnings dates', () => {
  it("come in one request, in the exchange's time zone, future ones only", async () => {
    const { fake, source } = await setUp();
    fake.setQuote('AAPL', {
      earningsTimestamp: epoch('2026-10-29T21:00:00Z'),
      earningsTimestampStart: epoch('2027-01-29T02:00:00Z'),
      earningsTimestampEnd: epoch('2027-01-29T02:00:00Z'),
      isEarningsDateEstimate: false,
    });
    fake.setQuote('005930.KS', {
      earningsTimestampStart: epoch('2027-01-06T23:00:00Z'),
      earningsTimestampEnd: epoch('2027-01-11T00:00:00Z'),
      isEarningsDateEstimate: undefined,
    });
    const past = epoch('2026-10-29T21:00:00Z');
    fake.setQuote('MSFT', {
      earningsTimestamp: past,
      earningsTimestampStart: past,
      earningsTimestampEnd: past,
    });
    const spy = instrument('SPY', { assetClass: 'etf' });
    const dates = await source.getEarnings?.([AAPL, SAMSUNG, MSFT, spy], { wantsEstimates: false }, signal());
    expect(
      dates?.map(({ instrument: of, from, to, isEstimate }) => [
        of.symbol,
        `${from.toString()} – ${to.toString()}`,
        isEstimate,
      ]),
    ).toEqual([
      ['AAPL', '2027-01-28 – 2027-01-28', false],
      ['005930.KS', '2027-01-07 – 2027-01-11', true],
    ]);
    expect(fake.countOf('quote')).toBe(1);
  });

  it('include the estimate of the same report on request', async () => {
    const { fake, source } = await setUp();
    const estimates = async (of: typeof AAPL, wantsEstimates = true) =>
      (await source.getEarnings?.([of], { wantsEstimates }, signal()))?.map((date) =>
        date.epsEstimate?.toString(),
      );
    expect(await estimates(AAPL)).toEqual(['2.67']);
    fake.setSummary('MSFT', {
      calendarEvents: { earnings: { earningsDate: [epoch('2026-10-29T21:00:00Z')], earningsAverage: 3 } },
    });
    fake.failNext('quoteSummary', { kind: 'status', status: 500 });
    expect(await estimates(AAPL)).toEqual([undefined]);
    expect(await estimates(MSFT)).toEqual([undefined]);
    const asked = fake.countOf('quoteSummary');
    expect(await estimates(AAPL, false)).toEqual([undefined]);
    expect(fake.countOf('quoteSummary')).toBe(asked);
  });
});
