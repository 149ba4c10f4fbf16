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

/** The first characters of phrases, as bits of a small table: a quick test, which rules out most positions of a text. */
const FIRSTS = 1024;
const STARTS_LONGER = 1;
const STARTS_SINGLE = 2;

/** One number of two characters. Others may have the same, so the phrases themselves are compared as well. */
const keyOf = (first: number, second: number): number => ((first & 0x7f_ff) << 16) | second;

/**
 * Finds phrases, the longest first, in one pass. Latin phrases are whole words; Korean ones may be followed by
 * particles, and a single syllable must start a word.
 */
export class Phrases<T> {
  /** By the first two characters; longer phrases first. */
  readonly #longer = new Map<number, Phrase<T>[]>();
  readonly #single = new Map<number, Phrase<T>>();
  readonly #starts = new Uint8Array(FIRSTS);

  /** The phrases must be in lower case. */
  constructor(phrases: Iterable<readonly [text: string, value: T]>) {
    for (const [text, value] of phrases) this.#add({ text, value });
    for (const same of this.#longer.values())
      if (same.length > 1) same.sort((a, b) => b.text.length - a.text.length);
  }

  #add(phrase: Phrase<T>): void {
    const first = phrase.text.charCodeAt(0);
    const isSingle = phrase.text.length === 1;
    const place = first % FIRSTS;
    this.#starts[place] = (this.#starts[place] ?? 0) | (isSingle ? STARTS_SINGLE : STARTS_LONGER);
    if (isSingle) {
      this.#single.set(first, phrase);
      return;
    }
    const key = keyOf(first, phrase.text.charCodeAt(1));
    const same = this.#longer.get(key);
    if (same) same.push(phrase);
    else this.#longer.set(key, [phrase]);
  }

  /** `text` must be in lower case. */
  in(text: string): readonly Hit<T>[] {
    const found: Hit<T>[] = [];
    const starts = this.#starts;
    let before = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const start = starts[code % FIRSTS] ?? 0;
      const isInside = isLatin(code) ? isLatin(before) : isDigit(code) && isLatinOrDigit(before);
      const phrase = start !== 0 && !isInside ? this.#at(text, at, start, before) : undefined;
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

  #at(text: string, at: number, start: number, before: number): Phrase<T> | undefined {
    const first = text.charCodeAt(at);
    const longer =
      (start & STARTS_LONGER) === 0 ? undefined : this.#longer.get(keyOf(first, text.charCodeAt(at + 1)));
    if (longer) for (const phrase of longer) if (isAt(phrase.text, text, at, before)) return phrase;
    const single = (start & STARTS_SINGLE) === 0 ? undefined : this.#single.get(first);
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
