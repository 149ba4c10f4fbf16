import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { type Amount, readAmount } from '#src/reading/amounts.ts';
import { type EntryFields, readEntryText } from '#src/reading/entries.ts';
import { portionOf, portionText } from '#src/reading/portions.ts';
import { type Call, call, type Intent } from './intent.ts';
import { exchangeCall, isExchange, withExchangeVerb } from './exchange.ts';
import { instrumentNamed, type Lookup, namesIn } from './lookup.ts';
import { readShareMove } from './share-moves.ts';
import { dayOf, timeOf } from './trade-day.ts';
import { toldIn } from './trade-verbs.ts';

/** Word boundaries without a blank: `하이닉스1주60만8천원에삼`. */
const GLUED =
  /(?<=[가-힣]{2})(?<![십백천만억조])(?=\d)|(?<=\d[주개])(?=\d)|(?<=[원불러]에)(?=샀|삼|팔|매수|매도)|(?<=전량|전부|절반)(?=매도|처분|익절|손절|매각)/gu;

/** Questions, doubts, imagined trades, and trades that were not made. */
export const NOT_DONE =
  /[?？]|(?<!\p{L})(?:안|못)\s?(?:샀|팔|사|매수|매도)|(?:샀|팔았|매수했|매도했)(?:으면|다면|더라면|을까|나|냐|니)|지\s?(?:않|못)|\b(?:haven't|didn't|never|not|would|if)\b|살까|팔까|사도|팔아도|사야|팔아야/iu;

const TO_PORTFOLIO =
  /포트폴리오에\s.{0,60}(?:추가|기록|넣어|등록|입력)|\b(?:add|record|log)\b.{0,60}\b(?:to|in|into) my portfolio\b/iu;

const MAX_PIECES = new Decimal('1e12');
const MAX_TOTAL = new Decimal('1e15');

const HOLDABLE: ReadonlySet<string> = new Set<Instrument['assetClass']>([
  'equity',
  'etf',
  'crypto',
  // The portfolio explains why it refuses futures.
  'commodity',
]);

/** The currency of an amount. For a coin, 만 and 억 mean won, because dollars are not counted so. */
const currencyOf = (typed: string | undefined, isCoin: boolean): string | undefined => {
  const reading = readAmount(typed ?? '');
  return reading?.value.currency ?? (isCoin && reading?.hasKoreanScale ? 'KRW' : undefined);
};

const numberOf = (typed: string | undefined): string | undefined => {
  const amount: Amount | undefined = readAmount(typed ?? '')?.value;
  return amount && amount.value.greaterThan(0) ? amount.value.toFixed() : undefined;
};

/**
 * A fee or a tax, with its currency if that differs from the entry's. Other text (`0.1%`) is passed on unchanged, because
 * the portfolio explains what is wrong with it.
 */
const costOf = (typed: string | undefined, currency: string | undefined): string | undefined => {
  const { currency: own, unit } = readAmount(typed ?? '')?.value ?? {};
  const number = unit === 'none' || unit === 'money' ? numberOf(typed) : undefined;
  return number === undefined || own === undefined || own === currency
    ? (number ?? typed)
    : `${number} ${own}`;
};

/** All fields but the date. The portfolio refuses a field that does not fit the entry, so none is dropped here. */
const toldFields = (
  { name, date: _date, time, ...told }: EntryFields,
  currency: string | undefined,
): Readonly<Record<string, string | undefined>> => ({
  ...told,
  symbol: name,
  currency: currency ?? told.currency,
  fee: costOf(told.fee, currency),
  tax: costOf(told.tax, currency),
  time: timeOf(time),
});

const nameOf = (fields: EntryFields, lookup: Lookup): Instrument | 'none' | 'unknown' | 'not-held' => {
  if (fields.name === undefined) return 'none';
  const [name, ...more] = namesIn(fields.name, lookup, true) ?? [];
  if (name === undefined || more.length > 0) return 'unknown';
  const instrument = instrumentNamed(name, lookup.symbols);
  if (!instrument) return 'unknown';
  return HOLDABLE.has(instrument.assetClass) ? instrument : 'not-held';
};

