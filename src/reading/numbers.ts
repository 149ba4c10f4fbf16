import { Decimal } from '#src/kernel/money.ts';
import { isAbout } from './about.ts';
import {
  characterTest,
  isAsciiLetter,
  isDigit,
  isLetter,
  isLetterOrDigit,
  isSyllable,
} from './characters.ts';
import { isNotAnAmount, malformedEnd, nextNumberStart } from './number-scan.ts';
import { englishAt, Exact, LATIN_SCALES, nativeAt } from './number-words.ts';
import { isWordEnd } from './particles.ts';
import { endAt, foldWidth, type Reading, textAt } from './reading.ts';
import { moneyBefore, type UnitReading, unitAt } from './units.ts';

export interface NumberReading extends Reading<Decimal> {
  /** True with thousands separators, which may also separate two numbers. */
  readonly isGrouped: boolean;
  /** True if counted in 만, 억 or 조, which is specific to Korean. */
  readonly hasKoreanScale: boolean;
  /** The power of ten of a single scaled coefficient: 4 for `5만`, 6 for `1.5m`. */
  readonly scale: number;
  /** The power of ten of the last written digit, which tells the precision: 3 for `10.2만`, -2 for `0.30`. */
  readonly lastPower: number;
  /** The unit after the number. */
  readonly unit: UnitReading | null;
}

const DIGITS =
  /\d{1,3}(?:,\d{3}){1,12}(?:\.\d{1,30})?(?![,.]{0,3}\d)|\d{1,40}(?!\d)(?:\.\d{1,30})?|\.\d{1,30}/y;
/** Matches `1e5`, but not words such as `eur`. */
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
const isScale = characterTest(/[십백천만억조경]/u);
const MAN = 4;
const EOK = 8;
/** Powers of ten between large units. */
const STEP = 4;

/** `k` and other letters touch the digits; words may follow a space. */
const LATIN_SCALE =
  /[kmbt](?![\p{Script=Latin}\d])|\s?(?:bn|mn|tn|mil|grand|hundred|thousand|million|billion|trillion)(?![\p{Script=Latin}\d])/iuy;

const SPACE = 32;
const POINT = 46;
const blanksAfter = (text: string, at: number): number => {
  let end = at;
  while (end < at + 2 && text.charCodeAt(end) === SPACE) end += 1;
  return end;
};
const isLetterAt = (text: string, at: number): boolean => isLetter(text.charCodeAt(at));

/** A coefficient with optional small and large Korean scales: `3천만` is one piece of `1억 3천만`. */
interface Piece {
  readonly value: Count;
  readonly small: number;
  readonly large: number;
  readonly end: number;
  readonly isGrouped: boolean;
  /** Digits after the decimal point. */
  readonly decimals: number;
  /** True without digits. */
  readonly isSpelled: boolean;
}

/** A scale alone may start another word: `5천안`, `3 조선`, `10 백산`. */
const isScaleEnd = (text: string, end: number): boolean => {
  const next = text.charAt(end);
  return (
    !isLetterAt(text, end) ||
    next in SMALL ||
    next in LARGE ||
    next in SINO ||
    isWordEnd(text, end) ||
    unitAt(text, end) !== null
  );
};

interface Scales {
  readonly small: number;
  readonly large: number;
  readonly end: number;
}

const NO_SCALE: Scales = { small: 0, large: 0, end: 0 };

/** Null if an attached scale starts another word, as in `8만전자`. */
const scalesAt = (text: string, at: number): Scales | null => {
  const start = blanksAfter(text, at);
  if (!isScale(text.charCodeAt(start))) return NO_SCALE;
  let end = start;
  const small = SMALL[text.charAt(end)];
  if (small !== undefined) end += 1;
  const large = LARGE[text.charAt(end)];
  if (large !== undefined) end += 1;
  if (end === start) return NO_SCALE;
  const isGlued = start === at;
  const isWhole = isGlued ? isScaleEnd(text, end) : !isLetterAt(text, end) || unitAt(text, end) !== null;
  if (isWhole) return { small: small ?? 0, large: large ?? 0, end };
  return isGlued ? null : NO_SCALE;
};

