import { characterTest, isAsciiLetter, isDigit, isLatin, isLetter } from './characters.ts';
import { currencyAtStart, type KnownCurrency, mayStartCurrency } from './currencies.ts';
import { isWordEnd } from './particles.ts';
import { endAt } from './reading.ts';

/** The unit of a number. A basis point is a hundredth of a percentage point. */
export type Unit = 'money' | 'percent' | 'times' | 'points' | 'basis-points' | 'pieces';

export interface UnitReading {
  readonly unit: Unit;
  /** Only for money. */
  readonly currency?: KnownCurrency;
  readonly end: number;
}

type Word = readonly [unit: Exclude<Unit, 'money'>, pattern: RegExp];

/** By first character; the first match wins. */
const WORDS: ReadonlyMap<string, readonly Word[]> = new Map<string, readonly Word[]>([
  [
    '%',
    [
      ['points', /%(?:p|\s?포인트)/iuy],
      ['percent', /%/uy],
    ],
  ],
  [
    '퍼',
    [
      ['points', /퍼센트\s?포인트/uy],
      ['percent', /퍼센트|퍼/uy],
    ],
  ],
  ['프', [['percent', /프로(?!\p{Script=Latin})/uy]]],
  ['포', [['points', /포인트/uy]]],
  ['베', [['basis-points', /베이시스\s?포인트/uy]]],
  // After a space, `주` starts many words (`200 주가`, `3 주식`), so it counts only before trading words.
  [
    '주',
    [
      [
        'pieces',
        /(?<!\s)주(?![년일간차말요문세봉총식주]|\s?(?:신고가|신저가|최고|최저|고점|저점|연속|전(?![량부])|동안|후|뒤|째))|(?<=\s)주(?=$|[^\p{L}]|를|씩|샀|팔|매수|매도|매입|보유|추가|구매)/uy,
      ],
    ],
  ],
  ['개', [['pieces', /개(?!월|년|사|국|장|점)/uy]]],
  ['좌', [['pieces', /좌/uy]]],
  ['계', [['pieces', /계약/uy]]],
  ['코', [['pieces', /코인/uy]]],
  // `5 배당`
  ['배', [['times', /배(?!당)/uy]]],
  // `10 x 5` is a product.
  ['×', [['times', /×(?!\s?[\d$₩€£¥])/uy]]],
  ['x', [['times', /x(?![\p{Script=Latin}\d]|\s?[\d$₩€£¥])/iuy]]],
  ['t', [['times', /times(?![\p{Script=Latin}\d]|\s\d)/iuy]]],
  ['b', [['basis-points', /(?:bps?|basis points?)(?![\p{Script=Latin}\d])/iuy]]],
  [
    'p',
    [
      ['percent', /(?:percent|per cent|pct)(?![\p{Script=Latin}\d])/iuy],
      ['points', /(?:percentage points?|points?|pts?)(?![\p{Script=Latin}\d])/iuy],
      ['pieces', /(?:pcs?|pieces?)(?![\p{Script=Latin}\d])/iuy],
    ],
  ],
  ['s', [['pieces', /(?:shares?|shs?)(?![\p{Script=Latin}\d])/iuy]]],
  ['u', [['pieces', /units?(?![\p{Script=Latin}\d])/iuy]]],
  ['c', [['pieces', /(?:coins?|contracts?)(?![\p{Script=Latin}\d])/iuy]]],
]);

/** By the code of the first character, in either case. */
const WORDS_BY_CODE: ReadonlyMap<number, readonly Word[]> = new Map(
  [...WORDS].flatMap(([first, words]) => [
    [first.charCodeAt(0), words] as const,
    [first.toUpperCase().charCodeAt(0), words] as const,
  ]),
);

/** Longer than any currency name. */
const MAX_NAME = 24;
/** Codes that are words in lower case, and a name of the won that is also a company. */
const AMBIGUOUS_CODES: ReadonlySet<string> = new Set(['try', 'link', 'dot', '한화']);
/** Codes have no plural. */
const MAX_CODE = 4;

