import type { AssetClass, Instrument, NewsItem, Quote, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Market } from '#src/markets/sources/source.ts';

export const ko: Audience = { locale: 'ko', timeZone: 'Asia/Seoul' };
export const en: Audience = { locale: 'en', timeZone: 'America/New_York' };
export const { signal } = new AbortController();

const instrument = (
  symbol: string,
  nameKo: string,
  nameEn: string,
  assetClass: AssetClass,
  currency: string,
  priceDecimals: number,
): Instrument => ({
  symbol,
  ticker: symbol.split(/[.]|=X/)[0] ?? symbol,
  name: { ko: nameKo, en: nameEn },
  exchange: 'X',
  assetClass,
  currency,
  priceDecimals,
});

export const SAMSUNG = instrument('005930.KS', '삼성전자', 'Samsung Electronics', 'equity', 'KRW', 0);
export const APPLE = instrument('AAPL', '애플', 'Apple Inc.', 'equity', 'USD', 2);
const SPY = instrument('SPY', 'SPY', 'SPY', 'etf', 'USD', 2);
export const KOSPI = instrument('^KS11', '코스피', 'KOSPI', 'index', 'points', 2);
export const TEN_YEARS = instrument('^TNX', '미국 10년 금리', 'US 10-year', 'rate', '%', 3);
export const USD_KRW = instrument('USDKRW=X', '달러/원', 'USD/KRW', 'fx', 'KRW', 2);
export const BTC_USD = instrument('BTC-USD', '비트코인', 'Bitcoin', 'crypto', 'USD', 2);
export const BTC_KRW = instrument('BTC-KRW', '비트코인 (원화)', 'Bitcoin (in won)', 'crypto', 'KRW', 0);
export const BNB_USD = instrument('BNB-USD', '바이낸스코인', 'BNB', 'crypto', 'USD', 2);

const INSTRUMENTS = [SAMSUNG, APPLE, SPY, KOSPI, TEN_YEARS, USD_KRW, BTC_USD, BTC_KRW, BNB_USD];

/** Knows symbols and names; `BTC` and `비트코인` are the dollar price, as in the index. */
export const symbols: Pick<SymbolSearch, 'resolve'> = {
  resolve: (query) => {
    const found = INSTRUMENTS.find(
      ({ symbol, name }) =>
        symbol === query || name.ko === query || name.en === query || symbol === `${query}-USD`,
    );
    return found ? { status: 'found', instrument: found } : { status: 'unknown', suggestions: [] };
  },
};

const never = async (): Promise<never> => {
  throw new Error('not asked for in this test');
};

export const marketOf = (answers: Partial<Market>): Market => ({
  getQuotes: never,
  getHistory: never,
  getDays: never,
  lookUp: never,
  getNews: never,
  getFundamentals: never,
  getEarnings: never,
  ...answers,
});

export const newsItem = (title: string, more: Partial<NewsItem> = {}): NewsItem => ({
  title,
  url: `https://news.example/${encodeURIComponent(title)}`,
  publisher: 'Reuters',
  publishedAt: Temporal.Instant.from('2026-11-13T05:00:00Z'),
  symbols: [],
  ...more,
});

export const quoteOf = (of: Instrument, price: string, more: Partial<Quote> = {}): Quote => ({
  instrument: of,
  price: new Decimal(price),
  asOf: Temporal.Instant.from('2026-11-13T06:30:00Z'),
  source: 'Yahoo Finance',
  isSample: false,
  sessionState: 'open',
  isStale: false,
  ...more,
});
