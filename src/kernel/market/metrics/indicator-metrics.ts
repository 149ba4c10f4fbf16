import { type Metric, metric } from './metric.ts';

/** Metrics that are calculated from the prices and volumes of a security. */
export const INDICATOR_METRICS = {
  sma: metric(
    'money',
    '이동평균선, 이동평균, 이평선, 일선, SMA, MA',
    'SMA, simple moving average, moving average, MA, day average',
  ),
  ema: metric('money', '지수이동평균, EMA', 'EMA, exponential moving average'),
  distanceFromSma: metric(
    'percent',
    '이격도, 이격, 이동평균, 이평선, 일선, 이동평균선',
    'distance from the SMA, distance, SMA, moving average, day average',
    'signed',
  ),
  distanceFromEma: metric(
    'percent',
    'EMA 이격도, 이격도, 이격, 지수이동평균, EMA',
    'distance from the EMA, distance, EMA',
    'signed',
  ),
  rsi: metric('number', 'RSI, 상대강도지수', 'RSI, relative strength index'),
  macd: metric('number', 'MACD', 'MACD', 'signed'),
  macdSignal: metric('number', 'MACD 시그널, 시그널, 신호선', 'signal line, signal', 'signed'),
  macdHistogram: metric('number', 'MACD 히스토그램, 히스토그램', 'MACD histogram, histogram', 'signed'),
  bollingerUpper: metric(
    'money',
    '볼린저 밴드 상단, 볼린저 상단, 상단, 상단선, 밴드 상단',
    'upper Bollinger band, upper band, upper Bollinger, Bollinger',
  ),
  bollingerMiddle: metric(
    'money',
    '볼린저 중심선, 중심선, 밴드 중심, 중간선, 중간',
    'middle Bollinger band, middle band, mid band, Bollinger, middle',
  ),
  bollingerLower: metric(
    'money',
    '볼린저 밴드 하단, 볼린저 하단, 하단, 하단선, 밴드 하단',
    'lower Bollinger band, lower band, lower Bollinger, Bollinger',
  ),
  bollingerPercentB: metric(
    'percent',
    '볼린저 %B, %B, 밴드 내 위치, 하단에서 상단까지',
    '%B, of the band, within the band, band position, from the lower to the upper band',
    'signed',
  ),
  atr: metric('money', 'ATR, 평균 진폭', 'ATR, average true range'),
  atrPercent: metric('percent', 'ATR, 평균 진폭', 'ATR, average true range'),
  fromYearHigh: metric(
    'percent',
    `52주 최고가 대비, 52주 고점 대비, 고점 대비, 최고가 대비,
      52주 최고가, 52주 최고, 52주 고점, 52주 신고가, 고점, 최고가, 최고보다`,
    `from the 52-week high, below the 52-week high, from its high, off the high, below its high,
      52-week high, year high, high, peak`,
    'signed',
  ),
  fromYearLow: metric(
    'percent',
    `52주 최저가 대비, 52주 저점 대비, 저점 대비, 최저가 대비,
      52주 최저가, 52주 최저, 52주 저점, 52주 신저가, 저점, 최저가, 최저보다`,
    `from the 52-week low, above the 52-week low, from its low, off the low, above its low,
      52-week low, year low, low, trough`,
    'signed',
  ),
  pointOfControlLow: metric(
    'money',
    '최다 매물대 하단, 매물대, 최다 거래, 거래가 가장 많은',
    'low end of the point of control, point of control, most traded, most volume, volume profile',
  ),
  pointOfControlHigh: metric(
    'money',
    '최다 매물대 상단, 매물대, 최다 거래, 거래가 가장 많은',
    'high end of the point of control, point of control, most traded, most volume, volume profile',
  ),
  valueAreaLow: metric(
    'money',
    '밸류 에어리어 하단, 밸류 에어리어, 가치 영역, 매물대, 거래량의',
    'low end of the value area, value area low, value area, of the volume',
  ),
  valueAreaHigh: metric(
    'money',
    '밸류 에어리어 상단, 밸류 에어리어, 가치 영역, 매물대, 거래량의',
    'high end of the value area, value area high, value area, of the volume',
  ),
  valueAreaShare: metric('percent', '밸류 에어리어, 가치 영역, 거래량의', 'value area, of the volume'),
  volumeMultiple: metric(
    'multiple',
    '평소 대비 거래량, 평소 거래량, 거래일 평균 대비',
    'multiple of the usual volume, times the usual volume, usual volume, against the average',
  ),
} as const satisfies Readonly<Record<string, Metric>>;
