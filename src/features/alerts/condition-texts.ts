interface Averages {
  readonly fast: number;
  readonly slow: number;
}

interface Change {
  readonly percent: string;
}

/** `from` is the price that the change is measured from. */
interface ChangeSince extends Change {
  readonly from: string;
}

interface Level {
  readonly period: number;
  readonly level: string;
}

export const alertConditionsEn = {
  above: (p: { readonly price: string }) => `at ${p.price} or above`,
  below: (p: { readonly price: string }) => `at ${p.price} or below`,
  'crosses-above': (p: { readonly price: string }) => `crosses above ${p.price}`,
  'crosses-below': (p: { readonly price: string }) => `crosses below ${p.price}`,
  change: {
    up: (p: Change) => `up ${p.percent}% from the previous close`,
    down: (p: Change) => `down ${p.percent}% from the previous close`,
    either: (p: Change) => `up or down ${p.percent}% from the previous close`,
  },
  changeSince: {
    up: (p: ChangeSince) => `up ${p.percent}% from ${p.from}`,
    down: (p: ChangeSince) => `down ${p.percent}% from ${p.from}`,
    either: (p: ChangeSince) => `up or down ${p.percent}% from ${p.from}`,
  },
  rsi: {
    above: (p: Level) => `RSI(${p.period}) at ${p.level} or above`,
    below: (p: Level) => `RSI(${p.period}) at ${p.level} or below`,
  },
  averages: {
    up: (p: Averages) => `the ${p.fast}-day average crosses above the ${p.slow}-day average`,
    down: (p: Averages) => `the ${p.fast}-day average crosses below the ${p.slow}-day average`,
  },
  /** The names for averages of 50 and 200 days. */
  crosses: { up: 'golden cross', down: 'death cross' },
  priceAverage: {
    up: (p: { readonly slow: number }) => `the price crosses above its ${p.slow}-day average`,
    down: (p: { readonly slow: number }) => `the price crosses below its ${p.slow}-day average`,
  },
  'year-high': () => 'a new 52-week high',
  'year-low': () => 'a new 52-week low',
  volume: (p: { readonly multiple: string }) => `volume ${p.multiple} times its 20-day average`,
  news: (p: { readonly keyword: string }) =>
    p.keyword === '' ? 'any new headline' : `a new headline with "${p.keyword}"`,
};

export const alertConditionsKo: typeof alertConditionsEn = {
  above: (p) => `${p.price} 이상`,
  below: (p) => `${p.price} 이하`,
  'crosses-above': (p) => `${p.price} 상향 돌파`,
  'crosses-below': (p) => `${p.price} 하향 돌파`,
  change: {
    up: (p) => `전일 종가 대비 ${p.percent}% 이상 상승`,
    down: (p) => `전일 종가 대비 ${p.percent}% 이상 하락`,
    either: (p) => `전일 종가 대비 ${p.percent}% 이상 상승 또는 하락`,
  },
  changeSince: {
    up: (p) => `${p.from} 대비 ${p.percent}% 이상 상승`,
    down: (p) => `${p.from} 대비 ${p.percent}% 이상 하락`,
    either: (p) => `${p.from} 대비 ${p.percent}% 이상 상승 또는 하락`,
  },
  rsi: {
    above: (p) => `RSI(${p.period}) ${p.level} 이상`,
    below: (p) => `RSI(${p.period}) ${p.level} 이하`,
  },
  averages: {
    up: (p) => `${p.fast}일 이동평균이 ${p.slow}일 이동평균을 상향 돌파`,
    down: (p) => `${p.fast}일 이동평균이 ${p.slow}일 이동평균을 하향 돌파`,
  },
  crosses: { up: '골든크로스', down: '데드크로스' },
  priceAverage: {
    up: (p) => `주가가 ${p.slow}일 이동평균을 상향 돌파`,
    down: (p) => `주가가 ${p.slow}일 이동평균을 하향 돌파`,
  },
  'year-high': () => '52주 신고가',
  'year-low': () => '52주 신저가',
  volume: (p) => `거래량이 20일 평균의 ${p.multiple}배 이상`,
  news: (p) => (p.keyword === '' ? '새 뉴스' : `"${p.keyword}" 뉴스`),
};
