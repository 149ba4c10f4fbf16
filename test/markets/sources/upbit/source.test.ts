import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpbitSource } from '#src/markets/sources/upbit/source.ts';
import { type FakeUpbit, startFakeUpbit, type UpbitFault } from '#test/fakes/upbit/server.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { createRecorder, instrumentOf, instruments } from '../market-fixtures.ts';

const NOW = '2026-11-13T06:30:00Z';
const { signal } = new AbortController();
let clock: ManualClock;
let upbit: FakeUpbit;
beforeEach(async () => {
  clock = new ManualClock(NOW);
  upbit = await startFakeUpbit({ now: () => clock.now().epochMilliseconds });
});
afterEach(() => upbit.close());

const open = () => {
  const { logger, lines } = createRecorder();
  return { source: createUpbitSource({ baseUrl: upbit.url, clock, logger }), lines };
};
const paths = (): readonly string[] => upbit.requests.map(({ path }) => path);
const prices = (quotes: readonly { readonly instrument: { readonly symbol: string } }[]) =>
  quotes.map(({ instrument }) => instrument.symbol);

/** Under load a loopback request may take its time. */
const until = (isSo: () => boolean | Promise<boolean>) =>
  vi.waitUntil(isSo, { timeout: 30_000, interval: 5 });

