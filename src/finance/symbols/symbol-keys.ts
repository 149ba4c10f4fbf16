import { INDEX_FILE, KEY, NEXT_KIND, WORD } from './index-format.ts';

/** Keys in the order of a number that each has: `order` from `from[n]` to `from[n + 1]` are those that have n. */
export interface KeysByLength {
  readonly order: Uint16Array;
  readonly from: Uint32Array;
}

/** Every code, name and alias, without an object for each. Keys are numbered in the order of their instruments. */
export interface SymbolKeys {
  /** `|aapl|apple|…|`: all keys in order, each between two bars. */
  readonly keys: string;
  readonly keyCount: number;
  /** Where a key begins in `keys`; one more than there are keys. */
  readonly starts: Uint32Array;
  /** Whose key it is. */
  readonly owners: Uint16Array;
  /** Which letters are in a key, a bit each. */
  readonly masks: Uint32Array;
  readonly byLength: KeysByLength;
  /** The same of the first words of Latin names of several; all other keys have none, of no length. */
  readonly headMasks: Uint32Array;
  readonly byHeadLength: KeysByLength;
  readonly isCode: (key: number) => boolean;
  /** What people call it: said on purpose, so it goes before what happens to be the name of another. */
  readonly isAlias: (key: number) => boolean;
  /** Whether a word begins (or the key ends) at this place of `keys`. */
  readonly isWordStart: (place: number) => boolean;
  /** The key that has this place of `keys`. */
  readonly keyAt: (place: number) => number;
  /** The keys that are exactly this, in order. */
  readonly exactKeys: (letters: string) => readonly number[];
}

const NEW_LINE = 10;
/** Longer keys count as being so long. */
const MAX_LENGTH = 255;

/** The letters in a text, each at one of 32 places. */
export const maskOf = (letters: string): number => {
  let mask = 0;
  for (let place = 0; place < letters.length; place += 1) mask |= 1 << (letters.charCodeAt(place) & 31);
  return mask >>> 0;
};

/** A hash is made letter by letter. */
const FIRST_HASH = 0x81_1c_9d_c5;
const HASH_FACTOR = 0x01_00_01_93;
const slotOf = (hash: number, size: number): number => (hash ^ (hash >>> 15)) & (size - 1);

/** Twice the room that is needed, so that a free place is always near. */
const slotsFor = (keyCount: number): Uint16Array =>
  new Uint16Array(1 << Math.ceil(Math.log2(keyCount * 2 + 1)));

/** Keys of one hash stand behind each other, in order. */
const putKey = (slots: Uint16Array, hash: number, key: number): void => {
  let slot = slotOf(hash, slots.length);
  while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
  slots[slot] = key + 1;
};

const exactLookup = (keys: string, starts: Uint32Array, slots: Uint16Array): SymbolKeys['exactKeys'] => {
  return (letters) => {
    const found: number[] = [];
    let hash = FIRST_HASH;
    for (let place = 0; place < letters.length; place += 1)
      hash = Math.imul(hash ^ letters.charCodeAt(place), HASH_FACTOR);
    let slot = slotOf(hash, slots.length);
    for (let key = slots[slot] ?? 0; key !== 0; key = slots[slot] ?? 0) {
      const start = starts[key - 1] ?? 0;
      const isSame = (starts[key] ?? 0) - 1 - start === letters.length && keys.startsWith(letters, start);
      if (isSame) found.push(key - 1);
      slot = (slot + 1) & (slots.length - 1);
    }
    return found;
  };
};

const keysByLength = (lengths: Uint8Array): KeysByLength => {
  const from = new Uint32Array(MAX_LENGTH + 2);
  for (let key = 0; key < lengths.length; key += 1) {
    const next = (lengths[key] ?? 0) + 1;
    from[next] = (from[next] ?? 0) + 1;
  }
  for (let length = 1; length < from.length; length += 1)
    from[length] = (from[length] ?? 0) + (from[length - 1] ?? 0);
  const order = new Uint16Array(lengths.length);
  const free = from.slice();
  for (let key = 0; key < lengths.length; key += 1) {
    const length = lengths[key] ?? 0;
    const place = free[length] ?? 0;
    order[place] = key;
    free[length] = place + 1;
  }
  return { order, from };
};

