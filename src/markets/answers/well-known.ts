/** Shown if nothing is named, in display order. */
export const MARKET_SYMBOLS: readonly string[] = [
  '^KS11',
  '^KQ11',
  '^GSPC',
  '^IXIC',
  '^DJI',
  '^VIX',
  'USDKRW=X',
  'BTC-USD',
  '^TNX',
];

/** The largest companies of Korea, then of the United States, as of November 2026. */
export const BIG_COMPANIES: readonly string[] = [
  '005930.KS',
  '000660.KS',
  '005380.KS',
  '373220.KS',
  '402340.KS',
  '207940.KS',
  '034020.KS',
  '012450.KS',
  '000270.KS',
  '329180.KS',
  'NVDA',
  'AAPL',
  'GOOGL',
  'MSFT',
  'AMZN',
  'AVGO',
  'TSLA',
  'META',
  'LLY',
  'BRK-B',
];

export type CoinCurrency = 'KRW' | 'USD';

/** The largest coins without stablecoins. Not every coin is traded in won. */
export const BIG_COINS: Readonly<Record<CoinCurrency, readonly string[]>> = {
  KRW: ['BTC', 'ETH', 'XRP', 'SOL', 'DOGE', 'ADA', 'TRX', 'LINK'],
  USD: ['BTC', 'ETH', 'XRP', 'BNB', 'SOL', 'DOGE', 'ADA', 'TRX'],
};
