import { counted, localized } from '#src/kernel/locale.ts';

interface Subject {
  readonly of: string;
}

interface Apart extends Subject {
  readonly percent: string;
}

interface Dated {
  readonly date: string;
}

/** Messages about history, indicators and comparisons, in both languages. None of them is advice. */
const analysisEn = {
  intervals: { '5m': '5-minute', '30m': '30-minute', '1d': 'daily', '1wk': 'weekly', '1mo': 'monthly' },
  barCount: (p: { readonly count: number; readonly interval: string }) =>
    counted(p.count, `${p.interval} bar`),
  weekOf: (p: Dated) => `week of ${p.date}`,
  exchangeTime: (p: { readonly timeZone: string }) => `Times are those of the exchange (${p.timeZone}).`,
  /** The name of the last price: after the session, or during it. */
  closes: { close: 'close', last: 'last price' },
  running: 'The last bar is not finished: its price is the last one so far, not a close.',
  /** Names of the base of a change. */
  bases: {
    previousClose: () => 'previous close',
    dayBefore: () => 'price 24 hours before',
    lastYear: (p: { readonly year: string }) => `last close of ${p.year}`,
  },
  change: 'change',
  changeInPoints: 'change in points',
  high: 'High',
  low: 'Low',
  averageVolume: 'Average volume',
  averageDailyVolume: 'Average daily volume',
  notEnoughForChange: 'not enough data for a change',
  columns: {
    dates: { '5m': 'Time', '30m': 'Time', '1d': 'Date', '1wk': 'Week of', '1mo': 'Month' },
    open: 'Open',
    high: 'High',
    low: 'Low',
    close: 'Close',
    volume: 'Volume',
  },
  thinned: (p: { readonly shown: number; readonly all: number }) =>
    `${p.shown} of ${counted(p.all, 'bar')}, evenly picked:`,
  /** Said about particular days. */
  days: {
    noTrading: (p: { readonly day: string; readonly date: string }) =>
      `There was no trading on ${p.day}: this is the close of ${p.date}, the last trading day before it.`,
    noData: (p: { readonly day: string; readonly date: string }) =>
      `I have no data for ${p.day}: this is the close of ${p.date}, the last one before it.`,
    ofWeek: (p: Dated) =>
      `So far back there are only weekly prices: this is the close of the week of ${p.date}.`,
    ofMonth: (p: Dated) => `So far back there are only monthly prices: this is the close of ${p.date}.`,
    tooEarly: (p: { readonly name: string; readonly date: string }) =>
      `Prices of ${p.name} are only available since ${p.date}.`,
    notYet: (p: { readonly day: string }) => `${p.day} is still to come: there is no price of it yet.`,
  },

  indicatorsOf: (p: { readonly count: number }) => `indicators from ${counted(p.count, 'daily bar')}`,
  notEnoughData: 'not enough data',
  stillRunning: 'Today is not over: these values move with the price until the close.',
  average: {
    above: (p: Apart) => `the ${p.of} is ${p.percent} above it`,
    below: (p: Apart) => `the ${p.of} is ${p.percent} below it`,
    same: (p: Subject) => `the ${p.of} is at it`,
  },
  rsi: {
    high: 'above 70, which is called overbought',
    low: 'below 30, which is called oversold',
    middle: 'between 30 and 70, neither overbought nor oversold',
  },
  macd: {
    values: (p: { readonly line: string; readonly signal: string; readonly histogram: string }) =>
      `${p.line} · signal ${p.signal} · histogram ${p.histogram}`,
    above: 'the MACD line is above its signal line',
    below: 'the MACD line is below its signal line',
    same: 'the MACD line is at its signal line',
  },
  bollinger: {
    name: 'Bollinger bands (20, 2)',
    values: (p: { readonly upper: string; readonly middle: string; readonly lower: string }) =>
      `upper ${p.upper} · middle ${p.middle} · lower ${p.lower}`,
    above: (p: Subject) => `the ${p.of} is above the upper band`,
    below: (p: Subject) => `the ${p.of} is below the lower band`,
    inside: (p: Apart) => `the ${p.of} is ${p.percent} of the way from the lower to the upper band`,
  },
  atr: (p: Apart) => `the average true range of a day, ${p.percent} of the ${p.of}`,
  atrOfRate: 'the average true range of a day',
  year: {
    name: '52 weeks',
    shorter: (p: Dated) => `Since ${p.date}, less than 52 weeks`,
    values: (p: { readonly high: string; readonly low: string }) => `high ${p.high} · low ${p.low}`,
    place: (
      p: Subject & { readonly fromHigh: string; readonly fromLow: string; readonly position: string },
    ) =>
      `the ${p.of} is ${p.fromHigh} below the high and ${p.fromLow} above the low, ${p.position} of the way up`,
  },
  volumeProfile: {
    name: 'Volume profile',
    none: 'no volume is counted for it',
    meaning: (p: { readonly area: string }) =>
      `where most was traded; about 70% of the volume was between ${p.area}`,
  },
  notAdvice: 'Indicators sum up past prices; they do not tell what comes next.',

  compareUsage: () => 'Which ones? Give two to six names, for example `/compare AAPL MSFT 1y`.',
  compareTooMany: (p: { readonly limit: number }) => `Up to ${p.limit} can be compared at once, please.`,
  compareSame: () => 'These are one and the same. Give at least two different names to compare.',
  comparison: (p: { readonly range: string }) => `Comparison · ${p.range}`,
  compareColumns: {
    name: 'Name',
    price: 'Price',
    change: 'Change',
    volatility: 'Volatility',
    drawdown: 'Drawdown',
    year: '52-week position',
  },
  correlation: (p: { readonly value: string; readonly days: number }) =>
    `Correlation of daily returns: ${p.value} (${counted(p.days, 'day')} on which both were traded).`,
  noCorrelation: 'Correlation of daily returns: not enough days in common.',
  correlations: 'Correlation of daily returns on days that both were traded:',
  compareBasis: (p: { readonly range: string; readonly basis: string }) =>
    `Change and maximum drawdown: ${p.range}, each by its own exchange's days. Volatility (annualised) and correlation: daily closes, ${p.basis}. 52-week position: how far the price is from the low towards the high. – means not enough data.`,
  comparedFrom: (p: { readonly base: string }) => `Change from the ${p.base}.`,
  ratesInPoints:
    'Changes of interest rates are in percentage points (%p); they have no volatility and no drawdown here.',
  currenciesDiffer: (p: { readonly currencies: string }) =>
    `The currencies differ (${p.currencies}): each change is in its own, without exchange rates.`,
  spansDiffer: 'The data do not begin at the same time: see the dates below before you compare the changes.',
  notDrawn: () => 'The picture could not be drawn this time.',

  lookingUpHistory: (p: { readonly name: string }) => `Looking up the price history of ${p.name}…`,
  reckoning: (p: { readonly name: string }) => `Working out indicators of ${p.name}…`,
  comparing: (p: { readonly names: string }) => `Comparing ${p.names}…`,
};

