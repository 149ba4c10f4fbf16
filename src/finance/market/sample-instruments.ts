import type { Instrument } from '#src/core/finance.ts';
import type { Localized } from '#src/core/i18n.ts';

/** An instrument that exists with numbers that do not: every price, volatility and volume below is invented. */
export interface SampleInstrument {
  readonly instrument: Instrument;
  /** What people also call it; its names and codes need no alias. */
  readonly aliases: readonly string[];
  /** Decimal as text. */
  readonly lastPrice: string;
  /** As a fraction: 0.3 is 30 % a year. */
  readonly annualVolatility: number;
  /** 0: nobody counts it, as with currencies. */
  readonly dailyVolume: number;
}

type Numbers = readonly [lastPrice: string, annualVolatility: number, dailyVolume: number];

const sample = (
  instrument: Instrument,
  aliases: readonly string[],
  [lastPrice, annualVolatility, dailyVolume]: Numbers,
): SampleInstrument => ({ instrument, aliases, lastPrice, annualVolatility, dailyVolume });

const korean = (
  ticker: string,
  exchange: 'KOSPI' | 'KOSDAQ',
  name: Localized,
  aliases: readonly string[],
  numbers: Numbers,
): SampleInstrument => {
  const symbol = `${ticker}.${exchange === 'KOSPI' ? 'KS' : 'KQ'}`;
  return sample(
    { symbol, ticker, name, exchange, assetClass: 'equity', currency: 'KRW', priceDecimals: 0 },
    aliases,
    numbers,
  );
};

const american = (
  ticker: string,
  exchange: 'NASDAQ' | 'NYSE' | 'NYSE Arca',
  name: Localized,
  aliases: readonly string[],
  numbers: Numbers,
): SampleInstrument => {
  const assetClass = exchange === 'NYSE Arca' ? 'etf' : 'equity';
  return sample(
    { symbol: ticker, ticker, name, exchange, assetClass, currency: 'USD', priceDecimals: 2 },
    aliases,
    numbers,
  );
};

const offExchange = (
  codes: Pick<Instrument, 'symbol' | 'ticker' | 'assetClass' | 'currency' | 'priceDecimals'>,
  name: Localized,
  aliases: readonly string[],
  numbers: Numbers,
): SampleInstrument =>
  sample({ ...codes, name, exchange: codes.assetClass === 'fx' ? 'FX' : 'Crypto' }, aliases, numbers);

/** An index is counted in points: a currency sign in front of it would be wrong. */
const index = (
  codes: Pick<Instrument, 'symbol' | 'ticker' | 'exchange'>,
  name: Localized,
  aliases: readonly string[],
  numbers: Numbers,
): SampleInstrument =>
  sample({ ...codes, name, assetClass: 'index', currency: 'points', priceDecimals: 2 }, aliases, numbers);

