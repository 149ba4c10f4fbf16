import { describe, expect, it } from 'vitest';
import type { Instrument, Quote, SessionState } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { Decimal } from '#src/kernel/money.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { averageText } from '#src/markets/answers/money-text.ts';
import { describeQuote, formatPrice, instrumentLabel } from '#src/markets/answers/quote-text.ts';

const SAMSUNG: Instrument = {
  symbol: '005930.KS',
  ticker: '005930',
  name: { ko: '삼성전자', en: 'Samsung Electronics' },
  exchange: 'KRX',
  assetClass: 'equity',
  currency: 'KRW',
  priceDecimals: 0,
};

const APPLE: Instrument = {
  symbol: 'AAPL',
  ticker: 'AAPL',
  name: { ko: '애플', en: 'Apple' },
  exchange: 'NASDAQ',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
};

const COIN: Instrument = {
  symbol: 'ETH-BTC',
  ticker: 'ETH',
  name: { ko: '이더리움', en: 'Ethereum' },
  exchange: 'Crypto',
  assetClass: 'crypto',
  currency: 'BTC',
  priceDecimals: 8,
};

interface Prices {
  readonly price: string;
  readonly previousClose: string;
  readonly volume?: string;
}

const quoteOf = (instrument: Instrument, prices: Prices, rest: Partial<Quote> = {}): Quote => ({
  instrument,
  price: new Decimal(prices.price),
  previousClose: new Decimal(prices.previousClose),
  dayRange: { low: new Decimal('70800'), high: new Decimal('72100') },
  yearRange: { low: new Decimal('52900'), high: new Decimal('88800') },
  volume: new Decimal(prices.volume ?? '12345678'),
  asOf: Temporal.Instant.from('2026-11-13T06:30:00Z'),
  sessionState: 'open',
  isStale: false,
  source: 'sample-feed',
  isSample: true,
  ...rest,
});

const SAMSUNG_QUOTE = quoteOf(SAMSUNG, { price: '71900', previousClose: '71000' });

const saidOfSample = (locale: 'ko' | 'en'): string =>
  describeQuote({ ...SAMSUNG_QUOTE, sessionState: 'closed' }, { locale, timeZone: 'UTC' }).split('\n')[2] ??
  '';

describe('instrumentLabel', () => {
  it.each<[Locale, string]>([
    ['ko', '삼성전자 (005930, KRX)'],
    ['en', 'Samsung Electronics (005930, KRX)'],
  ])('names company, ticker and exchange (%s)', (locale, label) => {
    expect(instrumentLabel(SAMSUNG, locale)).toBe(label);
  });

  it('says that a fund is listed in America where the exchange is not known', () => {
    const fund: Instrument = { ...APPLE, exchange: 'US' };
    expect(instrumentLabel(fund, 'en')).toContain('(AAPL, US-listed)');
    expect(instrumentLabel(fund, 'ko')).toContain('(AAPL, 미국 상장)');
  });
});

it('trades outside regular hours are missing only where there are regular hours', () => {
  const audience = { locale: 'en', timeZone: 'UTC' } as const;
  const fallback = { isFallback: true, source: 'Yahoo Finance chart' };
  const said = [APPLE, COIN].map((each) =>
    describeQuote(quoteOf(each, { price: '1', previousClose: '1' }, fallback), audience).includes(
      'outside regular hours',
    ),
  );
  expect(said).toEqual([true, false]);
});

