import { describe, expect, it } from 'vitest';
import type { DailyHistory } from '#src/markets/sources/source.ts';
import { AAPL, failureOf, instrument, SAMSUNG, setUp, signal } from './set-up.ts';

const date = (text: string) => Temporal.PlainDate.from(text);
const days = (first: string, last: string) => ({ first: date(first), last: date(last) });
const datesOf = (history: DailyHistory | null | undefined): readonly string[] =>
  (history?.bars ?? []).map(({ at }) =>
    at
      .toZonedDateTimeISO(history?.timeZone ?? 'UTC')
      .toPlainDate()
      .toString(),
  );
const actionsOf = (history: DailyHistory | null | undefined): readonly string[] =>
  (history?.actions ?? []).map((action) =>
    action.kind === 'split'
      ? `${action.date.toString()} split ${action.ratio.toString()}`
      : `${action.date.toString()} ${action.amount.toString()} ${action.currency}`,
  );

describe('Yahoo daily bars', () => {
  it('cover the requested exchange days of any year, up to today', async () => {
    const { fake, source } = await setUp();
    const pair = instrument('USDKRW=X', { assetClass: 'fx', currency: 'KRW' });
    const coin = instrument('BTC-USD', { assetClass: 'crypto' });
    const ask = async (of: typeof AAPL, first: string, last: string) =>
      source.getDays?.(of, days(first, last), signal());
    // Seoul is a day ahead of New York and of Greenwich in the morning; the clocks of London change on 29 March.
    expect(datesOf(await ask(SAMSUNG, '2020-03-02', '2020-03-04'))).toEqual([
      '2020-03-02',
      '2020-03-03',
      '2020-03-04',
    ]);
    expect(datesOf(await ask(AAPL, '2026-11-07', '2026-11-20'))).toEqual([
      '2026-11-09',
      '2026-11-10',
      '2026-11-11',
      '2026-11-12',
    ]);
    expect(datesOf(await ask(pair, '2020-03-27', '2020-03-31'))).toEqual([
      '2020-03-27',
      '2020-03-30',
      '2020-03-31',
    ]);
    expect(datesOf(await ask(pair, '2003-11-28', '2003-12-02'))).toEqual(['2003-12-01', '2003-12-02']);
    expect(datesOf(await ask(coin, '2026-10-31', '2026-11-01'))).toEqual(['2026-10-31', '2026-11-01']);
    expect(
      fake.requests.every(({ endpoint, query }) => endpoint === 'chart' && query['interval'] === '1d'),
    ).toBe(true);
    const running = await ask(AAPL, '2026-11-12', '2026-11-12');
    expect(running?.bars[0]?.close.toString()).toBe('272.41');
    expect(running?.asOf.toString()).toBe('2026-11-12T15:00:00Z');
    expect(running).toMatchObject({ source: 'Yahoo Finance', isSample: false, actions: [] });
    // A weekend, and days that are still to come, have no bars: that is an answer.
    expect((await ask(AAPL, '2026-11-07', '2026-11-08'))?.bars).toEqual([]);
    expect((await ask(AAPL, '2027-01-04', '2027-01-08'))?.bars).toEqual([]);
    expect(await ask(pair, '1999-01-04', '1999-01-08')).toBeNull();
    expect(await ask(instrument('NOPE'), '2026-11-09', '2026-11-10')).toBeNull();
  });

  it("have splits and dividends by exchange day, in today's shares", async () => {
    const { fake, source } = await setUp();
    fake.setEvents('005930.KS', {
      splits: [{ date: '2018-05-04', numerator: 50, denominator: 1 }],
      dividends: [
        { date: '2018-03-29', amount: 17_700 },
        { date: '2018-06-28', amount: 354 },
      ],
    });
    fake.split('AAPL', { date: '2026-11-10', numerator: 1, denominator: 10 });
    const samsung = await source.getDays?.(SAMSUNG, days('2018-01-01', '2018-12-31'), signal());
    expect(actionsOf(samsung)).toEqual(['2018-03-29 354 KRW', '2018-05-04 split 50', '2018-06-28 354 KRW']);
    expect(actionsOf(await source.getDays?.(SAMSUNG, days('2018-05-04', '2018-05-04'), signal()))).toEqual([
      '2018-05-04 split 50',
    ]);
    const apple = await source.getDays?.(AAPL, days('2026-11-02', '2026-11-12'), signal());
    expect(actionsOf(apple)).toEqual(['2026-11-10 split 0.1']);
    // The days before it are counted in the new shares: no gap by the factor of the split.
    const closes = apple?.bars.map(({ close }) => close.toNumber()) ?? [];
    expect(Math.max(...closes) / Math.min(...closes)).toBeLessThan(1.5);
    expect(closes.at(-1)).toBe(2724.1);
  });

  it('skip and log an invalid split or dividend', async () => {
    const { fake, source, lines } = await setUp();
    const day = Temporal.Instant.from('2026-11-10T14:30:00Z').epochMilliseconds / 1000;
    fake.failNext('chart', {
      kind: 'change',
      change: (body) => {
        const { chart } = body as { readonly chart: { readonly result: readonly object[] } };
        const events = {
          splits: {
            1: { date: day, numerator: 0, denominator: 0, splitRatio: '0:0' },
            2: { date: day, numerator: -4, denominator: 1 },
            3: { date: day, splitRatio: '4:1' },
            4: { date: day, numerator: 1, denominator: 1 },
            5: 'no split',
            6: { date: day, numerator: 3, denominator: 2 },
          },
          dividends: { 1: { date: day, amount: null }, 2: { date: day, amount: 0.26 } },
        };
        return { chart: { result: [{ ...chart.result[0], events }], error: null } };
      },
    });
    const history = await source.getDays?.(AAPL, days('2026-11-09', '2026-11-12'), signal());
    expect(actionsOf(history)).toEqual(['2026-11-10 split 1.5', '2026-11-10 0.26 USD']);
    expect(history?.bars).toHaveLength(4);
    const told = lines.filter((line) => line.includes('invalid splits or dividends'));
    expect(told.map((line) => line.includes('"count":5'))).toEqual([true]);
    fake.failNext('chart', { kind: 'change', change: () => ({ chart: { result: [{}] } }) });
    expect(
      await failureOf(Promise.resolve(source.getDays?.(AAPL, days('2026-11-09', '2026-11-12'), signal()))),
    ).toMatchObject({ code: 'MARKET_BAD_DATA' });
  });

  it('are in pounds for London, dividends included', async () => {
    const { fake, source } = await setUp();
    fake.list('VOD.L', { name: 'Vodafone Group', currency: 'GBp', price: 92.5, previousClose: 92 });
    fake.setEvents('VOD.L', { dividends: [{ date: '2026-11-10', amount: 2.25 }] });
    const history = await source.getDays?.(instrument('VOD.L'), days('2026-11-09', '2026-11-12'), signal());
    expect(history?.instrument.currency).toBe('GBP');
    expect(actionsOf(history)).toEqual(['2026-11-10 0.0225 GBP']);
  });
});

