import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssetClass, Instrument } from '#src/kernel/market/finance.ts';

/**
 * The file that `npm run data:symbols` writes: a JSON header, one line per instrument (best known first), an empty
 * line, and one line of keys per instrument in the same order.
 */
export const INDEX_FILE = 'symbols-index.txt';
export const FORMAT_VERSION = 1;

/** Attributes that many instruments share. */
export type InstrumentKind = readonly [
  exchange: string,
  assetClass: AssetClass,
  currency: string,
  priceDecimals: number,
];

export interface IndexHeader {
  readonly version: number;
  readonly instruments: number;
  readonly keys: number;
  /**
   * Instruments from this number on are preferred shares, warrants, units and notes, which a company's name never
   * means.
   */
  readonly firstSecondary: number;
  readonly kinds: readonly InstrumentKind[];
}

/** Separators of instrument fields, keys, key kinds and words of a name. */
const FIELD = '\t';
export const KEY = '|';
export const NEXT_KIND = '~';
export const WORD = '_';

/** A field equal to the previous one is left empty. */
export const formatInstrumentLine = (instrument: Instrument, kind: number): string => {
  const { symbol, ticker, name } = instrument;
  return [symbol, ticker === symbol ? '' : ticker, name.ko, name.en === name.ko ? '' : name.en, kind].join(
    FIELD,
  );
};

const parseInstrumentLine = (line: string, kinds: readonly InstrumentKind[]): Instrument => {
  const [symbol = '', ticker = '', ko = '', en = '', kindNumber = ''] = line.split(FIELD);
  const kind = kinds[Number(kindNumber)];
  if (!kind || symbol === '') throw new Error(`Broken line in ${INDEX_FILE}: ${line}`);
  const [exchange, assetClass, currency, priceDecimals] = kind;
  return {
    symbol,
    ticker: ticker === '' ? symbol : ticker,
    name: { ko, en: en === '' ? ko : en },
    exchange,
    assetClass,
    currency,
    priceDecimals,
  };
};

/** Keys grouped by length: those of length n are `order[from[n]]` to `order[from[n + 1] - 1]`. */
export interface KeysByLength {
  readonly order: Uint16Array;
  readonly from: Uint32Array;
}

/** All codes, names and aliases in typed arrays. Keys are ordered by instrument. */
interface SymbolKeys {
  /** All keys in order, separated by bars: `|aapl|apple|…|`. */
  readonly keys: string;
  readonly keyCount: number;
  /** Start of each key in `keys`, plus one entry for the end. */
  readonly starts: Uint32Array;
  /** The instrument of each key. */
  readonly owners: Uint16Array;
  /** Letters of each key as a bit mask. */
  readonly masks: Uint32Array;
  readonly byLength: KeysByLength;
  /** Masks of the first word of multi-word Latin names. Other keys have length 0. */
  readonly headMasks: Uint32Array;
  readonly byHeadLength: KeysByLength;
  readonly isCode: (key: number) => boolean;
  /** Aliases win over names, because they were added on purpose. */
  readonly isAlias: (key: number) => boolean;
  /** True if a word starts, or the key ends, at this position of `keys`. */
  readonly isWordStart: (place: number) => boolean;
  /** The key at this position of `keys`. */
  readonly keyAt: (place: number) => number;
  /** The keys equal to these letters, in order. */
  readonly exactKeys: (letters: string) => readonly number[];
}

const NEW_LINE = 10;
/** Longer keys count as this long. */
const MAX_LENGTH = 255;

/** The letters of a text as a 32-bit mask. */
export const maskOf = (letters: string): number => {
  let mask = 0;
  for (let place = 0; place < letters.length; place += 1) mask |= 1 << (letters.charCodeAt(place) & 31);
  return mask >>> 0;
};

/** FNV-1a, computed letter by letter. */
const FIRST_HASH = 0x81_1c_9d_c5;
const HASH_FACTOR = 0x01_00_01_93;
const slotOf = (hash: number, size: number): number => (hash ^ (hash >>> 15)) & (size - 1);

/** At most half full, so that probing stays short. */
const slotsFor = (keyCount: number): Uint16Array =>
  new Uint16Array(1 << Math.ceil(Math.log2(keyCount * 2 + 1)));

