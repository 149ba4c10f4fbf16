import { currencyAtStart, type KnownCurrency } from './currencies.ts';
import { isWordEnd } from './particles.ts';

/** What a number counts. */
export type Unit = 'money' | 'percent' | 'times' | 'points' | 'pieces';

export interface UnitReading {
  readonly unit: Unit;
  /** Of money. */
  readonly currency?: KnownCurrency;
  /** Where it ends. */
  readonly end: number;
}

/** `주` begins many words behind a blank (`200 주가`, `3 주식`): only what is bought and sold is counted there. */
const PIECES =
  /(?<!\s)주(?![년일간차말요문세봉총식주]|\s?(?:신고가|신저가|최고|최저|고점|저점|연속|전(?![량부])|동안|후|뒤|째))|(?<=\s)주(?=$|[^\p{L}]|를|씩|샀|팔|매수|매도|매입|보유|추가|구매)|개(?!월|년|사|국|장|점)|좌|계약|코인/uy;
const PIECES_EN = /(?:shares?|shs?|pcs?|pieces?|units?|coins?|contracts?)(?![\p{L}\d])/iuy;
const PERCENT = /%(?!p)|퍼센트(?!포인트)|퍼|프로/iuy;
const PERCENT_EN = /(?:percent|pct)(?![\p{L}\d])/iuy;
const TIMES = /배|×/uy;
const TIMES_EN = /(?:x|times)(?![\p{L}\d])/iuy;
const POINTS = /%p|퍼센트\s?포인트|포인트/iuy;
const POINTS_EN = /(?:percentage points?|points?|pts?)(?![\p{L}\d])/iuy;

type Word = readonly [unit: Exclude<Unit, 'money'>, pattern: RegExp];

const SIGNS_AND_KOREAN: readonly Word[] = [
  ['points', POINTS],
  ['percent', PERCENT],
  ['pieces', PIECES],
  ['times', TIMES],
];
const ENGLISH: readonly Word[] = [
  ['points', POINTS_EN],
  ['percent', PERCENT_EN],
  ['pieces', PIECES_EN],
  ['times', TIMES_EN],
];

/** Longer than any name of money. */
const MAX_NAME = 24;
const LATIN_OR_DIGIT = /[\p{Script=Latin}\d]/u;
const LATIN = /\p{Script=Latin}/u;

const blanksAt = (text: string, at: number): number => {
  let end = at;
  while (end < at + 2 && text.charAt(end) === ' ') end += 1;
  return end;
};

const moneyAt = (text: string, at: number): UnitReading | null => {
  const found = currencyAtStart(text.slice(at, at + MAX_NAME));
  if (!found) return null;
  const named = at + found.length;
  const isLatin = LATIN.test(text.charAt(named - 1));
  // `hong kong dollars`
  const end = isLatin && /^s(?!\p{L})/u.test(text.slice(named, named + 2)) ? named + 1 : named;
  // `10 $1905`: the sign belongs to the number behind it.
  if (/^[^\p{L}]\d/u.test(text.slice(end - 1, end + 1))) return null;
  const isWhole = isLatin ? !LATIN_OR_DIGIT.test(text.charAt(end)) : isWordEnd(text, end);
  return isWhole ? { unit: 'money', currency: found.currency, end } : null;
};

const wordAt = (text: string, at: number): UnitReading | null => {
  for (const [unit, pattern] of LATIN.test(text.charAt(at)) ? ENGLISH : SIGNS_AND_KOREAN) {
    const sticky = pattern;
    sticky.lastIndex = at;
    const [word] = sticky.exec(text) ?? [];
    if (word === undefined) continue;
    const end = at + word.length;
    if (isWordEnd(text, end) && !(word.startsWith('프로') && LATIN.test(text.charAt(end))))
      return { unit, end };
  }
  return null;
};

/** With which neither a word nor a sign of money begins. */
const NO_UNIT = /[\d\s.,:;!?()'"/+<>=~-]/u;

/** The unit that stands behind a number, at most two blanks away; null where none does. */
export const unitAt = (text: string, at: number): UnitReading | null => {
  const start = blanksAt(text, at);
  if (start >= text.length || NO_UNIT.test(text.charAt(start))) return null;
  return wordAt(text, start) ?? moneyAt(text, start);
};

/** Money that is named before a number: `$`, `US$`, `USD `, never a coin (`BTC 0.1` names what is traded). */
const MONEY_BEFORE =
  /(?<![\p{L}\d])(?:(?:us|hk|nt|a|au|nz|c|ca|s|r|mx)?\$|[₩€£¥₪฿₺₱₽₹₫]|(?:krw|usd|eur|jpy|gbp|cny|hkd|twd|sgd|chf|cad|aud|nzd|inr|vnd|thb) ?)\s?$/iu;
const MONEY_END = /[$₩€£¥₪฿₺₱₽₹₫a-z]/iu;
/** The longest of them with its blanks. */
const MAX_BEFORE = 6;

export const moneyBefore = (
  text: string,
  at: number,
): { readonly currency: KnownCurrency; readonly start: number } | null => {
  if (!MONEY_END.test(text.charAt(at - 1)) && !MONEY_END.test(text.charAt(at - 2))) return null;
  const lead = text.slice(Math.max(0, at - MAX_BEFORE - 1), at);
  const [written] = MONEY_BEFORE.exec(lead) ?? [];
  const found = written === undefined ? undefined : currencyAtStart(written.trim());
  return written !== undefined && found ? { currency: found.currency, start: at - written.length } : null;
};
