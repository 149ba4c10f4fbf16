import { Decimal } from '#src/kernel/money.ts';
import { isLetterOrDigit } from './characters.ts';
import { matchAt, textAt } from './reading.ts';
import { unitAt } from './units.ts';

/** Precise enough for any accepted number at any scale. */
export const Exact = Decimal.clone({ precision: 100 });

/** Powers of ten. */
export const LATIN_SCALES: Readonly<Record<string, number>> = {
  hundred: 2,
  k: 3,
  thousand: 3,
  grand: 3,
  m: 6,
  mn: 6,
  mil: 6,
  million: 6,
  b: 9,
  bn: 9,
  billion: 9,
  t: 12,
  tn: 12,
  trillion: 12,
};

const isInsideWord = (text: string, at: number): boolean =>
  text.charAt(at - 1) === '.' || isLetterOrDigit(text.charCodeAt(at - 1));

const TENS = ['열', '스물', '서른', '마흔', '쉰', '예순', '일흔', '여든', '아흔'];
const ONES = ['하나', '둘', '셋', '넷', '다섯', '여섯', '일곱', '여덟', '아홉'];
const BEFORE_COUNTERS: Readonly<Record<string, number>> = { 한: 1, 두: 2, 세: 3, 석: 3, 네: 4, 넉: 4 };
const NATIVE = new RegExp(
  `(?:(?<tens>${TENS.join('|')})(?<ones>${ONES.join('|')}|[한두세석네넉])?|(?<twenty>스무)|(?<alone>${ONES.join('|')}|[한두세석네넉]))`,
  'uy',
);

const onesOf = (word: string): number => BEFORE_COUNTERS[word] ?? ONES.indexOf(word) + 1;

/** Native Korean numerals, only before a counter: `열 주`, `스물다섯 개`, `두 배`. */
export const nativeAt = (
  text: string,
  at: number,
): { readonly value: number; readonly end: number } | null => {
  if (isInsideWord(text, at)) return null;
  const match = matchAt(NATIVE, text, at);
  if (!match) return null;
  const { tens, ones, twenty, alone } = match.groups ?? {};
  const end = at + match[0].length;
  const unit = unitAt(text, end)?.unit;
  if (unit !== 'pieces' && unit !== 'times') return null;
  if (twenty !== undefined) return { value: 20, end };
  if (alone !== undefined) return { value: onesOf(alone), end };
  return { value: (TENS.indexOf(tens ?? '') + 1) * 10 + (ones === undefined ? 0 : onesOf(ones)), end };
};

const ENGLISH_ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const ENGLISH_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const WORD = /[a-z]{1,9}(?![\p{L}\d])/iuy;
const BETWEEN_WORDS = /(?:\s(?:and\s)?|-)(?=[a-z])/iuy;
const DOZEN = 12;
const MAX_WORDS = 32;

const ONES_BY_WORD: ReadonlyMap<string, number> = new Map(ENGLISH_ONES.map((word, index) => [word, index]));
const TENS_BY_WORD: ReadonlyMap<string, number> = new Map(
  ENGLISH_TENS.map((word, index) => [word, (index + 2) * 10]),
);

/** Words that can start an English number. */
export const NUMBER_WORDS: ReadonlySet<string> = new Set([
  ...ENGLISH_ONES,
  ...ENGLISH_TENS,
  'a',
  'an',
  'half',
  'dozen',
]);

/** The digits of `point two five` and their end. */
const fractionAt = (text: string, at: number): { readonly digits: string; readonly end: number } | null => {
  let digits = '';
  let end = at;
  for (let start = at; digits.length < MAX_WORDS;) {
    const word = textAt(WORD, text, start)?.toLowerCase() ?? '';
    const digit = ONES_BY_WORD.get(word);
    if (digit === undefined || digit > 9) break;
    digits += String(digit);
    end = start + word.length;
    if (text.charAt(end) !== ' ') break;
    start = end + 1;
  }
  return digits === '' ? null : { digits, end };
};

const ANY = 1_000;

interface Words {
  total: number;
  /** The value before the next scale. Undefined right after a scale. */
  section: number | undefined;
  /** The next word must be less: ten after `twenty`, a hundred after `hundred`. */
  room: number;
  /** The last scale; the next one must be smaller. */
  power: number;
}

/** Adds one word to the number. False if the word does not continue it. */
const addWord = (words: Words, word: string): boolean => {
  const state = words;
  const { section } = state;
  const one = ONES_BY_WORD.get(word) ?? TENS_BY_WORD.get(word);
  const power = LATIN_SCALES[word] ?? 0;
  if (word.length > 2 && power === 2 && section !== undefined && section < 100 && state.power > 2) {
    state.section = section * 100;
    state.room = 100;
  } else if (word.length > 2 && power > 2 && section !== undefined && power < state.power) {
    state.total += section * 10 ** power;
    state.section = undefined;
    state.power = power;
    state.room = ANY;
  } else if (word === 'dozen' && (section === undefined || state.room < ANY)) {
    state.section = (section ?? 1) * DOZEN;
    state.room = 0;
  } else if (one !== undefined && one < state.room) {
    state.section = (section ?? 0) + one;
    state.room = one >= 20 ? 10 : 0;
  } else return false;
  return true;
};

/** `a million`, `half a million`. */
const ARTICLE = /(?:half )?an?(?= [a-z])/iuy;
const FRACTION_SCALE = / (?:thousand|million|billion|trillion)(?!\p{L})/iuy;
const LARGEST = 15;

interface EnglishNumber {
  readonly value: Decimal;
  readonly end: number;
  readonly words: number;
}

/** The rest of `one point five million` after `one`. */
const withFraction = (text: string, whole: number, at: number, words: number): EnglishNumber | null => {
  const fraction = fractionAt(text, at);
  if (!fraction) return null;
  const scale = textAt(FRACTION_SCALE, text, fraction.end) ?? '';
  const power = LATIN_SCALES[scale.trim().toLowerCase()] ?? 0;
  const value = new Exact(`${whole}.${fraction.digits}`).times(`1e${power}`);
  return { value: new Decimal(value.toFixed()), end: fraction.end + scale.length, words: words + 2 };
};

/** `five`, `twenty-five`, `two hundred thousand`, `a million`, `half a million`, `one point five million`. */
export const englishAt = (text: string, at: number): EnglishNumber | null => {
  if (isInsideWord(text, at)) return null;
  const article = textAt(ARTICLE, text, at);
  const first = article === undefined ? undefined : article.length > 2 ? 0.5 : 1;
  const state: Words = { total: 0, section: first, room: first === undefined ? ANY : 0, power: LARGEST };
  let start = article === undefined ? at : at + article.length + 1;
  let end = at;
  let words = 0;
  while (words < MAX_WORDS) {
    const word = textAt(WORD, text, start)?.toLowerCase();
    if (word === undefined) break;
    const { total, section } = state;
    if (word === 'point' && words > 0 && section !== undefined) {
      const exact = withFraction(text, total + section, start + word.length + 1, words);
      if (exact) return exact;
    }
    if (!addWord(state, word)) break;
    words += 1;
    end = start + word.length;
    start = end + (textAt(BETWEEN_WORDS, text, end)?.length ?? 0);
    if (start === end) break;
  }
  if (words === 0) return null;
  const value = new Decimal(state.total + (state.section ?? 0));
  return { value, end, words: article === undefined ? words : words + 1 };
};
