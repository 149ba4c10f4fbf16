/**
 * Tests of single characters by their UTF-16 code. Readers look at every character of a text, and a code needs neither
 * a string nor a search. Each test is false for the code before the start and after the end of a text, which is NaN.
 */

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isAsciiLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
/** A whole syllable, which is how nearly all Korean is written. */
export const isSyllable = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3;

const LAST_CODE = 0xff_ff;
const UNKNOWN = 0;
const NO = 1;
const YES = 2;

/** A test that remembers what the pattern says about each character. */
export const characterTest = (pattern: RegExp): ((code: number) => boolean) => {
  const answers = new Uint8Array(LAST_CODE + 1);
  return (code) => {
    // NaN becomes 0, a character that no pattern has.
    const index = code & LAST_CODE;
    const known = answers[index];
    if (known !== UNKNOWN) return known === YES;
    const isMatch = pattern.test(String.fromCharCode(index));
    answers[index] = isMatch ? YES : NO;
    return isMatch;
  };
};

export const isLetter = characterTest(/\p{L}/u);
export const isLetterOrDigit = characterTest(/[\p{L}\p{N}]/u);
export const isLatin = characterTest(/\p{Script=Latin}/u);
export const isHangul = characterTest(/\p{Script=Hangul}/u);