describe('formatPrice', () => {
  it.each([
    ['KRW has no decimals', SAMSUNG, '71900', '₩71,900'],
    ['dollars have two', APPLE, '3097.45', '$3,097.45'],
    ['dollars have two, also when even', APPLE, '3097', '$3,097.00'],
    ['coins have eight', COIN, '0.0345678', 'BTC\u00a00.03456780'],
  ])('%s', (_what, instrument, value, written) => {
    const price = new Decimal(value);
    expect([formatPrice(price, instrument, 'ko'), formatPrice(price, instrument, 'en')]).toEqual([
      written,
      written,
    ]);
  });

  it('has more digits where the usual ones would be nothing, and those of the usual prices stay', () => {
    const inDollars: Instrument = { ...COIN, currency: 'USD', priceDecimals: 4 };
    const inWon: Instrument = { ...COIN, currency: 'KRW', priceDecimals: 0 };
    const rows = [
      [inDollars, '0.00001234567', '$0.00001235', '$0.00001235'],
      [inDollars, '0.0012', '$0.0012', '$0.0012'],
      [inDollars, '0.1234567', '$0.1235', '$0.1235'],
      [inDollars, '0', '$0.0000', '$0.0000'],
      [inWon, '0.0007', '₩0.0007', '₩0.0007'],
      [inWon, '5.43', '₩5.43', '₩5.43'],
      [inWon, '141262000', '₩141,262,000', '₩141,262,000'],
      [APPLE, '0.85', '$0.85', '$0.85'],
      [APPLE, '0.05', '$0.05', '$0.05'],
      [SAMSUNG, '71900', '₩71,900', '₩71,900'],
    ] as const;
    for (const [instrument, value, price, average] of rows) {
      expect(formatPrice(new Decimal(value), instrument, 'en')).toBe(price);
      expect(averageText(new Decimal(value), instrument, 'en')).toBe(average);
    }
    const bonk = quoteOf(inDollars, { price: '0.00001234', previousClose: '0.00001201' });
    expect(describeQuote(bonk, { locale: 'en', timeZone: 'UTC' })).toContain(
      '$0.00001234 ▲ +$0.00000033 (+2.75%)',
    );
  });

  it('shows the sign of a change when asked to', () => {
    expect(formatPrice(new Decimal('900'), SAMSUNG, 'ko', new Decimal('71900'))).toBe('+₩900');
    expect(formatPrice(new Decimal('-900'), SAMSUNG, 'ko', new Decimal('71900'))).toBe('-₩900');
    expect(formatPrice(new Decimal('0'), SAMSUNG, 'ko', new Decimal('71900'))).toBe('₩0');
  });
});

