import type {
  ReadSentence,
  Sentence,
  SentenceCall,
  SentenceHint,
  SentenceReading,
} from '#src/kernel/sentence.ts';
import type { SymbolSearch } from '#src/kernel/finance.ts';
import { lookUpByTime } from '#src/platform/cooperative-tasks.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { createNameReader, findNames } from '#src/language/names.ts';
import { readAlertPair } from './alert.ts';
import type { Call } from './call.ts';
import { clausesOf, halvesOf, withoutLead } from './clauses.ts';
import { lastNames, readFollowUp } from './follow-up.ts';
import { withCoinNames } from './lookup.ts';
import { readTakeBack } from './personal.ts';
import { ASKS_PRICE, type Intent, readIntent, readSeveral, SEARCHES_THERE } from './read-intent.ts';
import { TOPICS } from './topics.ts';
import { withSharedDay } from './trade-day.ts';
import { readTrades } from './trade.ts';

/** By which words something near is known, the most telling first. */
const NEAR: readonly (readonly [hint: SentenceHint, pattern: RegExp])[] = [
  ['briefing', /브리핑|\bbriefing/iu],
  ['alert', /알림|\balerts?\b|\bnotify\b|(?:오르|내리|떨어지|넘으|되)면/iu],
  ['watchlist', /관심|[워와]치|\bwatch ?list/iu],
  ['earnings', /실적|어닝|\bearnings\b|\bresults\b/iu],
  [
    'figures',
    /배당|재무|시총|per|pbr|roe|eps|매출|이익|\b(?:dividends?|p\/e|revenue|valuation|profit|ceo|ipo)\b/iu,
  ],
  ['trade', /샀|팔았|매수|매도|사\s?줘|팔아\s?줘|\b(?:bought|sold|buy|sell)\b/iu],
  [
    'portfolio',
    /포트폴리오|포폴|보유|계좌|잔고|손익|수익|벌었|잃었|\b(?:portfolio|holdings|account|profit|made|lost)\b/iu,
  ],
  ['news', /왜|이유|뉴스|소식|\b(?:why|news|happened|reason)\b/iu],
  ['compare', /비교|둘\s?중|\b(?:compare|versus|vs|better)\b/iu],
  ['history', /작년|지난|예전|과거|전에|어제|\b(?:last|ago|was|were|since|history|yesterday)\b/iu],
  ['chart', /차트|그래프|그림|추세|\b(?:chart|graph|trend|picture)\b/iu],
  ['convert', /환율|달러|원화|엔화|유로|환전|\b(?:dollars?|won|yen|euros?|currency|exchange)\b/iu],
  ['calculate', /계산|더하|빼|곱하|나누|퍼센트|복리|이자|%|\b(?:calculate|percent|interest|plus|minus)\b/iu],
  ['hours', /개장|휴장|마감|장\s?시간|열려|닫|\b(?:open|close[ds]?|hours|holiday)\b/iu],
  ['time', /몇\s?시|시간|날짜|요일|\b(?:time|date|clock)\b/iu],
  ['crypto', /코인|비트|이더|암호|\b(?:crypto|bitcoin|coins?)\b/iu],
  ['market', /시장|증시|장세|코스피|나스닥|주식|종목|\b(?:markets?|stocks?|index)\b/iu],
];
const WITH_NAME: readonly SentenceHint[] = ['quote', 'chart', 'news'];
const WITHOUT: readonly SentenceHint[] = ['quote', 'market', 'portfolio'];

/** Who asks what to do with it is shown what is known about it; only a company has figures. */
const factsAbout = (
  names: readonly string[],
  isCompany: (name: string) => boolean,
): Pick<SentenceReading, 'about' | 'near'> => {
  const [about] = names;
  if (about === undefined) return { near: ['market', 'quote', 'compare'] };
  return { about, near: isCompany(about) ? ['news', 'figures', 'chart'] : ['quote', 'chart', 'history'] };
};

/** An index, a coin or a fund has none of them: `코스피 PER` is no example to follow. */
const OF_COMPANIES: ReadonlySet<SentenceHint> = new Set(['figures', 'earnings']);

