import { describe, expect, it, vi } from 'vitest';
import { AAPL, failureOf, MSFT, SAMSUNG, setUp, signal, until } from './set-up.ts';

const UNAUTHORIZED = { kind: 'status', status: 401 } as const;

describe('the Yahoo session', () => {
  it('is opened once for all callers, through a page with very long headers', async () => {
    const { fake, source } = await setUp();
    const quotes = await Promise.all([AAPL, MSFT, SAMSUNG].map((one) => source.getQuotes([one], signal())));
    expect(quotes.flat().map(({ instrument }) => instrument.symbol)).toEqual(['AAPL', 'MSFT', '005930.KS']);
    expect([fake.countOf('cookie'), fake.countOf('crumb'), fake.countOf('quote')]).toEqual([1, 1, 3]);
  });

  it('goes through the consent pages if required', async () => {
    const { fake, source } = await setUp();
    fake.askConsent();
    expect(await source.getQuotes([AAPL], signal())).toHaveLength(1);
    expect(fake.requests.at(-1)?.crumb).toBe('ok');
  });

  it('is reopened once for all requests refused with an expired crumb', async () => {
    const { fake, source } = await setUp();
    await source.getQuotes([AAPL], signal());
    fake.expireCrumbs();
    const again = await Promise.all([
      source.getQuotes([AAPL], signal()),
      source.getQuotes([MSFT], signal()),
      source.getFundamentals?.(AAPL, signal()),
    ]);
    expect(again.flat().every(Boolean)).toBe(true);
    expect(fake.countOf('crumb')).toBe(2);
    expect(fake.crumbs).toHaveLength(2);
  });

  it.each([
    ['a 401 for the data', 'quote', UNAUTHORIZED],
    ['a 401 for the crumb', 'crumb', UNAUTHORIZED],
    ['a page in the place of a crumb', 'crumb', { kind: 'html' }],
    ['a page without a cookie', 'cookie', { kind: 'html' }],
  ] as const)('survives %s', async (_, endpoint, fault) => {
    const { fake, source } = await setUp();
    fake.failNext(endpoint, fault);
    expect(await source.getQuotes([AAPL], signal())).toHaveLength(1);
    expect(fake.countOf('cookie')).toBe(2);
  });

  it('is given up after the second refusal', async () => {
    const { fake, source } = await setUp();
    fake.failAlways('quote', UNAUTHORIZED);
    expect(await failureOf(source.getQuotes([AAPL], signal()))).toMatchObject({ code: 'MARKET_REFUSED' });
    expect(fake.countOf('quote')).toBe(2);
  });

  it('never follows Yahoo to another host', async () => {
    const { fake, source } = await setUp();
    fake.failNext('cookie', { kind: 'redirect', to: 'https://guce.yahoo.com.example.net/consent' });
    expect(await failureOf(source.getQuotes([AAPL], signal()))).toMatchObject({
      code: 'MARKET_UNREACHABLE',
      message: expect.stringContaining('guce.yahoo.com.example.net') as unknown,
    });
  });

  it('survives the abort of the caller that opened it', async () => {
    const { fake, source } = await setUp();
    const { promise: go, resolve } = Promise.withResolvers<void>();
    fake.failNext('crumb', { kind: 'wait', until: go });
    const leaving = new AbortController();
    const left = failureOf(source.getQuotes([AAPL], leaving.signal));
    await until(() => fake.countOf('crumb') === 1);
    const stays = source.getQuotes([MSFT], signal());
    leaving.abort(new Error('gone'));
    expect(await left).toMatchObject({ message: 'gone' });
    resolve();
    expect(await stays).toHaveLength(1);
    expect(fake.countOf('cookie')).toBe(1);
  });

  it('is needed neither for charts nor for news', async () => {
    const { fake, source } = await setUp();
    await source.getHistory?.(AAPL, '1mo', signal());
    await source.getNews?.({ instrument: AAPL, limit: 3 }, signal());
    expect(fake.countOf('crumb')).toBe(0);
  });

  it('never leaks a crumb to the log or console', async () => {
    const printed: unknown[] = [];
    const spies = (['log', 'info', 'warn', 'error', 'dir', 'debug'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((...words: unknown[]) => void printed.push(...words)),
    );
    const { fake, source, lines } = await setUp();
    const faults = [
      UNAUTHORIZED,
      { kind: 'status', status: 429 },
      { kind: 'status', status: 500 },
      { kind: 'change', change: () => ({ quoteResponse: 'no list' }) },
      {
        kind: 'change',
        change: () => ({ quoteResponse: { result: [{ symbol: 'AAPL', regularMarketPrice: 'x' }] } }),
      },
      { kind: 'change', change: () => ({ quoteResponse: { result: ['no quote', 7] } }) },
      { kind: 'cut' },
      { kind: 'html' },
      { kind: 'redirect', to: 'https://login.yahoo.com/' },
    ] as const;
    const said: string[] = [];
    for (const fault of faults) {
      fake.failNext('quote', fault);
      await source.getQuotes([AAPL], signal()).catch((error: unknown) => {
        said.push(String(error), JSON.stringify(error));
      });
    }
    for (const spy of spies) spy.mockRestore();
    expect(printed).toEqual([]);
    expect(said).toHaveLength(14);
    const everything = [...lines, ...said].join('\n');
    expect(everything).not.toMatch(/crumb=|v7\/finance/u);
    for (const crumb of fake.crumbs) {
      expect(everything).not.toContain(crumb);
      expect(everything).not.toContain(encodeURIComponent(crumb));
    }
  });
});