const moneyAt = (text: string, at: number): UnitReading | null => {
  if (!mayStartCurrency(text.charCodeAt(at))) return null;
  const found = currencyAtStart(text.slice(at, at + MAX_NAME));
  if (!found) return null;
  const named = at + found.length;
  const isInLatin = isLatin(text.charCodeAt(named - 1));
  // `hong kong dollars`
  const isPlural = isInLatin && found.length > MAX_CODE && text.charAt(named).toLowerCase() === 's';
  const end = isPlural ? named + 1 : named;
  const next = text.charCodeAt(end);
  const isWhole = isInLatin ? !isLatin(next) && !isDigit(next) : isWordEnd(text, end);
  return isWhole && !AMBIGUOUS_CODES.has(text.slice(at, end))
    ? { unit: 'money', currency: found.currency, end }
    : null;
};

const wordAt = (text: string, at: number): UnitReading | null => {
  const words = WORDS_BY_CODE.get(text.charCodeAt(at));
  if (!words) return null;
  for (const [unit, pattern] of words) {
    const end = endAt(pattern, text, at);
    if (end !== undefined && (text.charAt(at) === '%' || isWordEnd(text, end))) return { unit, end };
  }
  return null;
};

const SPACE = 32;
/** A sign before a digit starts the next amount. */
const isSignBeforeDigit = (text: string, end: number): boolean =>
  isDigit(text.charCodeAt(end)) && !isLetter(text.charCodeAt(end - 1));

/** The unit after a number, at most two spaces away. */
export const unitAt = (text: string, at: number): UnitReading | null => {
  let start = at;
  while (start < at + 2 && text.charCodeAt(start) === SPACE) start += 1;
  const unit = wordAt(text, start) ?? moneyAt(text, start);
  // In `10 $1905` the sign belongs to the next number.
  const isBehind = start > at || isDigit(text.charCodeAt(at - 1));
  const isOfNext = isBehind && unit?.currency && isSignBeforeDigit(text, unit.end);
  return isOfNext ? null : unit;
};

const DOLLAR = '$';
/** Letters before a dollar sign: `US$`, `HK$`. */
const DOLLARS: ReadonlySet<string> = new Set('us hk nt a au nz c ca s r mx'.split(' '));
const isMoneySign = characterTest(/[$₩€£¥₪฿₺₱₽₹₫]/u);
/** Excludes coins, because in `BTC 0.1` the code is the instrument. */
const CODES: ReadonlySet<string> = new Set(
  'krw usd eur jpy gbp cny hkd twd sgd chf cad aud nzd inr vnd thb'.split(' '),
);
const CODE_LENGTH = 3;
const mayEndCode = characterTest(new RegExp(`[${Array.from(CODES, (code) => code.at(-1)).join('')}]`, 'i'));

/** The start of a currency name that ends at this position. */
const moneyStart = (text: string, end: number): number | undefined => {
  const last = text.charCodeAt(end - 1);
  if (mayEndCode(last))
    return CODES.has(text.slice(end - CODE_LENGTH, end).toLowerCase()) ? end - CODE_LENGTH : undefined;
  if (!isMoneySign(last)) return undefined;
  let start = end - 1;
  if (text.charAt(start) !== DOLLAR) return start;
  while (start > end - CODE_LENGTH && isAsciiLetter(text.charCodeAt(start - 1))) start -= 1;
  return DOLLARS.has(text.slice(start, end - 1).toLowerCase()) ? start : end - 1;
};

const PAIR_START = /[a-z][-/][a-z]/iy;

/** True for the second code of a pair, as in `BTC-KRW 10`. */
const isOfPair = (text: string, start: number): boolean =>
  start >= 2 && endAt(PAIR_START, text, start - 2) !== undefined;

/** The currency before a number: `$`, `US$`, `USD `. */
export const moneyBefore = (
  text: string,
  at: number,
): { readonly currency: KnownCurrency; readonly start: number } | null => {
  let end = at;
  while (end > at - 2 && text.charCodeAt(end - 1) === SPACE) end -= 1;
  const start = moneyStart(text, end);
  if (start === undefined) return null;
  const before = text.charCodeAt(start - 1);
  if (isLetter(before) || isDigit(before)) return null;
  if (isOfPair(text, start)) return null;
  const found = currencyAtStart(text.slice(start, end));
  return found ? { currency: found.currency, start } : null;
};
