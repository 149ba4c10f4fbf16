import { Decimal } from '#src/core/money.ts';
import {
  ENGLISH_NUMBER_START,
  englishAt,
  Exact,
  LATIN_SCALES,
  matchAt,
  nativeAt,
  scaled,
} from './number-words.ts';
import { isWordEnd } from './particles.ts';
import { foldWidth, type Reading } from './reading.ts';
import { unitAt } from './units.ts';

export interface NumberReading extends Reading<Decimal> {
  /** It has separators of thousands, which may have been meant to part two numbers. */
  readonly isGrouped: boolean;
  /** It counts in 만, 억 or 조, as only Koreans do. */
  readonly hasKoreanScale: boolean;
}

/** Longer runs of digits are no number that people mean. */
const MAX_DIGITS = 40;
const DIGITS =
  /\d{1,3}(?:,\d{3}){1,12}(?:\.\d{1,30})?(?![,.]{0,3}\d)|\d{1,40}(?!\d)(?:\.\d{1,30})?|\.\d{1,30}/y;
/** 1e5; never the beginning of a word such as `eur`. */
const EXPONENT = /e[+-]?\d{1,3}(?![\p{L}\d.])/iuy;

const SMALL: Readonly<Record<string, number>> = { 십: 1, 백: 2, 천: 3 };
const LARGE: Readonly<Record<string, number>> = { 만: 4, 억: 8, 조: 12, 경: 16 };
const SINO: Readonly<Record<string, number>> = {
  일: 1,
  이: 2,
  삼: 3,
  사: 4,
  오: 5,
  육: 6,
  륙: 6,
  칠: 7,
  팔: 8,
  구: 9,
};
const EOK = 8;
/** From one large unit to the next. */
const STEP = 4;

/** `k` and its like touch their digits, words may stand behind a blank. */
const LATIN_SCALE =
  /(?:[kmbt]|mil)(?![\p{L}\d])|\s?(?:bn|mn|tn|hundred|thousand|million|billion|trillion)(?![\p{L}\d])/iuy;
const LETTER_OR_DIGIT = /[\p{L}\p{N}.]/u;
const LETTER = /\p{L}/u;

const blanksAfter = (text: string, at: number): number => {
  let end = at;
  while (end < at + 2 && text.charAt(end) === ' ') end += 1;
  return end;
};

/** `3천만` is one piece of `1억 3천만`: a coefficient with a small and a large Korean scale, each of which may be missing. */
interface Piece {
  readonly value: Decimal;
  readonly small: number;
  readonly large: number;
  readonly end: number;
  readonly isGrouped: boolean;
  /** Without digits. */
  readonly isSpelled: boolean;
}

/** A scale that stands alone begins other words, too: `5천안`, `3 조선`, `10 백산`. */
const isScaleEnd = (text: string, end: number): boolean => {
  const next = text.charAt(end);
  return (
    !LETTER.test(next) ||
    isWordEnd(text, end) ||
    next in SINO ||
    next in SMALL ||
    next in LARGE ||
    unitAt(text, end) !== null
  );
};

const scalesAt = (text: string, at: number): { small: number; large: number; end: number } | null => {
  const start = blanksAfter(text, at);
  let end = start;
  const small = SMALL[text.charAt(end)];
  if (small !== undefined) end += 1;
  const large = LARGE[text.charAt(end)];
  if (large !== undefined) end += 1;
  if (end === start) return null;
  const isGlued = start === at;
  const isWhole = isGlued
    ? isScaleEnd(text, end)
    : !LETTER.test(text.charAt(end)) || unitAt(text, end) !== null;
  return isWhole ? { small: small ?? 0, large: large ?? 0, end } : null;
};

const digitsPieceAt = (text: string, at: number): Piece | null => {
  const digits = matchAt(DIGITS, text, at);
  if (digits === undefined) return null;
  const end = at + digits.length;
  const value = new Decimal(digits.replaceAll(',', ''));
  const scales = scalesAt(text, end);
  const plain = { value, small: 0, large: 0, end, isGrouped: digits.includes(','), isSpelled: false };
  return scales ? { ...plain, ...scales } : plain;
};

