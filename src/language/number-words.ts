import { Decimal } from '#src/core/money.ts';
import { unitAt } from './units.ts';

/** Enough for any number that is accepted below, whatever its scale. */
export const Exact = Decimal.clone({ precision: 100 });

/** Powers of ten. */
export const LATIN_SCALES: Readonly<Record<string, number>> = {
  hundred: 2,
  k: 3,
  thousand: 3,
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

const LETTER_OR_DIGIT = /[\p{L}\p{N}.]/u;

/** What a sticky pattern takes at this place. */
export const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  const sticky = pattern;
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
};

export const scaled = (value: Decimal, power: number): Decimal => new Exact(value).times(`1e${power}`);

const TENS = ['열', '스물', '서른', '마흔', '쉰', '예순', '일흔', '여든', '아흔'];
const ONES = ['하나', '둘', '셋', '넷', '다섯', '여섯', '일곱', '여덟', '아홉'];
const BEFORE_COUNTERS: Readonly<Record<string, number>> = { 한: 1, 두: 2, 세: 3, 석: 3, 네: 4, 넉: 4 };
const NATIVE = new RegExp(
  `(?:(?<tens>${TENS.join('|')})(?<ones>${ONES.join('|')}|[한두세석네넉])?|(?<twenty>스무)|(?<alone>${ONES.join('|')}|[한두세석네넉]))`,
  'uy',
);

const onesOf = (word: string): number => BEFORE_COUNTERS[word] ?? ONES.indexOf(word) + 1;

/** `열 주`, `스물다섯 개`, `두 배`: only before what is counted. */
export const nativeAt = (
  text: string,
  at: number,
): { readonly value: number; readonly end: number } | null => {
  if (LETTER_OR_DIGIT.test(text.charAt(at - 1))) return null;
  const sticky = NATIVE;
  sticky.lastIndex = at;
  const match = sticky.exec(text);
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
const ENGLISH_WORD = /(?:half an?|an?|[a-z]{2,9})(?![\p{L}\d])/iuy;
const BETWEEN_WORDS = /(?:\s(?:and\s)?|-)(?=[a-z])/iuy;
const DOZEN = 12;

/** `five`, `twenty-five`, `two hundred thousand`, `a million`, `half a million`. */
export const englishAt = (
  text: string,
  at: number,
): { readonly value: Decimal; readonly end: number; readonly words: number } | null => {
  if (LETTER_OR_DIGIT.test(text.charAt(at - 1))) return null;
  let total: Decimal = new Exact(0);
  let section: Decimal | undefined;
  let end = at;
  let words = 0;
  for (let start = at; words < 12;) {
    const word = matchAt(ENGLISH_WORD, text, start)?.toLowerCase();
    if (word === undefined) break;
    const one = ENGLISH_ONES.indexOf(word);
    const ten = ENGLISH_TENS.indexOf(word);
    const power = word.length > 2 ? LATIN_SCALES[word] : undefined;
    if (/^(?:half )?an?$/u.test(word) && words === 0)
      section = new Exact(word.startsWith('half') ? '0.5' : 1);
    else if (word === 'dozen') section = (section ?? new Exact(1)).times(DOZEN);
    else if (one >= 0) section = (section ?? new Exact(0)).plus(one);
    else if (ten >= 0) section = (section ?? new Exact(0)).plus((ten + 2) * 10);
    else if (power === 2 && section) section = section.times(100);
    else if (power !== undefined && power > 2 && section) {
      total = total.plus(scaled(section, power));
      section = new Exact(0);
    } else break;
    end = start + word.length;
    words += 1;
    start = end + (matchAt(BETWEEN_WORDS, text, end)?.length ?? 0);
    if (start === end) break;
  }
  // `a` alone is an article.
  if (section === undefined || (words === 1 && /^(?:half )?an?$/iu.test(text.slice(at, end)))) return null;
  return { value: new Decimal(total.plus(section).toFixed()), end, words };
};

const ENGLISH_WORDS = [...ENGLISH_ONES, ...ENGLISH_TENS, 'half', 'dozen'].join('|');
const SCALE_WORD = 'hundred|thousand|million|billion|trillion|dozen';
/** With which a number in English words begins, as part of a pattern. */
export const ENGLISH_NUMBER_START = String.raw`(?:${ENGLISH_WORDS})(?!\p{L})|an? (?:${SCALE_WORD})(?!\p{L})`;