const digitsPieceAt = (text: string, at: number): Piece | null => {
  const first = text.charCodeAt(at);
  if (!isDigit(first) && first !== POINT) return null;
  const digits = textAt(DIGITS, text, at);
  if (digits === undefined) return null;
  const end = at + digits.length;
  const scales = scalesAt(text, end);
  if (!scales) return null;
  const isGrouped = digits.includes(',');
  const value = countOf(isGrouped ? digits.replaceAll(',', '') : digits);
  const { small, large } = scales;
  const point = digits.indexOf('.');
  const decimals = point === -1 ? 0 : digits.length - point - 1;
  return { value, small, large, end: Math.max(end, scales.end), isGrouped, decimals, isSpelled: false };
};

/** `삼백`, `오만`, or with an implied coefficient `만`, `천만`. The last piece may be a digit such as `육`. */
const spelledPieceAt = (text: string, at: number, before: Piece | null): Piece | null => {
  if (!isSyllable(text.charCodeAt(blanksAfter(text, at)))) return null;
  const coefficient = SINO[text.charAt(at)];
  const start = coefficient === undefined ? at : at + 1;
  const scales = scalesAt(text, start);
  if (!scales) return null;
  const base = { value: coefficient ?? 1, isGrouped: false, decimals: 0, isSpelled: true };
  if (scales.end > start) return { ...base, small: scales.small, large: scales.large, end: scales.end };
  if (coefficient === undefined) return null;
  const unit = unitAt(text, start)?.unit;
  // A digit alone is spelled out only before a percentage: `오 프로`. In `8만일 때` and `1억이야` it is not a digit.
  const isSaid = before
    ? unit !== undefined || (before.isSpelled && coefficient > 2 && !isLetterAt(text, start))
    : unit === 'percent';
  return isSaid ? { ...base, small: 0, large: 0, end: start } : null;
};

interface Sum {
  readonly value: Count;
  readonly end: number;
  readonly isGrouped: boolean;
  readonly hasLarge: boolean;
  readonly scale: number;
  readonly lastPower: number;
  readonly isSpelled: boolean;
  readonly alternative: Count | null;
}

/** True if `next` continues the number. */
const continuesNumber = (piece: Piece, next: Piece, unit: number, isGlued: boolean): boolean => {
  const isOpen = piece.large === 0;
  const limit = isOpen ? piece.small : unit;
  const isSmaller = isLess(next.value, 10 ** (limit - next.small));
  const isInOrder = next.large === 0 || unit === 0 || next.large < unit;
  // `5천 3만` may be two numbers; `2천 3백만` is one.
  const isOne = next.large === 0 || !isOpen || next.small > 0 || isGlued;
  // `1억5천 300` is ambiguous.
  const isClear = unit < EOK || !isOpen || next.small > 0 || next.large > 0;
  // `1억 5` may be a number and a count; attached or scaled it is one number.
  const isScaled = next.small > 0 || next.large > 0 || isGlued || !isLess(next.value, 100);
  return isSmaller && isInOrder && isOne && isClear && isScaled;
};

const MORE_WORDS = /[일이삼사오육륙칠팔구십백천만억조]{0,40}/uy;

/** True if the word ends as a number: `천오백` and `천원`, but not 천일고속. */
const isNumberWord = (text: string, at: number): boolean => {
  const end = endAt(MORE_WORDS, text, at) ?? at;
  return !isLetterAt(text, end) || unitAt(text, end) !== null;
};

const nextPiece = (text: string, piece: Piece, unit: number): Piece | null => {
  const start = blanksAfter(text, piece.end);
  const isGlued = start === piece.end;
  const digits = digitsPieceAt(text, start);
  const spelled = digits ? null : spelledPieceAt(text, start, piece);
  // `5만 천원` is one number, `5만 만도` is not.
  const isSaid = spelled !== null && (isGlued || spelled.value !== 1 || isNumberWord(text, spelled.end));
  const next = digits ?? (isSaid ? spelled : null);
  return next && continuesNumber(piece, next, unit, isGlued) ? next : null;
};

/** The power of ten of a last piece without a large unit, with alternatives. */
const lastPowers = (text: string, piece: Piece, unit: number, section: Count): readonly number[] => {
  const isWon = text.startsWith('원', piece.end) || text.startsWith(' 원', piece.end);
  // `1억 3천` is 130,000,000.
  if (piece.small > 0) return unit < EOK ? [0] : isWon ? [unit - STEP, 0] : [unit - STEP];
  if (section === 0) return [0];
  // In `2억5` and `7만2` the digit counts in the next lower place.
  if (isLess(section, 10)) return unit < EOK && (isWon || piece.isSpelled) ? [0, unit - 1] : [unit - 1, 0];
  // `1억 5000` is ambiguous.
  return unit < EOK || !isLess(section, 10 ** MAN) ? [0] : [unit - STEP, 0];
};

