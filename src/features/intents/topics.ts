import { datesIn } from '#src/reading/dates.ts';
import type { HistoryRange } from '#src/kernel/market/finance.ts';
import type { SentenceTalk } from '#src/kernel/agent/sentence.ts';
import { rangeOfDays } from '#src/reading/history-range.ts';
import { asking, NOUNS, wordsOf } from './vocabulary.ts';
import type { AskedPeriod } from './when.ts';

/** A question without its names. */
export interface Said {
  /** The text without times. */
  readonly text: string;
  readonly range: HistoryRange | undefined;
  readonly period?: AskedPeriod | undefined;
  /** The first day, where `range` is longer than what was asked for. */
  readonly since?: Temporal.PlainDate | undefined;
  /** The text as it was written, and the day of the message. */
  readonly whole?: string;
  readonly today?: Temporal.PlainDate | undefined;
}

/** A kind of question, and the tool that answers it. */
export interface Topic {
  /** Tells the topics of one tool apart; the examples of `src/words` name it so. */
  readonly action?: string;
  readonly tool: string;
  readonly asks: (said: Said) => boolean;
  /** The words that such a question may have beside names and grammar; any other word rules the topic out. Default: all words. */
  readonly words?: RegExp;
  /** Removes parts that have their own reader, before `words` are removed. */
  readonly without?: (text: string) => string;
  /** The least and the largest number of names. Default: no names. */
  readonly names?: readonly [least: number, most: number];
  /** Without a name, the question is about the last names. */
  readonly isAboutLast?: boolean;
  /** The same, but only if the question points back: 뉴스는? is about the last name, 뉴스 about the market. */
  readonly isAboutLastIfPointed?: boolean;
  /** Accepts known names only, because its noun goes with many words: 정치 뉴스 names no company. */
  readonly isStrict?: boolean;
  /** For requests that need a time: whether they have one. */
  readonly isTimed?: (said: Said) => boolean;
  readonly input: (names: readonly string[], said: Said) => Readonly<Record<string, unknown>>;
  /** A sentence to add to the answer. */
  readonly beside?: (said: Said) => SentenceTalk | undefined;
}

type Words = readonly [korean: string, english: string];
const asks = (nouns: Words, unless?: RegExp): Topic['asks'] => {
  const pattern = asking(...nouns);
  return ({ text }) => pattern.test(text) && !unless?.test(text);
};
const words = (...lists: readonly Words[]): RegExp =>
  wordsOf(lists.map(([korean]) => korean).join('|'), lists.map(([, english]) => english).join('|'));

const INDICATOR = /rsi|macd|bollinger|볼린저|(?<![a-z])(?:ema|sma|ma)\s?\d{1,3}/giu;
const indicatorsIn = (text: string): readonly string[] | undefined => {
  const found = Array.from(text.matchAll(INDICATOR), ([word]) =>
    word.toLowerCase().replaceAll(/\s/gu, '').replace('볼린저', 'bollinger').replace('sma', 'ma'),
  );
  return found.length > 0 ? [...new Set(found)] : undefined;
};
const themeIn = (text: string): 'dark' | 'light' | undefined => {
  if (/다크|어두|어둡|\bdark\b/iu.test(text)) return 'dark';
  return /라이트|밝/u.test(text) || /\blight\b/iu.test(text) ? 'light' : undefined;
};
const IS_TODAY = /오늘|당일|\btoday\b|\bintraday\b/iu;

const limitIn = (text: string): number | undefined => {
  const [, ko, en] =
    /(\d{1,2})\s?(?:개|건)|(?<![\d.])(\d{1,2})\s+(?:\p{L}+\s+)?(?:news|headlines)/iu.exec(text) ?? [];
  const count = Number(ko ?? en ?? 0);
  return count > 0 ? Math.min(count, 10) : undefined;
};
const ASKS_HOW =
  /어때|어떄|어땠|어떻|상황|요약|분위기|현황|시황|동향|시세|알려|보여|\b(?:how|overview|summary|update|doing|happening|today|show|prices?)\b/iu;
