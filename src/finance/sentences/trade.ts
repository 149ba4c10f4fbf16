import type { Instrument, SymbolSearch } from '#src/core/finance.ts';
import type { TransactionKind } from '#src/core/ledger.ts';
import { Decimal } from '#src/core/money.ts';
import { type Amount, readAmount } from '#src/language/amounts.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { readDate } from '#src/language/dates.ts';
import { type EntryFields, readEntryText } from '#src/language/entries.ts';
import { readTime } from '#src/language/times.ts';
import { portionOf } from '#src/language/portions.ts';
import { type Call, call } from './call.ts';
import { type Lookup, namesIn } from './lookup.ts';

/** `trade`: it is to be recorded, but something of it is missing. `which`: of what it was is missing. */
export type TradeIntent =
  | Call
  | { readonly kind: 'trade' | 'which' | 'how-many' | 'no-such-day' | 'future-day' }
  /** A number that can be read in two ways, or in none. */
  | { readonly kind: 'number'; readonly typed: string };

/** Only what is done: 샀으면, 살까 and 사 줘 are no trades. */
const DONE = '(?:어요?|습니다|음|다|네요?|슴다|지|는데|구요?|고요?)';
const HA = `(?:했${DONE}|함|(?=\\s{0,3}(?:[.!]|$))|(?:\\s?(?:을|를|한\\s?거|내역))?\\s?(?=(?:을|를)?\\s?(?:기록|적어|입력|저장|등록|추가)))`;
const ko = (pattern: string): RegExp => new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'u');

/** The verb says what happened. `hold` is recorded as a purchase at its average price. */
type Told = TransactionKind | 'hold';

interface Verb {
  readonly kind: Told;
  readonly pattern: RegExp;
  /** What must stand in the sentence, too, for the verb to mean this. */
  readonly beside?: RegExp;
}

const ACCOUNT = /계좌|통장/u;
const AVERAGE_KO = '(?:평단가?|평균\\s?단가)(?:[은는이가])?';
const VERBS_KO: readonly Verb[] = [
  { kind: 'dividend', pattern: ko(`(?:받았|들어왔|입금\\s?(?:됐|되었|받았))${DONE}|받음`), beside: /배당/u },
  {
    kind: 'interest',
    pattern: ko(`(?:받았|들어왔|입금\\s?(?:됐|되었|받았))${DONE}|받음`),
    beside: /(?<!\p{L})(?:예탁금\s?)?이자(?![가-힣]{3})/u,
  },
  { kind: 'deposit', pattern: ko(`입금${HA}`) },
  { kind: 'deposit', pattern: ko(`(?:넣었|이체했)${DONE}`), beside: ACCOUNT },
  { kind: 'withdrawal', pattern: ko(`(?:출금|인출)${HA}`) },
  { kind: 'withdrawal', pattern: ko(`뺐${DONE}`), beside: ACCOUNT },
  { kind: 'fx', pattern: ko(`환전${HA}`) },
  {
    kind: 'buy',
    pattern: ko(
      `(?:샀|사들였|담았|주웠|물\\s?탔)${DONE}|삼(?=[.!]?$)|(?:(?:추가|풀|분할|신규)\\s?)?(?:매수|매입|구매|구입|추매|줍줍|물타기|올인)\\s?${HA}`,
    ),
  },
  { kind: 'sell', pattern: ko(`팔았${DONE}|팖(?=[.!]?$)|(?:매도|처분|익절|손절|매각)${HA}`) },
  {
    kind: 'hold',
    pattern: ko(
      `보유\\s?(?:중(?:이야|입니다|이에요|임)?|하고\\s?있\\p{L}{1,4})|(?:가지고|갖고|들고)\\s?있\\p{L}{1,4}|있(?:어요?|습니다|음)`,
    ),
    beside: /\d[^\n]{0,3}[주개]|[주개] /u,
  },
  // `테슬라 10주 평단 350불`: without a verb it is what somebody has.
  { kind: 'hold', pattern: ko(AVERAGE_KO), beside: /\d[^\n]{0,3}[주개]|[주개] /u },
];
const SUBJECT = "(?:(?:i|we)(?:'ve| have)?(?: just| recently| already| also)? )";
const START = '(?:^|[.!,:;]\\s{0,3}|\\b(?:today|yesterday|record(?: that)?|log(?: that)?|note that)\\s{1,2})';
const en = (pattern: string): RegExp => new RegExp(`${START}${pattern}(?![\\p{L}\\p{N}])`, 'iu');
const DIVIDEND = /\bdividends?\b/iu;
const VERBS_EN: readonly Verb[] = [
  { kind: 'dividend', pattern: en(`${SUBJECT}?(?:received|got|was paid)`), beside: DIVIDEND },
  {
    kind: 'interest',
    pattern: en(`${SUBJECT}?(?:received|got|was paid|earned)`),
    beside: /\binterest\b(?! rate)/iu,
  },
  { kind: 'deposit', pattern: en(`${SUBJECT}?(?:deposited|transferred in|paid in)`) },
  { kind: 'withdrawal', pattern: en(`${SUBJECT}?(?:withdrew|took out)`) },
  { kind: 'fx', pattern: en(`${SUBJECT}?(?:exchanged|converted)`) },
  { kind: 'buy', pattern: en(`${SUBJECT}?(?:bought|purchased|picked up)`) },
  { kind: 'buy', pattern: en(`${SUBJECT}?got`), beside: /\b(?:shares?|coins?|at|@)\b/iu },
  { kind: 'sell', pattern: en(`${SUBJECT}?(?:sold|got rid of)`) },
  { kind: 'hold', pattern: en("(?:i|we)(?:'ve got| have| own| hold)") },
];
/** `AAPL 10 at 180, bought`. */
const VERB_AT_END = /\s(?<verb>bought|sold)[.!]?$/iu;