describe('a symbol missing from the index', () => {
  it('is looked up at Yahoo without a session', async () => {
    const { fake, source } = await setUp();
    fake.list('QLD', { name: 'ProShares Ultra QQQ', quoteType: 'ETF', market: 'PCX' });
    fake.list('7203.T', { name: 'Toyota Motor Corporation', currency: 'JPY' });
    const lookUp = async (symbol: string) => source.lookUp?.(symbol, signal());
    expect(await lookUp('qld')).toEqual({
      symbol: 'QLD',
      ticker: 'QLD',
      name: { ko: 'ProShares Ultra QQQ', en: 'ProShares Ultra QQQ' },
      exchange: 'NYSE Arca',
      assetClass: 'etf',
      currency: 'USD',
      priceDecimals: 2,
    });
    expect(await lookUp('7203.T')).toMatchObject({ ticker: '7203.T', currency: 'JPY', priceDecimals: 0 });
    expect(await lookUp('005930.KS')).toMatchObject({
      ticker: '005930',
      exchange: 'KOSPI',
      priceDecimals: 0,
    });
    expect(await lookUp('KRW=X')).toMatchObject({ symbol: 'USDKRW=X', ticker: 'USD/KRW', assetClass: 'fx' });
    expect(await lookUp('BTC-KRW')).toMatchObject({ ticker: 'BTC/KRW', currency: 'KRW', exchange: 'Crypto' });
    expect(await lookUp('^KS11')).toMatchObject({ assetClass: 'index', currency: 'points', exchange: 'KRX' });
    expect(fake.countOf('crumb')).toBe(0);
  });

  it('is null if Yahoo does not know it, its type is unsupported, or it is malformed', async () => {
    const { fake, source } = await setUp();
    fake.list('AAPL270115C00300000', { quoteType: 'OPTION' });
    const found = await Promise.all(
      ['ZZZZ', 'AAPL270115C00300000', '삼성', 'A/B?c', '', 'X'.repeat(40)].map(async (symbol) =>
        source.lookUp?.(symbol, signal()),
      ),
    );
    expect(found).toEqual([null, null, null, null, null, null]);
    expect(fake.countOf('chart')).toBe(2);
  });

  it('has a name of one visible line', async () => {
    const { fake, source } = await setUp();
    fake.list('ODD', { name: `Odd\u0007\u202E\n  Company ${'x'.repeat(500)}` });
    fake.list('BLANK', { name: '\u200B\u0000' });
    const odd = await source.lookUp?.('ODD', signal());
    expect(odd?.name.en).toMatch(/^Odd Company x+$/u);
    expect(odd?.name.en).toHaveLength(80);
    expect((await source.lookUp?.('BLANK', signal()))?.name.ko).toBe('BLANK');
  });
});
