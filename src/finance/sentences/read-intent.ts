import type { SymbolSearch } from '#src/core/finance.ts';
import { readAlertSentence } from './alert.ts';
import { type Call, call } from './call.ts';
import { createNameReader } from '#src/language/known-names.ts';
import {
  distinct,
  isSure,
  isTakeable,
  isWrittenAsName,
  type Lookup,
  looksLikeName,
  namesIn,
  RATE,
} from './lookup.ts';
import { readConversion } from './money.ts';
import { findNames, type FoundName, unglued } from '#src/language/names.ts';
import { PERSONAL_TOPICS } from './personal.ts';
import { takeRange } from './range.ts';
import { readSum } from './sums.ts';
import { type Said, type Topic, TOPICS } from './topics.ts';
import { readTrade } from './trade.ts';
import { ANY_NOUN } from './vocabulary.ts';

/** What the offline model makes of a message. `trade`, `alert`, `when`: what was told is not enough. */
export type Intent =
  | Call
  | {
      readonly kind:
        | 'greeting'
        | 'thanks'
        | 'which'
        | 'advice'
        | 'trade'
        | 'alert'
        | 'when'
        | 'now'
        | 'unknown';
    };

/** What was before the message, as far as it matters. */
export interface Before {
  /** What was asked about last: who writes "1년 차트" means that. */
  readonly last?: readonly string[];
  /** Where the person is; without it no trade is dated. */
  readonly today?: Temporal.PlainDate | undefined;
}

const MAX_TEXT = 500;
const MAX_QUOTES = 10;

const COMMAND = /^\/\p{L}/u;
const GREETING =
  /^(?:하이|hello|hi|hey|good (?:morning|afternoon|evening)|how are you)(?!\p{L})|^(?:안녕|반가)|도움말|도와|\bhelp\b|what can you do|뭐 ?할 수/iu;
