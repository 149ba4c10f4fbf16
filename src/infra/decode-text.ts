import { decodeCp949 } from './decode-cp949.ts';

const BYTE_ORDER_MARKS: readonly (readonly [charset: string, bytes: readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** What no text holds, but files that only look like one. */
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

const markedCharset = (bytes: Uint8Array): string | undefined =>
  BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];

/** Undefined where the bytes are no text of this charset. A cut may have fallen inside its last character. */
const decodeAs = (charset: string, bytes: Uint8Array, isCut: boolean): string | undefined => {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
};

/** Programs of Windows in Korean write CP949. Almost any bytes can be read as it, so that it comes last. */
const decodeKorean = (bytes: Uint8Array, isCut: boolean): string | undefined => {
  const text = decodeCp949(bytes, isCut);
  return text === undefined || BINARY.test(text) ? undefined : text;
};

/**
 * The words of a text file, without its byte order mark: UTF-16 with its mark, UTF-8, or Korean CP949. Undefined for
 * bytes that are none of these: a guess would show words that nobody wrote. `isCut`: the last character may be half
 * there, and is then left out.
 */
export const decodeText = (bytes: Uint8Array, isCut = false): string | undefined => {
  const marked = markedCharset(bytes);
  return marked === undefined
    ? (decodeAs('utf-8', bytes, isCut) ?? decodeKorean(bytes, isCut))
    : decodeAs(marked, bytes, isCut);
};
