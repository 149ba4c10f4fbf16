import { createRequire } from 'node:module';
import type * as Iconv from 'iconv-lite';

const BYTE_ORDER_MARKS: readonly (readonly [charset: string, bytes: readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Control characters that occur in binary files, never in text. */
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

const markedCharset = (bytes: Uint8Array): string | undefined =>
  BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];

/** Undefined if the bytes are no text of this charset. With `isCut`, the last character may be incomplete. */
const decodeAs = (charset: string, bytes: Uint8Array, isCut: boolean): string | undefined => {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
};

/** Loads the decoder only when it is needed, because most texts are UTF-8. */
const load = createRequire(import.meta.url);
/** The decoder writes this for invalid bytes; CP949 itself has no code for it. */
const UNKNOWN = '\u{fffd}';
/** Invalid bytes end the decoding after one slice. */
const SLICE_BYTES = 65_536;

/**
 * Decodes CP949, which Korean Windows writes and which contains EUC-KR. Node's own "euc-kr" lacks 8,822 syllables of it
 * and turns them into other characters. Undefined if the bytes are not CP949. `isCut`: the last character may be
 * incomplete, and is then left out.
 */
export const decodeCp949 = (bytes: Uint8Array, isCut = false): string | undefined => {
  const decoder = (load('iconv-lite') as typeof Iconv).getDecoder('cp949');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at < buffer.length; at += SLICE_BYTES) {
    const slice = decoder.write(buffer.subarray(at, at + SLICE_BYTES));
    if (slice.includes(UNKNOWN)) return undefined;
    text += slice;
  }
  // `end` gives text where the last character is incomplete.
  return !isCut && decoder.end() ? undefined : text;
};

/** Reads bytes as text of one charset; undefined if they are none. With `isCut`, the last character may be incomplete. */
export type Charset = (bytes: Uint8Array, isCut: boolean) => string | undefined;

const unlessBinary = (text: string | undefined): string | undefined =>
  text === undefined || BINARY.test(text) ? undefined : text;

/** A charset by the name that the web has for it. */
export const charsetOf =
  (name: string): Charset =>
  (bytes, isCut) =>
    unlessBinary(decodeAs(name, bytes, isCut));

export const korean: Charset = (bytes, isCut) => unlessBinary(decodeCp949(bytes, isCut));

/**
 * Decodes a file, without its byte order mark: UTF-16 with a mark, UTF-8, or the first of `guesses` that fits, which is
 * Korean CP949 unless more is known of the file. Undefined for other bytes, because a guess would show words that nobody
 * wrote. `isCut`: the last character may be incomplete, and is then left out.
 */
export const decodeText = (
  bytes: Uint8Array,
  isCut = false,
  guesses: readonly Charset[] = [korean],
): string | undefined => {
  const marked = markedCharset(bytes);
  if (marked !== undefined) return decodeAs(marked, bytes, isCut);
  const text = decodeAs('utf-8', bytes, isCut);
  return guesses.reduce((read, guess) => read ?? guess(bytes, isCut), text);
};