/** `하이닉스1주60만8천원에삼`: where a word ends that nobody set apart. */
const GLUED =
  /(?<=[가-힣]{2})(?<![십백천만억조])(?=\d)|(?<=\d[주개])(?=\d)|(?<=[원불러]에)(?=샀|삼|팔|매수|매도)/gu;

/** Somebody asks, doubts, imagines, or tells what was not done. */
const NOT_DONE =
  /[?？]|(?<!\p{L})(?:안|못)\s?(?:샀|팔|사|매수|매도)|(?:샀|팔았|매수했|매도했)(?:으면|다면|더라면|을까|나|냐|니)|지\s?(?:않|못)|\b(?:haven't|didn't|never|not|would|if)\b|살까|팔까|사도|팔아도|사야|팔아야/iu;

/** Words of such a sentence that say nothing about the entry. */
const AROUND =
  /(?:을|를)?\s?(?:기록|적어|입력|저장|등록|추가)\s?(?:해|놔|둬|좀|으로)?\s?(?:줘|주세요|줄래|달라|부탁)\p{L}{0,20}|(?:내|제|나의)\s?포트폴리오에?|(?<!\p{L})(?:나는|난|나|저는|(?<![일주달년월간흘틀루]\s?)전|제가|내가|방금|막|아까|이미|총알로|추가로|시장가로|지정가로|오늘|배당금?(?:을|이|으로)?|(?:예탁금\s?)?이자(?:를|가|로)?|(?:내|떼|빼|제하|떼이|지불하)고|(?:냈|뗐|빠졌|떼였|나갔|들었|지불했)(?:어요?|습니다|음|고|는데|지|네요?)|계좌에서?|통장에서?|증권)(?!\p{L})|\b(?:please|record(?: (?:it|that|this))?|log(?: (?:it|that|this))?|note that|in(?:to)? my (?:portfolio|account)|from my (?:portfolio|account)|(?:a |my )?dividends?|(?:in |of )?interest|today|just now|stocks?|some|a few|worth|withheld|deducted|minus|less|paid|avg\.?|average(?: (?:price|cost))?)\b/giu;
