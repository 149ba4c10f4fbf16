import { describe, expect, it } from 'vitest';
import type { Instrument, QuoteResult, UnavailableReason } from '#src/kernel/market/finance.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { ConvertRequest, ConvertText } from '#src/features/fx/convert.ts';
import { Decimal } from '#src/kernel/money.ts';
import { convertAnswer } from '#src/features/fx/convert.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';

const KO: Audience = { locale: 'ko', timeZone: 'Asia/Seoul' };
const EN: Audience = { locale: 'en', timeZone: 'UTC' };
const AS_OF = Temporal.Instant.from('2026-11-13T06:30:00Z');

const PRICES: Readonly<Record<string, string>> = {
  'USDKRW=X': '1463.25',
  'EURUSD=X': '1.1584',
  // The wrong way round markets have few digits: it must not be used where the right one is there.
  'KRWUSD=X': '0.0007',
  'USDJPY=X': '154.78',
  'KRWVND=X': '17.94',
  'BTC-KRW': '141262000',
  'BTC-USD': '96540.25',
  'ETH-USD': '3218.7',
};

const setUp = (
  prices = PRICES,
  reason: UnavailableReason = 'no-data',
  currencies: Readonly<Record<string, string>> = {},
) => {
  const asked: (readonly string[])[] = [];
  const quoteOf = (instrument: Instrument): QuoteResult => {
    const price = prices[instrument.symbol];
    if (price === undefined) return { status: 'unavailable', instrument, reason };
    const quote = {
      instrument: { ...instrument, currency: currencies[instrument.symbol] ?? instrument.currency },
      price: new Decimal(price),
      asOf: instrument.symbol === 'EURUSD=X' ? AS_OF.subtract({ minutes: 5 }) : AS_OF,
      delayMinutes: 15,
      source: 'Test',
      isSample: false,
      sessionState: 'open' as const,
      isStale: false,
    };
    return { status: 'ok', quote };
  };
  const convert = convertAnswer({
    market: {
      getQuotes: async (instruments) => {
        asked.push(instruments.map(({ symbol }) => symbol));
        return instruments.map(quoteOf);
      },
    },
    symbols: { resolve: () => ({ status: 'unknown', suggestions: [] }) },
  });
  const ask = (request: ConvertRequest | ConvertText, audience: Audience = EN) =>
    convert(request, audience, new AbortController().signal);
  return { ask, asked };
};

