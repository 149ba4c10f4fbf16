import { Decimal } from '#src/core/money.ts';

/** Enough for any sum of money and for long chains of percentages; few enough that nothing takes long. */
const SIGNIFICANT_DIGITS = 40;
export const Exact = Decimal.clone({ precision: SIGNIFICANT_DIGITS });

const DIGITS = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![,.]{0,3}\d)|\d+(?:\.\d+)?|\.\d+/y;
/** 1e5; never the beginning of a word such as `eur`. */
const EXPONENT = /e[+-]?\d{1,3}(?![\p{L}\d.])/iuy;
const MONEY = '원|달러|불|엔|유로|위안|파운드';
/** 천만 = 10⁷, 백억 = 10¹⁰: a small one multiplies the large one behind it. Small ones alone begin other words, too. */
const KOREAN_SCALE = new RegExp(
  `\\s*(?:([십백천])?([만억조])|([십백천])(?=\\s*(?:$|[^\\p{L}]|${MONEY}|\\d|[십백천]?[만억조])))`,
  'uy',
);
/** 만원, 천만, 만5천원: one of them is not counted. */
const UNCOUNTED = new RegExp(
  `(?<![\\p{L}\\p{N}.])(?=(?:[십백천]?[만억조]|[십백천])\\s?(?:${MONEY})|[십백천]?[만억조]\\d|[십백천][만억조]$)`,
  'uy',
);
/** 5만천원: nor here. */
const GLUED_UNCOUNTED = new RegExp(`(?=[십백천](?:$|[^\\p{L}\\p{N}]|${MONEY}))`, 'uy');
const LATIN_SCALE = /\s?(bn|mn|tn|[kmbt])(?![\p{L}\d])/iuy;
const BLANKS = /\s*/y;

const KOREAN: Readonly<Record<string, number>> = { 십: 1, 백: 2, 천: 3, 만: 4, 억: 8, 조: 12 };
const LATIN: Readonly<Record<string, number>> = { k: 3, m: 6, mn: 6, b: 9, bn: 9, t: 12, tn: 12 };
const EOK = 8;
/** From one large unit to the next. */
const STEP = 4;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

const tenTo = (power: number): Decimal => new Exact(10).pow(power);

export interface ReadNumber {
  readonly value: Decimal;
  /** Where it ends in the text. */
  readonly end: number;
  /** It has separators of thousands, which may have been meant to part two numbers. */
  readonly isGrouped: boolean;
}

interface Piece extends ReadNumber {
  /** Powers of ten of its Korean scales, which `value` is not multiplied with yet; 0 without one. */
  readonly small: number;
  readonly large: number;
}

const pieceAt = (text: string, at: number, uncounted: RegExp): Piece | null => {
  const digits = matchAt(DIGITS, text, at)?.[0] ?? (matchAt(uncounted, text, at) ? '' : undefined);
  if (digits === undefined) return null;
  const value = new Exact(digits === '' ? 1 : digits.replaceAll(',', ''));
  const end = at + digits.length;
  const plain = { value, end, isGrouped: digits.includes(','), small: 0, large: 0 };
  const exponent = matchAt(EXPONENT, text, end);
  if (exponent) return { ...plain, value: value.times(`1${exponent[0]}`), end: end + exponent[0].length };
  const korean = matchAt(KOREAN_SCALE, text, end);
  if (korean) {
    const [whole, before = '', unit = '', alone = before] = korean;
    return { ...plain, end: end + whole.length, small: KOREAN[alone] ?? 0, large: KOREAN[unit] ?? 0 };
  }
  const latin = matchAt(LATIN_SCALE, text, end);
  if (!latin) return plain;
  const scale = LATIN[(latin[1] ?? '').toLowerCase()] ?? 0;
  return { ...plain, value: value.times(tenTo(scale)), end: end + latin[0].length };
};

/**
 * The number with which the text goes on at that place: `1,234,567`, `2.5억`, `1억 2천3백만`, `천만`, `15K`. What
 * follows a Korean scale and is smaller than it is part of the number, as in `3만 5000`; behind 억 or 조 a small scale
 * alone counts in the unit below, as people say it: `1억5천` is 150,000,000. Null where there is none.
 */
export const readNumber = (text: string, at: number): ReadNumber | null => {
  const first = pieceAt(text, at, UNCOUNTED);
  if (!first) return null;
  let piece: Piece = first;
  /** Of the large units behind us, the last of them, and what stands behind it. */
  let total = new Exact(0);
  let unit = 0;
  let section = new Exact(0);
  let { isGrouped } = first;
  for (;;) {
    section = section.plus(piece.value.times(tenTo(piece.small)));
    if (piece.large > 0) {
      total = total.plus(section.times(tenTo(piece.large)));
      section = new Exact(0);
      unit = piece.large;
    }
    if (piece.small === 0 && piece.large === 0) break;
    const blanks = matchAt(BLANKS, text, piece.end)?.[0].length ?? 0;
    const next: Piece | null = pieceAt(text, piece.end + blanks, blanks === 0 ? GLUED_UNCOUNTED : /(?!)/y);
    if (!next) break;
    const isOpen = piece.large === 0;
    const limit = isOpen ? piece.small : unit;
    const isSmaller = next.value.times(tenTo(next.small)).lessThan(tenTo(limit));
    const isInOrder = next.large === 0 || unit === 0 || next.large < unit;
    // `5천 3만` may be two; `2천 3백만` is not, and what stands behind 만 may be of 만 no more.
    const isOne = next.large === 0 || !isOpen || next.small > 0 || blanks === 0;
    // `1억5천 300`: nobody can say what the 5천 is then.
    const isClear = unit < EOK || !isOpen || next.small > 0 || next.large > 0;
    if (!isSmaller || !isInOrder || !isOne || !isClear) break;
    piece = next;
    isGrouped ||= next.isGrouped;
  }
  const isColloquial = unit >= EOK && piece.large === 0 && piece.small > 0;
  const rest = isColloquial ? section.times(tenTo(unit - STEP)) : section;
  return { value: total.plus(rest), end: piece.end, isGrouped };
};
