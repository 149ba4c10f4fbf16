import type { Instrument, SymbolSearch } from '#src/core/finance.ts';
import { Decimal } from '#src/core/money.ts';
import { type Call, call } from './call.ts';
import { AMOUNT, moneyIn, moneyOf, NUMBER, valueOf } from './amount.ts';
import { type Lookup, namesIn } from './lookup.ts';

/** `trade`: it is to be recorded, but something of it is missing or cannot be so. */
export type TradeIntent = Call | { readonly kind: 'trade' };

/** Only what is done: 샀으면, 살까 and 사 줘 are no trades. */
const DONE = String.raw`(?:어요?|습니다|음|다|네요?|슴다|지)`;
const DONE_HA = String.raw`(?:했${DONE}|함|(?:\s?(?:을|를|한\s?거|내역))?\s?(?=(?:을|를)?\s?(?:기록|적어|입력|저장)))`;
const KO: readonly (readonly [kind: 'buy' | 'sell', pattern: RegExp])[] = [
  [
    'buy',
    new RegExp(
      String.raw`(?<!\p{L})(?:(?:샀|사들였|담았)${DONE}|(?:매수|매입|구매|구입)${DONE_HA})(?!\p{L})`,
      'u',
    ),
  ],
  ['sell', new RegExp(String.raw`(?<!\p{L})(?:팔았${DONE}|(?:매도|처분|익절|손절)${DONE_HA})(?!\p{L})`, 'u')],
];
/** Whose trade it is, is said by `I`, or by nobody. */
const EN =
  /(?:^|[.!,:;]|\b(?:today|yesterday|record(?: that)?|log(?: that)?|note that)\s)\s{0,3}(?:i|we)?(?:'ve| have)?\s?(?:just |recently )?(bought|purchased|sold)\s/iu;

const QUANTITY_KO = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,])(${NUMBER})\s?(?:주|개|좌|shares?|coins?|units?)(?:를|을|씩)?(?!\p{L})`,
  'iu',
);
const QUANTITY_EN = new RegExp(
  String.raw`(?<=(?:bought|purchased|sold)\s{1,3})(${NUMBER})(?:\s+(?:shares?|coins?|units?))?(?:\s+of)?(?=\s)`,
  'iu',
);
const EACH = String.raw`(?:\s?(?:each|apiece|(?:per|a) (?:share|piece|coin|unit)))`;
const PRICE_KO = new RegExp(
  String.raw`(?:(?:주당|개당|한\s?주에|단가|평단가?)(?:는|은)?\s*)?(${AMOUNT})(?:씩)?(?:\s?에)(?!\p{L})`,
  'iu',
);
/** Before a noun no particle is needed, but then the money is: `AAPL 10주 180달러 매수 기록`. */
const PRICE_NOUN = new RegExp(String.raw`(${AMOUNT})(?=\s)`, 'giu');
const PRICE_EN = new RegExp(
  String.raw`(?:\bat|@)\s?(${AMOUNT})${EACH}?(?!\p{L})|\bfor\s(${AMOUNT})${EACH}(?!\p{L})`,
  'iu',
);

/** What all of it cost together says the price of one only to who divides. */
const TOTAL = new RegExp(
  String.raw`(?:총|합쳐서|합계|전부)\s?(?:해서\s?)?${AMOUNT}(?:에|어치)?(?!\p{L})|${AMOUNT}\s?어치(?!\p{L})|\bfor (?:a total of )?${AMOUNT}(?!${EACH})(?: in total)?(?!\p{L})`,
  'iu',
);

const WORDS =
  /(?:을|를)?\s?(?:기록|적어|입력|저장)\s?(?:해|놔|둬|좀)?\s?(?:줘|주세요|줄래|달라)?\p{L}{0,20}|(?:내|제|나의)\s?포트폴리오에?|(?<!\p{L})(?:나는|난|나|저는|전|제가|내가|방금|오늘)(?!\p{L})|\b(?:please|record(?: (?:it|that|this))?|log(?: (?:it|that|this))?|note that|in(?:to)? my portfolio|today|just now|shares?|stock)\b/giu;
const TO_PORTFOLIO =
  /포트폴리오에\s.{0,60}(?:추가|기록|넣어|등록|입력)|\b(?:add|record|log)\b.{0,60}\b(?:to|in|into) my portfolio\b/iu;

/** How much only the records know. */
const PORTION = /전량|전부|모두|절반|(?<!\p{L})(?:all|half)(?: of)?(?: my)?(?!\p{L})/iu;
const DATE = /(?<!\d)(20\d{2}-\d{2}-\d{2})(?!\d)(?:에|\s?자)?|\bon (20\d{2}-\d{2}-\d{2})\b/iu;
const MONTH_DAY = /(?<!\d)(\d{1,2})월\s?(\d{1,2})일(?:에|날)?/u;
const DAYS_AGO: readonly (readonly [days: number, pattern: RegExp])[] = [
  [2, /(?<!\p{L})(?:그제|그저께|엊그제)(?:에)?(?!\p{L})/u],
  [1, /(?<!\p{L})어제(?!\p{L})|\byesterday\b/iu],
];

interface Dated {
  /** Null: none that there is, or one to come. */
  readonly date: Temporal.PlainDate | null;
  readonly rest: string;
}

const dateFrom = (fields: () => Temporal.PlainDate, today: Temporal.PlainDate): Temporal.PlainDate | null => {
  try {
    const date = fields();
    return Temporal.PlainDate.compare(date, today) <= 0 ? date : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/** Takes the day out of the text: today unless another one is named. */
const takeDate = (text: string, today: Temporal.PlainDate): Dated => {
  const written = DATE.exec(text);
  if (written)
    return {
      date: dateFrom(() => Temporal.PlainDate.from(written[1] ?? written[2] ?? ''), today),
      rest: text.replace(written[0], '\n'),
    };
  const named = MONTH_DAY.exec(text);
  if (named) {
    const [month, day] = [Number(named[1]), Number(named[2])];
    const inYear = (year: number): Temporal.PlainDate | null =>
      dateFrom(() => Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }), today);
    // In January 12월 30일 is that of the year before.
    return { date: inYear(today.year) ?? inYear(today.year - 1), rest: text.replace(named[0], '\n') };
  }
  const ago = DAYS_AGO.find(([, pattern]) => pattern.test(text));
  return ago
    ? { date: today.subtract({ days: ago[0] }), rest: text.replace(ago[1], '\n') }
    : { date: today, rest: text };
};

const HOLDABLE: ReadonlySet<string> = new Set<Instrument['assetClass']>([
  'equity',
  'etf',
  'crypto',
  'commodity',
]);
const MAX_PIECES = new Decimal('1e12');
const MAX_TOTAL = new Decimal('1e15');

/** Whether it can be held, and is traded in that money. Coins are in several. */
const isTradedIn = (name: string, money: string | undefined, symbols: SymbolSearch): boolean => {
  const match = symbols.resolve(name);
  if (match.status !== 'found' || !HOLDABLE.has(match.instrument.assetClass)) return false;
  const { assetClass, currency, ticker } = match.instrument;
  if (money === undefined || money === currency) return true;
  if (assetClass !== 'crypto') return false;
  const pair = symbols.resolve(`${ticker}-${money}`);
  return pair.status === 'found' && pair.instrument.symbol === `${ticker}-${money}`;
};

const isSensible = (value: Decimal): boolean => value.greaterThan(0) && value.lessThanOrEqualTo(MAX_PIECES);

interface Told {
  readonly kind: 'buy' | 'sell';
  readonly quantity: RegExpExecArray | null;
  readonly rest: string;
  readonly price: RegExpExecArray | undefined;
  /** Only what all of it cost is told. */
  readonly isTotal: boolean;
}

const toldIn = (text: string): Told | null => {
  const english = EN.exec(text);
  const korean = english ? undefined : KO.find(([, pattern]) => pattern.test(text));
  if (!english && !korean) return null;
  const quantity = (english ? QUANTITY_EN.exec(text) : null) ?? QUANTITY_KO.exec(text);
  const left = text.replace(quantity?.[0] ?? '', '\n').replace(TOTAL, '\n');
  const [priceEn, priceKo] = [english ? PRICE_EN.exec(left) : null, english ? null : PRICE_KO.exec(left)];
  const noun = english
    ? undefined
    : Array.from(left.matchAll(PRICE_NOUN)).find(([, written = '']) => moneyOf(written) !== undefined);
  const price = priceEn ?? priceKo ?? noun;
  const verb = korean ? korean[1] : EN;
  const rest = (price ? left.replace(price[0], '\n') : left).replace(verb, '\n');
  const kind = korean ? korean[0] : /^sold/iu.test(english?.[1] ?? '') ? 'sell' : 'buy';
  return { kind, quantity, price, rest, isTotal: TOTAL.test(text) };
};

/**
 * `삼성전자 10주 71000원에 샀어`, `I bought 10 AAPL at 180`: a trade that is done, with how many and at what price.
 * Null where none is told; what somebody else did, or may do, is none.
 */
export const readTrade = (
  text: string,
  lookup: Lookup,
  today: Temporal.PlainDate | undefined,
): TradeIntent | null => {
  if (TO_PORTFOLIO.test(text) && !/[?？]/u.test(text) && !/\b(?:bought|sold)\b|샀|팔았/iu.test(text))
    return { kind: 'trade' };
  const told = toldIn(text);
  if (!told || /[?？]/u.test(text)) return null;
  const { kind, quantity, price } = told;
  const { date, rest } = today ? takeDate(told.rest, today) : { date: null, rest: told.rest };
  if (PORTION.test(rest)) return { kind: 'trade' };
  const words = rest.replaceAll(WORDS, '\n');
  const names = namesIn(words, lookup, true);
  const [symbol] = names ?? [];
  // Somebody else's, or of something else: unless it counts pieces of what is traded.
  if (names?.length !== 1 || symbol === undefined)
    return names?.length === 0 && quantity && price ? { kind: 'trade' } : null;
  if (!quantity && !price && !told.isTotal) return null;
  const written = price?.[1] ?? price?.[2];
  if (!quantity || written === undefined || !date) return { kind: 'trade' };
  const [pieces, each, currency] = [
    valueOf(quantity[1] ?? ''),
    valueOf(written),
    moneyIn(written, symbol, lookup.symbols),
  ];
  const isFine =
    isSensible(pieces) &&
    isSensible(each) &&
    pieces.times(each).lessThanOrEqualTo(MAX_TOTAL) &&
    isTradedIn(symbol, currency, lookup.symbols);
  if (!isFine) return { kind: 'trade' };
  return call('record_transaction', {
    kind,
    symbol,
    quantity: pieces.toFixed(),
    price: each.toFixed(),
    currency,
    date: date.toString(),
  });
};