/** `삼백`, `오만`, and with a coefficient that is not said `만`, `천만`; the last of a number may be `육`. */
const spelledPieceAt = (text: string, at: number, isFirst: boolean): Piece | null => {
  const coefficient = SINO[text.charAt(at)];
  const scales = scalesAt(text, coefficient === undefined ? at : at + 1);
  const base = { value: new Decimal(coefficient ?? 1), isGrouped: false, isSpelled: true };
  if (scales && (coefficient !== undefined || scales.end > at)) {
    const start = coefficient === undefined ? at : at + 1;
    return scales.end - start <= 2 ? { ...base, ...scales } : null;
  }
  // `오 프로`: a digit alone is only said before a percentage.
  const isAlone = coefficient !== undefined && (!isFirst || unitAt(text, at + 1)?.unit === 'percent');
  return isAlone ? { ...base, small: 0, large: 0, end: at + 1 } : null;
};

interface Sum {
  readonly value: Decimal;
  readonly end: number;
  readonly isGrouped: boolean;
  readonly hasLarge: boolean;
  readonly hasScale: boolean;
  readonly isSpelled: boolean;
  readonly alternatives: readonly Decimal[];
}

/** Whether `next` goes on with the number, or is another one. */
const belongs = (piece: Piece, next: Piece, unit: number, isGlued: boolean): boolean => {
  const isOpen = piece.large === 0;
  const limit = isOpen ? piece.small : unit;
  const isSmaller = next.value.times(`1e${next.small}`).lessThan(`1e${limit}`);
  const isInOrder = next.large === 0 || unit === 0 || next.large < unit;
  // `5천 3만` may be two numbers; `2천 3백만` is one.
  const isOne = next.large === 0 || !isOpen || next.small > 0 || isGlued;
  // `1억5천 300`: nobody can say what the 5천 is then.
  const isClear = unit < EOK || !isOpen || next.small > 0 || next.large > 0;
  // `1억 5` may be a number and a count; glued or scaled it is one number.
  const isScaled = next.small > 0 || next.large > 0 || isGlued || next.value.greaterThanOrEqualTo(100);
  return isSmaller && isInOrder && isOne && isClear && isScaled;
};

/**
 * The pieces added up. What follows a scale and is smaller than it belongs to the number, as in `3만 5000`. Behind 억
 * or 조 a small scale alone counts in the unit below, as people say it: `1억 5천` is 150,000,000.
 */
const sumAt = (text: string, at: number): Sum | null => {
  const first = digitsPieceAt(text, at) ?? spelledPieceAt(text, at, true);
  if (!first) return null;
  if (first.small === 0 && first.large === 0)
    return { ...first, hasLarge: false, hasScale: false, alternatives: [] };
  let piece = first;
  /** Of the large units so far, the last of them, and what stands behind it. */
  let total: Decimal = new Exact(0);
  let unit = 0;
  let section: Decimal = new Exact(0);
  let { isGrouped, isSpelled } = first;
  for (;;) {
    section = section.plus(scaled(piece.value, piece.small));
    if (piece.large > 0) {
      total = total.plus(scaled(section, piece.large));
      section = new Exact(0);
      unit = piece.large;
    }
    if (piece.small === 0 && piece.large === 0) break;
    const start = blanksAfter(text, piece.end);
    const isGlued = start === piece.end;
    const spelled = spelledPieceAt(text, start, !isGlued);
    const next =
      digitsPieceAt(text, start) ?? (isGlued || spelled?.value.equals(1) === false ? spelled : null);
    if (!next || !belongs(piece, next, unit, isGlued)) break;
    piece = next;
    isGrouped ||= next.isGrouped;
    isSpelled &&= next.isSpelled;
  }
  const isBare = piece.large === 0 && unit >= EOK;
  const isColloquial = isBare && piece.small > 0;
  const literal = (): Decimal => total.plus(section);
  const raised = (power: number): Decimal => total.plus(scaled(section, power));
  // `2억5` and `1억 3천원` are said of both.
  const isUnclear = isBare && !section.isZero() && (!isColloquial || text.startsWith('원', piece.end));
  const value = isColloquial ? raised(unit - STEP) : literal();
  const other = (): Decimal => (isColloquial ? literal() : raised(unit - 1));
  return {
    value: new Decimal(value.toFixed()),
    end: piece.end,
    isGrouped,
    hasLarge: unit > 0,
    hasScale: unit > 0 || first.small > 0,
    isSpelled,
    alternatives: isUnclear ? [new Decimal(other().toFixed())] : [],
  };
};

