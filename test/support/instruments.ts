import type { Instrument } from '#src/kernel/market/finance.ts';

const korean = (ticker: string, ko: string, en: string): Instrument => ({
  symbol: `${ticker}.KS`,
  ticker,
  name: { ko, en },
  exchange: 'KOSPI',
  assetClass: 'equity',
  currency: 'KRW',
  priceDecimals: 0,
});

export const SAMSUNG = korean('005930', '삼성전자', 'Samsung Electronics Co., Ltd.');
export const HYNIX = korean('000660', 'SK하이닉스', 'SK hynix Inc.');
export const APPLE: Instrument = {
  symbol: 'AAPL',
  ticker: 'AAPL',
  name: { ko: '애플', en: 'Apple Inc.' },
  exchange: 'NASDAQ',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
};
export const KOSPI: Instrument = {
  symbol: '^KS11',
  ticker: 'KOSPI',
  name: { ko: '코스피', en: 'KOSPI Composite' },
  exchange: 'KRX',
  assetClass: 'index',
  currency: 'points',
  priceDecimals: 2,
};

export const TEN_YEARS: Instrument = {
  symbol: '^TNX',
  ticker: 'TNX',
  name: { ko: '미국 국채 10년 금리', en: 'US Treasury 10-year yield' },
  exchange: 'CBOE',
  assetClass: 'rate',
  currency: '%',
  priceDecimals: 3,
};
export const BITCOIN: Instrument = {
  symbol: 'BTC-USD',
  ticker: 'BTC',
  name: { ko: '비트코인', en: 'Bitcoin' },
  exchange: 'Crypto',
  assetClass: 'crypto',
  currency: 'USD',
  priceDecimals: 2,
};
