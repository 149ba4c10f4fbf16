import { typedLetters } from './hangul.ts';

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

/** NFKC turns `㈜` into `(주)`, which without brackets could be part of a name. */
const BRACKETED_STOCK = /\(주\)/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/u;
/** Between single letters, `&` is part of the name: `C&C` is not `CC`. */
const AND_OF_LETTERS = /(?<![a-z0-9])([a-z])(?:\s*&\s*|\s+and\s+)([a-z])(?![a-z])/giu;
const AND = 'and';

/** `S&P 500` → `S P 500`, for people who leave out the sign. */
export const dropAnd = (text: string): string => text.normalize('NFKC').replaceAll(AND_OF_LETTERS, '$1 $2');

/** Lower-case letters and digits: `$aapl`, `ＡＡＰＬ` and `AAPL` are equal. `and` is ignored like `&`. */
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

/** Drops `Inc.`, `Co., Ltd.` and the like. */
const dropCompanyForms = (words: readonly string[]): readonly string[] =>
  words.filter((word) => !COMPANY_FORMS.has(word));

/** The words by which names are compared. `The Company` would be left empty, so it stays as it is. */
export const nameWords = (name: string): readonly string[] => {
  const words = wordsOf(name);
  const bare = dropCompanyForms(words);
  return bare.length > 0 ? bare : words;
};

/** True for text made only of company forms, such as `The` or `Inc.`. */
export const isOnlyCompanyForms = (text: string): boolean => dropCompanyForms(wordsOf(text)).length === 0;

/** In `CL=F` and `NG.L` the suffix counts: `CLF` and `NGL` are other instruments. */
const SIGNED_CODE = /^\s*\$?([a-z0-9-]+)(=[a-z]|\.(?:t|hk|l))\s*$/i;

/** Company forms are kept, because `CO` is a code. */
export const codeKey = (code: string): string => {
  const [, before, behind] = SIGNED_CODE.exec(code.normalize('NFKC')) ?? [];
  return before === undefined ? wordsOf(code).join('') : `${before}${behind}`.toLowerCase();
};

/** Text with `&` or `and` between words is never a code: `BA and C` is not `BAC`. */
const HAS_AND = /[\p{L}\p{N}](?:\s*&\s*|\s+and\s+)[\p{L}\p{N}]/iu;
/** The `&` of `KKR & Co. Inc.` does not join two names. */
const AND_COMPANY = /&(?=\s?co\b)/iu;

/** A normalized query. */
export interface QueryForm {
  /** False if the query can only be a name. */
  readonly isCodeLike: boolean;
  /** One character per syllable or Latin letter, for counting. */
  readonly text: string;
  readonly letters: string;
}

/** The whole query and, if different, the query without company forms. */
export const queryForms = (query: string): readonly QueryForm[] => {
  const words = wordsOf(query);
  const bare = dropCompanyForms(words);
  const isCodeLike = !HAS_AND.test(query.normalize('NFKC').replace(AND_COMPANY, ' '));
  return [words, ...(bare.length < words.length ? [bare] : [])]
    .filter((form) => form.length > 0)
    .map((form) => form.join(''))
    .map((text) => ({ isCodeLike, text, letters: keyLetters(text) }));
};

const CONSONANTS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const VOWELS = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅛㅜㅠㅡㅣ';
/** Keys are lower case, so capitals and signs encode Hangul letters in one byte each. */
const CODE_OF = new Map([
  ...Array.from(CONSONANTS, (letter, index) => [letter, 'ABCDEFGHIJKLMNOPQRS'.charAt(index)] as const),
  ...Array.from(VOWELS, (letter, index) => [letter, 'TUVWXYZ!#$%&()'.charAt(index)] as const),
]);
/** Stands for scripts that the index does not contain. */
const OTHER_SCRIPT = '?';
const NOT_PLAIN = /[^a-z0-9]/gu;
const MARK = /\p{M}+/gu;
const IS_CODE = /^[a-z0-9]*$/;

/** Encodes each typed letter as one ASCII character, so that `삼ㅅ` is a prefix of `삼성`. */
export const keyLetters = (text: string): string =>
  IS_CODE.test(text)
    ? text
    : typedLetters(text)
        .replaceAll(MARK, '')
        .replaceAll(NOT_PLAIN, (letter) => CODE_OF.get(letter) ?? OTHER_SCRIPT);

const FIRST_VOWEL = 84;
const LAST_VOWEL = 90;
const FIRST_CONSONANT = 65;

const isVowel = (code: number): boolean =>
  (code > 32 && code < 42) || (code >= FIRST_VOWEL && code <= LAST_VOWEL);
const isConsonant = (code: number): boolean => code >= FIRST_CONSONANT && code < FIRST_VOWEL;

/**
 * True if a syllable ends before this position. A consonant before a vowel starts a syllable, any other ends one:
 * `셀트` is a valid prefix of `셀트리온`, `셀트리오` is not.
 */
export const isSyllableEnd = (letters: string, place: number): boolean => {
  const next = letters.charCodeAt(place);
  if (isVowel(next)) return false;
  return !isConsonant(next) || isVowel(letters.charCodeAt(place + 1));
};

/** True if a syllable starts here: ㅅ of 성. */
export const isInitialAt = (letters: string, place: number): boolean =>
  isConsonant(letters.charCodeAt(place)) && isVowel(letters.charCodeAt(place + 1));

/** True for consonants only, unless all are equal: ㅋㅋㅋ is laughter. */
export const isInitials = (letters: string): boolean =>
  letters.length >= 2 && /^[A-S]+$/.test(letters) && !/^(.)\1*$/.test(letters);

export const isLatin = (letters: string): boolean => /^[a-z0-9]+$/.test(letters);