const THANKS = /고마워|고맙|감사|\bthank(?:s| you)\b/iu;
const ASKS_PRICE =
  /얼마|얼만|시세|주가|가격|현재가|어때|어떄|올랐|내렸|떨어졌|환율|종가|\b(?:prices?|quotes?|how much|how(?:['’]?s| is| are| was| did)|trading|worth|doing|cost|stocks?|shares?|exchange rate)\b/iu;
/** Only of what is traded: with them, an ordinary word is the company of that name (대상 주가). */
const ASKS_SHARE = /시세|주가|현재가|종가|\b(?:quotes?|stocks?|shares?)\b/iu;
const ASKS_STOCK = /주가|현재가|종가|\b(?:share|stock) price\b/iu;

/** What to do with one's money, and what nobody knows yet. */
const ADVICE = [
  /살까|팔까|사도|팔아도|사야|팔아야|사라고|매수|매도|추천|전망|예측|예상|목표|오를|내릴|떨어질|투자\s?(?:해|할|하)|괜찮을까|(?:살|팔)\s?(?:만|때|타이밍)/u,
  /\b(?:should (?:i|we)|recommend\w*|forecasts?|predict\w*|outlook|price targets?|target price|worth (?:buying|selling)|(?:to|i|we) (?:buy|sell|invest)|will (?:my |the )?\S{1,40} (?:go|rise|fall|crash|drop|reach|hit)|going to (?:go|rise|fall|crash|drop))\b/iu,
];
/** Other things that people ask about a name: a price in their place would be a wrong answer. */
const CANNOT = [
  // What it was then is not what it is now.
  /\d{1,2}월\s?(?:에|달에|\d{1,2}일)|(?:19|20)\d\d년|얼마(?:였|이었)/u,
  /\b(?:in|on|since|back in) (?:(?:19|20)\d\d|jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)\b/iu,
  /(?:샀|팔았)(?:으면|다면|더라면)|\bif i(?:'d| had)? (?:bought|sold)\b/iu,
  /날씨|선물|우선주|분석해|(?<!\p{L})(?:왜|작년|재작년|지난\s?(?:주|달|해|분기)|어제\s?뉴스)/u,
  /(?:오르|내리|떨어지|되|하락하|상승하)면|(?:사|팔아|매매해)\s?(?:줘|주세요)|^(?:buy|sell)\b|\b(?:buy|sell) (?:me|\d)/iu,
  /\b(?:google (?:it|this|that)|CEO|IPO|why|futures|weather|(?:last|next) (?:week|month|year))\b/iu,
];
/** Of today's market it can be told, of tomorrow's only whether it is open. */
const TOMORROW = /(?<!\p{L})(?:내일|모레)|\btomorrow\b/iu;
const NOW = /지금|당장|바로|\b(?:now|immediately)\b/iu;
const ASKS_MEANING = /뭐|뭔|무엇|무슨|뜻|의미|설명|\bwhat(?:'s| is| are| does)|\bmean|\bexplain|\bdefin/iu;
const PRAISES = /좋|멋|예쁘|이쁘|별로|\b(?:good|nice|great|cool|bad|love)\b/iu;
const POINTS_BACK = /(?<!\p{L})(?:그거|그것|그|이거|이것|얘)(?!\p{L})|\b(?:its|it|their)\b/iu;

/** Cut between words, so that no half of one is taken for a name. */
const beginningOf = (text: string): string =>
  text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT + 1).replace(/(?<!\S)\S+$/u, '');

const readTopic = (topic: Topic, said: Said, lookup: Lookup, last: readonly string[]): Intent | null => {
  const bare = topic.without?.(said.text) ?? said.text;
  const named = namesIn(bare.replaceAll(topic.words, '\n'), lookup, topic.isStrict);
  if (named === null) return null;
  const [least, most] = topic.names;
  const goesBack = named.length === 0 && least > 0;
  if (goesBack && PRAISES.test(said.text)) return { kind: 'unknown' };
  if (goesBack && ASKS_MEANING.test(said.text) && !POINTS_BACK.test(said.text)) return { kind: 'unknown' };
  const names = goesBack && topic.isAboutLast ? last.filter(isTakeable).slice(0, most) : named;
  if (names.length > most) return null;
  if (topic.isTimed && !topic.isTimed(said)) return { kind: NOW.test(said.text) ? 'now' : 'when' };
  return names.length < least ? { kind: 'which' } : call(topic.tool, topic.input(names, said));
};

const quote = (of: readonly FoundName[]): Intent =>
  call('get_quote', { symbols: distinct(of).slice(0, MAX_QUOTES) });

const readQuote = (text: string, lookup: Lookup): Intent | null => {
  const asksPrice = ASKS_PRICE.test(text);
  const found = findNames(text, lookup.nameIn);
  const hasSure = found.some(isSure);
  const names = found.filter(
    (name) =>
      isSure(name) ||
      (hasSure && name.isListed && name.kind !== 'noise' && name.kind !== 'ordinary') ||
      (asksPrice && name.kind === 'code'),
  );
  if (names.length > 0)
    return asksPrice || names.length === found.length ? quote(names) : { kind: 'unknown' };

  if (found.length > 0 && found.every(({ kind }) => kind === 'unsure')) {
    const isOnlyNames = found.length > 1 || asksPrice || isOneWord(text);
    if (isOnlyNames) return quote(found);
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

const isOneWord = (text: string): boolean =>
  text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length === 1;

/** What is somebody's own. Who does not say which of several is shown them, if there is a way. */
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

/**
 * Reads simple questions about markets and wishes about one's own things, in Korean and English. Anything else is
 * `unknown`, never a guess.
 */
export const readIntent = (
  written: string,
  symbols: SymbolSearch,
  { last = [], today }: Before = {},
): Intent => {
  const text = unglued(beginningOf(written.trim()));
  if (COMMAND.test(text)) return { kind: 'unknown' };
  const lookup: Lookup = { symbols, nameIn: createNameReader(symbols) };
  // What is done or waited for has words of advice in it: 매수했어, 떨어질 때 알려줘.
  const wish = readTrade(text, lookup, today) ?? readAlertSentence(text, lookup, last, today);
  if (wish) return wish;
  if (ADVICE.some((pattern) => pattern.test(text))) return { kind: 'advice' };
  const said: Said = takeRange(text);
  const own = readOwn(said, lookup, last);
  if (own) return own;
  if (CANNOT.some((pattern) => pattern.test(text))) return { kind: 'unknown' };
  const isEmpty = (rest: string): boolean => findNames(rest, lookup.nameIn).length === 0;
  const sum = readSum(text) ?? readConversion(text, isEmpty);
  if (sum) return sum;

  const isTomorrow = TOMORROW.test(text);
  const asked = TOPICS.filter(
    (topic) => topic.asks(said) && (!isTomorrow || topic.tool === 'get_market_hours'),
  );
  for (const topic of asked) {
    const intent = readTopic(topic, said, lookup, last);
    if (intent) return intent;
  }
  if (asked.length > 0 || isTomorrow || ANY_NOUN.test(text)) return { kind: 'unknown' };

  const asksQuote = readQuote(text, lookup);
  if (asksQuote) return asksQuote;
  if (GREETING.test(text)) return { kind: 'greeting' };
  if (THANKS.test(text)) return { kind: 'thanks' };
  if (!ASKS_PRICE.test(text)) return { kind: 'unknown' };
  if (!isEmpty(text)) return { kind: 'unknown' };
  // Without another currency, the rate is that of the dollar.
  return text.includes(RATE) ? call('get_quote', { symbols: [RATE] }) : { kind: 'which' };
};
