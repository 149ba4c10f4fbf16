import { describe, expect, it } from 'vitest';
import { FinClawError } from '#src/kernel/errors.ts';
import { AAPL, failureOf, instrument, MSFT, NOW, SAMSUNG, setUp, signal, until } from './set-up.ts';

const COIN = instrument('COIN-USD', { assetClass: 'crypto' });

const epoch = (at: string): number => Temporal.Instant.from(at).epochMilliseconds / 1000;

describe('a Yahoo quote', () => {
  it('has the regular price, previous close, ranges, volume, time, delay and source', async () => {
    const { fake, source } = await setUp();
    fake.setQuote('005930.KS', {
      regularMarketPrice: 102_300,
      regularMarketPreviousClose: 101_100,
      // Of the after-market: no field of ours.
      regularMarketChangePercent: 9.9,
      extendedMarketPrice: 111_000,
      somethingNew: { of: 'Yahoo' },
    });
    const [quote] = await source.getQuotes([SAMSUNG], signal());
    expect(JSON.parse(JSON.stringify(quote))).toEqual({
      instrument: SAMSUNG,
      price: '102300',
      previousClose: '101100',
      dayRange: { low: '100089', high: '103323' },
      yearRange: { low: '63426', high: '120714' },
      volume: '18400000',
      asOf: '2026-11-12T06:30:00Z',
      delayMinutes: 20,
      source: 'Yahoo Finance',
      isSample: false,
    });
  });

  it('of a future may be below zero, and that of a share may not', async () => {
    const { fake, source } = await setUp();
    const oil = instrument('CL=F', { assetClass: 'commodity' });
    const day = { regularMarketDayLow: -40.32, regularMarketDayHigh: 17.85 };
    for (const symbol of ['CL=F', 'AAPL'])
      fake.setQuote(symbol, { regularMarketPrice: -37.63, regularMarketPreviousClose: 18.27, ...day });
    const quotes = await source.getQuotes([oil, AAPL], signal());
    expect(quotes.map(({ instrument: { symbol }, price }) => [symbol, price.toFixed()])).toEqual([
      ['CL=F', '-37.63'],
    ]);
    expect(quotes[0]?.dayRange?.low.toFixed()).toBe('-40.32');
  });

  it('has the newest extended-hours trade beside the regular price', async () => {
    const { fake, source } = await setUp();
    const closed = { regularMarketTime: epoch('2026-11-11T21:00:00Z') };
    fake.setQuote('AAPL', {
      ...closed,
      preMarketPrice: 273.1,
      preMarketTime: epoch('2026-11-12T14:00:00Z'),
      postMarketPrice: 271.5,
      postMarketTime: epoch('2026-11-12T00:30:00Z'),
    });
    // Yesterday's, while the regular session runs.
    fake.setQuote('MSFT', { postMarketPrice: 1, postMarketTime: epoch('2026-11-12T00:30:00Z') });
    const [apple, microsoft] = await source.getQuotes([AAPL, MSFT], signal());
    expect(apple?.extended).toMatchObject({ session: 'pre' });
    expect(apple?.extended?.price.toString()).toBe('273.1');
    expect(apple?.price.toString()).toBe('272.41');
    expect(microsoft?.extended).toBeUndefined();
  });

  it.each([
    [304.1199951171875, AAPL, '304.12'],
    [0.1234, AAPL, '0.1234'],
    [71_200.0001, SAMSUNG, '71200'],
    [0.000_008_12, instrument('SHIB-USD', { assetClass: 'crypto', priceDecimals: 8 }), '0.00000812'],
    // A change in percent needs the digits that are not shown.
    [8.123e-6, instrument('SHIB-USD', { assetClass: 'crypto', priceDecimals: 8 }), '0.000008123'],
    [0.1 + 0.2, instrument('SUM-USD', { assetClass: 'crypto', priceDecimals: 2 }), '0.3'],
    [
      139_200_000,
      instrument('BTC-KRW', { assetClass: 'crypto', currency: 'KRW', priceDecimals: 0 }),
      '139200000',
    ],
    [3281.44, instrument('XRP-KRW', { assetClass: 'crypto', currency: 'KRW', priceDecimals: 0 }), '3281.44'],
    [1456.7199707, instrument('USDKRW=X', { assetClass: 'fx', currency: 'KRW' }), '1456.72'],
  ])("formats %d with its market's decimals", async (price, of, text) => {
    const { fake, source } = await setUp();
    fake.setQuote(of.symbol, { regularMarketPrice: price, currency: of.currency });
    const [quote] = await source.getQuotes([of], signal());
    expect(quote?.price.toFixed()).toBe(text);
  });

  it.each([
    ['a penny share', instrument('PENNY'), { price: 0.1234, previous: 0.12, low: 0.0041 }, 4],
    ['a share that was one', instrument('ROSE'), { price: 1.2, previous: 0.987, low: 0.5 }, 3],
    ['a share of dollars', instrument('USUAL'), { price: 12.3456, previous: 12.1, low: 5.25 }, 2],
    ['a share of won', SAMSUNG, { price: 102_300, previous: 101_100, low: 63_426.5 }, 0],
    ['a coin of cents', COIN, { price: 0.012_345_67, previous: 0.0123, low: 0.01 }, 6],
    ['a coin of a millionth', COIN, { price: 8.1234e-6, previous: 8.2e-6, low: 7e-6 }, 8],
    ['a smaller coin', COIN, { price: 9.1234e-7, previous: 9e-7, low: 8.5e-7 }, 11],
    ['a coin of thousands', COIN, { price: 3166.271_234, previous: 3120.4, low: 1500 }, 2],
  ])('keeps the digits its prices need: %s', async (_, of, { price, previous, low }, decimals) => {
    const { fake, source } = await setUp();
    fake.setQuote(of.symbol, {
      currency: of.currency,
      regularMarketPrice: price,
      regularMarketPreviousClose: previous,
      regularMarketDayLow: undefined,
      fiftyTwoWeekLow: low,
      fiftyTwoWeekHigh: price,
    });
    const [quote] = await source.getQuotes([of], signal());
    expect(quote?.instrument).toEqual({ ...of, priceDecimals: decimals });
  });

  it('never appears under another currency', async () => {
    const { fake, source } = await setUp();
    const london = instrument('VOD.L', { currency: 'GBP' });
    const moved = instrument('MOVED', { currency: 'KRW', priceDecimals: 0 });
    const index = instrument('^KS11', { assetClass: 'index', currency: 'points' });
    fake.setQuote('VOD.L', { regularMarketPrice: 7432, currency: 'GBp' });
    fake.setQuote('MOVED', { regularMarketPrice: 12.34, currency: 'USD' });
    fake.setQuote('NONE', { currency: undefined });
    // A word of the source would stand beside every price.
    const NO_CURRENCIES = ['@everyone', '\u001b[31mUSD', 'US\u202eD', 'x'.repeat(10_000), 'QQQ'];
    for (const [place, currency] of NO_CURRENCIES.entries()) fake.setQuote(`ODD${place}`, { currency });
    const odd = NO_CURRENCIES.map((_, place) => instrument(`ODD${place}`));
    const all = await source.getQuotes([london, moved, index, instrument('NONE'), ...odd], signal());
    expect(
      all.map((quote) => [quote.instrument.symbol, quote.price.toString(), quote.instrument.currency]),
    ).toEqual([
      ['VOD.L', '74.32', 'GBP'],
      ['MOVED', '12.34', 'USD'],
      ['^KS11', '4011.57', 'points'],
    ]);
  });

  it('is left out if unknown or invalid, without failing the others', async () => {
    const { fake, source, lines } = await setUp();
    fake.setQuote('GARBLED', { regularMarketPrice: '1,234.5' });
    fake.setQuote('HALTED', { regularMarketPrice: undefined });
    const names = ['NOPE', 'AAPL', 'GARBLED', 'HALTED', 'MSFT'];
    const quotes = await source.getQuotes(
      names.map((name) => instrument(name)),
      signal(),
    );
    expect(quotes.map((quote) => quote.instrument.symbol)).toEqual(['AAPL', 'MSFT']);
    expect(fake.countOf('quote')).toBe(1);
    expect(lines.filter((line) => line.includes('GARBLED'))).toHaveLength(1);
    expect(await source.getQuotes([instrument('HALTED')], signal())).toEqual([]);
    // Asked for alone it is the same: a fault of the symbol, not of Yahoo.
    fake.setQuote('FREE', { regularMarketPrice: 0 });
    expect(await source.getQuotes([instrument('FREE')], signal())).toEqual([]);
    expect(lines.find((line) => line.includes('FREE'))).toContain('no price');
  });

  it('is requested in batches of 50', async () => {
    const { fake, source } = await setUp();
    const many = Array.from({ length: 60 }, (_, index) => instrument(`S${String(index)}`));
    await source.getQuotes(many, signal());
    expect(
      fake.requests.filter(({ endpoint }) => endpoint === 'quote').map(({ symbols }) => symbols.length),
    ).toEqual([50, 10]);
  });
});