/** What can be done that is nearest to the words of a message, with the name that stands in it. */
const hintsFor = (
  text: string,
  names: readonly string[],
  isCompany: (name: string) => boolean,
): Pick<SentenceReading, 'about' | 'near'> => {
  const [about] = names;
  const near = NEAR.filter(([, pattern]) => pattern.test(text))
    .map(([hint]) => hint)
    .filter((hint) => about === undefined || !OF_COMPANIES.has(hint) || isCompany(about));
  const usual = about === undefined ? WITHOUT : WITH_NAME;
  return { ...(about !== undefined && { about }), near: [...new Set([...near, ...usual])] };
};

/** More are not read: each is looked up. */
const MAX_TEXT = 500;
const MAX_CALLS = 4;
const MAX_QUOTES = 10;
const MAX_QUOTE_CALLS = 2;
const MAX_MISSED = 60;
/** A wish that was not understood is worth a word; an exclamation is not. */
const ASKS_SOMETHING =
  /[?？]|알려|보여|해\s?줘|주세요|줘(?!\p{L})|\b(?:tell|show|give|what|how|please|can you)\b/iu;

const toCall = ({ tool, input }: Call): SentenceCall => ({ tool, input });

const isQuote = ({ tool }: Call): boolean => tool === 'get_quote';

/** As many calls as the names need: each takes ten. */
const quotesOf = (names: readonly unknown[]): readonly SentenceCall[] => {
  const all = [...new Set(names)].slice(0, MAX_QUOTES * MAX_QUOTE_CALLS);
  return Array.from({ length: Math.ceil(all.length / MAX_QUOTES) }, (_, index) => ({
    tool: 'get_quote',
    input: { symbols: all.slice(index * MAX_QUOTES, (index + 1) * MAX_QUOTES) },
  }));
};

/** The names that no call has room for: they are said, so that nobody takes the list for whole. */
const quotesLeftOut = (calls: readonly Call[]): string | undefined => {
  const names = [...new Set(calls.filter(isQuote).flatMap(({ input }) => [input['symbols']].flat()))];
  const left = names.slice(MAX_QUOTES * MAX_QUOTE_CALLS);
  return left.length === 0 ? undefined : left.join(', ').slice(0, MAX_MISSED);
};

/** Several quotes are one call, and nothing is asked twice. */
const merged = (calls: readonly Call[]): readonly SentenceCall[] => {
  const quoted = calls.filter(isQuote).flatMap(({ input }) => [input['symbols']].flat());
  const first = calls.findIndex(isQuote);
  const once = new Map<string, SentenceCall>();
  for (const [index, each] of calls.entries()) {
    if (isQuote(each) && index !== first) continue;
    const parts = isQuote(each) ? quotesOf(quoted) : [toCall(each)];
    for (const one of parts) once.set(JSON.stringify(one), one);
  }
  return [...once.values()].slice(0, MAX_CALLS);
};

/** It ends a sentence, and is no part of an amount. */
const FULL_STOP = /(?<![.!…~])[.!…~]+$/u;
const TELLS_TRADE = /샀|팔았|\b(?:bought|sold)\b/iu;

/** A question of its own, and not only a name in a list. */
const hasOwnWish = (text: string): boolean =>
  ASKS_PRICE.test(text) ||
  TELLS_TRADE.test(text) ||
  TOPICS.some((topic) => topic.asks({ text, range: undefined }));

interface Reader {
  readonly symbols: SymbolSearch;
  readonly today: Temporal.PlainDate | undefined;
}

/** News without a name behind a question about a company is news of that company. */
const withName = (intent: Intent, names: readonly string[]): Intent => {
  const [symbol] = names;
  if (intent.kind !== 'call' || symbol === undefined) return intent;
  if (intent.tool === 'get_news' && intent.input['symbol'] === undefined)
    return { ...intent, input: { ...intent.input, symbol } };
  return intent.tool === 'get_earnings_calendar' && intent.input['symbols'] === undefined
    ? { ...intent, input: { ...intent.input, symbols: [symbol] } }
    : intent;
};

/** Two wishes that a word joins. Null where the joint is that of a list of names. */
const readHalves = (text: string, last: readonly string[], reader: Reader): readonly Call[] => {
  for (const [left, right] of halvesOf(text)) {
    if (!hasOwnWish(left) || !hasOwnWish(right)) continue;
    // `macd and bollinger for nvda`: the name in the other half comes before one of an earlier message.
    const ahead = namesWritten(left, reader.symbols).length > 0 ? [] : namesWritten(right, reader.symbols);
    const leftLast = ahead.length > 0 ? ahead : last;
    const first = withName(readIntent(left, reader.symbols, { ...reader, last: leftLast }), ahead);
    const firstNames = first.kind === 'call' ? lastNames([first]) : last;
    const second = withName(readIntent(right, reader.symbols, { ...reader, last: firstNames }), firstNames);
    if (second.kind !== 'call') continue;
    const again =
      first.kind === 'which'
        ? readIntent(left, reader.symbols, { ...reader, last: lastNames([second]) })
        : first;
    if (again.kind === 'call') return [again, second];
  }
  return [];
};

