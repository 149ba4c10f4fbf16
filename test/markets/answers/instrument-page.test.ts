import { describe, expect, it } from 'vitest';
import { pageLink } from '#src/markets/answers/instrument-page.ts';
import { symbols } from '#test/support/sample-market.ts';

describe('the page of an instrument', () => {
  it.each([
    ['AAPL', 'ko', 'https://finance.yahoo.com/quote/AAPL'],
    ['005930.KS', 'ko', 'https://finance.naver.com/item/main.naver?code=005930'],
    ['005930.KS', 'en', 'https://finance.yahoo.com/quote/005930.KS'],
    ['^GSPC', 'en', 'https://finance.yahoo.com/quote/%5EGSPC'],
    ['USDKRW=X', 'ko', 'https://finance.yahoo.com/quote/USDKRW%3DX'],
    ['BTC-USD', 'en', 'https://finance.yahoo.com/quote/BTC-USD'],
    ['BRK-B', 'en', 'https://finance.yahoo.com/quote/BRK-B'],
    ['0700.HK', 'en', 'https://finance.yahoo.com/quote/0700.HK'],
  ] as const)('%s in %s is %s', (symbol, locale, url) => {
    expect(pageLink({ symbol }, locale)).toEqual({ url });
  });

  it.each(['', 'a b', 'AAPL?x=1', '../x', 'AAPL|x', 'AAPL>', 'javascript:x', 'AAPL)'])(
    'is no link for %j, which is no symbol',
    (symbol) => {
      for (const locale of ['ko', 'en'] as const) expect(pageLink({ symbol }, locale)).toEqual({});
    },
  );

  it('exists for all well-known instruments', () => {
    const known = symbols.suggest('', 50);
    expect(known.length).toBeGreaterThan(10);
    for (const instrument of known) expect(pageLink(instrument, 'en').url).toBeDefined();
  });
});