/**
 * Adds up the pieces. A smaller piece after a scale belongs to the number, as in `3만 5000`. After 억 or 조, a small
 * scale alone counts in the next lower unit, as in speech: `1억 5천` is 150,000,000.
 */
const sumAt = (text: string, at: number): Sum | null => {
  const first = digitsPieceAt(text, at) ?? spelledPieceAt(text, at, null);
  if (!first) return null;
  const scale = first.small + first.large;
  if (scale === 0) {
    const { value, end, isGrouped, decimals, isSpelled } = first;
    return {
      value,
      end,
      isGrouped,
      hasLarge: false,
      scale,
      lastPower: -decimals,
      isSpelled,
      alternative: null,
    };
  }
  let piece = first;
  /** The sum so far, its last large unit, and the value after it. */
  let total: Count = 0;
  let unit = 0;
  let section: Count = 0;
  let { isGrouped, isSpelled } = first;
  for (;;) {
    section = sum(section, raised(piece.value, piece.small));
    if (piece.large > 0) {
      total = sum(total, raised(section, piece.large));
      section = 0;
      unit = piece.large;
    }
    if (piece.small === 0 && piece.large === 0) break;
    const next = nextPiece(text, piece, unit);
    if (!next) break;
    piece = next;
    isGrouped ||= next.isGrouped;
    isSpelled &&= next.isSpelled;
  }
  const isBare = piece.large === 0 && unit > 0;
  const [power = 0, other] = isBare ? lastPowers(text, piece, unit, section) : [0];
  return {
    value: sum(total, raised(section, power)),
    end: piece.end,
    isGrouped,
    hasLarge: unit > 0,
    scale: piece === first ? scale : 0,
    lastPower: piece.small + piece.large + power - piece.decimals,
    isSpelled,
    alternative: other === undefined ? null : sum(total, raised(section, other)),
  };
};

const COMPARED = /\s?(?:넘|이상|이하|미만|초과|돌파|아래|밑|까지|깨|되면|될|도달)/uy;
/** `백만`, `삼천오백`: long enough to be unambiguous. `이만`, `오만` and `구조` are also words. */
const isClearlyNumber = (written: string): boolean =>
  written.length >= 3 || (/^[십백천][만억조]$/u.test(written) && written !== '천만') || /\d/u.test(written);

/** Korean number words occur inside other words, so they count only before a unit or if unambiguous. */
const isIntended = (text: string, at: number, end: number): boolean => {
  const before = text.charAt(at - 1);
  if (before === '.' || isLetterOrDigit(text.charCodeAt(at - 1))) return false;
  if (before === ' ' && text.charAt(at - 2) === '몇') return false;
  if (at === 0 && end === text.length) return true;
  if (unitAt(text, end) !== null) return true;
  if (endAt(COMPARED, text, end) !== undefined) return true;
  return isClearlyNumber(text.slice(at, end)) && isWordEnd(text, end);
};

type Rest = Partial<
  Pick<NumberReading, 'isGrouped' | 'hasKoreanScale' | 'alternatives' | 'scale' | 'lastPower'>
>;

const reading = (
  text: string,
  start: number,
  end: number,
  value: Decimal,
  { isGrouped = false, hasKoreanScale = false, alternatives = [], scale = 0, lastPower = 0 }: Rest = {},
): NumberReading => {
  const unit = unitAt(text, end);
  const isApproximate = isAbout(text, start, unit?.end ?? end);
  return {
    value,
    start,
    end,
    isApproximate,
    alternatives,
    isGrouped,
    hasKoreanScale,
    scale,
    lastPower,
    unit,
  };
};

const isGluedScaleStart = characterTest(/[kmbtg]/i);
const isFreeScaleStart = characterTest(/[bmtgh]/i);
const isBlank = characterTest(/\s/u);
const isE = characterTest(/e/i);
/** A cheap test, because most numbers have no such scale. */
const mayHaveLatinScale = (text: string, at: number): boolean => {
  const next = text.charCodeAt(at);
  return isBlank(next) ? isFreeScaleStart(text.charCodeAt(at + 1)) : isGluedScaleStart(next);
};
/** `3m` may be three months or a company. */
const isMonths = (text: string, scale: string, at: number, end: number): boolean =>
  /^m$/i.test(scale) && unitAt(text, end) === null && moneyBefore(text, at) === null;

