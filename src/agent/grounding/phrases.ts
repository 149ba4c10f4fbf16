/** A phrase found in a text. */
export interface Hit<T> {
  readonly start: number;
  readonly end: number;
  readonly value: T;
}

interface Phrase<T> {
  readonly text: string;
  readonly value: T;
}

const isHangul = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3;
const isLatin = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 0xe0 && code <= 0x24f);
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLatinOrDigit = (code: number): boolean => isLatin(code) || isDigit(code);

/**
 * Finds phrases, the longest first, in one pass. Latin phrases are whole words; Korean ones may be followed by
 * particles, and a single syllable must start a word.
 */
export class Phrases<T> {
  /** By the first character; longer phrases first. */
  readonly #byFirst = new Map<number, Phrase<T>[]>();

  constructor(phrases: Iterable<readonly [text: string, value: T]>) {
    for (const [given, value] of phrases) {
      const text = given.toLowerCase();
      const first = text.charCodeAt(0);
      const same = this.#byFirst.get(first);
      if (same) same.push({ text, value });
      else this.#byFirst.set(first, [{ text, value }]);
    }
    for (const same of this.#byFirst.values()) same.sort((a, b) => b.text.length - a.text.length);
  }

  /** `text` must be in lower case. */
  in(text: string): readonly Hit<T>[] {
    const found: Hit<T>[] = [];
    let before = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const same = this.#byFirst.get(code);
      const isInside = isLatin(code) ? isLatin(before) : isDigit(code) && isLatinOrDigit(before);
      const phrase = same && !isInside ? same.find((each) => isAt(each.text, text, at, before)) : undefined;
      if (phrase) {
        const end = at + phrase.text.length;
        found.push({ start: at, end, value: phrase.value });
        at = end - 1;
      }
      before = text.charCodeAt(at);
    }
    return found;
  }
}

const isAt = (phrase: string, text: string, at: number, before: number): boolean => {
  if (!text.startsWith(phrase, at)) return false;
  const last = phrase.charCodeAt(phrase.length - 1);
  const next = text.charCodeAt(at + phrase.length);
  // In `20MA` and `MA20`, the digits are the parameter.
  if (isLatin(last)) return !isLatin(next);
  if (isDigit(last)) return !isLatinOrDigit(next);
  return phrase.length > 1 || !isHangul(last) || !(isHangul(before) || isHangul(next));
};