const tradeCall = (
  kind: 'buy' | 'sell',
  fields: EntryFields,
  instrument: Instrument,
  date: string | undefined,
  isOpening: boolean,
): Intent => {
  const isCoin = instrument.assetClass === 'crypto';
  const portion = kind === 'sell' ? portionOf(fields.quantity) : undefined;
  const quantity = portion ? portionText(portion) : numberOf(fields.quantity);
  const [price, total] = [numberOf(fields.price), numberOf(fields.total)];
  const [ofPrice, ofTotal] = [currencyOf(fields.price, isCoin), currencyOf(fields.total, isCoin)];
  const isSameMoney = (ofPrice ?? instrument.currency) === (ofTotal ?? ofPrice ?? instrument.currency);
  if (quantity === undefined && total !== undefined && (price === undefined || !isSameMoney))
    return { kind: 'how-many' };
  // The portfolio computes the quantity from total and price.
  const isWhole = quantity === undefined ? total !== undefined : (price ?? total) !== undefined;
  if (!isWhole) return { kind: 'trade' };
  const pieces = new Decimal(portion || quantity === undefined ? 1 : quantity);
  const sum = price === undefined ? new Decimal(total ?? 0) : pieces.times(price);
  if (sum.greaterThan(MAX_TOTAL) || pieces.greaterThan(MAX_PIECES)) return { kind: 'trade' };
  const currency = ofPrice ?? ofTotal;
  return call('record_transaction', {
    ...toldFields(fields, currency),
    kind,
    quantity,
    price,
    total,
    date,
    isOpening: isOpening || undefined,
  });
};

const BONUS = /무상\s?증자|\bbonus (?:issue|shares?)\b/iu;

/** New shares of a rights issue, or of a bonus issue at the price 0. */
const rightsCall = (text: string, fields: EntryFields, date: string): Intent => {
  const quantity = numberOf(fields.quantity);
  const price = numberOf(fields.price) ?? (BONUS.test(text) ? '0' : undefined);
  if (quantity === undefined || price === undefined) return { kind: 'trade' };
  const currency = currencyOf(fields.price, false);
  return call('record_transaction', {
    ...toldFields(fields, currency),
    kind: 'rights',
    quantity,
    price,
    date,
  });
};

const OF_INSTRUMENT: ReadonlySet<string> = new Set(['dividend', 'cash-in-lieu', 'tax']);

const moneyCall = (
  kind: 'dividend' | 'interest' | 'deposit' | 'withdrawal' | 'cash-in-lieu' | 'tax',
  fields: EntryFields,
  date: string,
): Intent => {
  const reading = readAmount(fields.amount ?? '');
  const amount = numberOf(fields.amount);
  const isPerShare = kind === 'dividend' && reading?.value.basis === 'each';
  const currency = reading?.value.currency ?? (reading?.hasKoreanScale ? 'KRW' : undefined);
  if (amount === undefined || (!OF_INSTRUMENT.has(kind) && currency === undefined)) return { kind: 'trade' };
  return call('record_transaction', {
    ...toldFields(fields, currency),
    kind,
    quantity: numberOf(fields.quantity) ?? fields.quantity,
    amount: isPerShare ? `${amount} per share` : amount,
    date,
  });
};

/** A comma that groups no thousands: `1,2k`, `10,5`. */
const MALFORMED = /(?<![\d.,])\d{1,3}(?:,\d{3})*,\d{1,2}(?![\d,])[a-z만천]?/iu;
const FIRST_WORD = /^(?<word>[a-z]{3,9}) (?=[a-z])/iu;

/** A number in words counts pieces: `ten apple at 180` means `ten shares of apple`. */
const withCounted = (text: string): string => {
  const word = FIRST_WORD.exec(text)?.groups?.['word'];
  const isCount = word !== undefined && readAmount(`${word} shares`)?.value.unit === 'pieces';
  return isCount && !/^\S+ (?:shares?|coins?|hundred|thousand|million)\b/iu.test(text)
    ? `${word} shares ${text.slice(word.length + 1)}`
    : text;
};