const withLatinScale = (text: string, at: number, plain: Sum): NumberReading | null => {
  const { value, end, isGrouped } = plain;
  const exponent = isE(text.charCodeAt(end)) ? textAt(EXPONENT, text, end) : undefined;
  if (exponent !== undefined) {
    const exact = new Decimal(new Exact(value).times(`1${exponent}`).toFixed());
    const lastPower = plain.lastPower + Number(exponent.slice(1));
    return reading(text, at, end + exponent.length, exact, { isGrouped, lastPower });
  }
  const scale = mayHaveLatinScale(text, end) ? textAt(LATIN_SCALE, text, end) : undefined;
  if (scale === undefined) return null;
  const power = LATIN_SCALES[scale.trim().toLowerCase()] ?? 0;
  const scaledEnd = end + scale.length;
  const alternatives = isMonths(text, scale, at, scaledEnd) ? [decimalOf(value)] : [];
  return reading(text, at, scaledEnd, decimalOf(raised(value, power)), {
    isGrouped,
    alternatives,
    scale: power,
    lastPower: power + plain.lastPower,
  });
};

const mayBegin = characterTest(
  /[\d.일이삼사오육륙칠팔구십백천만억조열스서마쉰예여아하둘셋넷다한두세석네넉a-z]/i,
);

/**
 * The number at this position: `1,234,567`, `2.5억`, `1억 2천3백만`, `삼백만`, `15k`, `1.5 million`, `열` before `주`, `five`
 * before `shares`. Null if there is none. Expects folded text (`foldWidth`).
 */
export const numberAt = (text: string, at: number): NumberReading | null => {
  const first = text.charCodeAt(at);
  if (!mayBegin(first)) return null;
  const isLatin = isAsciiLetter(first);
  const read = isLatin ? null : sumAt(text, at);
  if (read && (!read.isSpelled || isIntended(text, at, read.end))) {
    const { isGrouped, hasLarge: hasKoreanScale, alternative, scale, lastPower } = read;
    const latin = scale > 0 ? null : withLatinScale(text, at, read);
    if (latin) return latin;
    const alternatives = alternative === null ? [] : [decimalOf(alternative)];
    const rest = { isGrouped, hasKoreanScale, alternatives, scale, lastPower };
    return reading(text, at, read.end, decimalOf(read.value), rest);
  }
  const native = isSyllable(first) ? nativeAt(text, at) : null;
  if (native) return reading(text, at, native.end, new Decimal(native.value));
  const english = isLatin ? englishAt(text, at) : null;
  if (!english) return null;
  const isWhole = at === 0 && english.end === text.length;
  const isClear = isWhole || english.words > 1 || unitAt(text, english.end) !== null;
  return isClear ? reading(text, at, english.end, english.value) : null;
};

/** Every number in a text, left to right. Malformed ones (`1.234,50`) are left out. */
export const numbersIn = (typed: string): readonly NumberReading[] => {
  const text = foldWidth(typed);
  const found: NumberReading[] = [];
  for (let at = nextNumberStart(text, 0); at < text.length;) {
    const number = numberAt(text, at);
    if (number && !isNotAnAmount(text, number)) found.push(number);
    at = nextNumberStart(text, number?.end ?? at + 1);
  }
  return found;
};

/** The whole text as a number without a unit. Null if it is malformed. */
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

/** Integers that a float holds exactly stay floats, which is much faster. */
type Count = number | Decimal;

const MAX_FLOAT_DIGITS = 15;
const countOf = (digits: string): Count =>
  digits.length <= MAX_FLOAT_DIGITS && !digits.includes('.') ? Number(digits) : new Decimal(digits);

const POWERS = Array.from({ length: 29 }, (_, power) => 10 ** power);
const raised = (count: Count, power: number): Count => {
  if (power === 0) return count;
  const float = typeof count === 'number' ? count * (POWERS[power] ?? Infinity) : Infinity;
  return float <= Number.MAX_SAFE_INTEGER ? float : new Exact(count).times(`1e${power}`);
};

const sum = (one: Count, other: Count): Count => {
  const float = typeof one === 'number' && typeof other === 'number' ? one + other : Infinity;
  return float <= Number.MAX_SAFE_INTEGER ? float : new Exact(one).plus(other);
};

const isLess = (count: Count, limit: number): boolean =>
  typeof count === 'number' ? count < limit : count.lessThan(limit);

/** The constructor copies every digit. */
const decimalOf = (count: Count): Decimal =>
  typeof count !== 'number' && count.constructor === Decimal ? count : new Decimal(count);