const TO_PORTFOLIO =
  /포트폴리오에\s.{0,60}(?:추가|기록|넣어|등록|입력)|\b(?:add|record|log)\b.{0,60}\b(?:to|in|into) my portfolio\b/iu;

const MAX_PIECES = new Decimal('1e12');
const MAX_TOTAL = new Decimal('1e15');

const HOLDABLE: ReadonlySet<string> = new Set<Instrument['assetClass']>([
  'equity',
  'etf',
  'crypto',
  // The portfolio says why it takes no futures.
  'commodity',
]);

const toldIn = (text: string): { readonly kind: Told; readonly rest: string } | null => {
  const verb = [...VERBS_EN, ...VERBS_KO].find(
    ({ pattern, beside }) => pattern.test(text) && (beside?.test(text) ?? true),
  );
  const late = VERB_AT_END.exec(text)?.groups?.['verb'];
  if (!verb && late === undefined) return null;
  const kind = verb?.kind ?? (late?.toLowerCase() === 'sold' ? 'sell' : 'buy');
  const rest = text.replace(verb?.pattern ?? VERB_AT_END, ' ').replaceAll(AROUND, ' ');
  return { kind, rest: rest.trim() };
};

/** Of a coin in 만 and 억, won: dollars are not counted so. */
const currencyOf = (typed: string | undefined, isCoin: boolean): string | undefined => {
  const reading = readAmount(typed ?? '');
  return reading?.value.currency ?? (isCoin && reading?.hasKoreanScale ? 'KRW' : undefined);
};

/** Of a time, as the tool takes it. */
const MAX_TIME = 8;

const numberOf = (typed: string | undefined): string | undefined => {
  const amount: Amount | undefined = readAmount(typed ?? '')?.value;
  return amount && amount.value.greaterThan(0) ? amount.value.toFixed() : undefined;
};

/** As the ledger reads it; what may be in the morning or in the afternoon stays as it is written, to be asked about. */
const timeOf = (typed: string | undefined): string | undefined => {
  const read = typed === undefined ? undefined : readTime(typed);
  const isClear = read?.alternatives.length === 0 && read.value.timeZone === undefined;
  return isClear ? read.value.time.toString({ smallestUnit: 'minute' }) : typed?.slice(0, MAX_TIME);
};

type NoDay = 'trade' | 'no-such-day' | 'future-day';

/** The day, or why there is none. */
const dayOf = (
  typed: string | undefined,
  today: Temporal.PlainDate,
): { readonly date: string } | { readonly kind: NoDay } => {
  if (typed === undefined) return { date: today.toString() };
  const value = readDate(typed, today, { looks: 'back', allowsShort: true, allowsCompact: true })?.value;
  if (value?.status === 'impossible') return { kind: 'no-such-day' };
  if (value?.status !== 'date' || value.precision !== 'day') return { kind: 'trade' };
  const isPast = Temporal.PlainDate.compare(value.first, today) <= 0;
  return isPast ? { date: value.first.toString() } : { kind: 'future-day' };
};

const nameOf = (fields: EntryFields, lookup: Lookup): Instrument | 'none' | 'unknown' | 'not-held' => {
  if (fields.name === undefined) return 'none';
  const [name, ...more] = namesIn(fields.name, lookup, true) ?? [];
  if (name === undefined || more.length > 0) return 'unknown';
  const match = lookup.symbols.resolve(name);
  if (match.status !== 'found') return 'unknown';
  return HOLDABLE.has(match.instrument.assetClass) ? match.instrument : 'not-held';
};

