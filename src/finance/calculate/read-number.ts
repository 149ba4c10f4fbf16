import { Decimal } from '#src/core/money.ts';

/** Enough for any sum of money and for long chains of percentages; few enough that nothing takes long. */
const SIGNIFICANT_DIGITS = 40;
export const Exact = Decimal.clone({ precision: SIGNIFICANT_DIGITS });

const DIGITS = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,.]*\d)|\d+(?:\.\d+)?|\.\d+/y;
/** 1e5; never the beginning of a word such as `eur`. */
const EXPONENT = /e[+-]?\d{1,3}(?![\p{L}\d.])/iuy;
/** 천만 = 10⁷, 백억 = 10¹⁰: a small one multiplies the large one behind it. */
const KOREAN_SCALE = /\s*([십백천]?[만억조]|[십백천](?=\s*(?:$|[^\p{L}]|원|달러|엔|유로|위안|\d)))/uy;
const LATIN_SCALE = /\s?(bn|mn|tn|[kmbt])(?![\p{L}\d])/iuy;

const KOREAN: Readonly<Record<string, number>> = { 십: 1, 백: 2, 천: 3, 만: 4, 억: 8, 조: 12 };
const LATIN: Readonly<Record<string, number>> = { k: 3, m: 6, mn: 6, b: 9, bn: 9, t: 12, tn: 12 };

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

export interface ReadNumber {
  readonly value: Decimal;
  /** Where it ends in the text. */
  readonly end: number;
  /** It has separators of thousands, which may have been meant to part two numbers. */
  readonly isGrouped: boolean;
}

interface Piece extends ReadNumber {
  /** Power of ten of its Korean scale; 0 without one. */
  readonly scale: number;
}

const pieceAt = (text: string, at: number): Piece | null => {
  const digits = matchAt(DIGITS, text, at);
  if (!digits) return null;
  const value = new Exact(digits[0].replaceAll(',', ''));
  const end = at + digits[0].length;
  const isGrouped = digits[0].includes(',');
  const exponent = matchAt(EXPONENT, text, end);
  if (exponent) {
    const power = new Exact(`1${exponent[0]}`);
    return { value: value.times(power), end: end + exponent[0].length, isGrouped, scale: 0 };
  }
  const korean = matchAt(KOREAN_SCALE, text, end);
  if (korean) {
    const scale = Array.from(korean[1] ?? '').reduce((sum, letter) => sum + (KOREAN[letter] ?? 0), 0);
    return { value: value.times(new Exact(10).pow(scale)), end: end + korean[0].length, isGrouped, scale };
  }
  const latin = matchAt(LATIN_SCALE, text, end);
  if (!latin) return { value, end, isGrouped, scale: 0 };
  const scale = LATIN[(latin[1] ?? '').toLowerCase()] ?? 0;
  return { value: value.times(new Exact(10).pow(scale)), end: end + latin[0].length, isGrouped, scale: 0 };
};

const BLANKS = /\s*/y;

/**
 * The number with which the text goes on at that place: `1,234,567`, `2.5억`, `1억 2천만`, `15K`. What follows a
 * Korean scale and is smaller than it is part of the number, as in `3만 5000`. Null where there is none.
 */
export const readNumber = (text: string, at: number): ReadNumber | null => {
  const first = pieceAt(text, at);
  if (!first) return null;
  let { value, end, scale, isGrouped } = first;
  while (scale > 0) {
    const next = pieceAt(text, end + (matchAt(BLANKS, text, end)?.[0].length ?? 0));
    if (!next || !next.value.lessThan(new Exact(10).pow(scale)) || next.scale >= scale) break;
    value = value.plus(next.value);
    ({ end, scale } = next);
    isGrouped ||= next.isGrouped;
  }
  return { value, end, isGrouped };
};
