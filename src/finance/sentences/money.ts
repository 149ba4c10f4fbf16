import { type Call, call } from './call.ts';

const NUMBER = String.raw`\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,12})?|\d{1,15}(?:\.\d{1,12})?`;
/** Powers of ten. */
const UNITS: Readonly<Record<string, number>> = {
  십: 1,
  백: 2,
  천: 3,
  만: 4,
  십만: 5,
  백만: 6,
  천만: 7,
  억: 8,
  조: 12,
  k: 3,
  thousand: 3,
  m: 6,
  million: 6,
  billion: 9,
};
const UNIT = '십만|백만|천만|십|백|천|만|억|조|k(?![a-z])|thousand|m(?![a-z])|million|billion';

/** What people call money, by its code. Coins only with an amount: their price alone is a quote. */
const CURRENCIES: readonly (readonly [code: string, pattern: string])[] = [
  ['USD', String.raw`미국\s?달러|미\s?달러|달러|불(?=\p{P}|\s|$)|us\s?dollars?|dollars?|bucks|usd|\$`],
  ['KRW', String.raw`한국\s?원화?|원화|원|(?:korean\s)?won|krw|₩`],
  ['JPY', String.raw`일본\s?엔화?|엔화|엔|(?:japanese\s)?yen|jpy`],
  ['EUR', String.raw`유로화?|euros?|eur|€`],
  ['CNY', String.raw`중국\s?위안화?|위안화?|(?:chinese\s)?yuan|cny|rmb`],
  ['GBP', String.raw`영국\s?파운드|파운드화?|(?:british\s)?pounds?(?:\ssterling)?|gbp|£`],
  ['HKD', String.raw`홍콩\s?달러|hong\s?kong\sdollars?|hkd`],
  ['BTC', 'bitcoins?|비트코인|btc'],
  ['ETH', 'ethereum|이더리움|eth'],
];
const COINS: ReadonlySet<string> = new Set(['BTC', 'ETH']);
const SIGNS = '[$₩€£]';

const named = [...CURRENCIES]
  .toReversed()
  .map(([code, pattern]) => `(?<${code}>${pattern})`)
  .join('|');
/** `100달러`, `$100`, `1만 엔`, `won`; the particle behind it belongs to it. */
const MONEY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?<sign>${SIGNS})\s?)?(?:(?<amount>${NUMBER})?\s?(?<unit>${UNIT})?\s?)(?:${named})(?:짜리|어치|으로|은|는|이면|면|을|를|로|이야|이에요|인가요|일까요?|이|가|의|에|야|예요|정도)?(?:요|야)?(?![\p{L}\p{N}])|(?<sign2>${SIGNS})\s?(?<amount2>${NUMBER})\s?(?<unit2>${UNIT})?(?![\p{L}\p{N}])`,
  'giu',
);

const SIGN_CODES: Readonly<Record<string, string>> = { $: 'USD', '₩': 'KRW', '€': 'EUR', '£': 'GBP' };

interface Money {
  readonly code: string;
  /** Decimal as text; undefined: only the currency is named. */
  readonly amount: string | undefined;
}

/** `1.5` and 4 are 15000: the point is moved, nothing is multiplied. */
const moved = (number: string, places: number): string => {
  const [whole = '0', fraction = ''] = number.replaceAll(',', '').split('.');
  const digits = `${whole}${fraction.slice(0, places).padEnd(places, '0')}`.replace(/^0+(?=\d)/u, '');
  const rest = fraction.slice(places);
  return rest === '' ? digits : `${digits}.${rest}`;
};

const moneyOf = (groups: Readonly<Record<string, string | undefined>>): Money | null => {
  const sign = groups['sign'] ?? groups['sign2'];
  const code = CURRENCIES.find(([each]) => groups[each] !== undefined)?.[0] ?? SIGN_CODES[sign ?? ''];
  if (code === undefined) return null;
  const number = groups['amount'] ?? groups['amount2'];
  const unit = groups['unit'] ?? groups['unit2'];
  if (number === undefined && unit === undefined) return { code, amount: undefined };
  return { code, amount: moved(number ?? '1', UNITS[unit?.toLowerCase() ?? ''] ?? 0) };
};

/** Between two currencies without an amount, it says that one is wanted in the other. */
const ASKS_RATE = /(?<![\p{L}])(?:to|in|into|convert|환전|몇|→|->)(?![\p{L}])|환전|몇\s/iu;
const ASKS_WORTH = /얼마|얼만|환전|환율|몇|원화로|\bhow much\b|\bworth\b|\bconvert\b/iu;
const WORDS =
  /환전|환율|변환|바꾸\p{L}{0,20}|바꿔\p{L}{0,20}|(?<![\p{L}])(?:convert|conversion|into|to|in|equals?|exchange rate)(?![\p{L}])|→|->/giu;

/**
 * `100달러는 몇 원이야?`, `250 EUR to USD`: what is to be converted. Money without a wish for another is worth
 * so many won to who asks in Korean. `isEmpty` says whether nothing but grammar is left of the question.
 */
export const readConversion = (text: string, isEmpty: (rest: string) => boolean): Call | null => {
  const found = Array.from(text.matchAll(MONEY), ({ groups = {} }) => moneyOf(groups)).filter(
    (each) => each !== null,
  );
  const from = found.find(({ amount }) => amount !== undefined) ?? found[0];
  const others = found.filter((each) => each !== from);
  if (!from || others.length > 1 || others.some(({ amount }) => amount !== undefined)) return null;
  if (from.amount === undefined && (COINS.has(from.code) || !ASKS_RATE.test(text))) return null;
  const isKorean = /\p{Script=Hangul}/u.test(text);
  const to = others[0]?.code ?? (isKorean && ASKS_WORTH.test(text) ? 'KRW' : undefined);
  if (to === undefined || to === from.code) return null;
  if (!isEmpty(text.replaceAll(MONEY, '\n').replaceAll(WORDS, '\n'))) return null;
  return call('convert_currency', { amount: from.amount ?? '1', from: from.code, to });
};
