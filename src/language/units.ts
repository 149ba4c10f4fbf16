import { currencyAtStart, type KnownCurrency } from './currencies.ts';
import { isWordEnd } from './particles.ts';
import { matchAt, textAt } from './reading.ts';

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

/** Longer than any currency name. */
const MAX_NAME = 24;
const LATIN_OR_DIGIT = /[\p{Script=Latin}\d]/u;
const LATIN = /\p{Script=Latin}/u;
const LETTER = /\p{L}/u;
/** Codes that are words in lower case, and a name of the won that is also a company. */
const AMBIGUOUS_CODES: ReadonlySet<string> = new Set(['try', 'link', 'dot', '한화']);
/** Codes have no plural. */
const MAX_CODE = 4;

const moneyAt = (text: string, at: number): UnitReading | null => {
  const found = currencyAtStart(text.slice(at, at + MAX_NAME));
  if (!found) return null;
  const named = at + found.length;
  const isLatin = LATIN.test(text.charAt(named - 1));
  // `hong kong dollars`
  const isPlural = isLatin && found.length > MAX_CODE && text.charAt(named).toLowerCase() === 's';
  const end = isPlural ? named + 1 : named;
  const isWhole = isLatin ? !LATIN_OR_DIGIT.test(text.charAt(end)) : isWordEnd(text, end);
  return isWhole && !AMBIGUOUS_CODES.has(text.slice(at, end))
    ? { unit: 'money', currency: found.currency, end }
    : null;
};

const wordAt = (text: string, at: number): UnitReading | null => {
  for (const [unit, pattern] of WORDS.get(text.charAt(at).toLowerCase()) ?? []) {
    const word = textAt(pattern, text, at);
    if (word === undefined) continue;
    const end = at + word.length;
    if (text.charAt(at) === '%' || isWordEnd(text, end)) return { unit, end };
  }
  return null;
};

/** Characters that start neither a unit nor a currency sign. */
const NO_UNIT = /[\d\s.,:;!?()'"/+<>=~@*-]/;

const isDigit = (character: string): boolean => character >= '0' && character <= '9';
/** A sign before a digit starts the next amount. */
const isSignBeforeDigit = (text: string, end: number): boolean =>
  isDigit(text.charAt(end)) && !LETTER.test(text.charAt(end - 1));

/** The unit after a number, at most two spaces away. */
export const unitAt = (text: string, at: number): UnitReading | null => {
  let start = at;
  while (start < at + 2 && text.charAt(start) === ' ') start += 1;
  if (start >= text.length || NO_UNIT.test(text.charAt(start))) return null;
  const unit = wordAt(text, start) ?? moneyAt(text, start);
  // In `10 $1905` the sign belongs to the next number.
  const isBehind = start > at || isDigit(text.charAt(at - 1));
  const isOfNext = isBehind && unit?.currency && isSignBeforeDigit(text, unit.end);
  return isOfNext ? null : unit;
};

const DOLLAR = '$';
/** Letters before a dollar sign: `US$`, `HK$`. */
const DOLLARS: ReadonlySet<string> = new Set('us hk nt a au nz c ca s r mx'.split(' '));
const SIGNS: ReadonlySet<string> = new Set('₩€£¥₪฿₺₱₽₹₫');
/** Excludes coins, because in `BTC 0.1` the code is the instrument. */
const CODES: ReadonlySet<string> = new Set(
  'krw usd eur jpy gbp cny hkd twd sgd chf cad aud nzd inr vnd thb'.split(' '),
);
const CODE_LENGTH = 3;
const LETTER_OR_DIGIT = /[\p{L}\d]/u;
const ASCII_LETTER = /[a-z]/i;

/** The start of a currency name that ends at this position. */
const moneyStart = (text: string, end: number): number | undefined => {
  const last = text.charAt(end - 1);
  if (last === DOLLAR) {
    let start = end - 1;
    while (start > end - CODE_LENGTH && ASCII_LETTER.test(text.charAt(start - 1))) start -= 1;
    return DOLLARS.has(text.slice(start, end - 1).toLowerCase()) ? start : end - 1;
  }
  if (SIGNS.has(last)) return end - 1;
  const isCode = ASCII_LETTER.test(last) && CODES.has(text.slice(end - CODE_LENGTH, end).toLowerCase());
  return isCode ? end - CODE_LENGTH : undefined;
};

const PAIR_START = /[a-z][-/][a-z]/iy;

/** True for the second code of a pair, as in `BTC-KRW 10`. */
const isOfPair = (text: string, start: number): boolean =>
  start >= 2 && matchAt(PAIR_START, text, start - 2) !== null;

/** The currency before a number: `$`, `US$`, `USD `. */
export const moneyBefore = (
  text: string,
  at: number,
): { readonly currency: KnownCurrency; readonly start: number } | null => {
  let end = at;
  while (end > at - 2 && text.charAt(end - 1) === ' ') end -= 1;
  const start = end > 0 ? moneyStart(text, end) : undefined;
  if (start === undefined || LETTER_OR_DIGIT.test(text.charAt(start - 1))) return null;
  if (isOfPair(text, start)) return null;
  const found = currencyAtStart(text.slice(start, end));
  return found ? { currency: found.currency, start } : null;
};