describe('a conversion', () => {
  it('takes every coin that the index has a price of, by code or name', async () => {
    const asked: string[] = [];
    const convert = convertAnswer({
      market: {
        getQuotes: async (instruments) => {
          asked.push(...instruments.map(({ symbol }) => symbol));
          return instruments.map((instrument) => ({ status: 'unavailable', instrument, reason: 'no-data' }));
        },
      },
      symbols: createSymbolSearch(),
    });
    const { signal } = new AbortController();
    for (const text of ['1 WLD KRW', '2 sui usd', '페페 100개 원', '1 TRUMP USD', '트럼프를 달러로'])
      await convert({ text }, EN, signal);
    await convert({ amount: '1', from: 'BONK', to: 'USD' }, EN, signal);
    for (const symbol of ['WLD-KRW', 'SUI20947-USD', 'PEPE-KRW', 'TRUMP35336-USD', 'BONK-USD'])
      expect(asked).toContain(symbol);
    expect((await convert({ text: '1 FOOX KRW' }, EN, signal)).content).toContain('"FOOX"');
  });

  it('says the amount, the rate, its as-of, delay and source', async () => {
    const { ask, asked } = setUp();
    const { content, found } = await ask({ amount: '100', from: 'usd', to: '원' });
    expect(found).toBe(1);
    expect(content.split('\n')).toEqual([
      '**$100.00 = ₩146,325**',
      '1 USD = ₩1,463.25 · 2026-11-13 06:30 UTC · delayed 15 min · Test',
    ]);
    expect(asked).toEqual([['USDKRW=X']]);
  });

  it('takes no price in another currency for the rate', async () => {
    const { ask, asked } = setUp({ ...PRICES, 'BTC-EUR': '95000' }, 'no-data', { 'BTC-EUR': 'USD' });
    const { content, facts } = await ask({ amount: '1', from: 'BTC', to: 'EUR' });
    expect(content.split('\n')[0]).toBe('**1 BTC = €83,339.30**');
    expect(facts.some(({ value }) => value.startsWith('95000'))).toBe(false);
    expect(asked).toEqual([['BTC-EUR'], ['BTC-USD', 'EURUSD=X']]);
  });

  it('takes the other way round where markets have only that', async () => {
    const { ask, asked } = setUp({ 'KRWUSD=X': '0.0007', 'EURUSD=X': '1.16' });
    expect((await ask({ text: '1000 krw usd' })).content.split('\n')[0]).toBe('**₩1,000 = $0.70**');
    expect(asked).toEqual([['USDKRW=X'], ['KRWUSD=X']]);
    asked.length = 0;
    expect((await ask({ text: '10000 krw eur' })).content.split('\n')[0]).toBe('**₩10,000 = €6.03**');
    expect(asked).toEqual([['EURKRW=X'], ['KRWEUR=X', 'USDKRW=X', 'EURUSD=X'], ['KRWUSD=X']]);
  });

  it('gives the price, the rate and the outcome as facts', async () => {
    const { facts } = await setUp().ask({ amount: '1,000', from: 'KRW', to: 'USD' });
    expect(facts.map(({ entity, metric, value, unit }) => [entity, metric, value, unit])).toEqual([
      ['USDKRW=X', 'price', '1463.25', 'KRW'],
      ['KRW/USD', 'exchangeRate', '0.00068341022', 'USD'],
      ['KRW/USD', 'converted', '0.6834', 'USD'],
    ]);
    expect(facts[2]).toMatchObject({ label: '1000 KRW in USD', operands: ['1000', '0.00068341022'] });
    expect(facts[0]?.names).toEqual(
      expect.arrayContaining(['USD/KRW', '원/달러', '달러/원', '달러 환율', 'dollar']),
    );
    expect(facts.every(({ asOf, source }) => asOf === AS_OF.toString() && source === 'Test')).toBe(true);
  });

  it('goes over the dollar where there is no price, says so, and is as old as the older price', async () => {
    const { ask, asked } = setUp();
    const { content, facts } = await ask({ text: '100유로 원' }, KO);
    expect(content.split('\n')).toEqual([
      '**€100.00 = ₩169,503**',
      '1 EUR = ₩1,695.0288(USD 경유) · 1 EUR = $1.1584 · 1 USD = ₩1,463.25 · 2026-11-13 15:25 KST · 15분 지연 · Test',
    ]);
    expect(asked).toEqual([['EURKRW=X'], ['KRWEUR=X', 'EURUSD=X', 'USDKRW=X']]);
    expect(facts.find(({ metric }) => metric === 'exchangeRate')?.asOf).toBe('2026-11-13T06:25:00Z');
  });

  it.each([
    ['0.5 btc krw', '0.5 BTC = ₩70,631,000'],
    ['1 비트코인 달러', '1 BTC = $96,540.25'],
    ['100만원 비트코인', '₩1,000,000 = 0.00707904 BTC'],
    ['2 eth krw', '2 ETH = ₩9,419,526'],
    ['1 btc eth', '1 BTC = 29.9935533 ETH'],
    ['0 usd krw', '$0.00 = ₩0'],
    ['12.345 usd krw', '$12.345 = ₩18,064'],
    // Won and yen are whole from a thousand on; below it they have the digits that people read.
    ['1 jpy krw', '¥1 = ₩9.45'],
    ['100 jpy krw', '¥100 = ₩945.37'],
    ['105.77 jpy krw', '¥105.77 = ₩999.92'],
    ['105.7784 jpy krw', '¥105.7784 = ₩1,000'],
    ['1000 jpy krw', '¥1,000 = ₩9,454'],
    ['1,000,000 jpy krw', '¥1,000,000 = ₩9,453,741'],
    ['0.01 jpy krw', '¥0.01 = ₩0.09454'],
    ['1 usd jpy', '$1.00 = ¥154.78'],
    ['10 usd jpy', '$10.00 = ¥1,548'],
    ['1원 달러', '₩1 = $0.0006834'],
    ['1원 엔', '₩1 = ¥0.1058'],
    ['1000원 달러', '₩1,000 = $0.6834'],
    ['5만원 달러', '₩50,000 = $34.17'],
    ['1 krw vnd', '₩1 = VND\u{a0}17.94'],
    ['100 krw vnd', '₩100 = VND\u{a0}1,794'],
  ])('%s: %s', async (text, line) => {
    for (const audience of [EN, KO]) {
      const { content } = await setUp().ask({ text }, audience);
      expect(content.split('\n')[0]).toBe(`**${line}**`);
    }
  });

  it.each([
    ['1000엔', KO, '100엔 = ₩945.37 · 2026'],
    ['1000 jpy krw', EN, '1 JPY = ₩9.4537 · 2026'],
    ['1만동', KO, '100동 = ₩5.574 · 2026'],
    ['100만 루피아', KO, '100루피아 = ₩8.75 · 2026'],
    ['100 krw vnd', EN, '1 KRW = VND\u{a0}17.94 · 2026'],
    ['100 usd jpy', KO, '1 USD = ¥154.78 · 2026'],
  ])('%s: Koreans read the price of a hundred yen, dong and rupiah', async (text, audience, start) => {
    const direct = { 'JPYKRW=X': '9.4537', 'KRWIDR=X': '11.428571428571' };
    const { content } = await setUp({ ...PRICES, ...direct }).ask({ text }, audience);
    expect(content.split('\n')[1]).toContain(start);
  });

  it('a rate over the dollar is of a hundred yen, too', async () => {
    const { content } = await setUp().ask({ text: '1000엔' }, KO);
    expect(content).toContain('100엔 = ₩945.37(USD 경유)');
  });

  it.each([
    ['', EN, '**$1.00 = ₩1,463**'],
    ['', KO, '**$1.00 = ₩1,463**'],
    ['100달러', KO, '**$100.00 = ₩146,325**'],
    ['100000원', KO, '**₩100,000 = $68.34**'],
    ['100 eur', EN, '**€100.00 = $115.84**'],
  ])('"%s" fills in what is not said', async (text, audience, line) => {
    const { content } = await setUp().ask({ text }, audience);
    expect(content.split('\n')[0]).toBe(line);
  });

  it.each<[ConvertRequest | ConvertText, string]>([
    [{ amount: '1', from: 'xyz', to: 'krw' }, 'I do not know the currency "xyz"'],
    [{ text: '100 usd abc' }, 'I do not know the currency "abc"'],
    [{ amount: 'many', from: 'usd', to: 'krw' }, '"many" is no amount'],
    [{ amount: '-5', from: 'usd', to: 'krw' }, '"-5" is no amount'],
    [{ text: '-5 usd krw' }, 'is no amount'],
    [{ amount: '1e30', from: 'usd', to: 'krw' }, 'is no amount'],
    [{ text: '100 usd usd' }, 'Both are US dollar'],
    [{ text: 'usd krw eur' }, 'one amount and two currencies'],
  ])('%j is answered with one sentence, without asking for prices', async (request, sentence) => {
    const { ask, asked } = setUp();
    const { content, found, facts } = await ask(request);
    expect({ found, facts, asked }).toEqual({ found: 0, facts: [], asked: [] });
    expect(content).toContain(sentence);
  });

  it.each<[UnavailableReason, string]>([
    ['down', 'cannot be reached'],
    ['not-in-sample', 'is not in the sample data'],
  ])('invents nothing where the source is %s', async (reason, sentence) => {
    const { ask, asked } = setUp({}, reason);
    const { content, found, facts } = await ask({ text: '100 gbp krw' });
    expect({ found, facts }).toEqual({ found: 0, facts: [] });
    // Nobody waits twice for a source that is down.
    expect(asked.length === 1).toBe(reason === 'down');
    expect(content).toContain(sentence);
    expect(content).toContain('GBP/KRW');
  });
});
