import { describe, expect, it } from 'vitest';
import type { HistoryRange } from '#src/kernel/market/finance.ts';
import { AAPL, failureOf, instrument, SAMSUNG, setUp, signal } from './set-up.ts';

const at = (text: string): number => Temporal.Instant.from(text).epochMilliseconds / 1000;

const NEW_YORK = {
  currency: 'USD',
  exchangeTimezoneName: 'America/New_York',
  regularMarketTime: at('2026-11-12T15:00:00Z'),
  currentTradingPeriod: { regular: { start: at('2026-11-12T14:30:00Z'), end: at('2026-11-12T21:00:00Z') } },
};

const chart = (rows: readonly (readonly [string, number | null, number?])[], meta: object = NEW_YORK) => {
  const closes = rows.map(([, close]) => close);
  const quote = {
    open: closes,
    high: closes,
    low: closes,
    close: closes,
    volume: rows.map(([, , v]) => v ?? 0),
  };
  return { meta, timestamp: rows.map(([time]) => at(time)), indicators: { quote: [quote] } };
};

const fromTo = (first: number, last: number) =>
  chart([
    ['2026-11-09T14:30:00Z', first],
    ['2026-11-12T15:00:00Z', last],
  ]);

describe('Yahoo history', () => {
  it('covers each range, oldest first, with the current bar and the time of the last price', async () => {
    const { source } = await setUp();
    const coin = instrument('BTC-USD', { assetClass: 'crypto' });
    const pair = instrument('USDKRW=X', { assetClass: 'fx', currency: 'KRW' });
    const shape = async (of: typeof AAPL, ranges: readonly HistoryRange[]) => {
      const histories = await Promise.all(
        ranges.map(async (range) => source.getHistory?.(of, range, signal())),
      );
      return histories.map((history) => {
        const bars = history?.bars ?? [];
        const times = bars.map((bar) => bar.at.epochMilliseconds);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        return `${String(history?.range)} ${String(history?.interval)} ${String(bars.length)}`;
      });
    };
    expect(await shape(AAPL, ['1d', '5d', '1mo', 'ytd', '1y', '5y', 'max'])).toEqual([
      '1d 5m 7',
      '5d 30m 54',
      '1mo 1d 24',
      'ytd 1d 226',
      '1y 1d 262',
      '5y 1wk 262',
      'max 1mo 683',
    ]);
    expect(await shape(coin, ['1d', '5d', '1mo'])).toEqual(['1d 5m 288', '5d 30m 240', '1mo 1d 32']);
    expect(await shape(pair, ['1d', '5d', '1mo'])).toEqual(['1d 5m 288', '5d 30m 223', '1mo 1d 24']);
    const apple = await source.getHistory?.(AAPL, '1mo', signal());
    expect(apple?.bars.at(-1)?.at.toString()).toBe('2026-11-12T14:30:00Z');
    expect(apple?.bars.at(-1)?.close.toString()).toBe('272.41');
    expect(apple).toMatchObject({ timeZone: 'America/New_York', source: 'Yahoo Finance', isSample: false });
    expect(apple?.asOf.toString()).toBe('2026-11-12T15:00:00Z');
    // Seoul closed hours ago; its day is still the last one.
    const samsung = await source.getHistory?.(SAMSUNG, '1d', signal());
    expect(samsung?.bars).toHaveLength(78);
    expect(samsung?.asOf.toString()).toBe('2026-11-12T06:30:00Z');
  });

  it('drops days without a close and removes float noise', async () => {
    const { fake, source } = await setUp();
    fake.setChart(
      'AAPL',
      chart([
        ['2026-11-09T14:30:00Z', 304.1199951171875],
        ['2026-11-10T14:30:00Z', null],
        ['2026-11-11T14:30:00Z', 0],
        ['2026-11-12T15:00:00Z', 306.5],
      ]),
    );
    const history = await source.getHistory?.(AAPL, '1mo', signal());
    expect(history?.bars.map((bar) => [bar.at.toString(), bar.close.toString()])).toEqual([
      ['2026-11-09T14:30:00Z', '304.12'],
      ['2026-11-12T14:30:00Z', '306.5'],
    ]);
  });

  it('merges the current day into its week', async () => {
    const { fake, source } = await setUp();
    fake.setChart(
      'AAPL',
      chart([
        ['2026-11-02T05:00:00Z', 300, 100],
        ['2026-11-09T05:00:00Z', 304, 70],
        ['2026-11-12T15:00:00Z', 306, 5],
      ]),
    );
    const history = await source.getHistory?.(AAPL, '5y', signal());
    const bars = history?.bars.map((bar) => [
      bar.at.toString(),
      ...[bar.open, bar.high, bar.low, bar.close, bar.volume].map(Number),
    ]);
    expect(bars).toEqual([
      ['2026-11-02T05:00:00Z', 300, 300, 300, 300, 100],
      ['2026-11-09T05:00:00Z', 304, 306, 304, 306, 75],
    ]);
    expect(history?.asOf.toString()).toBe('2026-11-12T15:00:00Z');
  });

  it('counts the current day once, even minutes before its end', async () => {
    const { clock, fake, source } = await setUp();
    await clock.advance(9 * 3_600_000);
    const days = chart([
      ['2026-11-11T00:00:00Z', 94_000],
      ['2026-11-12T00:00:00Z', 95_000],
      ['2026-11-12T23:50:00Z', 96_000],
    ]);
    fake.setChart('BTC-USD', { ...days, meta: { currency: 'USD', exchangeTimezoneName: 'UTC' } });
    const coin = instrument('BTC-USD', { assetClass: 'crypto' });
    const history = await source.getHistory?.(coin, '1mo', signal());
    expect(history?.bars.map((bar) => [bar.at.toString(), bar.close.toNumber()])).toEqual([
      ['2026-11-11T00:00:00Z', 94_000],
      ['2026-11-12T00:00:00Z', 96_000],
    ]);
  });

  it('has the base close of a day and a year', async () => {
    const { fake, source } = await setUp();
    const base = async (of: typeof AAPL, range: HistoryRange) =>
      (await source.getHistory?.(of, range, signal()))?.baseClose?.toString();
    // As in the quote: not the last five minutes of the day before, nor what Yahoo names beside the chart.
    expect([await base(AAPL, '1d'), await base(SAMSUNG, '1d')]).toEqual(['270.14', '101100']);
    expect(await base(AAPL, '1mo')).toBeUndefined();
    fake.setChart(
      'AAPL',
      chart([
        ['2025-12-30T14:30:00Z', 250],
        ['2025-12-31T14:30:00Z', 251.5],
        ['2026-01-02T14:30:00Z', 249],
      ]),
    );
    expect(await base(AAPL, 'ytd')).toBe('251.5');
    // What never closes is measured from the bar before.
    const coin = instrument('BTC-USD', { assetClass: 'crypto' });
    fake.setChart(
      'BTC-USD',
      chart([
        ['2026-11-11T14:55:00Z', 90_000],
        ['2026-11-11T15:00:00Z', 91_000],
        ['2026-11-12T15:00:00Z', 95_000],
      ]),
    );
    expect(await base(coin, '1d')).toBe('91000');
    expect(fake.countOf('chart')).toBe(7);
  });

  it('of a day works without the previous close', async () => {
    const { fake, source } = await setUp();
    fake.failAlways('chart', {
      kind: 'change',
      change: (body) => (JSON.stringify(body).includes('"dataGranularity":"1d"') ? {} : body),
    });
    const history = await source.getHistory?.(AAPL, '1d', signal());
    expect([history?.bars.length, history?.baseClose]).toEqual([7, undefined]);
  });

  it('keeps the digits of a penny share, but not those of split-adjusted old prices', async () => {
    const { fake, source } = await setUp();
    const decimals = async () => (await source.getHistory?.(AAPL, '1mo', signal()))?.instrument.priceDecimals;
    fake.setChart('AAPL', fromTo(0.12, 0.1234));
    expect(await decimals()).toBe(4);
    fake.setChart('AAPL', fromTo(0.1283, 272.41));
    expect(await decimals()).toBe(2);
  });

  it('is null for unknown symbols and periods without trades', async () => {
    const { fake, source } = await setUp();
    expect(await source.getHistory?.(instrument('NOPE'), '1y', signal())).toBeNull();
    fake.setChart('AAPL', { meta: NEW_YORK, indicators: { quote: [{}] } });
    expect(await source.getHistory?.(AAPL, '1d', signal())).toBeNull();
  });

  it.each([
    ['no result', { chart: { result: null, error: null } }],
    [
      'an unknown zone',
      { chart: { result: [chart([], { ...NEW_YORK, exchangeTimezoneName: 'Mars/Olympus' })] } },
    ],
    [
      'words for prices',
      { chart: { result: [{ ...chart([]), indicators: { quote: [{ close: ['1'] }] } }] } },
    ],
    [
      'no currency',
      { chart: { result: [chart([['2026-11-09T14:30:00Z', 1]], { ...NEW_YORK, currency: null })] } },
    ],
  ])('rejects %s', async (_, body) => {
    const { fake, source } = await setUp();
    fake.failNext('chart', { kind: 'change', change: () => body });
    expect(await failureOf(Promise.resolve(source.getHistory?.(AAPL, '1mo', signal())))).toMatchObject({
      code: 'MARKET_BAD_DATA',
    });
  });

  it('uses the year at the exchange, even if it is next year elsewhere', async () => {
    const { clock, source } = await setUp();
    await clock.advance(
      Temporal.Instant.from('2027-01-01T02:00:00Z').since(clock.now()).total('milliseconds'),
    );
    const newYork = await source.getHistory?.(AAPL, 'ytd', signal());
    expect(newYork?.bars[0]?.at.toString()).toBe('2026-01-01T14:30:00Z');
  });

  it('of a year without a session is the last close, unchanged', async () => {
    const { fake, clock, source } = await setUp();
    fake.setChart('AAPL', chart([['2026-12-31T14:30:00Z', 251.5]]));
    await clock.advance(
      Temporal.Instant.from('2027-01-02T12:00:00Z').since(clock.now()).total('milliseconds'),
    );
    const history = await source.getHistory?.(AAPL, 'ytd', signal());
    expect(history?.bars.map(({ close }) => close.toString())).toEqual(['251.5']);
    expect(history?.baseClose?.toString()).toBe('251.5');
  });

  it('encodes symbols with special characters', async () => {
    const { fake, source } = await setUp();
    const index = instrument('^KS11', { assetClass: 'index', currency: 'points' });
    expect(await source.getHistory?.(index, '1mo', signal())).not.toBeNull();
    expect(fake.requests.at(-1)?.symbols).toEqual(['^KS11']);
    expect(await source.getHistory?.(instrument('A/B?c'), '1mo', signal())).toBeNull();
    expect(fake.requests.at(-1)?.symbols).toEqual(['A/B?c']);
  });
});