const COMPARED = /\s?(?:넘|이상|이하|미만|초과|돌파|아래|밑|까지|깨|되면|될|도달)/uy;
/** `백만`, `삼천오백`: long enough to be nothing else. `이만`, `오만` and `구조` are words, too. */
const isClearlyNumber = (written: string): boolean =>
  written.length >= 3 || (/^[십백천][만억조]$/u.test(written) && written !== '천만') || /\d/u.test(written);

/** Korean number words stand in other words: they count only before a unit, or where they can be nothing else. */
const isMeant = (text: string, at: number, end: number): boolean => {
  if (LETTER_OR_DIGIT.test(text.charAt(at - 1))) return false;
  if (at === 0 && end === text.length) return true;
  if (unitAt(text, end) !== null) return true;
  if (matchAt(COMPARED, text, end) !== undefined) return true;
  return isClearlyNumber(text.slice(at, end)) && !LETTER.test(text.charAt(end));
};

const ABOUT_BEFORE =
  /(?:약|대략|거의|얼추|한|~|≈|about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?)\s?[$₩€£¥]?$/iu;
/** The last characters of these words, and of what may stand between. */
const ABOUT_END = /[약략의추한~≈tdxysemac.$₩€£¥]/iu;
const ABOUT_AFTER = /\s?(?:쯤|정도|가량|남짓|안팎|내외|or so|ish|~)/iuy;
/** Money may stand between the number and the word: `3만원쯤`. */
const UNIT_BETWEEN = /\s?(?:원|달러|주|개|퍼센트|프로|%|won|dollars?)?/iuy;

const isAbout = (text: string, start: number, end: number): boolean => {
  if (ABOUT_END.test(text.charAt(start - 1)) || ABOUT_END.test(text.charAt(start - 2))) {
    const before = text.slice(Math.max(0, start - 16), start);
    const word = ABOUT_BEFORE.exec(before);
    if (word !== null && !LETTER.test(before.charAt(word.index - 1))) return true;
  }
  const behind = end + (matchAt(UNIT_BETWEEN, text, end)?.length ?? 0);
  return matchAt(ABOUT_AFTER, text, behind) !== undefined;
};

const reading = (
  text: string,
  start: number,
  end: number,
  value: Decimal,
  rest: Partial<Pick<NumberReading, 'isGrouped' | 'hasKoreanScale' | 'alternatives'>> = {},
): NumberReading => ({
  value,
  start,
  end,
  isApproximate: isAbout(text, start, end),
  alternatives: [],
  isGrouped: false,
  hasKoreanScale: false,
  ...rest,
});

const withLatinScale = (text: string, { value, end }: Sum): { value: Decimal; end: number } | null => {
  const exponent = matchAt(EXPONENT, text, end);
  if (exponent !== undefined)
    return {
      value: new Decimal(new Exact(value).times(`1${exponent}`).toFixed()),
      end: end + exponent.length,
    };
  const scale = matchAt(LATIN_SCALE, text, end);
  if (scale === undefined) return null;
  const power = LATIN_SCALES[scale.trim().toLowerCase()] ?? 0;
  return { value: new Decimal(scaled(value, power).toFixed()), end: end + scale.length };
};