const asksHistory = asks(NOUNS.history);
const asksOverview = asks(NOUNS.overview);
const COIN = /코인|화폐|\bcrypto|\bcoins?\b/iu;
/** Asks how the results were, not when they are published. */
const HOW_GOOD = /어때|어땠|좋|나쁘|나빴|\bhow\b|\bgood\b|\bbad\b|\bbeat\b/iu;

/** The range of a chart that shows these days. */
const rangeOf = ({ range, period, today }: Said): HistoryRange | undefined =>
  range ?? (period && today ? rangeOfDays(Math.max(1, today.since(period.first).days)) : undefined);
/** Future days have no prices. */
const isPast = ({ period, today }: Said): boolean =>
  period !== undefined && today !== undefined && Temporal.PlainDate.compare(period.first, today) <= 0;

const WEEKLY = /[주월분]봉|\b(?:weekly|monthly)\b/iu;
const MOVERS: Words = [
  String.raw`급등주?|급락주?|상승률\s?(?:상위|순위|1위)|하락률\s?(?:상위|순위|1위)|(?:제일|가장)\s?(?:많이\s?)?(?:오른|내린|떨어진|올랐\p{L}{0,9}|내렸\p{L}{0,9}|떨어졌\p{L}{0,9})|상한가|하한가`,
  String.raw`(?:top|biggest|largest|best|worst)\s(?:gainers?|losers?|movers?|performers?)|(?:gainers|losers|movers)`,
];
const KIMCHI: Words = [String.raw`김프|김치\s?프리미엄`, 'kimchi premium'];
/** The main indices of a country. */
const REGIONS: readonly (readonly [pattern: RegExp, indices: readonly string[]])[] = [
  [/국장|국내|한국|코리아|\bkorean?\b/iu, ['코스피', '코스닥']],
  [/미장|미국|월가|뉴욕|\b(?:us|u\.s\.|american?)\b|wall street/iu, ['S&P 500', '나스닥', '다우존스']],
];
const regionIn = (text: string) => REGIONS.find(([pattern]) => pattern.test(text))?.[1];
const REGION: Words = [
  String.raw`국장|미장|(?:국내|한국|미국|뉴욕)\s?(?:주식\s?)?(?:시장|증시|장|주식)`,
  String.raw`(?:us|u\.s\.|american|korean|korea)\s(?:stock )?(?:markets?|stocks)|wall street`,
];

/** Indicators that a question may name. */
const INDICATORS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['rsi', /rsi|상대\s?강도/iu],
  ['macd', /macd/iu],
  ['bollinger', /볼린저|bollinger/iu],
  ['atr', /(?<![a-z])atr(?![a-z])/iu],
  ['average', /이동\s?평균|이평|moving average|(?<![a-z])[se]?ma\s?\d/iu],
  ['year', /52\s?주|52[- ]week/iu],
];
const namedIndicators = (text: string): readonly string[] | undefined => {
  const named = INDICATORS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
  return named.length > 0 ? named : undefined;
};

/** Figures that a question may name. A name that stands for several comes after them. */
const FIGURES: readonly (readonly [figures: readonly string[], pattern: RegExp])[] = [
  [['peTrailing', 'peForward'], /(?<![a-z])per(?![a-z])|p\/?e(?![a-z])/iu],
  [['priceToBook'], /(?<![a-z])pbr(?![a-z])|p\/b/iu],
  [['epsTrailing', 'epsForward'], /(?<![a-z])eps(?![a-z])/iu],
  [['returnOnEquity'], /(?<![a-z])roe(?![a-z])/iu],
  [['marketCap'], /시총|시가\s?총액|market cap/iu],
  [['exDividendDate'], /배당락|ex[- ]?div/iu],
  [['dividendYield', 'dividendRate'], /배당(?:수익)?률|dividend yield/iu],
  [['dividendRate', 'dividendYield', 'exDividendDate'], /배당(?!락|수익|률)|dividends?(?! yield)/iu],
  [['operatingMargin'], /영업\s?이익률|operating margin/iu],
  [['profitMargin'], /순이익률|profit margin|net margin/iu],
  [['revenue', 'revenueGrowth'], /매출(?!총)|revenue/iu],
  [['debtToEquity'], /부채\s?비율|debt/iu],
  [['beta'], /베타|(?<![a-z])beta(?![a-z])/iu],
];
/** Undefined for a question about all figures. */
const namedFigures = (text: string): readonly string[] | undefined => {
  const named = FIGURES.flatMap(([figures, pattern]) => (pattern.test(text) ? figures : []));
  return named.length > 0 ? [...new Set(named)] : undefined;
};