const tradeCall = (
  kind: 'buy' | 'sell',
  fields: EntryFields,
  instrument: Instrument,
  date: string,
): TradeIntent => {
  const isCoin = instrument.assetClass === 'crypto';
  const portion = kind === 'sell' ? portionOf(fields.quantity) : undefined;
  const quantity = portion ? (portion.equals(1) ? 'all' : 'half') : numberOf(fields.quantity);
  const [price, total] = [numberOf(fields.price), numberOf(fields.total)];
  if (quantity === undefined && total !== undefined) return { kind: 'how-many' };
  if (quantity === undefined || (price === undefined && total === undefined)) return { kind: 'trade' };
  const pieces = portion ?? new Decimal(quantity);
  const sum = price === undefined ? new Decimal(total ?? 0) : pieces.times(price);
  if (sum.greaterThan(MAX_TOTAL) || pieces.greaterThan(MAX_PIECES)) return { kind: 'trade' };
  return call('record_transaction', {
    kind,
    symbol: fields.name,
    quantity,
    price,
    total,
    currency: currencyOf(fields.price ?? fields.total, isCoin),
    fee: numberOf(fields.fee),
    tax: numberOf(fields.tax),
    date,
    time: timeOf(fields.time),
  });
};

const moneyCall = (
  kind: 'dividend' | 'interest' | 'deposit' | 'withdrawal',
  fields: EntryFields,
  date: string,
): TradeIntent => {
  const reading = readAmount(fields.amount ?? '');
  const amount = numberOf(fields.amount);
  const isPerShare = kind === 'dividend' && reading?.value.basis === 'each';
  const currency = reading?.value.currency ?? (reading?.hasKoreanScale ? 'KRW' : undefined);
  if (amount === undefined || (kind !== 'dividend' && currency === undefined)) return { kind: 'trade' };
  return call('record_transaction', {
    kind,
    symbol: fields.name,
    amount: isPerShare ? `${amount} per share` : amount,
    currency,
    tax: numberOf(fields.tax),
    date,
    time: timeOf(fields.time),
  });
};

const exchangeCall = (fields: EntryFields, date: string): TradeIntent => {
  const [from, to] = [readAmount(fields.amount ?? ''), readAmount(fields.toAmount ?? '')];
  const toCurrency = to?.value.currency ?? currencyNamed(fields.toCurrency ?? '')?.code;
  const isByRate = !to && fields.rate !== undefined;
  const isWhole = from?.value.currency !== undefined && (isByRate || (to && toCurrency !== undefined));
  if (!isWhole || toCurrency === from.value.currency) return { kind: 'trade' };
  return call('record_transaction', {
    kind: 'fx',
    amount: from.value.value.toFixed(),
    currency: from.value.currency,
    toAmount: to?.value.value.toFixed(),
    toCurrency,
    rate: isByRate ? fields.rate : undefined,
    date,
    time: timeOf(fields.time),
  });
};

/** `1,2k`, `10,5`: a comma that groups nothing. */
const MALFORMED = /(?<![\d.,])\d{1,3}(?:,\d{3})*,\d{1,2}(?![\d,])[a-z만천]?/iu;
const FIRST_WORD = /^(?<word>[a-z]{3,9}) (?=[a-z])/iu;

/** `ten apple at 180`: a number in words counts pieces there, as `ten shares of apple` does. */
const withCounted = (text: string): string => {
  const word = FIRST_WORD.exec(text)?.groups?.['word'];
  const isCount = word !== undefined && readAmount(`${word} shares`)?.value.unit === 'pieces';
  return isCount && !/^\S+ (?:shares?|coins?|hundred|thousand|million)\b/iu.test(text)
    ? `${word} shares ${text.slice(word.length + 1)}`
    : text;
};

/** Whether it was said of what, or how much: `애플 샀어` says too little to be recorded, and may be of a phone. */
const saysMuch = ({ quantity, price, total, amount }: EntryFields): boolean =>
  (quantity ?? price ?? total ?? amount) !== undefined;

/**
 * `삼성전자 10주 71000원에 샀어`, `I bought 10 AAPL at 180`, `배당금 5만원 받았어`: something that is done, read as `/portfolio`
 * reads it. Null where none is told; what somebody else did, or may do, is none.
 */
