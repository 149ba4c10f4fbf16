/** Hangul as it is typed on a keyboard, letter by letter: what stands on the screen may be half of a syllable. */

const INITIALS = Array.from('ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ');
/** ㅘ is typed as ㅗ and ㅏ. */
const VOWELS = 'ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅗㅏ ㅗㅐ ㅗㅣ ㅛ ㅜ ㅜㅓ ㅜㅔ ㅜㅣ ㅠ ㅡ ㅡㅣ ㅣ'.split(' ');
const FINALS =
  'ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ'.split(
    ' ',
  );

const lettersFrom = (first: number, letters: readonly string[]): readonly (readonly [string, string])[] =>
  letters.map((letter, index) => [String.fromCodePoint(first + index), letter]);

/** Most names and all codes: they are as they are. */
const ASCII = /^[\x20-\x7e]*$/;

/** The decomposed letters of Unicode, where the same letter is another one at the end of a syllable. */
const LETTERS = new Map([
  ...lettersFrom(0x11_00, INITIALS),
  ...lettersFrom(0x11_61, VOWELS),
  ...lettersFrom(0x11_a8, FINALS),
]);

/**
 * `삼ㅅ` begins `삼성`, and so does `삼서`; `캌` is how `카카` looks one letter earlier. What is not Hangul stays as it
 * is. Expects what NFKC leaves: single letters as those that begin a syllable.
 */
export const typedLetters = (text: string): string =>
  ASCII.test(text)
    ? text
    : Array.from(text.normalize('NFD'), (letter) => LETTERS.get(letter) ?? letter).join('');
