import type { HistoryRange } from '#src/core/market-desk.ts';
import { HOURS } from './hours.ts';
import { asking, NOUNS, wordsOf } from './vocabulary.ts';

/** What a question says beside its names. */
export interface Said {
  readonly text: string;
  readonly range: HistoryRange | undefined;
}

/** One kind of question, and the tool that answers it. */
export interface Topic {
  readonly tool: string;
  readonly asks: (said: Said) => boolean;
  /** All that may stand in such a question and is neither a name nor grammar. Whatever else does: not this one. */
  readonly words: RegExp;
  /** Takes out what has a reader of its own, before the words. */
  readonly without?: (text: string) => string;
  /** At least and at most. */
  readonly names: readonly [number, number];
  /** Who names none means what was asked about before. */
  readonly isAboutLast?: boolean;
  /** Its noun goes with so many words that only a clear name is one: 정치 뉴스 is no company. */
  readonly isStrict?: boolean;
  /** Of what is done at a time: whether it is said. */
  readonly isTimed?: (said: Said) => boolean;
  readonly input: (names: readonly string[], said: Said) => Readonly<Record<string, unknown>>;
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
  /어때|어떄|어떻|상황|요약|분위기|현황|시황|동향|시세|알려|보여|\b(?:how|overview|summary|update|doing|happening|today|show|prices?)\b/iu;
const asksHistory = asks(NOUNS.history);
const asksOverview = asks(NOUNS.overview);
const COIN = /코인|화폐|\bcrypto|\bcoins?\b/iu;
/** How the numbers were is not when they come. */
const HOW_GOOD = /어때|어땠|좋|나쁘|나빴|\bhow\b|\bgood\b|\bbad\b|\bbeat\b/iu;

/** The first that fits is taken: a chart with an RSI is a chart. */
export const TOPICS: readonly Topic[] = [
  {
    tool: 'make_chart',
    asks: asks(NOUNS.chart),
    words: words(NOUNS.chart, NOUNS.indicators, [
      '추가|포함|넣어|같이|함께|다크|라이트|어둡게|밝게|어두운|밝은|테마|모드|오늘|당일',
      String.raw`(?:ma|ema|sma)\s?\d{1,3}|dark|light|theme|mode|intraday|draw|plot|against|over`,
    ]),
    names: [1, 6],
    isAboutLast: true,
    input: (symbols, { text, range }) => ({
      symbols,
      range: range ?? (IS_TODAY.test(text) ? '1d' : undefined),
      indicators: indicatorsIn(text),
      theme: themeIn(text),
    }),
  },
  {
    tool: 'get_earnings_calendar',
    asks: asks(NOUNS.earnings, HOW_GOOD),
    words: words(NOUNS.earnings, [
      '발표일?|일정|날짜|언제|다음|이번|분기|이번주|다음주',
      'weeks?|months?|quarters?|coming|reports?|reporting|dates?|calendar|next|when|results|upcoming|schedule|announce[ds]?|announcement',
    ]),
    names: [0, 10],
    input: (symbols) => (symbols.length > 0 ? { symbols } : {}),
  },
  {
    tool: 'get_indicators',
    asks: asks(NOUNS.indicators),
    words: words(NOUNS.indicators, ['수치|값|지표', 'levels?|values?']),
    names: [1, 1],
    isAboutLast: true,
    input: ([symbol]) => ({ symbol }),
  },
  {
    tool: 'get_fundamentals',
    asks: asks(NOUNS.fundamentals),
    words: words(NOUNS.fundamentals, ['수치|값|비율', 'ratio|yield|numbers|figures|pays?']),
    names: [1, 1],
    isAboutLast: true,
    input: ([symbol]) => ({ symbol }),
  },
  {
    tool: 'compare',
    asks: asks(NOUNS.compare),
    // `vs` stays: it says that two names are a list.
    words: words(NOUNS.history, ['비교|누가|어느|어디|중에', 'compared?|comparison|between|against']),
    names: [2, 6],
    input: (symbols, { range }) => ({ symbols, range }),
  },
  {
    tool: 'get_history',
    asks: (said) => asksHistory(said) || said.range !== undefined,
    words: words(NOUNS.history, ['얼마나', 'moved?|gone|risen|fallen|changed?']),
    names: [1, 1],
    isStrict: true,
    input: ([symbol], { range }) => ({ symbol, range }),
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
    asks: (said) => asksOverview(said) && ASKS_HOW.test(said.text),
    words: words(NOUNS.overview, [
      '상황|요약|분위기|현황|동향|전체|전반|국내|한국|미국|세계|글로벌|주요|지수|주식|전반적|대략',
      'overview|summary|update|happening|us|korea|korean|american|global|world|overall|whole|wall street|as',
    ]),
    names: [0, 0],
    input: (_names, { text }) => ({ of: COIN.test(text) ? 'crypto' : 'markets' }),
  },
];