const analysisKo: typeof analysisEn = {
  intervals: { '5m': '5분봉', '30m': '30분봉', '1d': '일봉', '1wk': '주봉', '1mo': '월봉' },
  barCount: (p) => `${p.interval} ${p.count}개`,
  weekOf: (p) => `${p.date} 주`,
  exchangeTime: (p) => `시각은 거래소 현지 시각(${p.timeZone})입니다.`,
  closes: { close: '종가', last: '현재가' },
  running: '마지막 봉은 아직 끝나지 않았으며, 그 가격은 종가가 아니라 현재가입니다.',
  bases: {
    previousClose: () => '전일 종가',
    dayBefore: () => '24시간 전 가격',
    lastYear: (p) => `${p.year}년 말 종가`,
  },
  change: '등락률',
  changeInPoints: '변동폭',
  high: '최고',
  low: '최저',
  averageVolume: '평균 거래량',
  averageDailyVolume: '일평균 거래량',
  notEnoughForChange: '등락률을 계산할 데이터가 부족합니다',
  columns: {
    dates: { '5m': '시각', '30m': '시각', '1d': '날짜', '1wk': '주 시작일', '1mo': '월' },
    open: '시가',
    high: '고가',
    low: '저가',
    close: '종가',
    volume: '거래량',
  },
  thinned: (p) => `전체 ${p.all}개 중 고르게 뽑은 ${p.shown}개입니다:`,
  days: {
    noTrading: (p) => `${p.day}에는 거래가 없어 직전 거래일인 ${p.date} 종가입니다.`,
    noData: (p) => `${p.day} 시세는 없어 그 전의 마지막 자료인 ${p.date} 종가입니다.`,
    ofWeek: (p) => `이 시기는 주간 시세만 있어 ${p.date} 주의 종가입니다.`,
    ofMonth: (p) => `이 시기는 월간 시세만 있어 ${p.date} 종가입니다.`,
    tooEarly: (p) => `${p.name} 시세는 ${p.date}부터 있습니다.`,
    notYet: (p) => `${p.day}은 아직 오지 않은 날이라 가격이 없습니다.`,
  },

  indicatorsOf: (p) => `일봉 ${p.count}개로 계산한 지표`,
  notEnoughData: '데이터 부족',
  stillRunning: '오늘 거래가 끝나지 않아 마감 전까지 지표 값이 가격에 따라 바뀝니다.',
  average: {
    above: (p) => `${p.of}가 이보다 ${p.percent} 높습니다`,
    below: (p) => `${p.of}가 이보다 ${p.percent} 낮습니다`,
    same: (p) => `${p.of}와 같습니다`,
  },
  rsi: {
    high: '70을 넘어 과매수로 불리는 구간입니다',
    low: '30을 밑돌아 과매도로 불리는 구간입니다',
    middle: '30과 70 사이로 과매수도 과매도도 아닙니다',
  },
  macd: {
    values: (p) => `${p.line} · 시그널 ${p.signal} · 히스토그램 ${p.histogram}`,
    above: 'MACD가 시그널보다 높습니다',
    below: 'MACD가 시그널보다 낮습니다',
    same: 'MACD와 시그널이 같습니다',
  },
  bollinger: {
    name: '볼린저 밴드 (20, 2)',
    values: (p) => `상단 ${p.upper} · 중간 ${p.middle} · 하단 ${p.lower}`,
    above: (p) => `${p.of}가 상단 밴드보다 높습니다`,
    below: (p) => `${p.of}가 하단 밴드보다 낮습니다`,
    inside: (p) => `${p.of}가 하단에서 상단까지의 ${p.percent} 지점에 있습니다`,
  },
  atr: (p) => `하루 평균 변동폭으로 ${p.of}의 ${p.percent}입니다`,
  atrOfRate: '하루 평균 변동폭입니다',
  year: {
    name: '52주',
    shorter: (p) => `${p.date} 이후 (52주 미만)`,
    values: (p) => `최고 ${p.high} · 최저 ${p.low}`,
    place: (p) =>
      `${p.of}가 최고보다 ${p.fromHigh} 낮고 최저보다 ${p.fromLow} 높으며, 최저에서 최고까지의 ${p.position} 지점입니다`,
  },
  volumeProfile: {
    name: '매물대',
    none: '거래량이 집계되지 않습니다',
    meaning: (p) => `가장 많이 거래된 가격대이며, 거래량의 약 70%가 ${p.area}에서 이루어졌습니다`,
  },
  notAdvice: '지표는 지난 가격을 요약한 값이며 앞으로의 가격을 알려 주지는 않습니다.',

  compareUsage: () =>
    '어떤 종목을 비교할까요? 이름을 2개에서 6개까지 적어 주세요. 예: `/compare 삼성전자 SK하이닉스 1년`',
  compareTooMany: (p) => `한 번에 ${p.limit}개 종목까지 비교할 수 있습니다.`,
  compareSame: () => '모두 같은 종목입니다. 서로 다른 종목을 2개 이상 적어 주세요.',
  comparison: (p) => `비교 · ${p.range}`,
  compareColumns: {
    name: '종목',
    price: '가격',
    change: '등락률',
    volatility: '변동성',
    drawdown: '최대 낙폭',
    year: '52주 위치',
  },
  correlation: (p) => `일간 수익률 상관계수: ${p.value} (함께 거래된 ${p.days}일 기준)`,
  noCorrelation: '일간 수익률 상관계수: 함께 거래된 날이 부족합니다.',
  correlations: '함께 거래된 날의 일간 수익률 상관계수:',
  compareBasis: (p) =>
    `등락률과 최대 낙폭은 ${p.range}, 각 거래소의 거래일 기준입니다. 변동성(연율)과 상관계수는 ${p.basis} 일별 종가 기준입니다. 52주 위치는 가격이 최저가에서 최고가까지 어디쯤인지 보여 줍니다. –는 데이터 부족을 뜻합니다.`,
  comparedFrom: (p) => `등락률은 ${p.base} 대비입니다.`,
  ratesInPoints: '금리의 변화는 %p이며, 변동성과 최대 낙폭은 제공하지 않습니다.',
  currenciesDiffer: (p) =>
    `통화가 서로 다릅니다(${p.currencies}). 등락률은 각 종목의 통화 기준이며 환율은 반영하지 않았습니다.`,
  spansDiffer: '데이터의 시작 시점이 서로 다릅니다. 등락률을 비교하기 전에 아래 날짜를 확인해 주세요.',
  notDrawn: () => '이번에는 그림을 그리지 못했습니다.',

  lookingUpHistory: (p) => `${p.name} 과거 시세 조회 중…`,
  reckoning: (p) => `${p.name} 지표 계산 중…`,
  comparing: (p) => `${p.names} 비교 중…`,
};

export const analysisTexts = localized({ en: analysisEn, ko: analysisKo });
