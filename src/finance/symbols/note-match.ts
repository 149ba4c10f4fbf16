import type { SymbolIndex } from './symbol-index.ts';
import { keyLetters, nameWords } from './symbol-key.ts';

interface NoteMatch {
  readonly instruments: readonly number[];
  /** Not all words fit. */
  readonly isHint: boolean;
}

const KIND = 'etn';
const HANGUL = /\p{Script=Hangul}/u;
/** One word is part of the names of many. */
const MIN_HINT_WORDS = 2;

/** Notes that have all these words in their names, in any order; the better known first. */
const notesWith = (index: SymbolIndex, words: readonly string[], limit: number): readonly number[] => {
  const [longest = ''] = words.map(keyLetters).toSorted((a, b) => b.length - a.length);
  const found = new Set<number>();
  const seen = new Set<number>();
  let place = longest === '' ? -1 : index.keys.indexOf(longest);
  while (place !== -1 && found.size < limit) {
    const owner = index.owners[index.keyAt(place)] ?? 0;
    if (!seen.has(owner)) {
      seen.add(owner);
      const { name, currency } = index.instrumentAt(owner);
      const isNote = currency === 'KRW' && nameWords(name.ko).includes(KIND);
      const text = isNote ? nameWords(name.ko).join('') : '';
      if (isNote && words.every((word) => text.includes(word))) found.add(owner);
    }
    place = index.keys.indexOf(longest, place + 1);
  }
  return [...found].toSorted((a, b) => a - b);
};

/**
 * `신한 레버리지 WTI ETN`: behind Hangul, ETN is a kind of paper and not the ticker of Eaton. Those whose names have all
 * the other words; else, as a hint, those that have the first of them.
 */
export const noteMatch = (index: SymbolIndex, query: string, limit: number): NoteMatch | null => {
  const all = nameWords(query);
  // `(H)` is hedged: another paper than the one without it.
  const series = all.filter((word) => /^[a-z]$/u.test(word));
  const words = all.filter((word) => word !== KIND && !series.includes(word));
  if (!all.includes(KIND) || !HANGUL.test(query) || words.length === 0) return null;
  for (let count = words.length; count > 0; count -= 1) {
    const isHint = count < words.length;
    if (isHint && count < MIN_HINT_WORDS) break;
    const instruments = notesWith(index, words.slice(0, count), limit);
    const ofSeries = instruments.filter((each) => {
      const named = nameWords(index.instrumentAt(each).name.ko);
      return series.every((letter) => named.includes(letter));
    });
    if (ofSeries.length > 0 && !isHint) return { instruments: ofSeries, isHint };
    if (instruments.length > 0) return { instruments, isHint: true };
  }
  return null;
};
