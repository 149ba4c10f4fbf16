import type {
  ReadSentence,
  Sentence,
  SentenceCall,
  SentenceHint,
  SentenceReading,
} from '#src/kernel/agent/sentence.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { type Examples, examplesIn } from '#src/words/examples.ts';
import { type Glossary, glossaryIn } from '#src/words/glossary.ts';
import { createYielder, lookUpByTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { createNameReader, findNames } from '#src/reading/names.ts';
import { readAlertPair } from './alert.ts';
import type { Call, Intent } from './intent.ts';
import { clausesOf, halvesOf, withoutLead } from './clauses.ts';
import { lastNames, readCorrection, readFollowUp, withoutCorrection } from './follow-up.ts';
import { instrumentNamed, withCoinNames } from './lookup.ts';
import { readTakeBack } from './personal.ts';
import { propose, type Proposal } from './proposals.ts';
import { ASKS_PRICE, readIntent, readSeveral, SEARCHES_THERE } from './read-intent.ts';
import { TOPICS } from './topics.ts';
import { withSharedDay } from './trade-day.ts';
import { ownCommandsFor } from './own-commands.ts';
import { readTrades } from './trade.ts';

/** Words that suggest a topic, the most specific first. */
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

type Hints = Pick<SentenceReading, 'about' | 'near'>;

/** Hints for a person who asks for advice: facts about the name. Only a company has figures. */
const factsAbout = ([about]: readonly string[], symbols: SymbolSearch): Hints => {
  if (about === undefined) return { near: ['market', 'quote', 'compare'] };
  const isCompany = instrumentNamed(about, symbols)?.assetClass === 'equity';
  return { about, near: isCompany ? ['news', 'figures', 'chart'] : ['quote', 'chart', 'history'] };
};

/** Only companies have these; `코스피 PER` would be a bad example. */
const OF_COMPANIES: ReadonlySet<SentenceHint> = new Set(['figures', 'earnings']);

/** The topics nearest to the words of a message, with the name in it. */
const hintsFor = (text: string, [about]: readonly string[], symbols: SymbolSearch): Hints => {
  const isForCompanies = about === undefined || instrumentNamed(about, symbols)?.assetClass === 'equity';
  const near = NEAR.filter(
    ([hint, pattern]) => pattern.test(text) && (isForCompanies || !OF_COMPANIES.has(hint)),
  ).map(([hint]) => hint);
  const usual = about === undefined ? WITHOUT : WITH_NAME;
  return { ...(about !== undefined && { about }), near: [...new Set([...near, ...usual])] };
};

/** Bounds the number of words that are looked up. */
const MAX_TEXT = 500;
const MAX_CALLS = 4;
const MAX_QUOTES = 10;
const MAX_QUOTE_CALLS = 2;
const MAX_MISSED = 60;
/** A request that was not understood is mentioned; an exclamation is not. */
const ASKS_SOMETHING =
  /[?？]|알려|보여|해\s?줘|주세요|줘(?!\p{L})|\b(?:tell|show|give|what|how|please|can you)\b/iu;

const toCall = ({ tool, input }: Call): SentenceCall => ({ tool, input });

const isQuote = ({ tool }: Call): boolean => tool === 'get_quote';

/** As many calls as the names need, with ten names each. */
const quotesOf = (names: readonly unknown[]): readonly SentenceCall[] => {
  const all = [...new Set(names)].slice(0, MAX_QUOTES * MAX_QUOTE_CALLS);
  return Array.from({ length: Math.ceil(all.length / MAX_QUOTES) }, (_, index) => ({
    tool: 'get_quote',
    input: { symbols: all.slice(index * MAX_QUOTES, (index + 1) * MAX_QUOTES) },
  }));
};

/** The names beyond the limit; the answer mentions them. */
const quotesLeftOut = (calls: readonly Call[]): string | undefined => {
  const names = [...new Set(calls.filter(isQuote).flatMap(({ input }) => [input['symbols']].flat()))];
  const left = names.slice(MAX_QUOTES * MAX_QUOTE_CALLS);
  return left.length === 0 ? undefined : left.join(', ').slice(0, MAX_MISSED);
};

/** Joins quotes into one call, and drops repeated calls. */
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

/** The end of a sentence, which is no part of an amount. */
const FULL_STOP = /(?<![.!…~])[.!…~]+$/u;
const TELLS_TRADE = /샀|팔았|\b(?:bought|sold)\b/iu;

/** Whether the text asks something itself, and is not just a name in a list. */
const hasOwnWish = (text: string): boolean =>
  ASKS_PRICE.test(text) ||
  TELLS_TRADE.test(text) ||
  TOPICS.some((topic) => topic.asks({ text, range: undefined }));

interface ReadingContext {
  readonly symbols: SymbolSearch;
  readonly today: Temporal.PlainDate | undefined;
}

/** News or earnings without a name are about the name in the other half. */
const withName = (intent: Intent, names: readonly string[]): Intent => {
  const [symbol] = names;
  if (intent.kind !== 'call' || symbol === undefined) return intent;
  if (intent.tool === 'get_news' && intent.input['symbol'] === undefined)
    return { ...intent, input: { ...intent.input, symbol } };
  return intent.tool === 'get_earnings_calendar' && intent.input['symbols'] === undefined
    ? { ...intent, input: { ...intent.input, symbols: [symbol] } }
    : intent;
};

/** Two requests joined by a conjunction. Empty where it joins names of a list. */
const readHalves = (text: string, last: readonly string[], reader: ReadingContext): readonly Call[] => {
  for (const [left, right] of halvesOf(text)) {
    if (!hasOwnWish(left) || !hasOwnWish(right)) continue;
    // The name in the other half comes before one of an earlier message: `macd and bollinger for nvda`.
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

/** Whether both halves are one question, as RSI and MACD of one company. */
const isSameRequest = (calls: readonly Call[], whole: Intent): whole is Call =>
  whole.kind === 'call' &&
  calls.every(({ tool }) => tool === whole.tool) &&
  calls.every((each) => lastNames([each]).join() === lastNames([whole]).join());

/** The known names in a text; without any, the words that may be names. */
const namesWritten = (text: string, symbols: SymbolSearch): readonly string[] => {
  const nameIn = createNameReader(symbols);
  const found = findNames(text, nameIn);
  const ofKind = (wanted: string): readonly string[] =>
    found.flatMap(({ kind, text: name }) => (kind === wanted ? [name] : []));
  const known = ofKind('known');
  if (known.length > 0) return known;
  // The name reader is unsure about a name beside other words, so try each word alone: 테슬라 왜 떨어졌어?
  const alone = text
    .split(/[^\p{L}\p{N}&.]+/u)
    .map((word) => nameIn([word]))
    .filter((name) => name?.kind === 'known');
  return alone.length > 0 ? alone.flatMap((name) => name?.text ?? []) : ofKind('unsure');
};

/** Ordinary words are names of coins: `optimism`, `waves`, `movement`. */
const isCoinWord = (name: string, symbols: SymbolSearch): boolean => {
  if (!/^[a-z ]+$/u.test(name) || currencyNamed(name)) return false;
  const match = symbols.resolve(name);
  const choices = match.status === 'ambiguous' ? match.choices : [];
  const meant = match.status === 'found' ? [match.instrument] : choices;
  return meant.some(({ assetClass }) => assetClass === 'crypto') && !name.endsWith('coin');
};

/** Whether a name is certain enough for an example; 제일 and `seoul` begin names too. */
const isTelling = (name: string, symbols: SymbolSearch): boolean => {
  if (/^\p{Script=Hangul}{3,}$/u.test(name)) return true;
  const isKnown = name.length > 1 && createNameReader(symbols)([name])?.kind === 'known';
  return isKnown && !isCoinWord(name, symbols);
};

const exampleNames = (text: string, symbols: SymbolSearch): readonly string[] =>
  SEARCHES_THERE.test(text) ? [] : namesWritten(text, symbols).filter((name) => isTelling(name, symbols));

/** A trade without a quantity, or a request to trade. */
const TRADES =
  /(?:샀|팔았|매수했|매도했)(?:어|습|음|다|지)|(?:사|팔아)\s?(?:줘|주세요)|^(?:please )?(?:buy|sell)\b|\bi(?:'ve)? (?:just )?(?:bought|sold)\b/iu;

/** Intents of a trade that cannot be recorded as it was told. */
const UNRECORDED: ReadonlySet<string> = new Set<Intent['kind']>([
  'trade',
  'which-day',
  'which-way',
  'how-many',
  'number',
  'no-such-day',
  'future-day',
]);

/** Whether the answer has to mention that this clause was not handled. */
const isMissed = ({ kind }: Intent, clause: string): boolean =>
  UNRECORDED.has(kind) || (kind === 'unknown' && (ASKS_SOMETHING.test(clause) || TRADES.test(clause)));

/** Reads clauses in order. A clause without a name is about the names of the one before. */
const readClauses = (clauses: readonly string[], last: readonly string[], reader: ReadingContext) => {
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

/** Several trades with one verb, or two targets of one alert. */
const readOwnSeveral = (text: string, { symbols, today }: ReadingContext): readonly Call[] => {
  const lookup = { symbols, nameIn: createNameReader(symbols) };
  const trades = readTrades(text, lookup, today);
  return trades.length > 0 ? trades : readAlertPair(text, lookup, today);
};

const read = ({ text: written, today, calls: before }: Sentence, symbols: SymbolSearch): SentenceReading => {
  const text = withCoinNames(written.trim().replace(FULL_STOP, ''), symbols);
  const reader: ReadingContext = { symbols, today };
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
      ...(missed !== undefined && { missed, ...hintsFor(missed, exampleNames(missed, symbols), symbols) }),
    };
  };
  if (text.length > MAX_TEXT || text.startsWith('/')) {
    if (whole.kind === 'call') return reading([whole]);
    return { calls: [], talk: whole.kind, ...hintsFor(text, [], symbols) };
  }
  const takeBack = readTakeBack(text, before);
  const corrected = readCorrection(text, before);
  if (corrected?.kind === 'call') return reading([corrected]);
  if (corrected) return { calls: [], talk: corrected.kind };
  const followUp =
    takeBack.length > 0 ? takeBack : readFollowUp(withoutCorrection(text), symbols, before, today);
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
  if (several.length > 1) return reading(isSameRequest(several, whole) ? [whole] : several);
  if (whole.kind === 'call') return reading([whole]);
  const together = whole.kind === 'unknown' ? readSeveral(text, symbols, { today }) : [];
  if (together.length > 0) return reading(together);
  const names = exampleNames(text, symbols);
  const hints = whole.kind === 'advice' ? factsAbout(names, symbols) : hintsFor(text, names, symbols);
  const isTrade = whole.kind === 'unknown' && names.length > 0 && TRADES.test(text);
  const missed = 'typed' in whole ? whole.typed : undefined;
  return {
    calls: [],
    talk: isTrade ? 'trade' : whole.kind,
    ...hints,
    ...(missed !== undefined && { missed }),
  };
};

/** Requests for these tools are read as a whole: no part of them is another request. */
const OWN_TOOLS: ReadonlySet<string> = new Set([
  'plan_rebalance',
  'record_transaction',
  'set_alert',
  'set_briefing',
]);

/** What the patterns say where they understand too little; the examples may know better. */
const LEFT_OPEN: ReadonlySet<string | undefined> = new Set<SentenceReading['talk']>([
  'unknown',
  'which',
  'complaint',
  'who',
  'now',
  'when',
  'language',
]);

/** The price of what names nothing, maybe because it is a word: `how much have we spent`. */
const namelessIn = (
  { calls: [first, ...more] }: SentenceReading,
  symbols: SymbolSearch,
): readonly string[] => {
  const names = first?.tool === 'get_quote' && more.length === 0 ? lastNames([first]) : [];
  return names.every((name) => symbols.resolve(name).status === 'unknown') ? names : [];
};

const HANGUL = /\p{Script=Hangul}/u;
/** A longer text resembles no example. */
const MAX_LIKENED = 200;
/** Where messages do not go: 카톡으로 알려줘. */
const ELSEWHERE =
  /(?:카카오톡|카톡|문자|이?메일|텔레그램|라인|전화)(?:으?로|\s(?:줘|보내|해))|\b(?:by|via|on|to my) (?:e-?mail|sms|text|whatsapp|telegram|kakao\w*|phone)\b|\b(?:e-?mail|text|call|whatsapp) me\b/iu;
const SENT_LATER: ReadonlySet<string> = new Set(['set_alert', 'set_briefing', 'notify']);

interface OpenReading {
  readonly sentence: Sentence;
  readonly reading: SentenceReading;
  readonly symbols: SymbolSearch;
  readonly glossary: Glossary;
  readonly isSample: boolean;
  readonly isWord: Examples['isWord'];
  /** What the examples say of a text, about the names of what came before it. */
  readonly proposed: (text: string, last: readonly string[]) => Promise<Proposal | null>;
}

/** Each text is compared once, and other work runs in between: a message may have many parts. */
const proposer = (
  sentence: Sentence,
  examples: Examples,
  symbols: SymbolSearch,
  signal: AbortSignal,
): OpenReading['proposed'] => {
  const giveWay = createYielder(signal);
  const known = new Map<string, Proposal | null>();
  return async (text, last) => {
    const key = JSON.stringify([text, last]);
    const before = known.get(key);
    if (before !== undefined) return before;
    await giveWay();
    const found = await lookUpByTime(
      symbols,
      (search) => propose(text, examples, { ...sentence, symbols: search, last }),
      signal,
    );
    known.set(key, found);
    return found;
  };
};

/** Each request of a message that the examples know; the first that they do not know is named. */
const proposeEach = async (text: string, open: OpenReading): Promise<SentenceReading | undefined> => {
  const { sentence, symbols, proposed } = open;
  const last = lastNames(sentence.calls);
  let parts: readonly string[] | undefined;
  for (const each of [clausesOf(text), ...halvesOf(text)])
    for (const part of each.length > 1 ? each : [])
      if (!parts && (await proposed(part, last))?.kind === 'calls') parts = each;
  if (!parts) return undefined;
  const calls: Call[] = [];
  let missed: string | undefined;
  for (const part of parts) {
    const plain = readIntent(part, symbols, { ...sentence, last: lastNames(calls) });
    const found = await proposed(part, lastNames(calls));
    if (plain.kind === 'call') calls.push(plain);
    else if (found?.kind === 'calls') calls.push(...found.calls);
    else missed ??= part.slice(0, MAX_MISSED);
  }
  // Half of what was told is no plain record.
  if (missed !== undefined && calls.some(({ tool }) => tool === 'record_transaction')) return undefined;
  return { calls: merged(calls), ...(missed !== undefined && { missed, ...hintsFor(missed, [], symbols) }) };
};

/** What the examples add to what the patterns have read. */
const withExamples = async (open: OpenReading): Promise<SentenceReading> => {
  const { sentence, reading, symbols, glossary, isSample, isWord, proposed } = open;
  const isUnknown = reading.talk === 'unknown';
  if (reading.missed !== undefined && reading.calls.length > 0) {
    const found = await proposed(reading.missed, lastNames(reading.calls));
    if (found?.kind !== 'calls') return reading;
    const { missed: _found, ...rest } = reading;
    return { ...rest, calls: [...reading.calls, ...merged(found.calls)].slice(0, MAX_CALLS) };
  }
  if (!namelessIn(reading, symbols).every((name) => isWord(name.toLowerCase()))) return reading;
  const found = await proposed(sentence.text, lastNames(sentence.calls));
  switch (found?.kind) {
    case 'calls': {
      if (!isUnknown && reading.talk !== 'complaint') return reading;
      const talk = found.talk ?? found.calls.find(({ beside }) => beside)?.beside;
      const { talk: _left, ...hints } = reading;
      return { ...hints, calls: merged(found.calls), ...(talk && { talk }) };
    }
    case 'talk': {
      if (reading.talk === 'complaint') return reading;
      const talk = found.talk === 'real' && isSample ? 'sample' : found.talk;
      return { ...reading, calls: [], talk, choices: found.choices };
    }
    case 'term': {
      const said = glossary.explain(sentence.text);
      return said === undefined ? { ...reading, talk: 'term' } : { calls: [], talk: 'term', said };
    }
    case 'asks':
      return isUnknown ? { ...reading, talk: found.talk, choices: found.choices } : reading;
    case 'guess':
      if (isUnknown) return { calls: [], talk: 'guess', choices: found.choices };
      return reading;
    case undefined:
      return isUnknown ? ((await proposeEach(sentence.text, open)) ?? reading) : reading;
  }
  return found satisfies never;
};

/** `isSample`: whether prices are made up. */
export const createReadSentence =
  (symbols: SymbolSearch, isSample: () => boolean = () => false): ReadSentence =>
  async (sentence, signal) => {
    const told = await lookUpByTime(symbols, (known) => read(sentence, known), signal);
    const isOpen =
      told.missed !== undefined || LEFT_OPEN.has(told.talk) || namelessIn(told, symbols).length > 0;
    const isPlain =
      sentence.text.length <= MAX_LIKENED && /\p{L}/u.test(sentence.text) && !sentence.text.startsWith('/');
    let reading = told;
    if (isOpen && isPlain) {
      const language = HANGUL.test(sentence.text) ? 'ko' : 'en';
      const [examples, glossary] = await Promise.all([examplesIn(language), glossaryIn(language)]);
      const { isWord } = examples;
      const proposed = proposer(sentence, examples, symbols, signal);
      reading = await withExamples({
        sentence,
        reading: told,
        symbols,
        glossary,
        isSample: isSample(),
        isWord,
        proposed,
      });
    }
    const isGuess = reading.talk === 'guess';
    const isSentLater =
      reading.calls.some(({ tool }) => SENT_LATER.has(tool)) ||
      (isGuess && reading.choices?.some(({ command }) => /^\/(?:alert|briefing) /u.test(command)) === true);
    if (isSentLater && (isGuess || reading.talk === undefined) && ELSEWHERE.test(sentence.text))
      reading = { ...reading, talk: 'elsewhere' };
    const own = ownCommandsFor(reading.calls);
    return own.length > 0 ? { ...reading, own } : reading;
  };
