/** Hangul letters in typing order, because a query may end in the middle of a syllable. */

const INITIALS = Array.from('ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ');
/** ㅘ is typed as ㅗ and ㅏ. */
const VOWELS = 'ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅗㅏ ㅗㅐ ㅗㅣ ㅛ ㅜ ㅜㅓ ㅜㅔ ㅜㅣ ㅠ ㅡ ㅡㅣ ㅣ'.split(' ');
const FINALS =
  'ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ'.split(
    ' ',
  );

const lettersFrom = (first: number, letters: readonly string[]): readonly (readonly [string, string])[] =>
  letters.map((letter, index) => [String.fromCodePoint(first + index), letter]);

/** Skips the conversion for codes and most names. */
const ASCII = /^[\x20-\x7e]*$/;

/** Unicode encodes initial and final consonants separately; both map to one letter. */
const LETTERS = new Map([
  ...lettersFrom(0x11_00, INITIALS),
  ...lettersFrom(0x11_61, VOWELS),
  ...lettersFrom(0x11_a8, FINALS),
]);

/**
 * Splits Hangul into typed letters: `삼ㅅ` and `삼서` both start `삼성`, and `캌` is `카카` one key earlier. Other text stays
 * as it is. Expects NFKC input.
 */
export const typedLetters = (text: string): string =>
  ASCII.test(text)
    ? text
    : Array.from(text.normalize('NFD'), (letter) => LETTERS.get(letter) ?? letter).join('');

/** Letters of a Korean keyboard and the same keys in English mode. */
const KEY_OF_LETTER = new Map([
  ...Array.from('ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ', (letter, index) => {
    return [letter, 'qwertyuiopasdfghjklzxcvbnm'.charAt(index)] as const;
  }),
  ...Array.from('ㅃㅉㄸㄲㅆㅒㅖ', (letter, index) => [letter, 'QWERTOP'.charAt(index)] as const),
]);
const LETTER_OF_KEY = new Map([
  ...Array.from(KEY_OF_LETTER, ([letter, key]) => [key.toUpperCase(), letter] as const),
  ...Array.from(KEY_OF_LETTER, ([letter, key]) => [key, letter] as const),
]);

const LONE_CONSONANT = /[ㄱ-ㅎ]/u;
const LONE_VOWEL = /[ㅏ-ㅣ]/u;
const SYLLABLE = /[가-힣]/u;
const HANGUL_ONLY = /^[가-힣ㄱ-ㅣ]+$/u;
const MIN_TICKER = 3;
/** Two syllables. Shorter input is too often a real word. */
const MIN_KEYS = 4;

/**
 * Decodes English typed in Korean mode: `ㅁㅁㅔㅣ` → `aapl`, `ㅅ님` → `tsla`. Requires stand-alone letters, which real
 * Korean never has; else `네` would be a ticker. Undefined for consonants alone (initials or laughter) and vowels
 * alone (tears).
 */
export const fromKoreanLayout = (query: string): string | undefined => {
  const text = query.normalize('NFC').trim();
  if (!HANGUL_ONLY.test(text) || !LONE_CONSONANT.test(text)) return undefined;
  const keys = Array.from(
    typedLetters(text.normalize('NFKC')),
    (letter) => KEY_OF_LETTER.get(letter) ?? letter,
  );
  const least = LONE_VOWEL.test(text) ? MIN_TICKER : SYLLABLE.test(text) ? MIN_KEYS : Infinity;
  return keys.length < least ? undefined : keys.join('').toLowerCase();
};

const toKoreanLetters = (keys: string): string =>
  Array.from(keys, (key) => LETTER_OF_KEY.get(key) ?? key).join('');

/** Decodes Korean typed in English mode: `tkatjdwjswk` → `삼성전자`. Leading capitals may be real: `SKgkdlslrtm`. */
export const fromEnglishLayout = (query: string): readonly string[] => {
  const text = query.replaceAll(/\s+/gu, '');
  if (text.length < MIN_KEYS || !/^[A-Za-z]+$/.test(text)) return [];
  const [, capitals = '', rest = ''] = /^([A-Z]{2,})([a-z].*)$/.exec(text) ?? [];
  return [
    toKoreanLetters(text),
    ...(rest.length < MIN_KEYS ? [] : [capitals.toLowerCase() + toKoreanLetters(rest)]),
  ];
};

/** Korean names of Latin letters: LG is 엘지. */
const LETTER_NAMES =
  '에이 비 씨 디 이 에프 지 에이치 아이 제이 케이 엘 엠 엔 오 피 큐 알 에스 티 유 브이 더블유 엑스 와이 제트'.split(
    ' ',
  );
const FIRST_LETTER = 65;
const NAME = new RegExp([...LETTER_NAMES].toSorted((a, b) => b.length - a.length).join('|'), 'gu');

export const spellInKorean = (letters: string): string =>
  Array.from(letters, (letter) => LETTER_NAMES[letter.charCodeAt(0) - FIRST_LETTER] ?? letter).join('');

/** `엘지` → `lg`. Undefined if the text is not made of letter names. */
export const parseSpokenLetters = (text: string): string | undefined => {
  const letters = text.replaceAll(NAME, (name) =>
    String.fromCodePoint(FIRST_LETTER + LETTER_NAMES.indexOf(name)),
  );
  return /^[A-Z]+$/.test(letters) && letters !== text ? letters.toLowerCase() : undefined;
};
