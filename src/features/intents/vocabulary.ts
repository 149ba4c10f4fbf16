/** Korean endings of a noun that is asked about: 차트를, 뉴스는요, 비교해줘. */
const ENDING =
  '(?:이랑|으로|은|는|이|가|을|를|도|의|에|로|만|랑|와|과)?(?:이야|이에요|예요|인가요|일까요|일까|요|야|좀)?' +
  String.raw`(?:(?:해|하|보여|알려|그려|찾아|말해|궁금|줘|어때)\p{L}{0,20})?`;

/** Matches whole words of both languages; each list is joined by `|`. */
const within = (korean: string, english: string): string =>
  String.raw`(?<![\p{L}\p{N}])(?:(?:${korean})${ENDING}|(?:${english})(?:'s)?)(?![\p{L}\p{N}])`;

export const asking = (korean: string, english: string): RegExp => new RegExp(within(korean, english), 'iu');
export const wordsOf = (korean: string, english: string): RegExp =>
  new RegExp(within(korean, english), 'giu');

/** The nouns that tell the topic of a question. In other questions they are no names. */
export const NOUNS = {
  chart: [
    '차트|그래프|캔들|[일주월분]봉',
    String.raw`(?:weekly |monthly )?(?:charts?|graphs?|candles?|candlesticks?)`,
  ],
  compare: [
    String.raw`비교|더\s?(?:올랐|내렸|떨어졌|좋았)\p{L}{0,20}`,
    'compared?|comparison|vs|versus|did better|performed better|better',
  ],
  earnings: [String.raw`실적(?:\s?발표일?)?|어닝`, 'earnings'],
  fundamentals: [
    String.raw`per(?!\s+\p{Script=Latin})|` +
      'pbr|psr|roe|eps|시총|시가총액|배당(?:금|률|수익률|락일)?|매출액?|영업이익률?|순이익률?|부채비율|' +
      '재무(?:제표|정보|지표|상태)?|펀더멘털|밸류에이션',
    String.raw`p/?e(?: ratio)?|p/b|per(?!\s+\p{Script=Latin})|pbr|roe|eps|market cap(?:itali[sz]ation)?|` +
      'dividends?|revenues?|profit margins?|fundamentals?|valuation',
  ],
  indicators: [
    String.raw`rsi|macd|atr|볼린저\s?밴드|볼린저|이동\s?평균선?|이평선?|보조\s?지표|기술적\s?(?:지표|분석)|기술\s?지표|` +
      String.raw`52주\s?(?:최고가?|최저가?|신고가|신저가)?`,
    String.raw`rsi|macd|atr|[se]ma\d*|bollinger(?: bands?)?|moving averages?|(?:technical )?indicators?|technicals|` +
      '52[- ]week(?: highs?| lows?| range)?',
  ],
  history: ['추이|흐름|수익률|변동', 'history|historical prices?|performance|performed|returns?'],
  news: ['뉴스|소식|헤드라인', 'news|headlines?'],
  search: [
    String.raw`종목\s?코드|티커|심볼|종목\s?검색`,
    'ticker(?: symbol)?|stock (?:symbol|code)|symbol(?= (?:of|for))',
  ],
  overview: [
    '시장|증시|시황|장세|코인|암호\\s?화폐|가상\\s?화폐',
    String.raw`(?:stock )?markets?(?! (?:price|cap|value))|crypto(?:currenc(?:y|ies))?|coins?`,
  ],
} as const satisfies Readonly<Record<string, readonly [korean: string, english: string]>>;

const ALL = Object.values(NOUNS);
export const ANY_NOUN = asking(
  ALL.map(([korean]) => korean).join('|'),
  ALL.map(([, english]) => english).join('|'),
);

/** The id of an alert or briefing: `#k3m7pq`. */
export const ID = /(?<![\p{L}\p{N}])#([a-z0-9]{3,20})(?![\p{L}\p{N}])/iu;