const PLACES: readonly (readonly [market: string, pattern: RegExp])[] = [
  ['nxt', /넥스트\s?레이드|넥장|대체\s?거래소|\bnxt\b|\bnextrade\b/iu],
  ['crypto', /코인|암호\s?화폐|\bcrypto/iu],
  ['fx', /외환|환시|\bforex\b|\bfx\b|currency market/iu],
  ['nasdaq', /나스닥|\bnasdaq\b/iu],
  ['nyse', /뉴욕\s?증권\s?거래소|\bnyse\b|new york stock exchange/iu],
  ['us', /미국|미장|뉴욕|월가|\bus\b|\bu\.s\.|\bamerican?\b|wall street/iu],
  ['krx', /한국|국내|국장|코스피|코스닥|거래소|\bkrx\b|\bkospi\b|\bkosdaq\b|\bkorean?\b/iu],
];

const KOREAN_PLACE = String.raw`넥스트\s?레이드|넥장|대체\s?거래소|nxt|한국\s?거래소|거래소|한국|국내|미국|뉴욕|나스닥|코스피|코스닥|월가|코인|암호\s?화폐|외환`;
const KOREAN_MARKET = String.raw`(?:(?:${KOREAN_PLACE})\s?)?(?:주식\s?시장|증시|시장|정규장|장)|국장|미장|${KOREAN_PLACE}`;
/** 열려, 여나요, 닫혀, 끝나, 쉬는 날, 휴장 with any ending. */
const KOREAN_STATE =
  String.raw`열\p{L}{0,20}|여는\p{L}{0,20}|여나\p{L}{0,20}|연\s?거\p{L}{0,20}|닫\p{L}{0,20}|끝나\p{L}{0,20}|마감\p{L}{0,20}|시작\p{L}{0,20}|쉬\p{L}{0,20}|개장\p{L}{0,20}|폐장\p{L}{0,20}|` +
  String.raw`휴장\p{L}{0,20}|휴일\p{L}{0,20}|장중\p{L}{0,20}|거래\s?시간|장\s?시간|운영\s?시간|(?:몇\s?시|언제)(?:까지|부터)|프리\s?마켓|애프터\s?마켓`;
const ENGLISH_MARKET = String.raw`(?:the )?(?:stock )?markets?|nextrade|nxt|nyse|nasdaq|krx|kospi|kosdaq|wall street|(?:new york )?stock exchange|exchanges?|forex|fx|crypto|us|u\.s\.?|american?|korean?|new york`;
const ENGLISH_STATE =
  'opens?|opened|opening|open now|closes?|closed|closing|close|(?:trading |market )?hours|holidays?';

const MARKET = asking(KOREAN_MARKET, ENGLISH_MARKET);
const STATE = asking(KOREAN_STATE, ENGLISH_STATE);
/** Words that ask for hours without naming a market. */
const HOURS_ALONE = asking(
  String.raw`개장\s?시간|폐장\s?시간|장\s?시간|거래\s?시간|휴장일?|장\s?마감|장중|프리\s?마켓|애프터\s?마켓`,
  '(?:trading|market) hours',
);
const PRICE = /주가|시세|종가|가격|얼마|\bprices?\b/iu;

/** The next such day: `크리스마스` and `금요일` are in the future. */
const hoursDateIn = ({ whole = '', today }: Said): string | undefined => {
  const [date] = today ? datesIn(whole, today, { looks: 'ahead' }) : [];
  if (!today || date?.value.status !== 'date' || date.value.first.equals(today)) return undefined;
  return date.value.first.toString();
};

const ASKS_WHEN = /언제|몇\s?시|시간|\b(?:when|what|hours)\b/iu;
const ASKS_CLOSED = /휴장|쉬|쉰|닫|\b(?:closed|holidays?)\b/iu;
const ASKS_OPEN = /열|여나|여는|개장|장중|\bopen(?:ed)?\b/iu;