/** Codes and names as the exchanges list them; the better known first within a market. */
export const SAMPLE_INSTRUMENTS: readonly SampleInstrument[] = [
  korean(
    '005930',
    'KOSPI',
    { ko: '삼성전자', en: 'Samsung Electronics Co., Ltd.' },
    ['삼전'],
    ['102300', 0.3, 18_400_000],
  ),
  korean(
    '000660',
    'KOSPI',
    { ko: 'SK하이닉스', en: 'SK hynix Inc.' },
    ['하이닉스', '에스케이하이닉스', 'hynix'],
    ['612000', 0.45, 3_900_000],
  ),
  korean(
    '373220',
    'KOSPI',
    { ko: 'LG에너지솔루션', en: 'LG Energy Solution, Ltd.' },
    ['엘지에너지솔루션', 'LG엔솔', '엘지엔솔', '엔솔', 'LGES'],
    ['462500', 0.4, 310_000],
  ),
  korean(
    '207940',
    'KOSPI',
    { ko: '삼성바이오로직스', en: 'Samsung Biologics Co.,Ltd.' },
    ['삼바', '삼성바이오'],
    ['1223000', 0.28, 74_000],
  ),
  korean(
    '005380',
    'KOSPI',
    { ko: '현대차', en: 'Hyundai Motor Company' },
    ['현대자동차', '현차', 'hyundai'],
    ['271500', 0.3, 820_000],
  ),
  korean(
    '000270',
    'KOSPI',
    { ko: '기아', en: 'Kia Corporation' },
    ['기아차', '기아자동차'],
    ['118400', 0.29, 1_100_000],
  ),
  korean('035420', 'KOSPI', { ko: 'NAVER', en: 'NAVER Corporation' }, ['네이버'], ['268500', 0.33, 690_000]),
  korean('035720', 'KOSPI', { ko: '카카오', en: 'Kakao Corp.' }, ['다음카카오'], ['64200', 0.36, 1_700_000]),
  korean('068270', 'KOSPI', { ko: '셀트리온', en: 'Celltrion, Inc.' }, [], ['187600', 0.31, 540_000]),
  korean(
    '105560',
    'KOSPI',
    { ko: 'KB금융', en: 'KB Financial Group Inc.' },
    ['케이비금융', 'KB금융지주'],
    ['128700', 0.27, 1_050_000],
  ),
  korean(
    '066570',
    'KOSPI',
    { ko: 'LG전자', en: 'LG Electronics Inc.' },
    ['엘지전자'],
    ['91200', 0.32, 620_000],
  ),
  korean('086520', 'KOSDAQ', { ko: '에코프로', en: 'Ecopro Co., Ltd.' }, [], ['88400', 0.6, 2_600_000]),
  korean(
    '247540',
    'KOSDAQ',
    { ko: '에코프로비엠', en: 'Ecopro BM. Co., Ltd.' },
    ['에코프로BM'],
    ['152600', 0.58, 880_000],
  ),

  american('NVDA', 'NASDAQ', { ko: '엔비디아', en: 'NVIDIA Corporation' }, [], ['213.45', 0.42, 168_000_000]),
  american('AAPL', 'NASDAQ', { ko: '애플', en: 'Apple Inc.' }, [], ['304.12', 0.27, 44_000_000]),
  american(
    'GOOGL',
    'NASDAQ',
    { ko: '알파벳', en: 'Alphabet Inc.' },
    ['알파벳 (A종)', '구글', 'google'],
    ['347.88', 0.3, 29_000_000],
  ),
  american(
    'MSFT',
    'NASDAQ',
    { ko: '마이크로소프트', en: 'Microsoft Corporation' },
    ['마소'],
    ['482.60', 0.24, 19_500_000],
  ),
  american(
    'AMZN',
    'NASDAQ',
    { ko: '아마존', en: 'Amazon.com Inc.' },
    ['아마존닷컴', 'amazon'],
    ['261.30', 0.31, 38_000_000],
  ),
  american('AVGO', 'NASDAQ', { ko: '브로드컴', en: 'Broadcom Inc.' }, [], ['371.05', 0.43, 21_000_000]),
  american('TSLA', 'NASDAQ', { ko: '테슬라', en: 'Tesla Inc.' }, [], ['431.20', 0.52, 82_000_000]),
  american(
    'META',
    'NASDAQ',
    { ko: '메타', en: 'Meta Platforms Inc.' },
    ['메타 플랫폼스', '페이스북', '페북', 'facebook'],
    ['556.75', 0.33, 13_500_000],
  ),
  american(
    'JPM',
    'NYSE',
    { ko: 'JP모건', en: 'JP Morgan Chase & Co.' },
    ['제이피모건', 'JP모건체이스'],
    ['343.10', 0.23, 8_200_000],
  ),
  american(
    'KO',
    'NYSE',
    { ko: '코카콜라', en: 'The Coca-Cola Company' },
    ['코카콜라 컴퍼니', '코크', 'coke'],
    ['91.04', 0.16, 14_800_000],
  ),
  american('NFLX', 'NASDAQ', { ko: '넷플릭스', en: 'Netflix Inc.' }, ['넷플'], ['78.32', 0.34, 36_000_000]),
  american(
    'SPY',
    'NYSE Arca',
    { ko: 'SPDR S&P 500 ETF', en: 'SPDR S&P 500 ETF Trust' },
    ['스파이', 'S&P 500 ETF'],
    ['728.40', 0.16, 71_000_000],
  ),

  offExchange(
    { symbol: 'BTC-USD', ticker: 'BTC', assetClass: 'crypto', currency: 'USD', priceDecimals: 2 },
    { ko: '비트코인', en: 'Bitcoin' },
    ['비트', 'XBT'],
    ['96540.25', 0.5, 31_000],
  ),
  offExchange(
    { symbol: 'BTC-KRW', ticker: 'BTC/KRW', assetClass: 'crypto', currency: 'KRW', priceDecimals: 0 },
    { ko: '비트코인 (원화)', en: 'Bitcoin (in won)' },
    ['비트코인 원', 'bitcoin in KRW'],
    ['141262000', 0.5, 2_400],
  ),
  offExchange(
    { symbol: 'ETH-USD', ticker: 'ETH', assetClass: 'crypto', currency: 'USD', priceDecimals: 2 },
    { ko: '이더리움', en: 'Ethereum' },
    ['이더', 'ether'],
    ['3218.70', 0.65, 480_000],
  ),
  offExchange(
    { symbol: 'USDKRW=X', ticker: 'USD/KRW', assetClass: 'fx', currency: 'KRW', priceDecimals: 2 },
    { ko: '미국 달러/원', en: 'US dollar / Korean won' },
    [
      '달러',
      '환율',
      '원달러',
      '달러원',
      '달러환율',
      '원달러환율',
      '달러원환율',
      '미국 달러',
      'US dollar',
      'dollar',
      'USD',
    ],
    ['1463.25', 0.08, 0],
  ),
  offExchange(
    { symbol: 'EURUSD=X', ticker: 'EUR/USD', assetClass: 'fx', currency: 'USD', priceDecimals: 4 },
    { ko: '유로/미국 달러', en: 'Euro / US dollar' },
    ['유로달러'],
    ['1.1584', 0.07, 0],
  ),
  offExchange(
    { symbol: 'JPYKRW=X', ticker: 'JPY/KRW', assetClass: 'fx', currency: 'KRW', priceDecimals: 4 },
    { ko: '일본 엔/원 (1엔)', en: 'Japanese yen / Korean won (1 yen)' },
    ['엔화', '엔', '엔원', '엔화환율', '엔환율', 'yen', 'JPY'],
    ['9.4537', 0.09, 0],
  ),

  index(
    { symbol: '^KS11', ticker: 'KOSPI', exchange: 'KRX' },
    { ko: '코스피', en: 'KOSPI Composite' },
    ['코스피지수'],
    ['4011.57', 0.2, 0],
  ),
  index(
    { symbol: '^GSPC', ticker: 'SPX', exchange: 'S&P' },
    { ko: 'S&P 500', en: 'S&P 500' },
    ['에스앤피500', '에센피500'],
    ['7301.26', 0.15, 0],
  ),
  index(
    { symbol: '^IXIC', ticker: 'IXIC', exchange: 'NASDAQ' },
    { ko: '나스닥 종합', en: 'NASDAQ Composite' },
    ['나스닥', '나스닥지수', 'nasdaq'],
    ['24180.90', 0.2, 0],
  ),
];