const MAY_BEGIN = /[\d.일이삼사오육륙칠팔구십백천만억조열스서마쉰예여아하둘셋넷다한두세석네넉a-z]/iu;

/**
 * The number with which the text goes on at that place: `1,234,567`, `2.5억`, `1억 2천3백만`, `삼백만`, `15k`, `1.5
 * million`, `열` before `주`, `five` before `shares`. Null where there is none. The text must be folded (`foldWidth`).
 */
export const numberAt = (text: string, at: number): NumberReading | null => {
  if (!MAY_BEGIN.test(text.charAt(at))) return null;
  const sum = sumAt(text, at);
  if (sum && (!sum.isSpelled || isMeant(text, at, sum.end))) {
    const { isGrouped, hasLarge: hasKoreanScale, alternatives } = sum;
    const latin = sum.hasScale ? null : withLatinScale(text, sum);
    if (latin) return reading(text, at, latin.end, latin.value, { isGrouped });
    return reading(text, at, sum.end, sum.value, { isGrouped, hasKoreanScale, alternatives });
  }
  const native = nativeAt(text, at);
  if (native) return reading(text, at, native.end, new Decimal(native.value));
  const english = englishAt(text, at);
  if (!english) return null;
  const isWhole = at === 0 && english.end === text.length;
  const isClear = isWhole || english.words > 1 || unitAt(text, english.end) !== null;
  return isClear ? reading(text, at, english.end, english.value) : null;
};

/** A run of digits and separators that is no number of ours: `1,5`, `1.234,50`, `1.2.3`, or longer than any amount. */
const RUN = /[\d.,]*\d/y;
const GROUPED_OR_PLAIN = /^(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?$/;

const malformedEnd = (text: string, at: number): number | undefined => {
  const run = matchAt(RUN, text, at);
  if (run === undefined || (run.length <= MAX_DIGITS && GROUPED_OR_PLAIN.test(run))) return undefined;
  return at + run.length;
};

/** `005930.KS`, `7203.T`: a code with its market. */
const CODE = /\d{1,6}\.[a-z]{1,3}(?![\p{L}\d])/iuy;

const codeEnd = (text: string, at: number): number | undefined => {
  const code = matchAt(CODE, text, at);
  return code === undefined ? undefined : at + code.length;
};

const isInside = (text: string, at: number): boolean => /[\p{Script=Latin}\d.,^_]/u.test(text.charAt(at - 1));
const STARTS = new RegExp(
  String.raw`\d|\.\d|(?<![\p{L}\d])(?:[일이삼사오육륙칠팔구십백천만억조열쉰둘셋넷한두세석네넉]|스물|스무|서른|마흔|예순|일흔|여든|아흔|하나|다섯|여섯|일곱|여덟|아홉|${ENGLISH_NUMBER_START})`,
  'giu',
);

/** Every number of a text, from the left. A malformed one (`1.234,50`) is left out, not guessed at. */
export const numbersIn = (typed: string): readonly NumberReading[] => {
  const text = foldWidth(typed);
  const found: NumberReading[] = [];
  let from = 0;
  for (const { index } of text.matchAll(STARTS)) {
    if (index < from) continue;
    const isDigit = /[\d.]/.test(text.charAt(index));
    if (isDigit && isInside(text, index)) continue;
    const malformed = isDigit ? (malformedEnd(text, index) ?? codeEnd(text, index)) : undefined;
    if (malformed !== undefined) {
      from = malformed;
      continue;
    }
    const number = numberAt(text, index);
    if (!number) continue;
    found.push(number);
    from = number.end;
  }
  return found;
};

/** The number that the whole text is, without a unit; null where it is none, or is malformed. */
export const readNumber = (typed: string): NumberReading | null => {
  const text = foldWidth(typed);
  const start = text.length - text.trimStart().length;
  const whole = text.trim();
  if (malformedEnd(whole, 0) !== undefined) return null;
  const number = numberAt(whole, 0);
  return number?.end === whole.length
    ? { ...number, start: number.start + start, end: number.end + start }
    : null;
};