/** The last of the first `count` starts that is not behind this place. */
export const lastUpTo = (starts: Uint32Array, count: number, place: number): number => {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** The kinds of keys, in the order of the file; names are between them. */
const CODE = 0;
const ALIAS = 2;

const BAR = KEY.charCodeAt(0);
const NEXT_KIND_CODE = NEXT_KIND.charCodeAt(0);
const WORD_CODE = WORD.charCodeAt(0);

/** What stands between keys comes behind all letters of keys, but for the end of a line. */
const LAST_LETTER = 122;

/** Takes the lines of keys apart. In one plain loop without calls: it runs once, before anything is compiled. */
export const readKeys = (text: Buffer, keyCount: number): SymbolKeys => {
  const letters = Buffer.allocUnsafe(text.length + 1);
  const wordStarts = new Uint8Array(text.length + 2);
  const starts = new Uint32Array(keyCount + 1);
  const owners = new Uint16Array(keyCount);
  const kinds = new Uint8Array(keyCount);
  const masks = new Uint32Array(keyCount);
  const lengths = new Uint8Array(keyCount);
  const headLengths = new Uint8Array(keyCount);
  const headMasks = new Uint32Array(keyCount);
  const slots = slotsFor(keyCount);
  let length = 1;
  let key = 0;
  let owner = 0;
  let mask = 0;
  let hash = FIRST_HASH;
  let kind = CODE;
  let isPlain = true;
  letters[0] = BAR;
  starts[0] = 1;
  wordStarts[1] = 1;
  for (let place = 0; place < text.length; place += 1) {
    const code = text[place] ?? 0;
    if (code === WORD_CODE) {
      wordStarts[length] = 1;
      const head = length - (starts[key] ?? 0);
      if (headLengths[key] === 0 && isPlain && head <= MAX_LENGTH) {
        headLengths[key] = head;
        headMasks[key] = mask;
      }
      continue;
    }
    if (code <= LAST_LETTER && code !== NEW_LINE) {
      letters[length] = code;
      mask |= 1 << (code & 31);
      hash = Math.imul(hash ^ code, HASH_FACTOR);
      // Latin: a lower-case letter or a digit.
      isPlain &&= code > 96 || (code > 47 && code < 58);
      length += 1;
      continue;
    }
    wordStarts[length] = 1;
    letters[length] = BAR;
    length += 1;
    owners[key] = owner;
    kinds[key] = kind;
    masks[key] = mask;
    putKey(slots, hash, key);
    lengths[key] = Math.min(length - 1 - (starts[key] ?? 0), MAX_LENGTH);
    key += 1;
    starts[key] = length;
    wordStarts[length] = 1;
    mask = 0;
    hash = FIRST_HASH;
    isPlain = true;
    if (code === NEXT_KIND_CODE) kind += 1;
    if (code === NEW_LINE) {
      owner += 1;
      kind = CODE;
    }
  }
  if (key !== keyCount)
    throw new Error(`${INDEX_FILE} has other keys than it says. Run: npm run data:symbols`);
  const keys = letters.toString('latin1', 0, length);
  return {
    keys,
    keyCount,
    starts,
    owners,
    masks,
    headMasks,
    byLength: keysByLength(lengths),
    byHeadLength: keysByLength(headLengths),
    isCode: (each) => kinds[each] === CODE,
    isAlias: (each) => kinds[each] === ALIAS,
    isWordStart: (place) => wordStarts[place] === 1,
    keyAt: (place) => lastUpTo(starts, keyCount, place),
    exactKeys: exactLookup(keys, starts, slots),
  };
};
