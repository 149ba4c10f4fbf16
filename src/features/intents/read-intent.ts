import { resolveTimeZone } from '#src/reading/time-zone.ts';
import { stemsOf } from '#src/reading/particles.ts';
import { type Call, call, type Intent } from './intent.ts';
import type { SentenceTalk } from '#src/kernel/agent/sentence.ts';
import { readYesNo } from '#src/reading/yes-no.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { amountsIn } from '#src/reading/amounts.ts';
import { createNameReader, findNames, type FoundName, separateNouns } from '#src/reading/names.ts';
import { readAlertSentence, readReminder } from './alert.ts';
import { withoutLead } from './clauses.ts';
import {
  distinct,
  instrumentNamed,
  isSure,
  isTakeable,
  isWrittenAsName,
  looksLikeName,
  type Lookup,
  marketWordIn,
  namesIn,
  RATE,
} from './lookup.ts';
import { readConversion, readWorth } from './worth.ts';
import { PERSONAL_TOPICS, readMine } from './personal.ts';
import { readCalculation } from './calculations.ts';
import { type Said, type Topic, TOPICS } from './topics.ts';
import { readTrade } from './trade.ts';
import { ANY_NOUN } from './vocabulary.ts';
import { splitRange, splitWhen } from './when.ts';

const ASKS_TIME =
  /몇\s?시(?!간)|(?:현재|지금)\s?시[간각]|(?:오늘|지금)\s?(?:은|이)?\s?(?:며칠|몇\s?월|무슨\s?요일)|날짜\s?(?:알려|뭐|가)|\bwhat(?:'s| is) (?:the )?(?:time|date)\b|\bwhat time is it\b|\bwhat day is (?:it|today)\b|\bcurrent time\b|\btoday'?s date\b/iu;
/** A question with one of these is about a market or a setting, not about the time. */
const NOT_THE_CLOCK =
  /열|닫|끝나|마감|개장|시작|장(?!소)|브리핑|알림|\b(?:open|close|market|briefing|earnings)/iu;
const TIME_WORDS =
  /(?:몇\s?시|며칠|몇\s?월|무슨\s?요일|시간|시각|날짜|지금|현재|오늘)\p{L}{0,6}|알려\s?\p{L}{0,9}|\b(?:what(?:'s)?|is|the|time|date|day|it|now|right|in|at|today'?s?|current|please|tell|me)\b|[?!.,~]/giu;

const zoneIn = (rest: string): string | undefined =>
  stemsOf(rest.trim().replaceAll(/\s+/gu, ' ')).find((place) => resolveTimeZone(place) !== undefined);

/** `지금 몇 시야?`, `what time is it in new york`. Null for other questions, and for unknown places. */
const readTime = (text: string): Call | null => {
  if (!ASKS_TIME.test(text) || NOT_THE_CLOCK.test(text)) return null;
  const rest = text.replaceAll(TIME_WORDS, ' ').trim();
  const timeZone = rest === '' ? undefined : zoneIn(rest);
  return rest === '' || timeZone !== undefined ? call('get_datetime', { timeZone }) : null;
};

/** The first match wins. */
const TALKS: readonly (readonly [talk: SentenceTalk, pattern: RegExp])[] = [
  [
    'bye',
    /^(?:잘\s?자|잘\s?가|안녕히|굿\s?나잇|다음에\s?(?:봐|보자)|bye|goodbye|good ?night|see you)(?!\p{L})/iu,
  ],
  [
    'complaint',
    /바보|멍청|답답|짜증|엉망|쓸모|구려|후지|후져|틀렸|틀린|잘못(?:됐|된|했)|못\s?알아|이상(?:해|하네|한데)|왜\s?이렇게|왜\s?안|(?:안|못)\s?(?:돼|되)\p{L}{0,4}|\b(?:wrong|stupid|useless|dumb|sucks?|terrible|idiot|doesn'?t work|not working|you don'?t understand|incorrect)\b/iu,
  ],
  [
    'loss',
    /물렸|물려\s?(?:있|버)|망했|손실\s?(?:났|나서|이\s?커|봤)|돈\s?(?:을\s?)?(?:다\s?)?(?:잃었|날렸)|계좌.{0,6}(?:녹|박살)|\b(?:i(?:'ve|'m| have| am)?(?: just)? (?:lost (?:a lot|everything|money|so much|it all)|rekt|ruined)|lost all my money|bag ?hold(?:er|ing))\b/iu,
  ],
  [
    'idle',
    /^[ㅋㅎㅠㅜ][ㅋㅎㅠㅜ!~ ]*$|^(?:하하|헤헤|lol|haha|hehe|lmao|hm+|nice|cool|wow|굿|오+|와+)[!~. ]*$/iu,
  ],
];

/** The kind of small talk; null for anything else. */
const readSmallTalk = (text: string): SentenceTalk | null => {
  const talk = TALKS.find(([, pattern]) => pattern.test(text))?.[0];
  if (talk !== undefined) return talk;
  // A yes or no without a question is idle talk.
  const reply = readYesNo(text).kind;
  return reply === 'yes' || reply === 'no' ? 'idle' : null;
};

/** The context of a message. */
export interface Before {
  /** The last names: `1년 차트` is about them. */
  readonly last?: readonly string[];
  /** The date where the person is; without it no date is read. */
  readonly today?: Temporal.PlainDate | undefined;
}

const MAX_TEXT = 500;

const COMMAND = /^\/\p{L}/u;
export const ASKS_PRICE =
  /얼마|얼만|시세|주가|가격|현재가|어때|어떄|올랐|내렸|떨어졌|환율|종가|프라이스|\b(?:prices?|quotes?|how much|how(?:['’]?s| is| are| was| did)|what(?:['’]?s| is| was) .{1,40} at|trading|worth|doing|cost|stocks?|shares?|exchange rate)\b/iu;
/** Words for traded things. Beside them, an ordinary word is the company of that name (대상 주가). */
const ASKS_SHARE = /시세|주가|현재가|종가|\b(?:quotes?|stocks?|shares?)\b/iu;
const ASKS_STOCK = /주가|현재가|종가|\b(?:share|stock) price\b/iu;

/** Asks for advice or a forecast. */
const ADVICE = [
  /살까|팔까|사도|팔아도|사야|팔아야|사라고|사면\s?(?:좋|될|돼)|들어가도|들어갈까|매수|(?<!공)매도|추천|뭐가\s?나(?:아|을까)|좋을까|[고저]평가|전망|예측|예상|목표\s?(?:주가|가)|오를|내릴|떨어질|투자\s?(?:해|할|하)|괜찮을까|(?:살|팔)\s?(?:만|때|타이밍)/u,
  /\b(?:should (?:i|we)|recommend\w*|forecasts?|predict\w*|outlook|price targets?|target price|(?:good|right|bad) time to|(?:over|under)valued|worth (?:buying|selling)|(?:to|i|we) (?:buy|sell|invest)|will (?:my |the )?\S{1,40} (?:go|rise|fall|crash|drop|reach|hit)|going to (?:go|rise|fall|crash|drop))\b/iu,
];
/** With a number of pieces, these words describe a trade and ask nothing: 삼성전자 5주 매도. */
const TRADES = /매수|매도|\b(?:buy|sell)\b/iu;
/** Questions about a name that have no tool. A price would be a wrong answer. */
const CANNOT = [
  // Asks about the past, without a date that can be read.
  /\d{1,2}월\s?(?:에|달에|\d{1,2}일)|(?:19|20)\d\d년|얼마(?:였|이었)/u,
  /\b(?:in|on|since|back in) (?:(?:19|20)\d\d|jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)\b/iu,
  /(?:샀|팔았)(?:으면|다면|더라면)|\bif i(?:'d| had)? (?:bought|sold)\b/iu,
  /날씨|(?<!(?:나스닥|[Ss]&[Pp]|[025]00|다우|러셀|닛케이|니케이|미국|지수|금|은|구리|원유|가스|백금|팔라듐|수수|밀|콩|커피|코인) ?)선물|우선주|분석해|(?<!\p{L})(?:왜|작년|재작년|지난\s?(?:주|달|해|분기)|어제\s?뉴스)/u,
  /(?:오르|내리|떨어지|되|하락하|상승하)면|(?:사|팔아|매매해)\s?(?:줘|주세요)|^(?:buy|sell)\b|\b(?:buy|sell) (?:me|\d)/iu,
  /\b(?:google (?:it|this|that)|CEO|IPO|why|(?<!(?:nasdaq|s&p|500|100|dow|russell|nikkei|gold|oil|gas) )futures|weather|(?:last|next) (?:week|month|year))\b/iu,
];
/** Names the place of a search, not the subject: 구글에서 찾아줘. */
export const SEARCHES_THERE =
  /(?:구글|네이버|유튜브|다음|빙)(?:에서?|으?로)?\s?(?:좀\s?)?(?:찾아|검색|서치)|구글링|\b(?:search|find|look|check)(?: \S{1,20}){0,4} (?:on|in|with|using) (?:google|naver|youtube|bing)\b|\b(?:google|search|bing) (?:it|this|that|for)\b/iu;
/** Asks about the past; answered if the time was read. */
const WAS = /얼마(?:였|이었)\p{L}{0,9}|어땠\p{L}{0,9}/gu;
/** Of tomorrow only the trading hours are known. */
export const TOMORROW = /(?<!\p{L})(?:내일|모레)|\btomorrow\b/iu;
const NOW = /지금|당장|바로|\b(?:now|immediately)\b/iu;
const ASKS_MEANING = /뭐|뭔|무엇|무슨|뜻|의미|설명|\bwhat(?:'?s| is| are| does)|\bmean|\bexplain|\bdefin/iu;
const PRAISES = /좋|멋|예쁘|이쁘|별로|\b(?:good|nice|great|cool|bad|love)\b/iu;
const POINTS_BACK =
  /(?<!\p{L})(?:그거|그것|그|이거|이것|얘|걔)(?!\p{L})|\b(?:its|it|their)\b|(?:은|는|도)(?:요)?\s?[?？]\s*$/iu;

const isCounted = (text: string): boolean =>
  !/[?？]/u.test(text) && amountsIn(text).some(({ value }) => value.unit === 'pieces');

/** Cuts between words, so that no half word reads as a name. */
const beginningOf = (text: string): string =>
  text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT + 1).replace(/(?<!\S)\S+$/u, '');

const NO_NAMES = [0, 0] as const;

const readTopic = (topic: Topic, said: Said, lookup: Lookup, last: readonly string[]): Intent | null => {
  const bare = topic.without?.(said.text) ?? said.text;
  const named = topic.words ? namesIn(bare.replaceAll(topic.words, '\n'), lookup, topic.isStrict) : [];
  if (named === null) return null;
  const [least, most] = topic.names ?? NO_NAMES;
  const goesBack = named.length === 0 && least > 0;
  if (goesBack && PRAISES.test(said.text)) return { kind: 'unknown' };
  if (goesBack && ASKS_MEANING.test(said.text) && !POINTS_BACK.test(said.text)) return { kind: 'unknown' };
  const isPointed = topic.isAboutLastIfPointed === true && named.length === 0 && POINTS_BACK.test(said.text);
  const isAboutLast = isPointed || (goesBack && topic.isAboutLast === true);
  const names = isAboutLast ? last.filter(isTakeable).slice(0, most) : named;
  if (names.length > most) return null;
  if (topic.isTimed && !topic.isTimed(said)) return { kind: NOW.test(said.text) ? 'now' : 'when' };
  if (names.length < least) return { kind: 'which' };
  const beside = topic.beside?.(said);
  return { ...call(topic.tool, topic.input(names, said)), ...(beside && { beside }) };
};

const quote = (of: readonly FoundName[]): Intent => call('get_quote', { symbols: distinct(of) });

const readCoinInWon = (text: string, { symbols, nameIn }: Lookup): Intent | null => {
  const [name, ...others] = IN_WON.test(text) ? findNames(text.replace(IN_WON, ' '), nameIn) : [];
  const instrument = name && others.length === 0 ? instrumentNamed(name.text, symbols) : undefined;
  return instrument?.assetClass === 'crypto'
    ? call('get_quote', { symbols: [`${instrument.ticker}-KRW`] })
    : null;
};

const readQuote = (text: string, lookup: Lookup): Intent | null => {
  const initials = INITIALS.exec(text)?.[0];
  const match = initials === undefined ? undefined : lookup.symbols.resolve(initials);
  // Where several names have these initials, the answer lists them.
  if (match && (match.status !== 'unknown' || match.suggestions.length > 0))
    return call('get_quote', { symbols: [initials] });
  const inWon = readCoinInWon(text, lookup);
  if (inWon) return inWon;
  const asksPrice = ASKS_PRICE.test(text);
  const marketWord = marketWordIn(text);
  if (marketWord !== undefined) return call('get_quote', { symbols: [marketWord] });
  const found = findNames(text, lookup.nameIn);
  const hasSure = found.some(isSure);
  const areAllNames = found.every(({ kind }) => kind === 'known' || kind === 'unsure');
  const rate: readonly FoundName[] = LISTED_RATE.test(text)
    ? [{ kind: 'known', text: RATE, isListed: true }]
    : [];
  const names = found.filter(
    (name) =>
      isSure(name) ||
      (hasSure && areAllNames) ||
      (hasSure && name.isListed && name.kind !== 'noise' && name.kind !== 'ordinary') ||
      (asksPrice && name.kind === 'code'),
  );
  if (names.length > 0)
    return asksPrice || names.length === found.length ? quote([...names, ...rate]) : { kind: 'unknown' };

  if (found.length > 0 && found.every(({ kind }) => kind === 'unsure')) {
    const isOnlyNames = found.length > 1 || asksPrice || isOneWord(text);
    if (isOnlyNames) return quote([...found, ...rate]);
  }
  const candidates = found.filter(({ kind }) => kind !== 'noise');
  const [only] = candidates;
  if (!only || candidates.length > 1) return null;
  if (only.kind === 'ordinary')
    return found.length === 1 && ASKS_SHARE.test(text) && isWrittenAsName(only, text) ? quote([only]) : null;
  return (asksPrice || isOneWord(text)) && (ASKS_STOCK.test(text) || looksLikeName(only, lookup))
    ? quote(candidates)
    : null;
};

/** The dollar rate in a list, not the rate of a named currency: 코스피랑 환율, but not 엔 환율. */
const LISTED_RATE =
  /(?:^|(?:랑|하고|와|과|및|그리고|,)\s?)환율|(?:\band|,)\s(?:the\s)?exchange rate\s?(?:please)?[?.!]?$/iu;
/** Matches the initials of a Korean name alone: ㅅㅅㅈㅈ, but not ㅋㅋㅋ. */
const INITIALS = /^(?![ㅋㅎㅇㄱㄷㅠㅜ]+$)[ㄱ-ㅎ]{3,12}(?=[?!.~]{0,3}$)/u;
/** Asks for the won price of a coin; `bitcoin in won` reads as a name. */
const IN_WON = /\bprices? in (?:krw|(?:korean )?won)\b/iu;

const isOneWord = (text: string): boolean =>
  text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length === 1;

/** Reads questions about account data. A topic that gives a call comes before one that asks back. */
const readOwn = (said: Said, lookup: Lookup, last: readonly string[]): Intent | null => {
  const asked = PERSONAL_TOPICS.filter((topic) => topic.asks(said));
  let open: Intent | null = null;
  for (const topic of asked) {
    const intent = readTopic(topic, said, lookup, last);
    if (intent?.kind === 'call') return intent;
    open ??= intent;
  }
  return open ?? (asked.length > 0 ? { kind: 'unknown' } : null);
};

/** Several topics about the same names: 애플 주가 차트 뉴스. Empty where a word belongs to none of them. */
const readTogether = (asked: readonly Topic[], said: Said, lookup: Lookup): readonly Call[] => {
  const [first, ...others] = asked;
  if (!first || others.length === 0) return [];
  const rest = asked.reduce((text, { words }) => (words ? text.replaceAll(words, '\n') : text), said.text);
  const names = namesIn(rest, lookup, true);
  if (!names || names.length === 0) return [];
  return asked
    .filter(({ names: [, most] = NO_NAMES }) => most >= names.length)
    .map((topic) => call(topic.tool, topic.input(names, said)));
};

const topicsAsked = (said: Said, isTomorrow: boolean): readonly Topic[] =>
  TOPICS.filter((topic) => topic.asks(said) && (!isTomorrow || topic.tool === 'get_market_hours'));

/** Several topics of one message about the same names. Empty where it has one topic or none. */
export const readSeveral = (
  written: string,
  symbols: SymbolSearch,
  { today }: Before = {},
): readonly Call[] => {
  const text = separateNouns(beginningOf(written.trim()));
  const lookup: Lookup = { symbols, nameIn: createNameReader(symbols) };
  const said: Said = { ...splitWhen(text, today), whole: text, today };
  return readTogether(topicsAsked(said, false), said, lookup);
};

/** Reads simple questions about markets and account data, in Korean and English. Anything else is `unknown`, never a guess. */
export const readIntent = (
  written: string,
  symbols: SymbolSearch,
  { last = [], today }: Before = {},
): Intent => {
  const text = separateNouns(beginningOf(written.trim()));
  if (COMMAND.test(text)) return { kind: 'unknown' };
  const lookup: Lookup = { symbols, nameIn: createNameReader(symbols) };
  // Trades and alerts come first, because they contain words of advice: 매수했어, 떨어질 때 알려줘.
  const wish =
    readTrade(withoutLead(text), lookup, today) ??
    readAlertSentence(text, lookup, last, today) ??
    readReminder(text, today) ??
    readMine(text, lookup, last);
  if (wish) return wish;
  if (ADVICE.some((pattern) => pattern.test(text)))
    return { kind: TRADES.test(text) && isCounted(text) ? 'trade' : 'advice' };
  const own = readOwn({ ...splitRange(text), whole: text, today }, lookup, last);
  if (own) return own;
  const said: Said = { ...splitWhen(text, today), whole: text, today };
  const left = said.period ? said.text.replaceAll(WAS, '얼마') : said.text;
  const time = readTime(text);
  if (time) return time;
  if (SEARCHES_THERE.test(left) || CANNOT.some((pattern) => pattern.test(left))) {
    const isComplaint = readSmallTalk(text) === 'complaint' && !findNames(text, lookup.nameIn).some(isSure);
    return { kind: isComplaint ? 'complaint' : 'unknown' };
  }
  const calculation = readCalculation(text) ?? readConversion(text, symbols);
  if (calculation) return calculation;
  const worth = said.range === undefined && !said.period ? readWorth(text, lookup) : null;
  if (worth) return worth;

  const isTomorrow = TOMORROW.test(text);
  const asked = topicsAsked(said, isTomorrow);
  for (const topic of asked) {
    const intent = readTopic(topic, said, lookup, last);
    if (intent) return intent;
  }
  if (asked.length > 0 || isTomorrow || ANY_NOUN.test(text)) return { kind: 'unknown' };

  const asksQuote = readQuote(text, lookup);
  if (asksQuote) return asksQuote;
  const talk = readSmallTalk(text);
  if (talk) return { kind: talk };
  if (!ASKS_PRICE.test(text)) return { kind: 'unknown' };
  if (findNames(text, lookup.nameIn).length > 0) return { kind: 'unknown' };
  // Without a currency, the dollar rate is meant.
  return text.includes(RATE) ? call('get_quote', { symbols: [RATE] }) : { kind: 'which' };
};