describe('Upbit prices', () => {
  it('are those of coins in won, unrounded', async () => {
    const { source } = open();
    expect(instruments('BTC-KRW', 'BTC-USD', '005930.KS', 'USDKRW=X').map(source.supports)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    upbit.prices.set('KRW-PEPE', 0.01234567);
    const [bitcoin, pepe] = await source.getQuotes(instruments('BTC-KRW', 'PEPE-KRW'), signal);
    expect(JSON.parse(JSON.stringify(bitcoin))).toEqual({
      instrument: instrumentOf('BTC-KRW'),
      price: '141262000',
      previousClose: '138436760',
      dayRange: { low: '137024140', high: '144087240' },
      yearRange: { low: '70631000', high: '211893000' },
      volume: '2431.125',
      asOf: '2026-11-13T06:29:59.75Z',
      delayMinutes: 0,
      source: 'Upbit',
      isSample: false,
    });
    // Finer than the index knows: it is not rounded away where it is shown.
    expect([pepe?.price.toFixed(), pepe?.instrument.priceDecimals]).toEqual(['0.01234567', 8]);
    expect(upbit.requests.at(-1)).toEqual({ path: '/v1/ticker', query: { markets: 'KRW-BTC,KRW-PEPE' } });
  });

  it('keep the finer tick sizes below 100 won', async () => {
    const { source } = open();
    for (const market of ['KRW-X', 'KRW-Y', 'KRW-Z']) upbit.prices.set(market, 100);
    upbit.overrides.set('KRW-X', { prev_closing_price: 99.3 });
    upbit.overrides.set('KRW-Y', { low_price: 98.75 });
    const quotes = await source.getQuotes(instruments('X-KRW', 'Y-KRW', 'Z-KRW'), signal);
    expect(quotes.map(({ instrument }) => instrument.priceDecimals)).toEqual([1, 2, 0]);
  });

  it('are requested only for existing markets, from a list read once a day', async () => {
    const { source } = open();
    expect(prices(await source.getQuotes(instruments('BTC-KRW', 'NONE-KRW'), signal))).toEqual(['BTC-KRW']);
    expect(await source.getQuotes(instruments('NONE-KRW'), signal)).toEqual([]);
    expect(paths()).toEqual(['/v1/market/all', '/v1/ticker']);
    await clock.advance(86_400_000);
    upbit.prices.set('KRW-NONE', 5);
    expect(prices(await source.getQuotes(instruments('NONE-KRW'), signal))).toEqual(['NONE-KRW']);
  });

  it('still arrive if another market was delisted since the list was read', async () => {
    const { source } = open();
    await source.getQuotes(instruments('BTC-KRW'), signal);
    upbit.prices.delete('KRW-XRP');
    expect(prices(await source.getQuotes(instruments('BTC-KRW', 'XRP-KRW'), signal))).toEqual(['BTC-KRW']);
  });

  it('still arrive if another entry is invalid, and missing figures stay missing', async () => {
    const { source, lines } = open();
    upbit.overrides.set('KRW-ETH', { trade_price: null });
    upbit.overrides.set('KRW-XRP', {
      prev_closing_price: null,
      high_price: null,
      acc_trade_volume_24h: undefined,
    });
    const quotes = await source.getQuotes(instruments('BTC-KRW', 'ETH-KRW', 'XRP-KRW'), signal);
    expect(prices(quotes)).toEqual(['BTC-KRW', 'XRP-KRW']);
    const left = Object.keys(quotes[1] ?? {});
    expect(left.filter((key) => ['previousClose', 'dayRange', 'volume', 'yearRange'].includes(key))).toEqual([
      'yearRange',
    ]);
    expect(lines).toMatchObject([{ level: 'warn', source: 'Upbit' }]);
  });
});

describe('Upbit history', () => {
  it.each([
    ['1d', '5m', 288, 2, '2026-11-12T06:30:00Z'],
    ['5d', '30m', 241, 2, '2026-11-08T06:30:00Z'],
    ['1mo', '1d', 31, 1, '2026-10-14T00:00:00Z'],
    ['ytd', '1d', 317, 2, '2026-01-01T00:00:00Z'],
    ['1y', '1d', 365, 2, '2025-11-14T00:00:00Z'],
    ['2y', '1d', 730, 4, '2024-11-14T00:00:00Z'],
    ['5y', '1wk', 261, 2, '2021-11-15T00:00:00Z'],
    ['max', '1mo', 110, 1, '2017-10-01T00:00:00Z'],
  ] as const)(
    'over %s has bars of %s: %i in %i requests, from %s',
    async (range, interval, count, asked, from) => {
      const history = await open().source.getHistory?.(instrumentOf('BTC-KRW'), range, signal);
      expect(history).toMatchObject({
        range,
        interval,
        timeZone: 'Asia/Seoul',
        source: 'Upbit',
        isSample: false,
        delayMinutes: 0,
      });
      // A day and a year are measured from the candle before them.
      const candles = range === '1d' ? 289 : 317 * 288;
      const base = Math.round(141_262_000 * (1 - 0.000_001 * candles));
      expect(history?.baseClose?.toNumber()).toBe(range === '1d' || range === 'ytd' ? base : undefined);
      const bars = history?.bars ?? [];
      const times = bars.map(({ at }) => at.toString());
      expect([times[0], times.at(-1)?.slice(0, 7), paths().length]).toEqual([from, '2026-11', asked]);
      expect(Math.abs(bars.length - count)).toBeLessThanOrEqual(1);
      expect(times).toEqual([...new Set(times)].toSorted());
      expect(bars.at(-1)?.close.toFixed()).toBe('141262000');
      expect(history?.asOf.toString()).toBe(NOW);
    },
  );

  it('of past days has only those days, and is left to another source if it needs too many requests', async () => {
    const { source } = open();
    const ask = async (first: string, last: string) => {
      const days = { first: Temporal.PlainDate.from(first), last: Temporal.PlainDate.from(last) };
      return source.getDays?.(instrumentOf('BTC-KRW'), days, signal);
    };
    const days = await ask('2025-01-01', '2025-12-31');
    const times = days?.bars.map(({ at }) => at.toString()) ?? [];
    expect([times.length, times[0], times.at(-1)]).toEqual([
      365,
      '2025-01-01T00:00:00Z',
      '2025-12-31T00:00:00Z',
    ]);
    expect(days).toMatchObject({ timeZone: 'Asia/Seoul', source: 'Upbit', isSample: false, actions: [] });
    expect((await ask('2026-11-12', '2026-11-20'))?.bars.map(({ at }) => at.toString())).toEqual([
      '2026-11-12T00:00:00Z',
      '2026-11-13T00:00:00Z',
    ]);
    expect(paths()).toHaveLength(3);
    expect(await ask('2018-01-01', '2026-11-13')).toBeNull();
    expect(paths()).toHaveLength(3);
  });

  it('is null for an unknown market', async () => {
    const { source } = open();
    expect(await source.getHistory?.(instrumentOf('NONE-KRW'), '1y', signal)).toBeNull();
  });
});

describe('an Upbit failure', () => {
  it.each([
    ['429', 'MARKET_RATE_LIMITED'],
    ['418', 'MARKET_RATE_LIMITED'],
    ['500', 'MARKET_UNREACHABLE'],
    ['cut', 'MARKET_UNREACHABLE'],
    ['redirect', 'MARKET_UNREACHABLE'],
    ['html', 'MARKET_BAD_DATA'],
  ] as const)('%s is %s', async (fault: UpbitFault, code) => {
    const { source } = open();
    await source.getQuotes(instruments('BTC-KRW'), signal);
    upbit.fail(fault, fault === '429' ? 7 : undefined);
    const details = fault === '429' ? { retryAfterMs: 7_000 } : {};
    await expect(source.getQuotes(instruments('BTC-KRW'), signal)).rejects.toMatchObject({ code, details });
    await expect(source.getHistory?.(instrumentOf('BTC-KRW'), '1y', signal)).rejects.toMatchObject({ code });
    upbit.fail(undefined);
    expect(await source.getQuotes(instruments('BTC-KRW'), signal)).toHaveLength(1);
  });

  it('with an invalid response is bad data', async () => {
    const { source } = open();
    upbit.fail('shape');
    await expect(source.getHistory?.(instrumentOf('BTC-KRW'), '1y', signal)).rejects.toMatchObject({
      code: 'MARKET_BAD_DATA',
    });
  });

  it('that hangs ends after 5 s or on abort', async () => {
    const { source } = open();
    upbit.fail('hang');
    const hanging = source.getQuotes(instruments('BTC-KRW'), signal);
    hanging.catch(() => undefined);
    await until(() => upbit.requests.length === 1);
    await clock.advance(5_000);
    await expect(hanging).rejects.toMatchObject({ code: 'MARKET_UNREACHABLE' });

    const controller = new AbortController();
    const left = source.getQuotes(instruments('BTC-KRW'), controller.signal);
    left.catch(() => undefined);
    await until(() => upbit.requests.length === 2);
    const reason = new Error('stopped by the user');
    controller.abort(reason);
    await expect(left).rejects.toBe(reason);
    expect(clock.pendingTimers).toBe(0);
  });

  it('is avoided by waiting once the quota of a second is used up', async () => {
    await upbit.close();
    upbit = await startFakeUpbit({ now: () => clock.now().epochMilliseconds, limit: 1 });
    const { source } = open();
    const history = source.getHistory?.(instrumentOf('BTC-KRW'), '1y', signal);
    await until(() => clock.pendingTimers === 1 && upbit.requests.length === 1);
    await until(async () => {
      await clock.advance(500);
      return upbit.requests.length === 2;
    });
    expect((await history)?.bars.length).toBeGreaterThan(360);
  });

  it('that closes the connection is reported as unreachable', async () => {
    await upbit.close();
    await expect(open().source.getQuotes(instruments('BTC-KRW'), signal)).rejects.toMatchObject({
      code: 'MARKET_UNREACHABLE',
    });
    upbit = await startFakeUpbit();
  });
});
