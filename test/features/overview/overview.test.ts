import { describe, expect, it } from 'vitest';
import type { Instrument, Quote, QuoteResult } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { overviewAnswer } from '#src/features/overview/overview.ts';
import { BIG_COINS, BIG_COMPANIES, MARKET_SYMBOLS } from '#src/markets/answers/well-known.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import {
  BNB_USD,
  BTC_KRW,
  BTC_USD,
  en,
  ko,
  KOSPI,
  marketOf,
  quoteOf,
  signal,
  symbols,
  TEN_YEARS,
  USD_KRW,
} from '../news/news-support.ts';
import { inFull } from '#test/support/in-full.ts';

const setUp = (...quotes: readonly Quote[]) => {
  const asked: (readonly string[])[] = [];
  const market = marketOf({
    getQuotes: async (instruments) => {
      asked.push(instruments.map(({ symbol }) => symbol));
      return instruments.map((instrument): QuoteResult => {
        const quote = quotes.find((one) => one.instrument.symbol === instrument.symbol);
        return quote ? { status: 'ok', quote } : { status: 'unavailable', instrument, reason: 'down' };
      });
    },
  });
  const answer = overviewAnswer({ market, symbols, clock: new ManualClock() });
  return {
    asked,
    brief: answer,
    answer: (...request: Parameters<typeof answer>) => inFull(answer(...request)),
  };
};
const rowsOf = (content: string): readonly string[] =>
  content
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
const previous = (price: string) => ({ previousClose: new Decimal(price) });

const WON = quoteOf(BTC_KRW, '151500000', { source: 'Upbit' });
const DOLLAR = quoteOf(BTC_USD, '100000');
const RATE = quoteOf(USD_KRW, '1500');

describe('the markets at a glance', () => {
  it('are one table in which each line has its own as-of, and a rate no percentage of a percentage', async () => {
    const { answer } = setUp(
      quoteOf(KOSPI, '4011.57', { ...previous('4000'), sessionState: 'closed', delayMinutes: 20 }),
      quoteOf(USD_KRW, '1467.2', { ...previous('1470'), isStale: true }),
      quoteOf(TEN_YEARS, '4.125', previous('4.1')),
      { ...WON, instrument: BTC_USD },
    );
    const { content, found, facts } = await answer({ of: 'markets' }, ko, signal);
    expect(content).toContain('지금 거래 중: 달러/원, 비트코인, 미 국채 10년');
    expect(rowsOf(content)).toEqual([
      '| 코스피 | 4,011.57 | +11.57 | +0.29% | 11-13 15:30 |',
      '| 달러/원 | ₩1,467.20 | -₩2.80 | -0.19% | 11-13 15:30 ⚠️ 오래됨 |',
      '| 비트코인 | $151,500,000.00 | – | – | 11-13 15:30 |',
      '| 미 국채 10년 | 4.125% | +0.025%p | – | 11-13 15:30 |',
    ]);
    expect(content).toContain('시각은 KST · 출처: Yahoo Finance, Upbit (최대 20분 지연)');
    expect(found).toBe(4);
    expect(facts).toContainEqual(
      expect.objectContaining({
        entity: '^KS11',
        metric: 'price',
        value: '4011.57',
        source: 'Yahoo Finance',
      }),
    );
  });

  it('name what is missing, and are one sentence where all is', async () => {
    const some = await setUp(quoteOf(KOSPI, '4011.57')).answer({ of: 'markets' }, en, signal);
    expect(some.content).toContain('cannot be reached: USD/KRW, Bitcoin, US 10-year.');
    const none = await setUp().answer({ of: 'markets' }, en, signal);
    expect(none).toMatchObject({ found: 0, facts: [] });
    expect(none.content).toMatch(/^Left out, because .* KOSPI, .*\.$/);
  });
});