describe('describeQuote', () => {
  it('says in Korean what it is, what it costs, how it moved, when and from where', () => {
    expect(describeQuote(SAMSUNG_QUOTE, { locale: 'ko', timeZone: 'Asia/Seoul' })).toBe(
      [
        '**삼성전자 (005930)** ₩71,900 ▲ +₩900 (+1.27%)',
        '당일 ₩70,800~₩72,100 · 52주 ₩52,900~₩88,800 · 거래량 12,345,678',
        '장중 · 2026-11-13 15:30 KST · 샘플',
      ].join('\n'),
    );
  });

  it('says the same in English', () => {
    expect(describeQuote(SAMSUNG_QUOTE, { locale: 'en', timeZone: 'Asia/Seoul' })).toBe(
      [
        '**Samsung Electronics (005930)** ₩71,900 ▲ +₩900 (+1.27%)',
        'Day ₩70,800–₩72,100 · 52 weeks ₩52,900–₩88,800 · volume 12,345,678',
        'market open · 2026-11-13 15:30 KST · sample',
      ].join('\n'),
    );
  });

  it.each([
    ['up', '3097.45', '3000', '$3,097.45 ▲ +$97.45 (+3.25%)'],
    ['down', '2900.5', '3000', '$2,900.50 ▼ -$99.50 (-3.32%)'],
    ['unchanged', '3000', '3000', '$3,000.00 ■ $0.00 (0.00%)'],
  ])('shows a price that is %s', (_what, price, previousClose, line) => {
    const text = describeQuote(quoteOf(APPLE, { price, previousClose }), { locale: 'en', timeZone: 'UTC' });
    expect(text.split('\n')[0]).toBe(`**Apple (AAPL)** ${line}`);
  });

  it('shows no percentage of a close of nothing, and no fact of one', () => {
    const quote = quoteOf(APPLE, { price: '3', previousClose: '0' });
    expect(describeQuote(quote, { locale: 'en', timeZone: 'UTC' }).split('\n')[0]).toBe(
      '**Apple (AAPL)** $3.00 ▲ +$3.00',
    );
    expect(quoteFacts(quote).map(({ metric }) => metric)).not.toContain('changePercent');
  });

  it.each(['en', 'ko'] as const)('names the source of real data as it calls itself (%s)', (locale) => {
    const quote = { ...SAMSUNG_QUOTE, source: 'Exchange Feed', isSample: false };
    expect(describeQuote(quote, { locale, timeZone: 'UTC' })).toMatch(/ · Exchange Feed$/);
  });

  it.each([
    ['en', '2,600.12 points'],
    ['ko', '2,600.12 포인트'],
  ] as const)('counts an index in points, not in money (%s)', (locale, shown) => {
    const index: Instrument = { ...SAMSUNG, assetClass: 'index', priceDecimals: 2 };
    const text = describeQuote(quoteOf(index, { price: '2600.12', previousClose: '2600' }), {
      locale,
      timeZone: 'UTC',
    });
    expect(text).toContain(shown);
    expect(text).not.toContain('₩');
  });

  it('shows all eight decimals of a price in coins', () => {
    const text = describeQuote(quoteOf(COIN, { price: '0.03456789', previousClose: '0.03456788' }), {
      locale: 'ko',
      timeZone: 'UTC',
    });
    expect(text).toContain('0.03456789');
    expect(text).toContain('0.00000001');
  });

  it.each([
    ['Asia/Seoul', '2026-11-13 15:30 KST'],
    ['America/New_York', '2026-11-13 01:30 EST'],
    ['America/Los_Angeles', '2026-11-12 22:30 PST'],
    ['UTC', '2026-11-13 06:30 UTC'],
    ['Asia/Kolkata', '2026-11-13 12:00 GMT+5:30'],
  ])('gives the time with its zone to a person in %s', (timeZone, written) => {
    expect(describeQuote(SAMSUNG_QUOTE, { locale: 'ko', timeZone })).toContain(` ${written} ·`);
    expect(describeQuote(SAMSUNG_QUOTE, { locale: 'en', timeZone })).toContain(` ${written} ·`);
  });

  it.each<[SessionState, string, string]>([
    ['pre', '장 시작 전', 'pre-market'],
    ['open', '장중', 'market open'],
    ['after', '시간외', 'after hours'],
    ['closed', '11/13 종가', 'Nov 13 close'],
    ['unknown', '2026-11-13 06:30 UTC', '2026-11-13 06:30 UTC'],
  ])('tells the session state %s', (sessionState, ko, en) => {
    const quote = { ...SAMSUNG_QUOTE, sessionState, isSample: false };
    expect(describeQuote(quote, { locale: 'ko', timeZone: 'UTC' }).split('\n')[2]).toMatch(
      new RegExp(`^${ko} · `),
    );
    expect(describeQuote(quote, { locale: 'en', timeZone: 'UTC' }).split('\n')[2]).toMatch(
      new RegExp(`^${en} · `),
    );
  });

  it('says of a sample price that stands still that it is of a close, not what the market does now', () => {
    expect(saidOfSample('ko')).toMatch(/^11\/13 종가 · /);
    expect(saidOfSample('en')).toMatch(/^Nov 13 close · /);
  });

  it('leaves the volume out where there is none, as for currencies', () => {
    const text = describeQuote(quoteOf(APPLE, { price: '1', previousClose: '1', volume: '0' }), {
      locale: 'en',
      timeZone: 'UTC',
    });
    expect(text).not.toContain('volume');
    expect(text.split('\n')[1]).toMatch(/\$88,800\.00$/);
  });
});

const inEnglish = (quote: Quote): string => describeQuote(quote, { locale: 'en', timeZone: 'UTC' });
const inKorean = (quote: Quote): string => describeQuote(quote, { locale: 'ko', timeZone: 'UTC' });