/** RSI and MACD of one company are one question. */
const isSameWish = (calls: readonly Call[], whole: Intent): whole is Call =>
  whole.kind === 'call' &&
  calls.every(({ tool }) => tool === whole.tool) &&
  calls.every((each) => lastNames([each]).join() === lastNames([whole]).join());

/** What is a name for sure; else what may be one. */
const namesWritten = (text: string, symbols: SymbolSearch): readonly string[] => {
  const nameIn = createNameReader(symbols);
  const found = findNames(text, nameIn);
  const ofKind = (wanted: string): readonly string[] =>
    found.flatMap(({ kind, text: name }) => (kind === wanted ? [name] : []));
  const known = ofKind('known');
  if (known.length > 0) return known;
  // Beside words that are no names the reader of names is not sure: 테슬라 왜 떨어졌어?
  const alone = text
    .split(/[^\p{L}\p{N}&.]+/u)
    .map((word) => nameIn([word]))
    .filter((name) => name?.kind === 'known');
  return alone.length > 0 ? alone.flatMap((name) => name?.text ?? []) : ofKind('unsure');
};

/** `optimism`, `waves`, `movement`: words of every day are names of coins. */
const isCoinWord = (name: string, symbols: SymbolSearch): boolean => {
  if (!/^[a-z ]+$/u.test(name) || currencyNamed(name)) return false;
  const match = symbols.resolve(name);
  const choices = match.status === 'ambiguous' ? match.choices : [];
  const meant = match.status === 'found' ? [match.instrument] : choices;
  return meant.some(({ assetClass }) => assetClass === 'crypto') && !name.endsWith('coin');
};

/** Examples are given with a name that was surely meant: 제일 and `seoul` begin names, too. */
const isTelling = (name: string, symbols: SymbolSearch): boolean => {
  if (/^\p{Script=Hangul}{3,}$/u.test(name)) return true;
  const isKnown = name.length > 1 && createNameReader(symbols)([name])?.kind === 'known';
  return isKnown && !isCoinWord(name, symbols);
};

const isCompanyIn =
  (symbols: SymbolSearch) =>
  (name: string): boolean => {
    const match = symbols.resolve(name);
    return match.status === 'found' && match.instrument.assetClass === 'equity';
  };

const hintsOf = (text: string, names: readonly string[], symbols: SymbolSearch) =>
  hintsFor(text, names, isCompanyIn(symbols));

const exampleNames = (text: string, symbols: SymbolSearch): readonly string[] =>
  SEARCHES_THERE.test(text) ? [] : namesWritten(text, symbols).filter((name) => isTelling(name, symbols));

