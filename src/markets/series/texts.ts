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
  running: 'Still trading: not a close yet.',
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
      `No trading on ${p.day}, so this is the close before it.`,
    noData: (p: { readonly day: string; readonly date: string }) =>
      `My data ends before ${p.day}, so this is the last close.`,
    ofWeek: (p: Dated) => `Only weekly prices that far back: close of the week of ${p.date}.`,
    ofMonth: (p: Dated) => `Only monthly prices that far back: close of ${p.date}.`,
    tooEarly: (p: { readonly name: string; readonly date: string }) =>
      `Prices of ${p.name} are only available since ${p.date}.`,
    notYet: (p: { readonly day: string }) => `${p.day} is still to come, so it has no price yet.`,
  },

  indicatorsOf: (p: { readonly count: number }) => `from ${counted(p.count, 'daily bar')}`,
  notEnoughData: 'not enough data',
  stillRunning: 'Today is not over, so these still move.',
  average: {
    above: (p: Apart) => `${p.of} ${p.percent} above`,
    below: (p: Apart) => `${p.of} ${p.percent} below`,
    same: (p: Subject) => `${p.of} the same`,
  },
  rsi: {
    high: 'overbought (above 70)',
    low: 'oversold (below 30)',
    middle: 'neutral (30–70)',
  },
  macd: {
    values: (p: { readonly line: string; readonly signal: string; readonly histogram: string }) =>
      `${p.line} · signal ${p.signal} · histogram ${p.histogram}`,
    above: 'above the signal',
    below: 'below the signal',
    same: 'at the signal',
  },
  bollinger: {
    name: 'Bollinger bands (20, 2)',
    values: (p: { readonly upper: string; readonly middle: string; readonly lower: string }) =>
      `upper ${p.upper} · middle ${p.middle} · lower ${p.lower}`,
    above: (p: Subject) => `${p.of} above the upper band`,
    below: (p: Subject) => `${p.of} below the lower band`,
    inside: (p: Apart) => `${p.of} ${p.percent} of the way up`,
  },
  atr: (p: Apart) => `a day's usual range, ${p.percent} of the ${p.of}`,
  atrOfRate: "a day's usual range",
  year: {
    name: '52 weeks',
    shorter: (p: Dated) => `Since ${p.date}, less than 52 weeks`,
    values: (p: { readonly high: string; readonly low: string }) => `high ${p.high} · low ${p.low}`,
    place: (
      p: Subject & { readonly fromHigh: string; readonly fromLow: string; readonly position: string },
    ) => `${p.of} ${p.fromHigh} below the high, ${p.fromLow} above the low (${p.position} of the way up)`,
  },
  volumeProfile: {
    name: 'Volume profile',
    none: 'no volume data',
    meaning: (p: { readonly area: string }) => `most traded; 70% of the volume at ${p.area}`,
  },

  compareUsage: () => 'Which ones? Give two to six names, for example `/compare AAPL MSFT 1y`.',
  compareTooMany: (p: { readonly limit: number }) => `Up to ${p.limit} can be compared at once, please.`,
  compareSame: () => 'These are the same. Give at least two different names.',
  comparison: (p: { readonly range: string }) => `Comparison · ${p.range}`,
  /** The one with the largest gain. */
  ahead: (p: { readonly name: string }) => `${p.name} is ahead`,
  shortCorrelation: (p: { readonly value: string }) => `Correlation ${p.value}`,
  ownCurrencies: (p: { readonly currencies: string }) => `Changes in own currency (${p.currencies})`,
  otherStarts: 'Their data begin on different days.',
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
  exchangeTime: (p) => `시각은 거래소 현지 시각(${p.timeZone})이에요.`,
  closes: { close: '종가', last: '현재가' },
  running: '아직 거래 중이라 종가가 아니에요.',
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
  notEnoughForChange: '등락률을 낼 데이터가 부족해요',
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
    noTrading: (p) => `${p.day}은 거래가 없어서 직전 거래일 종가예요.`,
    noData: (p) => `${p.day} 자료가 없어서 마지막 종가를 보여 드려요.`,
    ofWeek: (p) => `이때는 주간 시세만 있어서 ${p.date} 주의 종가예요.`,
    ofMonth: (p) => `이때는 월간 시세만 있어서 ${p.date} 종가예요.`,
    tooEarly: (p) => `${p.name} 시세는 ${p.date}부터 있어요.`,
    notYet: (p) => `${p.day}은 아직 오지 않아서 가격이 없어요.`,
  },

  indicatorsOf: (p) => `일봉 ${p.count}개 기준`,
  notEnoughData: '데이터 부족',
  stillRunning: '아직 거래 중이라 마감까지 값이 바뀌어요.',
  average: {
    above: (p) => `${p.of}가 ${p.percent} 위`,
    below: (p) => `${p.of}가 ${p.percent} 아래`,
    same: (p) => `${p.of}와 같음`,
  },
  rsi: {
    high: '과매수 구간(70 초과)',
    low: '과매도 구간(30 미만)',
    middle: '중립(30~70)',
  },
  macd: {
    values: (p) => `${p.line} · 시그널 ${p.signal} · 히스토그램 ${p.histogram}`,
    above: '시그널 위',
    below: '시그널 아래',
    same: '시그널과 같음',
  },
  bollinger: {
    name: '볼린저 밴드 (20, 2)',
    values: (p) => `상단 ${p.upper} · 중간 ${p.middle} · 하단 ${p.lower}`,
    above: (p) => `${p.of}가 상단 위`,
    below: (p) => `${p.of}가 하단 아래`,
    inside: (p) => `${p.of}는 하단에서 ${p.percent} 지점`,
  },
  atr: (p) => `하루 평균 변동폭, ${p.of}의 ${p.percent}`,
  atrOfRate: '하루 평균 변동폭',
  year: {
    name: '52주',
    shorter: (p) => `${p.date} 이후 (52주 미만)`,
    values: (p) => `최고 ${p.high} · 최저 ${p.low}`,
    place: (p) => `${p.of}는 최고보다 ${p.fromHigh} 낮고 최저보다 ${p.fromLow} 높음(${p.position} 지점)`,
  },
  volumeProfile: {
    name: '매물대',
    none: '거래량 없음',
    meaning: (p) => `가장 많이 거래됨, 거래량의 70%는 ${p.area}`,
  },

  compareUsage: () =>
    '어떤 종목을 비교할까요? 이름을 2개에서 6개까지 적어 주세요. 예: `/compare 삼성전자 SK하이닉스 1년`',
  compareTooMany: (p) => `한 번에 ${p.limit}개까지 비교할 수 있어요.`,
  compareSame: () => '모두 같은 종목이에요. 서로 다른 종목을 2개 이상 적어 주세요.',
  comparison: (p) => `비교 · ${p.range}`,
  ahead: (p) => `${p.name} 우세`,
  shortCorrelation: (p) => `상관계수 ${p.value}`,
  ownCurrencies: (p) => `등락률은 각 통화 기준(${p.currencies})`,
  otherStarts: '자료가 시작하는 날이 서로 달라요.',
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
  notDrawn: () => '이번에는 그림을 그리지 못했어요.',

  lookingUpHistory: (p) => `${p.name} 과거 시세 조회 중…`,
  reckoning: (p) => `${p.name} 지표 계산 중…`,
  comparing: (p) => `${p.names} 비교 중…`,
};

export const analysisTexts = localized({ en: analysisEn, ko: analysisKo });