describe('a live quote', () => {
  const live = quoteOf(
    APPLE,
    { price: '304.12', previousClose: '300.1' },
    { isSample: false, source: 'Yahoo Finance', delayMinutes: 15 },
  );
  const { previousClose: _close, dayRange: _day, yearRange: _year, volume: _volume, ...bare } = live;

  it('says how far it is behind the exchange, and nothing where the source does not tell', () => {
    expect(inEnglish(live)).toMatch(/UTC · delayed 15 min · Yahoo Finance$/);
    expect(inKorean({ ...live, delayMinutes: 0 })).toMatch(/UTC · 실시간 · Yahoo Finance$/);
    const { delayMinutes: _delay, ...unknown } = live;
    expect(inEnglish(unknown)).toMatch(/UTC · Yahoo Finance$/);
  });

  it('claims to be in real time only while it is traded, and of a finished day says no delay', () => {
    const now: Quote = { ...live, delayMinutes: 0 };
    expect(inEnglish(now)).toContain('real time');
    for (const sessionState of ['pre', 'after', 'closed', 'unknown'] as const)
      expect(inEnglish({ ...now, sessionState })).not.toContain('real time');
    expect(inEnglish({ ...now, isStale: true })).not.toContain('real time');
    expect(inEnglish({ ...live, sessionState: 'after' })).toContain('delayed 15 min');
    expect(inEnglish({ ...live, sessionState: 'closed' })).not.toContain('delayed');
  });

  it('of a trade after the close is not passed off as the close', () => {
    expect(inKorean({ ...live, sessionState: 'after', isAfterClose: true })).toContain(
      '시간외 · 장 마감 후 체결가 · ',
    );
  });

  it('that is older than it should be is called stale before its time', () => {
    expect(inEnglish({ ...live, isStale: true })).toContain('⚠️ stale · 2026-11-13');
    expect(inKorean({ ...live, isStale: true })).toContain('⚠️ 오래된 시세 · 2026-11-13');
  });

  it('shows what was paid after hours apart from the regular price, with its own time and change', () => {
    const asOf = Temporal.Instant.from('2026-11-13T23:10:00Z');
    const quote = { ...live, extended: { session: 'after' as const, price: new Decimal('301.08'), asOf } };
    const [price, extended] = inEnglish(quote).split('\n');
    expect(price).toContain('$304.12 ▲ +$4.02 (+1.34%)');
    expect(extended).toBe('after hours $301.08 ▼ -$3.04 (-1.00%) · 2026-11-13 23:10 UTC');
    expect(quoteFacts(quote)).toContainEqual(
      expect.objectContaining({ metric: 'afterHoursPrice', value: '301.08', asOf: asOf.toString() }),
    );
  });

  it('of which only the price is known claims no change, range or volume', () => {
    expect(inEnglish(bare)).toBe(
      [
        '**Apple (AAPL)** $304.12 (change not known)',
        'market open · 2026-11-13 06:30 UTC · delayed 15 min · Yahoo Finance',
      ].join('\n'),
    );
    expect(quoteFacts(bare).map(({ metric }) => metric)).toEqual(['price']);
  });

  it('of a rate is in percent, and its change in percentage points alone', () => {
    const rate: Instrument = { ...APPLE, assetClass: 'rate', currency: '%', priceDecimals: 3 };
    const quote = quoteOf(rate, { price: '4.125', previousClose: '4.1' });
    expect(inEnglish(quote).split('\n')[0]).toBe('**Apple (AAPL)** 4.125% ▲ +0.025%p');
    expect(quoteFacts(quote).map(({ metric }) => metric)).not.toContain('changePercent');
  });

  it('counts parts of a coin where few are traded', () => {
    expect(inEnglish({ ...live, volume: new Decimal('12.3456') })).toContain('volume 12.3456');
  });
});

describe('quoteFacts', () => {
  it('has every number of the quote as exact text with its unit', () => {
    const facts = quoteFacts(quoteOf(APPLE, { price: '3097.45', previousClose: '3000.10' }));
    expect(facts.map((fact) => [fact.metric, fact.value, fact.unit])).toEqual([
      ['price', '3097.45', 'USD'],
      ['previousClose', '3000.1', 'USD'],
      ['dayLow', '70800', 'USD'],
      ['dayHigh', '72100', 'USD'],
      ['yearLow', '52900', 'USD'],
      ['yearHigh', '88800', 'USD'],
      ['change', '97.35', 'USD'],
      ['changePercent', '3.24', '%'],
      ['volume', '12345678', 'units'],
    ]);
  });

  it.each([true, false])('marks every fact as sample data or not: %s', (isSample) => {
    const facts = quoteFacts({ ...SAMSUNG_QUOTE, isSample });
    expect(new Set(facts.map((fact) => fact.isSample))).toEqual(new Set([isSample]));
  });

  it('says in every fact what it is about, from where and as of when', () => {
    const origins = quoteFacts(SAMSUNG_QUOTE).map(
      ({ entity, asOf, source }) => `${entity} ${asOf} ${source}`,
    );
    expect(new Set(origins)).toEqual(new Set(['005930.KS 2026-11-13T06:30:00Z sample-feed']));
  });

  it('writes very small and very large numbers without an exponent', () => {
    const facts = quoteFacts(quoteOf(COIN, { price: '1e-8', previousClose: '1e-8', volume: '1e25' }));
    const valueOf = (metric: string): string | undefined =>
      facts.find((fact) => fact.metric === metric)?.value;
    expect([valueOf('price'), valueOf('volume')]).toEqual(['0.00000001', '10000000000000000000000000']);
  });
});