export const readTrade = (
  written: string,
  lookup: Lookup,
  today: Temporal.PlainDate | undefined,
): TradeIntent | null => {
  const text = written.replaceAll(GLUED, ' ');
  const told = NOT_DONE.test(text) ? null : toldIn(text);
  if (!told) {
    const isWish = TO_PORTFOLIO.test(text) && !/[?？]/u.test(text);
    return isWish ? { kind: 'trade' } : null;
  }
  const kind = told.kind === 'hold' ? 'buy' : told.kind;
  const symbols: Pick<SymbolSearch, 'resolve'> = lookup.symbols;
  const malformed = MALFORMED.exec(told.rest)?.[0];
  const whole = malformed === undefined ? told.rest : told.rest.replace(malformed, ' ');
  const read = readEntryText(kind, withCounted(whole), symbols);
  if (read.status === 'left-over') return null;
  const { fields } = read;
  const isOfMoney = kind === 'deposit' || kind === 'withdrawal' || kind === 'interest' || kind === 'fx';
  const instrument = isOfMoney ? 'none' : nameOf(fields, lookup);
  // `삼성 10주 10만원에 샀어`: a company, but not which.
  const isOneOfMany = symbols.resolve(fields.name ?? '').status === 'ambiguous';
  if (instrument === 'unknown' && isOneOfMany && fields.quantity && (fields.price ?? fields.total))
    return { kind: 'which' };
  if (instrument === 'unknown') return null;
  if (malformed !== undefined) return { kind: 'number', typed: malformed };
  if (!saysMuch(fields)) return null;
  if (told.kind === 'hold' && (fields.quantity === undefined || instrument === 'none')) return null;
  if (instrument === 'not-held') return { kind: 'trade' };
  if (!isOfMoney && instrument === 'none') return { kind: kind === 'dividend' ? 'which' : 'trade' };
  const day = today ? dayOf(fields.date, today) : ({ kind: 'trade' } as const);
  if ('kind' in day) return day;
  const { date } = day;
  if (kind === 'fx') return exchangeCall(fields, date);
  if (kind === 'deposit' || kind === 'withdrawal' || kind === 'dividend' || kind === 'interest')
    return moneyCall(kind, fields, date);
  return (kind === 'buy' || kind === 'sell') && typeof instrument === 'object'
    ? tradeCall(kind, fields, instrument, date)
    : { kind: 'trade' };
};

const BETWEEN_TRADES = /,?\s(?:and|그리고|이랑|하고)\s|(?<!\d),\s?|,\s/iu;
const MAX_TRADES = 4;
const VERB_HEAD = /^.{0,30}?\b(?:bought|purchased|sold|picked up)\b/iu;
const VERB_TAIL = /\s(?:샀|팔았|담았|매수했|매도했)\p{L}{1,4}[.!]?$/u;

/** `bought 10 AAPL at 180 and 5 TSLA at 300`: several trades with one verb. Empty where one of them is not whole. */
export const readTrades = (
  text: string,
  lookup: Lookup,
  today: Temporal.PlainDate | undefined,
): readonly Call[] => {
  const parts = text.split(BETWEEN_TRADES).filter((part) => part.trim() !== '');
  const [head, tail] = [VERB_HEAD.exec(text)?.[0], VERB_TAIL.exec(text)?.[0]];
  if (parts.length < 2 || parts.length > MAX_TRADES || (head ?? tail) === undefined) return [];
  const whole = parts.map((part) => {
    if (head !== undefined) return VERB_HEAD.test(part) ? part : `${head} ${part}`;
    return VERB_TAIL.test(part) ? part : `${part}${tail}`;
  });
  const read = whole.map((part) => readTrade(part, lookup, today));
  const calls = read.filter((each) => each?.kind === 'call');
  return calls.length === parts.length ? calls : [];
};
