import { typedLetters } from './typed-letters.ts';

const COMPANY_FORMS: ReadonlySet<string> = new Set([
  'inc',
  'incorporated',
  'corp',
  'corporation',
  'co',
  'company',
  'ltd',
  'limited',
  'llc',
  'plc',
  'the',
  '주식회사',
]);

/** `㈜` becomes `(주)` in NFKC; without its brackets it could be part of a name. */
const BRACKETED_STOCK = /\(주\)/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/u;
/** Between single letters it is part of the name: `C&C` is not `CC`. */
const AND_OF_LETTERS = /(?<![a-z0-9])([a-z])(?:\s*&\s*|\s+and\s+)([a-z])(?![a-z])/giu;
const AND = 'and';

/** `S P 500` of `S&P 500`, for those who leave it out. */
export const withoutAnd = (text: string): string =>
  text.normalize('NFKC').replaceAll(AND_OF_LETTERS, '$1 $2');

/** Letters and digits only, lower case: `$aapl`, `ＡＡＰＬ` and `AAPL` are one. `and` counts as little as `&`. */
const wordsOf = (text: string): readonly string[] => {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(BRACKETED_STOCK, ' ')
    .replaceAll(AND_OF_LETTERS, `$1${AND}$2`)
    .split(NOT_WORD)
    .filter((word) => word !== '');
  return words.filter((word, place) => word !== AND || place === 0 || place === words.length - 1);
};

/** Without `Inc.`, `Co., Ltd.` and the like. */
const withoutForms = (words: readonly string[]): readonly string[] =>
  words.filter((word) => !COMPANY_FORMS.has(word));

/** The words that a name is compared by. Of `The Company` nothing would be left: it stays as it is. */
export const nameWords = (name: string): readonly string[] => {
  const words = wordsOf(name);
  const bare = withoutForms(words);
  return bare.length > 0 ? bare : words;
};

/** `The`, `Inc.`: company forms, and nothing else. */
export const isOnlyForms = (text: string): boolean => withoutForms(wordsOf(text)).length === 0;

/** `CL=F`, `NG.L`: the sign counts, `CLF` and `NGL` are codes of others. */
const SIGNED_CODE = /^\s*\$?([a-z0-9-]+)(=[a-z]|\.(?:t|hk|l))\s*$/i;

/** A code has no words, and `CO` is one. */
export const codeKey = (code: string): string => {
  const [, before, behind] = SIGNED_CODE.exec(code.normalize('NFKC')) ?? [];
  return before === undefined ? wordsOf(code).join('') : `${before}${behind}`.toLowerCase();
};

/** `&` or `and` between words: a name, or two names, but never a code. `BA and C` is not `BAC`. */
const HAS_AND = /[\p{L}\p{N}](?:\s*&\s*|\s+and\s+)[\p{L}\p{N}]/iu;
/** `KKR & Co. Inc.` is one name. */
const AND_COMPANY = /&(?=\s?co\b)/iu;

/** What was typed, made comparable. */
export interface QueryForm {
  /** It may be a code. */
  readonly isCodeLike: boolean;
  /** For counting: one character is one syllable or one letter. */
  readonly text: string;
  readonly letters: string;
}

/** The whole, and (where it differs) without company forms. */
export const queryForms = (query: string): readonly QueryForm[] => {
  const words = wordsOf(query);
  const bare = withoutForms(words);
  const isCodeLike = !HAS_AND.test(query.normalize('NFKC').replace(AND_COMPANY, ' '));
  return [words, ...(bare.length < words.length ? [bare] : [])]
    .filter((form) => form.length > 0)
    .map((form) => form.join(''))
    .map((text) => ({ isCodeLike, text, letters: keyLetters(text) }));
};

const CONSONANTS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const VOWELS = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅛㅜㅠㅡㅣ';
/** Keys are in lower case, so capitals and signs are free to stand for Hangul: a letter is one byte. */
const CODE_OF = new Map([
  ...Array.from(CONSONANTS, (letter, index) => [letter, 'ABCDEFGHIJKLMNOPQRS'.charAt(index)] as const),
  ...Array.from(VOWELS, (letter, index) => [letter, 'TUVWXYZ!#$%&()'.charAt(index)] as const),
]);
/** Of a script that no name in the index is in. */
const STRANGE = '?';
const NOT_PLAIN = /[^a-z0-9]/gu;
const MARK = /\p{M}+/gu;
const IS_CODE = /^[a-z0-9]*$/;

/** One ASCII character for each letter as it is typed: `삼성` begins as `삼ㅅ` does. */
export const keyLetters = (text: string): string =>
  IS_CODE.test(text)
    ? text
    : typedLetters(text)
        .replaceAll(MARK, '')
        .replaceAll(NOT_PLAIN, (letter) => CODE_OF.get(letter) ?? STRANGE);

const FIRST_VOWEL = 84;
const LAST_VOWEL = 90;
const FIRST_CONSONANT = 65;

const isVowel = (code: number): boolean =>
  (code > 32 && code < 42) || (code >= FIRST_VOWEL && code <= LAST_VOWEL);
const isConsonant = (code: number): boolean => code >= FIRST_CONSONANT && code < FIRST_VOWEL;

/**
 * Whether a syllable ends before this place. What stands before a vowel begins a syllable, and any other consonant
 * ends one; so `셀트리오` is no beginning of `셀트리온`, while `셀트` is.
 */
export const isSyllableEnd = (letters: string, place: number): boolean => {
  const next = letters.charCodeAt(place);
  if (isVowel(next)) return false;
  return !isConsonant(next) || isVowel(letters.charCodeAt(place + 1));
};

/** Whether a syllable begins here, with a letter that is one of its initials: ㅅ of 성. */
export const isInitialAt = (letters: string, place: number): boolean =>
  isConsonant(letters.charCodeAt(place)) && isVowel(letters.charCodeAt(place + 1));

/** Consonants alone, and not one of them only: ㅋㅋㅋ is laughter. */
export const isInitials = (letters: string): boolean =>
  letters.length >= 2 && /^[A-S]+$/.test(letters) && !/^(.)\1*$/.test(letters);

export const isLatin = (letters: string): boolean => /^[a-z0-9]+$/.test(letters);