describe('coins at a glance', () => {
  it('are in won for Korean readers and in dollars for others, unless one was asked for', async () => {
    const { asked, answer } = setUp(WON, DOLLAR, quoteOf(BNB_USD, '900'));
    expect((await answer({ of: 'crypto' }, ko, signal)).content).toContain('**코인 시세 (원화)**');
    expect((await answer({ of: 'crypto' }, en, signal)).content).toContain('**Coins in US dollars**');
    const asDollars = await answer({ of: 'crypto', currency: 'USD', names: ['비트코인'] }, ko, signal);
    expect(rowsOf(asDollars.content)).toEqual(['| 비트코인 (BTC) | $100,000.00 | – | – | 11-13 15:30 |']);
    expect(asked.filter((_, index) => index % 2 === 0).map(([first]) => first)).toEqual([
      'BTC-KRW',
      'BTC-USD',
      'BTC-USD',
    ]);
  });

  it('offer the same coins anew and in full, in the currency that was asked for', async () => {
    const { answer } = setUp(WON, DOLLAR);
    const offered = async (currency?: 'USD') =>
      (await answer({ of: 'crypto', ...(currency && { currency }) }, ko, signal)).choices?.map(
        ({ command }) => command,
      );
    expect(await offered()).toEqual(['/crypto', '/crypto --all']);
    expect(await offered('USD')).toEqual(['/crypto usd', '/crypto usd --all']);
  });

  it.each(['LTC', 'LINK', 'TRX', 'ATOM', 'BCH', 'SUI', '니어'])(
    'named %s are coins, and never shares',
    async (name) => {
      const asked: string[] = [];
      const market = marketOf({
        getQuotes: async (instruments) => {
          asked.push(...instruments.map(({ assetClass, currency }) => `${assetClass} ${currency}`));
          return [];
        },
      });
      const answer = overviewAnswer({ market, symbols: createSymbolSearch(), clock: new ManualClock() });
      await answer({ of: 'crypto', currency: 'USD', names: [name] }, en, signal);
      expect(asked).toEqual(['crypto USD']);
    },
  );

  it('named by people are those alone, in the currency they name, or the only one there is', async () => {
    const { answer } = setUp(WON, DOLLAR, quoteOf(BNB_USD, '900'));
    const { content } = await answer(
      { of: 'crypto', names: ['BTC', 'BNB', 'BTC-USD', 'AAPL', 'qwertz'] },
      ko,
      signal,
    );
    expect(rowsOf(content).map((row) => row.split(' | ').slice(0, 2).join())).toEqual([
      '| 비트코인 (BTC),₩151,500,000',
      '| 바이낸스코인 (BNB),$900.00',
      '| 비트코인 (BTC),$100,000.00',
    ]);
    expect(content).toContain('코인이 아니에요: 애플 (AAPL, X)');
    expect(content).toContain('"qwertz" 종목을 찾지 못했어요');
  });

  it('in short have the day of the reader below them, because coins have no day of a market', async () => {
    const asOf = Temporal.Instant.from('2026-11-12T21:53:00Z');
    const { brief } = setUp({ ...WON, asOf }, { ...DOLLAR, asOf });
    expect((await brief({ of: 'crypto' }, ko, signal)).content).toMatch(/^11\/13 · Upbit$/mu);
    expect((await brief({ of: 'crypto' }, en, signal)).content).toMatch(/^Nov 12 · Yahoo Finance$/mu);
  });

  it('have the kimchi premium, with how it is made and its parts as facts', async () => {
    const { content, facts } = await setUp(WON, DOLLAR, RATE).answer({ of: 'crypto' }, en, signal);
    expect(content).toContain(
      'Kimchi premium (BTC): +1.00% = ₩151,500,000 (Upbit) ÷ ($100,000.00 (Yahoo Finance) × ₩1,500.00 (Yahoo Finance)) − 1; exchange rate as of 2026-11-13 01:30 EST',
    );
    const prices = facts.filter(({ metric }) => metric === 'price' || metric === 'kimchiPremium');
    expect(prices.map(({ entity, value }) => [entity, value])).toEqual([
      ['BTC-USD', '100000'],
      ['BTC', '1.00'],
      ['BTC-KRW', '151500000'],
      ['USDKRW=X', '1500'],
    ]);
  });

  it.each<[string, readonly Quote[]]>([
    ['a price is missing', [WON, DOLLAR]],
    ['the won price is the dollar price converted', [{ ...WON, source: 'Yahoo Finance' }, DOLLAR, RATE]],
    ['a price is old', [WON, { ...DOLLAR, isStale: true }, RATE]],
    ['the prices are made up', [WON, { ...DOLLAR, isSample: true }, RATE]],
  ])('have no kimchi premium where %s', async (_why, quotes) => {
    const { content, found } = await setUp(...quotes).answer({ of: 'crypto' }, ko, signal);
    expect(found).toBe(1);
    expect(content).not.toContain('김치');
  });
});

it('knows everything by symbol that is shown to somebody who names nothing', () => {
  const { resolve } = createSymbolSearch();
  const coins = (['KRW', 'USD'] as const).flatMap((currency) =>
    BIG_COINS[currency].map((code) => `${code}-${currency}`),
  );
  const found = (symbol: string): Instrument | undefined => {
    const match = resolve(symbol);
    return match.status === 'found' ? match.instrument : undefined;
  };
  const all = [...MARKET_SYMBOLS, ...BIG_COMPANIES, ...coins];
  expect(all.map((symbol) => found(symbol)?.symbol)).toEqual(all);
  expect(BIG_COMPANIES.map((symbol) => found(symbol)?.assetClass)).toEqual(BIG_COMPANIES.map(() => 'equity'));
});
