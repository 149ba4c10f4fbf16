import { counted, localized } from '#src/kernel/locale.ts';

interface Drawn {
  readonly name: string;
  /** Undefined if the data does not cover the range; only the dates are shown then. */
  readonly range: string | undefined;
  /** The dates of the first and last bar. */
  readonly dates: string;
}

interface CandlesAlt extends Drawn {
  readonly isLine: boolean;
  /** `daily candles`. */
  readonly bars: string;
  readonly first: string;
  readonly last: string;
  readonly change: string;
  readonly high: string;
  readonly low: string;
  readonly origin: string;
  readonly isSample: boolean;
}

interface From {
  /** `previous close`. */
  readonly base: string;
}

interface ComparisonAlt extends From {
  readonly range: string | undefined;
  readonly dates: string;
  /** Each name with its change. */
  readonly changes: string;
  readonly origin: string;
  readonly isSample: boolean;
}

const spanOf = ({ range, dates }: Pick<Drawn, 'range' | 'dates'>): string =>
  range === undefined ? dates : `${range} (${dates})`;

/** Messages on charts, beside them, and instead of them. */
const chartsEn = {
  usage: () =>
    'Which one? Give a name or a ticker, for example `/chart AAPL 1y ma20,60 rsi` or `/chart AAPL, MSFT 6mo`.',
  tooMany: (p: { readonly limit: number }) => `Up to ${counted(p.limit, 'symbol')} in one chart, please.`,
  unknownIndicators: (p: { readonly names: string }) =>
    `I cannot draw ${p.names}. I know \`ma20\` (any number), \`ema12\`, \`bollinger\`, \`rsi\` and \`macd\`.`,
  indicatorsForOne: () => 'Indicators are drawn for one symbol at a time, so this comparison has none.',
  stylesForOne: () =>
    'A comparison is always drawn as lines of changes; weekly, monthly and log are for one symbol at a time.',
  noDays: (p: { readonly drawn: string }) =>
    `For this range there are only ${p.drawn}. Daily ones are drawn for a month up to two years.`,
  noLongBars: (p: { readonly drawn: string }) =>
    `For this range there are only ${p.drawn}. Weekly and monthly ones need a longer range, such as \`1y\` or \`5y\`.`,
  noLog: () => 'Some values are zero or less, so the axis is not logarithmic.',
  busy: () =>
    'The picture is missing: too many charts are being drawn at the moment. Please ask again in a minute.',
  notDrawn: () => 'The picture could not be drawn; the numbers above hold. Please ask again for the chart.',
  drawing: (p: { readonly names: string; readonly more: number }) =>
    `Drawing the chart of ${p.names}${p.more > 0 ? ` and ${p.more} more` : ''}…`,
  drawingAny: () => 'Drawing the chart…',

  candles: {
    '5m': '5-minute candles',
    '30m': '30-minute candles',
    '1d': 'daily candles',
    '1wk': 'weekly candles',
    '1mo': 'monthly candles',
  },
  closes: {
    '5m': '5-minute prices',
    '30m': '30-minute prices',
    '1d': 'daily closes',
    '1wk': 'weekly closes',
    '1mo': 'monthly closes',
  },
  /** The points of a line, with the names of `closes`. */
  closeCount: (p: { readonly count: number; readonly closes: string }) =>
    `${p.count} ${p.count === 1 ? p.closes.replace(/s$/u, '') : p.closes}`,
  logAxis: 'log axis',
  /** What the change of a day is measured from. */
  previousClose: 'Previous close',
  dayBefore: '24 hours before',
  portfolio: {
    allocation: 'Allocation',
    total: 'Total value',
    others: (p: { readonly count: number }) => counted(p.count, 'other'),
    value: 'Value',
    contributed: 'Paid in, net',
    allocationAlt: (p: {
      readonly name: string;
      readonly total: string;
      readonly parts: string;
      readonly origin: string;
      readonly isSample: boolean;
    }) =>
      `${p.isSample ? 'SAMPLE data. ' : ''}Allocation of ${p.name}, ${p.total} in all: ${p.parts}. ${p.origin}`,
    valueAlt: (p: {
      readonly name: string;
      readonly dates: string;
      readonly first: string;
      readonly last: string;
      readonly contributed: string;
      readonly origin: string;
      readonly isSample: boolean;
    }) =>
      `${p.isSample ? 'SAMPLE data. ' : ''}Value of ${p.name}, ${p.dates}: from ${p.first} to ${p.last}; paid in until then, net: ${p.contributed}. ${p.origin}`,
  },
  volume: 'Volume',
  high: 'High',
  low: 'Low',
  highClose: 'Highest close',
  lowClose: 'Lowest close',
  bollinger: 'Bollinger',
  signal: 'Signal',
  notEnough: 'not enough data',
  watermark: 'SAMPLE',
  comparisonEnd: ': change in %',
  fromFirstDay: (p: { readonly date: string }) => `% from ${p.date}, the first common day`,
  fromOwnFirst: '% from the first price of each',
  fromBase: (p: From) => `% from the ${p.base}`,
  from: (p: From) => `from the ${p.base}`,
  candlesAlt: (p: CandlesAlt) =>
    `${p.isLine ? 'Line' : 'Candlestick'} chart of ${p.name}, ${spanOf(p)}, ${p.bars}: from ${p.first} to ${p.last}${p.change}, high ${p.high}, low ${p.low}; ${p.origin}.${p.isSample ? ' Sample data, not real prices.' : ''}`,
  comparisonAlt: (p: ComparisonAlt) =>
    `Line chart that compares the change over ${spanOf(p)}, ${p.base}: ${p.changes}; ${p.origin}.${p.isSample ? ' Sample data, not real prices.' : ''}`,
};

