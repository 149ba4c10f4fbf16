import { type Metric, metric } from './metric.ts';

/** Metrics of prices and rates, of the hours of a market, and of alerts on them. */
export const MARKET_METRICS = {
  // Quotes
  price: metric(
    'money',
    '현재가, 가격, 주가, 시세',
    'price, prices, share price, share prices, stock price, stock prices',
  ),
  previousClose: metric(
    'money',
    '전일 종가, 전날 종가, 전 거래일 종가, 직전 종가',
    "previous close, yesterday's close, prior close, last close, prev. close, prev close",
  ),
  dayLow: metric(
    'money',
    '장중 저가, 당일 저가, 오늘 저가, 일중 저가, 장중 최저가, 장중, 저가, 최저, 최저가, 저점',
    "day low, day's low, intraday low, session low, low of the day, low, lowest, trough, bottom",
  ),
  dayHigh: metric(
    'money',
    '장중 고가, 당일 고가, 오늘 고가, 일중 고가, 장중 최고가, 장중, 고가, 최고, 최고가, 고점',
    "day high, day's high, intraday high, session high, high of the day, high, highest, peak",
  ),
  yearLow: metric(
    'money',
    '52주 최저가, 52주 최저, 52주 저점, 52주 신저가, 52주 저가, 연중 최저, 저가, 최저, 최저가, 저점',
    `52-week low, 52 week low, year low, yearly low, 1-year low, one-year low,
      low, lowest, trough, bottom`,
  ),
  yearHigh: metric(
    'money',
    '52주 최고가, 52주 최고, 52주 고점, 52주 신고가, 52주 고가, 연중 최고, 전고점, 직전 고점, 고가, 최고, 최고가, 고점',
    '52-week high, 52 week high, year high, yearly high, 1-year high, one-year high, high, highest, peak',
  ),
  change: metric(
    'money',
    '등락폭, 전일 대비, 전일비, 변동폭, 등락, 수익, 이익, 손실',
    'change, changes, gain, loss, profit, net change, chg',
    'signed',
  ),
  changePercent: metric(
    'percent',
    '등락률, 변동률, 상승률, 하락률, 수익률, 전일 대비, 전일비, 등락, 수익, 손실',
    'percent change, daily change, performance, change, changes, return, returns, gain, loss, chg',
    'signed',
  ),
  volume: metric('count', '거래량', 'volume, volumes, shares traded, traded volume'),
  priceElsewhere: metric('money', '다른 출처의 가격, 다른 출처', 'price elsewhere, another source'),
  preMarketPrice: metric(
    'money',
    '프리마켓, 장전, 개장 전, 시간외',
    'pre-market, premarket, before the open',
  ),
  afterHoursPrice: metric(
    'money',
    '애프터마켓, 장후, 시간외, 장 마감 후',
    'after-hours, after hours, extended hours, post-market',
  ),

  // Price history
  close: metric('money', '종가, 마감', 'close, closed, closing price, closing, finished, ended, settled'),
  open: metric('money', '시가, 시초가, 개장가', 'opening price, opened at, open'),
  priceDayBefore: metric(
    'money',
    '24시간 전 가격, 24시간 전',
    'price 24 hours before, 24 hours before, 24 hours ago',
  ),
  lastYearClose: metric(
    'money',
    '전년 말 종가, 작년 말 종가, 지난해 말 종가, 연초',
    "last year's close, year-end close, last close of",
  ),
  periodHigh: metric('money', '최고, 최고가, 고가, 고점, 기간 최고가', 'high, highest, peak, period high'),
  periodLow: metric(
    'money',
    '최저, 최저가, 저가, 저점, 기간 최저가',
    'low, lowest, trough, bottom, period low',
  ),
  periodHighDay: metric('date', '고점 날짜, 최고', 'date of the high, high'),
  periodLowDay: metric('date', '저점 날짜, 최저', 'date of the low, low'),
  averageVolume: metric('count', '평균 거래량', 'average volume, avg volume, averaged, average daily volume'),
  volatility: metric(
    'percent',
    '변동성, 연환산 변동성',
    'volatility, annualised volatility, annualized volatility',
  ),
  maxDrawdown: metric(
    'percent',
    '최대 낙폭, MDD, 낙폭',
    'maximum drawdown, max drawdown, drawdown, drawdowns, MDD',
    'signed',
  ),
  yearPosition: metric(
    'percent',
    '52주 범위 내 위치, 52주 위치, 52주 범위, 위치, 최저에서 최고까지',
    'position in the 52-week range, 52-week position, 52-week range, position, of its range, of the way up',
  ),
  correlation: metric(
    'number',
    '상관계수, 상관, 함께 움직인',
    'correlation, correlations, correlated, move together',
  ),

  // Rates and conversions
  exchangeRate: metric('money', '환율', 'exchange rate, exchange rates, rate, FX rate'),
  converted: metric('money', '환산, 환전', 'converted, converts to, equivalent'),
  kimchiPremium: metric('percent', '김치 프리미엄, 김프, 프리미엄', 'kimchi premium, premium', 'signed'),

  // Alerts
  alertPrice: metric('money', '목표가, 알림 가격, 알림', 'alert price, target, alert'),
  alertChangePercent: metric('percent', '알림 등락률, 알림, 전일 종가 대비', 'alert change, alert', 'signed'),
  alertBasePrice: metric('money', '기준가, 기준 가격, 설정 당시', 'base price, reference price'),
  alertRsi: metric('number', '알림 RSI, RSI', 'alert RSI, RSI'),
  alertDays: metric('count', '알림 기간', 'alert days'),
  alertVolumeMultiple: metric(
    'multiple',
    '알림 거래량 배수, 거래일 평균의',
    'alert volume multiple, times the average',
  ),

  // Market hours
  marketState: metric('text', '장 상태, 개장, 휴장', 'state, open, closed'),
  marketTime: metric('text', '개장, 마감, 폐장', 'opens, closes'),
  marketDay: metric('text', '거래일, 휴장일', 'trading day, holiday'),

  // News
  headline: metric('text', '뉴스, 기사', 'headline, news'),
} as const satisfies Readonly<Record<string, Metric>>;