const OF_MONEY: ReadonlySet<string> = new Set(['deposit', 'withdrawal', 'interest', 'fx']);

/** Whether any amount was given. `애플 샀어` says too little, and may be about a phone. */
const saysMuch = ({ quantity, price, total, amount }: EntryFields): boolean =>
  (quantity ?? price ?? total ?? amount) !== undefined;

/**
 * Reads `삼성전자 10주 71000원에 샀어`, `I bought 10 AAPL at 180` or `배당금 5만원 받았어` as `/portfolio` does. Null for other text.
 * The intent is `trade` where something is missing, `which` for an ambiguous name, `which-day` and `which-way` for a
 * missing day or direction, and `number` for a number that cannot be read in one way.
 */
export const readTrade = (
  written: string,
  lookup: Lookup,
  today: Temporal.PlainDate | undefined,
): Intent | null => {
  const text = withExchangeVerb(written.replaceAll(GLUED, ' '));
  const moved = NOT_DONE.test(text) ? null : readShareMove(text, lookup, today);
  if (moved) return moved;
  const told = NOT_DONE.test(text) ? null : toldIn(text);
  if (!told) {
    const isWish = TO_PORTFOLIO.test(text) && !/[?？]/u.test(text);
    return isWish ? { kind: 'trade' } : null;
  }
  const kind = told.kind === 'hold' ? 'buy' : told.kind;
  const symbols: Pick<SymbolSearch, 'resolve'> = lookup.symbols;
  const malformed = MALFORMED.exec(told.rest)?.[0];
  const whole = malformed === undefined ? told.rest : told.rest.replace(malformed, ' ');
  // Currencies are bought and sold too: `1000달러를 1450원에 샀어`.
  const exchanged = kind === 'buy' || kind === 'sell' ? readEntryText('fx', whole, symbols) : undefined;
  const isMoney = exchanged?.status === 'ok' && isExchange(exchanged.fields);
  const read = isMoney ? exchanged : readEntryText(kind, withCounted(whole), symbols);
  if (read.status !== 'ok') return null;
  const { fields } = read;
  const isOfMoney = isMoney || OF_MONEY.has(kind) || (kind === 'tax' && fields.name === undefined);
  const instrument = isOfMoney ? 'none' : nameOf(fields, lookup);
  // The name fits several companies: `삼성 10주 10만원에 샀어`.
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
  if (told.isSomeTime) return { kind: 'which-day' };
  const { date } = day;
  switch (kind) {
    case 'fx':
      return exchangeCall(kind, text, fields, date);
    case 'deposit':
    case 'withdrawal':
    case 'dividend':
    case 'interest':
    case 'cash-in-lieu':
    case 'tax':
      return moneyCall(kind, fields, date);
    case 'rights':
      return rightsCall(text, fields, date);
    case 'buy':
    case 'sell':
      if (isMoney) return exchangeCall(kind, text, fields, date);
      if (typeof instrument !== 'object') return { kind: 'trade' };
      // Without a day, the portfolio uses the current day of the exchange.
      return tradeCall(
        kind,
        fields,
        instrument,
        fields.date === undefined ? undefined : date,
        told.kind === 'hold',
      );
    case 'fee':
    case 'split':
    case 'spin-off':
    case 'merger':
    case 'capital-return':
    case 'transfer-out':
    case 'transfer-in':
      return { kind: 'trade' };
  }
  return kind satisfies never;
};

const BETWEEN_TRADES = /,?\s(?:and|그리고|이랑|하고)\s|(?<!\d),\s?|,\s/iu;
const MAX_TRADES = 4;
const VERB_HEAD = /^.{0,30}?\b(?:bought|purchased|sold|picked up)\b/iu;
const VERB_TAIL = /\s(?:(?:샀|팔았|담았|매수했|매도했)\p{L}{1,4}|매수함?|매도함?)[.!]?$/u;

/** Several trades with one verb: `bought 10 AAPL at 180 and 5 TSLA at 300`. Empty where one is incomplete. */
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