/** Keys with the same hash are probed in order. */
const insertKey = (slots: Uint16Array, hash: number, key: number): void => {
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

/** Binary search for the last of `count` starts at or before `place`. */
export const lastAtOrBefore = (starts: Uint32Array, count: number, place: number): number => {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** Key kinds in file order; names are kind 1. */
const CODE = 0;
const ALIAS = 2;

const BAR = KEY.charCodeAt(0);
const NEXT_KIND_CODE = NEXT_KIND.charCodeAt(0);
const WORD_CODE = WORD.charCodeAt(0);

/** Except for line breaks, all separators sort after the letters. */
const LAST_LETTER = 122;

/** Parses the key lines in one loop without calls, because it runs once and is never JIT-compiled. */
const readKeys = (text: Buffer, keyCount: number): SymbolKeys => {
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
      // Lower-case letters and digits.
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
    insertKey(slots, hash, key);
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
    throw new Error(
      `${INDEX_FILE} does not have the number of keys in its header. Run: npm run data:symbols`,
    );
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
    keyAt: (place) => lastAtOrBefore(starts, keyCount, place),
    exactKeys: exactLookup(keys, starts, slots),
  };
};

/**
 * Fourteen thousand instruments in typed arrays and one buffer; an `Instrument` is created on demand. Numbered as in
 * the file, best known first.
 */
export interface SymbolIndex extends SymbolKeys {
  readonly instruments: number;
  /** Instruments from this number on are preferred shares, warrants and notes. */
  readonly firstSecondary: number;
  readonly instrumentAt: (instrument: number) => Instrument;
}

const INDEX_PATH = join(import.meta.dirname, '..', 'data', INDEX_FILE);

/** Start offsets of the instrument lines, plus the end. */
const lineStarts = (file: Buffer, from: number, count: number): Uint32Array => {
  const starts = new Uint32Array(count + 1);
  let place = from;
  starts[0] = from;
  for (let line = 1; line <= count; line += 1) {
    place = file.indexOf(NEW_LINE, place) + 1;
    if (place === 0) throw new Error(`${INDEX_FILE} is truncated. Run: npm run data:symbols`);
    starts[line] = place;
  }
  return starts;
};

/** Reads the file synchronously, which takes a few milliseconds. */
const readSymbolIndex = (): SymbolIndex => {
  const file = readFileSync(INDEX_PATH);
  const headerEnd = file.indexOf(NEW_LINE);
  const header = JSON.parse(file.toString('utf8', 0, headerEnd)) as IndexHeader;
  if (header.version !== FORMAT_VERSION)
    throw new Error(`${INDEX_FILE} has another version. Run: npm run data:symbols`);
  const lines = lineStarts(file, headerEnd + 1, header.instruments);
  const linesEnd = lines[header.instruments] ?? 0;
  // Copies the instrument lines, so that the rest of the file can be freed.
  const records = Buffer.from(file.subarray(0, linesEnd));
  return {
    ...readKeys(file.subarray(linesEnd + 1), header.keys),
    instruments: header.instruments,
    firstSecondary: header.firstSecondary,
    instrumentAt: (instrument) => {
      const line = records.toString('utf8', lines[instrument], (lines[instrument + 1] ?? 0) - 1);
      return parseInstrumentLine(line, header.kinds);
    },
  };
};

let loaded: SymbolIndex | undefined;

/** The index of this process: nothing changes it, so all searches share it. */
export const loadSymbolIndex = (): SymbolIndex => (loaded ??= readSymbolIndex());

/** The instruments of these keys, without duplicates, in order. */
export const ownersOf = (index: SymbolIndex, keys: readonly number[]): readonly number[] =>
  [...new Set(keys.map((key) => index.owners[key] ?? 0))].toSorted((a, b) => a - b);

/** Drops a coin in won if the same coin in dollars is present. */
const dropWonCoins = (index: SymbolIndex, instruments: readonly number[]): readonly number[] => {
  const listed = instruments.map((number) => ({ number, ...index.instrumentAt(number) }));
  const inDollars = new Set(
    listed.flatMap(({ assetClass, ticker }) => (assetClass === 'crypto' ? [`${ticker}/KRW`] : [])),
  );
  return listed.filter(({ ticker }) => !inDollars.has(ticker)).map(({ number }) => number);
};

/** Drops preferred shares, warrants, notes and coins in won, unless nothing else is left. */
export const primaryListings = (index: SymbolIndex, instruments: readonly number[]): readonly number[] => {
  const main = instruments.filter((instrument) => instrument < index.firstSecondary);
  return dropWonCoins(index, main.length > 0 ? main : instruments);
};