/** Of a yes-or-no question: what it asks. */
const statesIn = (text: string): 'open' | 'closed' | undefined => {
  if (ASKS_WHEN.test(text)) return undefined;
  return ASKS_CLOSED.test(text) ? 'closed' : ASKS_OPEN.test(text) ? 'open' : undefined;
};

/** Exchanges without hours here, and holidays that are read as no date: an answer about Korea or about a Friday would be wrong. */
export const HOURS_NOT_KNOWN =
  /도쿄|일본|런던|영국|홍콩|중국|상하이|상해|유럽|독일|광복절|개천절|한글날|현충일|삼일절|어린이날|비트|이더|\b(?:tokyo|japan|london|uk|hong kong|china|shanghai|europe|euronext|germany|frankfurt|toronto|sydney|good friday|easter|thanksgiving|labor day|memorial day|juneteenth|independence day|mlk|presidents'? day|bitcoin|btc|eth)\b/iu;

/** Trading hours, of today unless another day is named. */
const HOURS: Topic = {
  tool: 'get_market_hours',
  asks: ({ text, whole }) =>
    !PRICE.test(text) &&
    !HOURS_NOT_KNOWN.test(whole ?? text) &&
    (HOURS_ALONE.test(text) || (MARKET.test(text) && STATE.test(text))),
  words: wordsOf(
    String.raw`${KOREAN_STATE}|${KOREAN_MARKET}|장\s?마감|휴장일?|몇\s?시\p{L}{0,20}|언제\p{L}{0,20}|날|추석|설날|설|연휴|공휴일|명절`,
    String.raw`${ENGLISH_STATE}|${ENGLISH_MARKET}|what time|when|still|on|holiday|yet|already|time|right now`,
  ),
  input: (_names, said) => ({
    market: PLACES.find(([, pattern]) => pattern.test(said.text))?.[0],
    date: hoursDateIn(said),
    asks: statesIn(said.text),
  }),
};

/** The first match wins: a chart with an RSI is a chart. */
export const TOPICS: readonly Topic[] = [
  {
    tool: 'make_chart',
    asks: asks(NOUNS.chart),
    words: words(NOUNS.chart, NOUNS.indicators, [
      '추가|포함|넣어|같이|함께|겹쳐\\p{L}{0,9}|다크(?:\\s?모드)?|라이트(?:\\s?모드)?|어둡게|밝게|어두운|밝은|테마|모드|오늘|당일',
      String.raw`(?:ma|ema|sma)\s?\d{1,3}|dark|light|theme|mode|intraday|draw|plot|against|over`,
    ]),
    names: [1, 6],
    isAboutLast: true,
    input: (symbols, said) => ({
      symbols,
      range: rangeOf(said) ?? (IS_TODAY.test(said.text) ? '1d' : WEEKLY.test(said.text) ? '5y' : undefined),
      indicators: indicatorsIn(said.text),
      theme: themeIn(said.text),
    }),
    beside: ({ text, period, since }) =>
      WEEKLY.test(text) ? 'weekly' : (period ?? since) ? 'covers' : undefined,
  },
  {
    tool: 'get_earnings_calendar',
    asks: asks(NOUNS.earnings, HOW_GOOD),
    words: words(NOUNS.earnings, [
      '발표일?|일정|날짜|언제|다음|이번|분기|이번주|다음주',
      'weeks?|months?|quarters?|coming|reports?|reporting|dates?|calendar|next|when|results|upcoming|schedule|announce[ds]?|announcement',
    ]),
    names: [0, 10],
    isAboutLastIfPointed: true,
    input: (symbols) => (symbols.length > 0 ? { symbols } : {}),
  },
  {
    tool: 'get_indicators',
    asks: asks(NOUNS.indicators),
    words: words(NOUNS.indicators, ['수치|값|지표', 'levels?|values?']),
    names: [1, 1],
    isAboutLast: true,
    input: ([symbol], { text }) => ({ symbol, only: namedIndicators(text) }),
  },
  {
    tool: 'get_fundamentals',
    asks: asks(NOUNS.fundamentals),
    words: words(NOUNS.fundamentals, ['수치|값|비율', 'ratio|yield|numbers|figures|pays?']),
    names: [1, 1],
    isAboutLast: true,
    input: ([symbol], { text }) => ({ symbol, only: namedFigures(text) }),
  },
  {
    tool: 'compare',
    asks: asks(NOUNS.compare),
    // `vs` is kept, because it marks two names as a list.
    words: words(NOUNS.history, [
      String.raw`비교|누가|뭐가|어느|어디|중에|더\s?(?:올랐|내렸|떨어졌|좋았)\p{L}{0,20}`,
      'compared?|comparison|between|against|did better|performed better|better',
    ]),
    names: [2, 6],
    input: (symbols, said) => ({ symbols, range: rangeOf(said) }),
    beside: ({ period, since }) => ((period ?? since) ? 'covers' : undefined),
  },
  {
    tool: 'get_history',
    asks: (said) => asksHistory(said) || said.range !== undefined || isPast(said),
    words: words(NOUNS.history, [
      '얼마나|어땠\\p{L}{0,9}|주식',
      'moved?|gone|risen|fallen|changed?|closing|gain(?:ed)?|rise|rose|fall|fell|drop(?:ped)?|lose|lost|made?',
    ]),
    names: [1, 1],
    isStrict: true,
    isAboutLastIfPointed: true,
    input: ([symbol], { range, period, since, today }) => ({
      symbol,
      range: since ? undefined : range,
      from: (since ?? period?.first)?.toString(),
      to: (since ? today : period?.last)?.toString(),
    }),
  },
  {
    tool: 'get_news',
    asks: asks(NOUNS.news),
    words: words(NOUNS.news, [
      String.raw`최신|관련|주요|시장|증시|경제|금융|주식|있\p{L}{0,20}|새로운|\d{1,2}\s?(?:개|건)`,
      String.raw`recent|top|markets?|business|financial|finance|economic|any|new|anything|\d{1,2}`,
    ]),
    names: [0, 1],
    isStrict: true,
    isAboutLastIfPointed: true,
    input: ([symbol], { text }) => ({ symbol, limit: limitIn(text) }),
  },
  {
    tool: 'search_symbol',
    asks: asks(NOUNS.search),
    words: words(NOUNS.search, ['종목|코드|검색', 'search|stock|company']),
    names: [1, 1],
    input: ([query]) => ({ query }),
  },
  HOURS,
  {
    tool: 'get_market_overview',
    asks: asks(KIMCHI),
    words: words(KIMCHI, ['코인|비트코인|비트', 'bitcoin|crypto']),
    input: () => ({ of: 'crypto' }),
    beside: () => 'premium',
  },
  {
    tool: 'get_market_overview',
    asks: asks(MOVERS),
    words: words(MOVERS, [
      '종목|주식|코스피|코스닥|코인|뭐\\p{L}{0,9}|미국|한국|국내',
      'us|korea|korean|nasdaq|list|coins?|crypto',
    ]),
    input: (_names, { text }) => ({ of: COIN.test(text) ? 'crypto' : 'markets' }),
    beside: () => 'movers',
  },
  {
    tool: 'get_quote',
    asks: asks(REGION),
    words: words(REGION, [
      '상황|요약|분위기|현황|동향|어땠\\p{L}{0,9}|마감|시황|좋\\p{L}{0,9}',
      'overview|summary|as|yesterday',
    ]),
    input: (_names, { text }) => ({ symbols: regionIn(text) ?? ['코스피', 'S&P 500'] }),
  },
  {
    tool: 'get_market_overview',
    asks: (said) => asksOverview(said) && ASKS_HOW.test(said.text),
    words: words(NOUNS.overview, [
      '상황|요약|분위기|현황|동향|전체|전반|국내|한국|미국|세계|글로벌|주요|지수|주식|전반적|대략',
      'overview|summary|update|happening|us|korea|korean|american|global|world|overall|whole|wall street|as',
    ]),
    input: (_names, { text }) => ({ of: COIN.test(text) ? 'crypto' : 'markets' }),
  },
];
