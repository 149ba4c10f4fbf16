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

/** The phrases that start with the same character. Longer ones come first. */
interface SameStart<T> {
  /** By the second character. */
  readonly longer: Map<number, Phrase<T>[]>;
  single: Phrase<T> | undefined;
}

/** A quick test of the first character, which rules out most positions of a text. */
const FIRSTS = 1024;

/**
 * Finds phrases, the longest first, in one pass. Latin phrases are whole words; Korean ones may be followed by
 * particles, and a single syllable must start a word.
 */
export class Phrases<T> {
  readonly #byFirst = new Map<number, SameStart<T>>();
  readonly #mayStart = new Uint8Array(FIRSTS);

  /** The phrases must be in lower case. */
  constructor(phrases: Iterable<readonly [text: string, value: T]>) {
    for (const [text, value] of phrases) this.#add({ text, value });
    for (const { longer } of this.#byFirst.values())
      for (const same of longer.values())
        if (same.length > 1) same.sort((a, b) => b.text.length - a.text.length);
  }

  #add(phrase: Phrase<T>): void {
    const first = phrase.text.charCodeAt(0);
    let same = this.#byFirst.get(first);
    if (!same) {
      same = { longer: new Map(), single: undefined };
      this.#byFirst.set(first, same);
      this.#mayStart[first % FIRSTS] = 1;
    }
    if (phrase.text.length === 1) {
      same.single ??= phrase;
      return;
    }
    const second = phrase.text.charCodeAt(1);
    const longer = same.longer.get(second);
    if (longer) longer.push(phrase);
    else same.longer.set(second, [phrase]);
  }

  /** `text` must be in lower case. */
  in(text: string): readonly Hit<T>[] {
    const found: Hit<T>[] = [];
    let before = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const isInside = isLatin(code) ? isLatin(before) : isDigit(code) && isLatinOrDigit(before);
      const phrase =
        !isInside && this.#mayStart[code % FIRSTS] === 1 ? this.#at(text, at, code, before) : undefined;
      before = code;
      if (phrase) {
        const end = at + phrase.text.length;
        found.push({ start: at, end, value: phrase.value });
        at = end - 1;
        before = text.charCodeAt(at);
      }
    }
    return found;
  }

  #at(text: string, at: number, code: number, before: number): Phrase<T> | undefined {
    const same = this.#byFirst.get(code);
    if (!same) return undefined;
    const longer = same.longer.get(text.charCodeAt(at + 1));
    if (longer) for (const phrase of longer) if (isAt(phrase.text, text, at, before)) return phrase;
    const { single } = same;
    return single && isAt(single.text, text, at, before) ? single : undefined;
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
