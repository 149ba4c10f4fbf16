import { type KeysByLength, maskOf, type SymbolIndex } from './symbol-index.ts';
import { isLatin, keyLetters, type QueryForm } from './symbol-key.ts';

const MIN_LATIN = 4;
const MIN_LONG_LATIN = 8;
const MIN_HANGUL = 3;
const HANGUL_SYLLABLE = /[가-힣]/gu;
/** A match on the first word ranks behind one on the whole name. */
const HEAD_PENALTY = 0.5;

/** Allowed edit distance. 0 for queries too short to tell a typo from another name. */
const allowedDistance = ({ text, letters }: QueryForm): number => {
  if (!isLatin(letters)) return (text.match(HANGUL_SYLLABLE)?.length ?? 0) >= MIN_HANGUL ? 2 : 0;
  const count = text.replaceAll(/\d/gu, '').length;
  if (count < MIN_LATIN) return 0;
  return count < MIN_LONG_LATIN ? 1 : 2;
};

const bitCount = (bits: number): number => {
  const pairs = bits - ((bits >>> 1) & 0x55_55_55_55);
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
};

/** Exceeds the length of keys and queries. */
const ROOM = 256;
let [current, previous, beforePrevious] = [new Uint8Array(ROOM), new Uint8Array(ROOM), new Uint8Array(ROOM)];

/**
 * Like `editDistance` of the kernel but without allocations, because one query is compared with thousands of keys. Skips
 * the common prefix and cells outside the limit.
 */
export const distanceWithin = (left: string, right: string, limit: number): number => {
  const over = limit + 1;
  let skipped = 0;
  while (skipped < left.length && left.charCodeAt(skipped) === right.charCodeAt(skipped)) skipped += 1;
  const [rows, columns] = [left.length - skipped, right.length - skipped];
  if (Math.abs(rows - columns) > limit || columns + 2 > ROOM) return Infinity;
  for (let j = 0; j <= columns; j += 1) previous[j] = Math.min(j, over);
  for (let i = 1; i <= rows; i += 1) {
    const [from, to] = [Math.max(1, i - limit), Math.min(columns, i + limit)];
    current[from - 1] = from === 1 ? Math.min(i, over) : over;
    let best = current[from - 1] ?? over;
    const letter = left.charCodeAt(skipped + i - 1);
    for (let j = from; j <= to; j += 1) {
      const other = right.charCodeAt(skipped + j - 1);
      const above = j === i + limit ? over : (previous[j] ?? over);
      let least = Math.min(above, current[j - 1] ?? over) + 1;
      least = Math.min(least, (previous[j - 1] ?? over) + (letter === other ? 0 : 1));
      const isSwap =
        i > 1 &&
        j > 1 &&
        letter === right.charCodeAt(skipped + j - 2) &&
        left.charCodeAt(skipped + i - 2) === other;
      if (isSwap) least = Math.min(least, (beforePrevious[j - 2] ?? over) + 1);
      current[j] = Math.min(least, over);
      best = Math.min(best, least);
    }
    if (best > limit) return Infinity;
    const free = beforePrevious;
    beforePrevious = previous;
    previous = current;
    current = free;
  }
  const distance = previous[columns] ?? over;
  return distance > limit ? Infinity : distance;
};

/** ㅐ and ㅔ sound alike, so this typo is recognized even in short names: 에플. */
const SOUND_ALIKE: Readonly<Record<string, string>> = {
  [keyLetters('ㅐ')]: keyLetters('ㅔ'),
  [keyLetters('ㅔ')]: keyLetters('ㅐ'),
};

const soundAlikeMatches = (index: SymbolIndex, { text, letters }: QueryForm): readonly number[] =>
  text.length < 2
    ? []
    : Array.from(letters).flatMap((letter, place) => {
        const other = SOUND_ALIKE[letter];
        if (other === undefined) return [];
        const keys = index.exactKeys(letters.slice(0, place) + other + letters.slice(place + 1));
        return keys.map((key) => index.owners[key] ?? 0);
      });

/**
 * Names within a small edit distance, closest first. Hangul is compared by letter: 삼송 is one typo away from 삼성. One
 * typo flips at most two mask bits, which rules out nearly all keys.
 */
export const typoMatches = (index: SymbolIndex, form: QueryForm): readonly number[] => {
  const limit = allowedDistance(form);
  if (limit === 0) return soundAlikeMatches(index, form);
  const { letters } = form;
  const mask = maskOf(letters);
  const distances = new Map<number, number>();
  const compare = (
    { order, from }: KeysByLength,
    masks: Uint32Array,
    length: number,
    penalty: number,
  ): void => {
    for (let place = from[length] ?? 0; place < (from[length + 1] ?? 0); place += 1) {
      const key = order[place] ?? 0;
      if (bitCount(mask ^ (masks[key] ?? 0)) > limit * 2) continue;
      const start = index.starts[key] ?? 0;
      const distance = distanceWithin(letters, index.keys.slice(start, start + length), limit) + penalty;
      const owner = index.owners[key] ?? 0;
      if (distance < (distances.get(owner) ?? Infinity)) distances.set(owner, distance);
    }
  };
  for (let length = Math.max(1, letters.length - limit); length <= letters.length + limit; length += 1) {
    compare(index.byLength, index.masks, length, 0);
    if (length >= MIN_LATIN) compare(index.byHeadLength, index.headMasks, length, HEAD_PENALTY);
  }
  return Array.from(distances)
    .toSorted(([left, a], [right, b]) => a - b || left - right)
    .map(([owner]) => owner);
};
