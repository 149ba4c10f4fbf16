import { typedLetters } from './typed-letters.ts';

/** The letters on the keys of a Korean keyboard, and what the same keys give in English mode. */
const KEYS = new Map([
  ...Array.from('ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ', (letter, index) => {
    return [letter, 'qwertyuiopasdfghjklzxcvbnm'.charAt(index)] as const;
  }),
  ...Array.from('ㅃㅉㄸㄲㅆㅒㅖ', (letter, index) => [letter, 'QWERTOP'.charAt(index)] as const),
]);
const LETTERS = new Map([
  ...Array.from(KEYS, ([letter, key]) => [key.toUpperCase(), letter] as const),
  ...Array.from(KEYS, ([letter, key]) => [key, letter] as const),
]);

const LONE_CONSONANT = /[ㄱ-ㅎ]/u;
const LONE_VOWEL = /[ㅏ-ㅣ]/u;
const SYLLABLE = /[가-힣]/u;
const HANGUL_ONLY = /^[가-힣ㄱ-ㅣ]+$/u;
const MIN_TICKER = 3;
/** Two syllables: fewer are a word of English too often, and less than this next to a syllable one of Korean. */
const MIN_KEYS = 4;

/**
 * `ㅁㅁㅔㅣ` is `aapl`, `ㅅ님` is `tsla`. Only what nobody writes in Korean counts, letters that stand alone: else `네`
 * would be a ticker. Consonants alone are initials, or laughter; vowels alone are tears. Undefined for all of these.
 */
export const typedInKorean = (query: string): string | undefined => {
  const text = query.normalize('NFC').trim();
  if (!HANGUL_ONLY.test(text) || !LONE_CONSONANT.test(text)) return undefined;
  const keys = Array.from(typedLetters(text.normalize('NFKC')), (letter) => KEYS.get(letter) ?? letter);
  const least = LONE_VOWEL.test(text) ? MIN_TICKER : SYLLABLE.test(text) ? MIN_KEYS : Infinity;
  return keys.length < least ? undefined : keys.join('').toLowerCase();
};

const inKorean = (keys: string): string => Array.from(keys, (key) => LETTERS.get(key) ?? key).join('');

/** `tkatjdwjswk` is `삼성전자`, letter by letter. Capitals in front may be meant: `SKgkdlslrtm`. */
export const typedInEnglish = (query: string): readonly string[] => {
  const text = query.replaceAll(/\s+/gu, '');
  if (text.length < MIN_KEYS || !/^[A-Za-z]+$/.test(text)) return [];
  const [, capitals = '', rest = ''] = /^([A-Z]{2,})([a-z].*)$/.exec(text) ?? [];
  return [inKorean(text), ...(rest.length < MIN_KEYS ? [] : [capitals.toLowerCase() + inKorean(rest)])];
};
