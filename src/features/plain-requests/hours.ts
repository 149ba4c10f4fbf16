import { datesIn } from '#src/language/dates.ts';
import type { Said, Topic } from './topics.ts';
import { asking, wordsOf } from './vocabulary.ts';

const PLACES: readonly (readonly [market: string, pattern: RegExp])[] = [
  ['nxt', /넥스트\s?레이드|대체\s?거래소|\bnxt\b|\bnextrade\b/iu],
  ['crypto', /코인|암호\s?화폐|\bcrypto/iu],
  ['fx', /외환|환시|\bforex\b|\bfx\b|currency market/iu],
  ['nasdaq', /나스닥|\bnasdaq\b/iu],
  ['nyse', /뉴욕\s?증권\s?거래소|\bnyse\b|new york stock exchange/iu],
  ['us', /미국|미장|뉴욕|월가|\bus\b|\bu\.s\.|\bamerican?\b|wall street/iu],
  ['krx', /한국|국내|국장|코스피|코스닥|거래소|\bkrx\b|\bkospi\b|\bkosdaq\b|\bkorean?\b/iu],
];

const KOREAN_PLACE = String.raw`넥스트\s?레이드|대체\s?거래소|nxt|한국\s?거래소|거래소|한국|국내|미국|뉴욕|나스닥|코스피|코스닥|월가|코인|암호\s?화폐|외환`;
const KOREAN_MARKET = String.raw`(?:(?:${KOREAN_PLACE})\s?)?(?:주식\s?시장|증시|시장|정규장|장)|국장|미장|${KOREAN_PLACE}`;
/** 열려, 여나요, 닫혀, 끝나, 쉬는 날, 휴장: whatever ending they carry. */
const KOREAN_STATE =
  String.raw`열\p{L}{0,20}|여는\p{L}{0,20}|여나\p{L}{0,20}|연\s?거\p{L}{0,20}|닫\p{L}{0,20}|끝나\p{L}{0,20}|마감\p{L}{0,20}|시작\p{L}{0,20}|쉬\p{L}{0,20}|개장\p{L}{0,20}|폐장\p{L}{0,20}|` +
  String.raw`휴장\p{L}{0,20}|휴일\p{L}{0,20}|장중\p{L}{0,20}|거래\s?시간|장\s?시간|운영\s?시간|(?:몇\s?시|언제)(?:까지|부터)|프리\s?마켓|애프터\s?마켓`;
const ENGLISH_MARKET = String.raw`(?:the )?(?:stock )?markets?|nextrade|nxt|nyse|nasdaq|krx|kospi|kosdaq|wall street|(?:new york )?stock exchange|exchanges?|forex|fx|crypto|us|u\.s\.?|american?|korean?|new york`;
const ENGLISH_STATE =
  'opens?|opened|opening|open now|closes?|closed|closing|close|(?:trading |market )?hours|holidays?';

const MARKET = asking(KOREAN_MARKET, ENGLISH_MARKET);
const STATE = asking(KOREAN_STATE, ENGLISH_STATE);
/** They need no market beside them. */
const HOURS_ALONE = asking(
  String.raw`개장\s?시간|폐장\s?시간|장\s?시간|거래\s?시간|휴장일?|장\s?마감|장중|프리\s?마켓|애프터\s?마켓`,
  '(?:trading|market) hours',
);
const PRICE = /주가|시세|종가|가격|얼마|\bprices?\b/iu;

/** The next such day: `크리스마스` is one to come, and so is `금요일`. */
const dateIn = ({ whole = '', today }: Said): string | undefined => {
  const [date] = today ? datesIn(whole, today, { looks: 'ahead' }) : [];
  if (!today || date?.value.status !== 'date' || date.value.first.equals(today)) return undefined;
  return date.value.first.toString();
};

/** When markets open and close, today unless another day is named. */
export const HOURS: Topic = {
  tool: 'get_market_hours',
  asks: ({ text }) =>
    !PRICE.test(text) && (HOURS_ALONE.test(text) || (MARKET.test(text) && STATE.test(text))),
  words: wordsOf(
    String.raw`${KOREAN_STATE}|${KOREAN_MARKET}|장\s?마감|휴장일?|몇\s?시\p{L}{0,20}|언제\p{L}{0,20}|날|추석|설날|설|연휴|공휴일|명절`,
    String.raw`${ENGLISH_STATE}|${ENGLISH_MARKET}|what time|when|still|on|holiday|yet|already|time|right now`,
  ),
  names: [0, 0],
  input: (_names, said) => ({
    market: PLACES.find(([, pattern]) => pattern.test(said.text))?.[0],
    date: dateIn(said),
  }),
};
