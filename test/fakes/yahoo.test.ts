import { describe, expect, it } from 'vitest';
import { startFakeYahoo } from '#test/fakes/yahoo/server.ts';

describe('the fake Yahoo', () => {
  it('refuses data without a cookie and the crumb that belongs to it', async () => {
    const fake = await startFakeYahoo();
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(fake.url + path, {
        headers: { 'x-forwarded-host': 'query2.finance.yahoo.com', 'user-agent': 'Mozilla/5.0', ...headers },
      });
    const refused = await ask('/v7/finance/quote?symbols=AAPL&crumb=x');
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { finance: { result: null, error: { code: 'Unauthorized', description: 'Invalid Crumb' } } },
    ]);
    expect((await ask('/v1/test/getcrumb', { cookie: 'A3=d=unknown' })).status).toBe(401);
    expect((await ask('/v8/finance/chart/NOPE?period1=1&period2=2&interval=1d')).status).toBe(404);
    expect(fake.requests.map(({ crumb }) => crumb)).toEqual(['wrong', 'free', 'free']);
    await fake.stop();
  });
});