const chartsKo: typeof chartsEn = {
  usage: () =>
    '어떤 종목의 차트를 그릴까요? 예: `/chart 삼성전자 1년 ma20,60 rsi`, `/chart 삼성전자, SK하이닉스 6개월`',
  tooMany: (p) => `차트 하나에는 ${p.limit}개 종목까지 그릴 수 있습니다.`,
  unknownIndicators: (p) =>
    `${p.names} 지표는 그릴 수 없습니다. \`ma20\`(숫자는 자유), \`ema12\`, \`bollinger\`, \`rsi\`, \`macd\`를 그릴 수 있습니다.`,
  indicatorsForOne: () => '지표는 한 종목 차트에만 그릴 수 있어 이 비교 차트에는 넣지 않았습니다.',
  stylesForOne: () =>
    '비교 차트는 등락률 선으로만 그립니다. 주봉·월봉·로그 축은 한 종목 차트에서 쓸 수 있습니다.',
  noDays: (p) => `이 기간에는 ${p.drawn}만 그릴 수 있습니다. 일봉은 1개월부터 2년까지 가능합니다.`,
  noLongBars: (p) =>
    `이 기간에는 ${p.drawn}만 그릴 수 있습니다. 주봉과 월봉은 \`1년\`, \`5년\`처럼 더 긴 기간에서 가능합니다.`,
  noLog: () => '0 이하인 값이 있어 로그 축으로 그리지 않았습니다.',
  busy: () => '지금 그리는 차트가 많아 그림을 넣지 못했습니다. 잠시 후 다시 요청해 주세요.',
  notDrawn: () => '그림을 그리지 못했습니다. 위의 수치는 그대로 유효하니 차트만 다시 요청해 주세요.',
  drawing: (p) => `${p.names}${p.more > 0 ? ` 외 ${p.more}개` : ''} 차트 그리는 중…`,
  drawingAny: () => '차트 그리는 중…',

  candles: { '5m': '5분봉', '30m': '30분봉', '1d': '일봉', '1wk': '주봉', '1mo': '월봉' },
  closes: {
    '5m': '5분 간격',
    '30m': '30분 간격',
    '1d': '일별 종가',
    '1wk': '주별 종가',
    '1mo': '월별 종가',
  },
  closeCount: (p) => `${p.closes} ${p.count}개`,
  logAxis: '로그 축',
  previousClose: '전일 종가',
  dayBefore: '24시간 전',
  portfolio: {
    allocation: '자산 구성',
    total: '총 평가금액',
    others: (p) => `그 외 ${p.count}개`,
    value: '평가금액',
    contributed: '순입금액',
    allocationAlt: (p) =>
      `${p.isSample ? '샘플 데이터입니다. ' : ''}${p.name} 자산 구성, 총 ${p.total}: ${p.parts}. ${p.origin}`,
    valueAlt: (p) =>
      `${p.isSample ? '샘플 데이터입니다. ' : ''}${p.name} 평가금액 추이 (${p.dates}): ${p.first}에서 ${p.last}, 그때까지의 순입금액 ${p.contributed}. ${p.origin}`,
  },
  volume: '거래량',
  high: '최고',
  low: '최저',
  highClose: '종가 최고',
  lowClose: '종가 최저',
  bollinger: '볼린저',
  signal: '시그널',
  notEnough: '데이터 부족',
  watermark: '샘플 SAMPLE',
  comparisonEnd: ' 등락률 비교',
  fromFirstDay: (p) => `첫 공통 거래일(${p.date}) 대비 %`,
  fromOwnFirst: '각 종목의 첫 가격 대비 %',
  fromBase: (p) => `${p.base} 대비 %`,
  from: (p) => `${p.base} 대비`,
  candlesAlt: (p) =>
    `${p.name} ${p.range === undefined ? '' : `${p.range} `}${p.isLine ? '선' : '캔들'} 차트(${p.dates}, ${p.bars}): ${p.first} → ${p.last}${p.change}, 최고 ${p.high}, 최저 ${p.low}. ${p.origin}.${p.isSample ? ' 실제 시세가 아닌 샘플 데이터입니다.' : ''}`,
  comparisonAlt: (p) =>
    `${p.range === undefined ? p.dates : `${p.range}(${p.dates})`} 등락률 비교 선 차트(${p.base}): ${p.changes}. ${p.origin}.${p.isSample ? ' 실제 시세가 아닌 샘플 데이터입니다.' : ''}`,
};

export const chartTexts = localized({ en: chartsEn, ko: chartsKo });