describe('a Yahoo failure', () => {
  it.each([
    ['a 500', { kind: 'status', status: 500 }, 'MARKET_UNREACHABLE'],
    ['an answer cut in the middle', { kind: 'cut' }, 'MARKET_UNREACHABLE'],
    ['a broken connection', { kind: 'drop' }, 'MARKET_UNREACHABLE'],
    ['a page in the place of data', { kind: 'html' }, 'MARKET_UNREACHABLE'],
    ['a redirect', { kind: 'redirect', to: 'https://example.com/' }, 'MARKET_UNREACHABLE'],
    [
      'another shape',
      { kind: 'change', change: () => ({ quoteResponse: { result: {} } }) },
      'MARKET_BAD_DATA',
    ],
  ] as const)('is typed: %s', async (_, fault, code) => {
    const { fake, source } = await setUp();
    fake.failAlways('quote', fault);
    const error = await failureOf(source.getQuotes([AAPL], signal()));
    expect(error).toBeInstanceOf(FinClawError);
    expect(error).toMatchObject({ code });
  });

  it.each([
    ['quote', '30', 30_000],
    ['quote', Temporal.Instant.from(NOW).add({ seconds: 90 }), 90_000],
    ['quote', undefined, undefined],
    ['crumb', '7', 7000],
    ['cookie', undefined, undefined],
  ] as const)('tells how long to wait after a 429 for the %s', async (endpoint, after, retryAfterMs) => {
    const { fake, source } = await setUp();
    const retryAfter = typeof after === 'object' ? new Date(after.epochMilliseconds).toUTCString() : after;
    fake.failNext(endpoint, { kind: 'status', status: 429, ...(retryAfter !== undefined && { retryAfter }) });
    const error = await failureOf(source.getQuotes([AAPL], signal()));
    expect(error).toMatchObject({ code: 'MARKET_RATE_LIMITED' });
    expect((error as FinClawError).details['retryAfterMs']).toBe(retryAfterMs);
    // No second try: that would only make it worse.
    expect(fake.countOf(endpoint)).toBe(1);
    expect(await source.getQuotes([AAPL], signal())).toHaveLength(1);
  });

  it('recognizes "Too Many Requests" in place of a crumb as a rate limit', async () => {
    const { fake, source } = await setUp();
    fake.failNext('crumb', { kind: 'status', status: 200, body: 'Too Many Requests\r\n' });
    expect(await failureOf(source.getQuotes([AAPL], signal()))).toMatchObject({
      code: 'MARKET_RATE_LIMITED',
    });
  });

  it.each(['cookie', 'crumb', 'quote'] as const)(
    'ends the waiting for a %s that never comes',
    async (endpoint) => {
      const { clock, fake, source } = await setUp();
      fake.failNext(endpoint, { kind: 'hang' });
      const failed = failureOf(source.getQuotes([AAPL], signal()));
      await until(() => fake.countOf(endpoint) === 1);
      await clock.advance(8000);
      expect(await failed).toMatchObject({ code: 'MARKET_UNREACHABLE' });
      await until(() => fake.requests.at(-1)?.wasAborted() === true);
      expect(clock.pendingTimers).toBe(0);
      expect(await source.getQuotes([AAPL], signal())).toHaveLength(1);
    },
  );

  it('differs from an abort by the caller', async () => {
    const { fake, source } = await setUp();
    fake.failNext('quote', { kind: 'hang' });
    const controller = new AbortController();
    const failed = failureOf(source.getQuotes([AAPL], controller.signal));
    await until(() => fake.countOf('quote') === 1);
    controller.abort(new Error('enough'));
    expect(await failed).toMatchObject({ message: 'enough' });
    await until(() => fake.requests.at(-1)?.wasAborted() === true);
  });

  it('is reported if the host is unreachable', async () => {
    const { fake, source } = await setUp();
    await fake.stop();
    expect(await failureOf(source.getQuotes([AAPL], signal()))).toMatchObject({ code: 'MARKET_UNREACHABLE' });
  });
});