/** A trade without how many, or one that somebody else is to make. */
const TRADES =
  /(?:샀|팔았|매수했|매도했)(?:어|습|음|다|지)|(?:사|팔아)\s?(?:줘|주세요)|^(?:please )?(?:buy|sell)\b|\bi(?:'ve)? (?:just )?(?:bought|sold)\b/iu;

/** Of a trade that was told and cannot be recorded as it was. */
const UNRECORDED: ReadonlySet<string> = new Set<Intent['kind']>([
  'trade',
  'which-day',
  'which-way',
  'how-many',
  'number',
  'no-such-day',
  'future-day',
]);

/** A trade that is not recorded, and a wish that is not done, have to be named. */
const isMissed = ({ kind }: Intent, clause: string): boolean =>
  UNRECORDED.has(kind) || (kind === 'unknown' && (ASKS_SOMETHING.test(clause) || TRADES.test(clause)));

interface Clauses {
  readonly calls: readonly Call[];
  readonly missed: string | undefined;
}

/** One clause after the other; each goes on with what the one before named. */
const readClauses = (clauses: readonly string[], last: readonly string[], reader: Reader): Clauses => {
  const calls: Call[] = [];
  let missed: string | undefined;
  let names = last;
  for (const clause of clauses) {
    const halves = readHalves(withoutLead(clause), names, reader);
    const intent = readIntent(clause, reader.symbols, { ...reader, last: names });
    const followUp = intent.kind === 'call' ? [] : readFollowUp(clause, reader.symbols, calls, reader.today);
    if (halves.length > 0) calls.push(...halves);
    else if (intent.kind === 'call') calls.push(intent);
    else if (followUp.length > 0) calls.push(...followUp);
    else if (intent.kind === 'which' && names.length > 0)
      calls.push({ kind: 'call', tool: 'get_quote', input: { symbols: names.slice(0, MAX_QUOTES) } });
    else if (isMissed(intent, clause)) missed ??= clause.slice(0, MAX_MISSED);
    const written = namesWritten(clause, reader.symbols);
    if (written.length > 0) names = written;
  }
  return { calls, missed };
};

/** Several trades with one verb, or two levels of one alert. */
const readOwnSeveral = (text: string, { symbols, today }: Reader): readonly Call[] => {
  const lookup = { symbols, nameIn: createNameReader(symbols) };
  const trades = readTrades(text, lookup, today);
  return trades.length > 0 ? trades : readAlertPair(text, lookup, today);
};

const read = ({ text: written, today, calls: before }: Sentence, symbols: SymbolSearch): SentenceReading => {
  const text = withCoinNames(written.trim().replace(FULL_STOP, ''), symbols);
  const reader: Reader = { symbols, today };
  const last = lastNames(before);
  const whole = readIntent(text, symbols, { today, last });
  const reading = (found: readonly Call[], notRead?: string): SentenceReading => {
    const dated = withSharedDay(text, found, today);
    const calls = dated ?? found.filter(({ tool }) => tool !== 'record_transaction');
    if (dated === null) return { calls: merged(calls), talk: 'which-day' };
    const missed = notRead ?? quotesLeftOut(calls);
    const worth = calls.find((each) => each.worth)?.worth;
    const beside = calls.find((each) => each.beside)?.beside;
    return {
      calls: merged(calls),
      ...(beside && { talk: beside }),
      ...(worth && { worth }),
      ...(missed !== undefined && { missed, ...hintsOf(missed, exampleNames(missed, symbols), symbols) }),
    };
  };
  if (text.length > MAX_TEXT || text.startsWith('/')) {
    if (whole.kind === 'call') return reading([whole]);
    return { calls: [], talk: whole.kind, ...hintsOf(text, [], symbols) };
  }
  const takeBack = readTakeBack(text, before);
  const followUp = takeBack.length > 0 ? takeBack : readFollowUp(text, symbols, before, today);
  if (followUp.length > 0) return reading(followUp);
  const isOwn = whole.kind === 'call' && OWN_TOOLS.has(whole.tool);
  const own = isOwn ? [] : readOwnSeveral(text, reader);
  if (own.length > 0) return reading(own);
  const clauses = clausesOf(text);
  if (clauses.length > 1) {
    const { calls, missed } = readClauses(clauses, last, reader);
    const isMore = calls.length > 1 || (calls.length === 1 && whole.kind !== 'call');
    if (isMore || (missed !== undefined && calls.length > 0 && !isOwn)) return reading(calls, missed);
  }
  const several = isOwn ? [] : readHalves(text, last, reader);
  if (several.length > 1) return reading(isSameWish(several, whole) ? [whole] : several);
  if (whole.kind === 'call') return reading([whole]);
  const together = whole.kind === 'unknown' ? readSeveral(text, symbols, { today }) : [];
  if (together.length > 0) return reading(together);
  const names = exampleNames(text, symbols);
  const hints =
    whole.kind === 'advice' ? factsAbout(names, isCompanyIn(symbols)) : hintsOf(text, names, symbols);
  const isTrade = whole.kind === 'unknown' && names.length > 0 && TRADES.test(text);
  const missed = 'typed' in whole ? whole.typed : undefined;
  return {
    calls: [],
    talk: isTrade ? 'trade' : whole.kind,
    ...hints,
    ...(missed !== undefined && { missed }),
  };
};

/** What these do is asked about as it was said: no part of it is taken for another wish. */
const OWN_TOOLS: ReadonlySet<string> = new Set([
  'plan_rebalance',
  'record_transaction',
  'set_alert',
  'set_briefing',
]);

export const createReadSentence =
  (symbols: SymbolSearch): ReadSentence =>
  (sentence, signal) =>
    lookUpByTime(symbols, (known) => read(sentence, known), signal);
