import { decodeCp949 } from '#src/platform/text/decode-text.ts';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

/** The charset declaration is within this many bytes. */
const DECLARATION_BYTES = 2_048;

/** Non-standard charset names that pages use. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  cp932: 'shift_jis',
};

const KOREAN: ReadonlySet<string> = new Set(['cp949', 'ms949', 'euc-kr', 'ks_c_5601-1987', 'windows-949']);

const CHARSET = /charset\s*=\s*(?:["']\s*)?([\w.:-]{2,40})/i;
const XML_ENCODING = /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{2,40})["']/i;
/** Other meta tags (description, refresh) may come before the right one. */
const META = /<meta\s[^<>]{0,500}>/gi;

const BYTE_ORDER_MARKS: readonly (readonly [charset: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const markedCharset = (bytes: Uint8Array): string | undefined =>
  BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];

const declaredCharset = (bytes: Uint8Array): string | undefined => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const inMeta = (head.match(META) ?? []).map((tag) => CHARSET.exec(tag)?.[1]).find((name) => name);
  const declared = inMeta ?? XML_ENCODING.exec(head)?.[1];
  // The declaration was readable byte by byte, so it cannot be UTF-16.
  return declared?.toLowerCase().startsWith('utf-16') ? 'utf-8' : declared;
};

const textDecoderFor = (charset: string): TextDecoder => {
  const name = charset.toLowerCase();
  try {
    return new TextDecoder(OTHER_NAMES[name] ?? name);
  } catch {
    return new TextDecoder('utf-8');
  }
};

/** Decodes a page by its byte order mark, else the header, else its declaration, else as UTF-8. Never throws. */
export const decodeText = (bytes: Uint8Array, contentType: string): string => {
  const charset = markedCharset(bytes) ?? CHARSET.exec(contentType)?.[1] ?? declaredCharset(bytes) ?? 'utf-8';
  // The built-in decoder covers only a part of what Korean pages mean by this name.
  const korean = KOREAN.has(charset.toLowerCase()) ? decodeCp949(bytes) : undefined;
  return korean ?? textDecoderFor(charset).decode(bytes);
};

/** The encodings that `readBody` supports, for the request header. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

type Body =
  | { readonly status: 'read'; readonly bytes: Uint8Array; readonly isCut: boolean }
  | { readonly status: 'unknown-encoding' };

/** The web needs no larger window, and a server could demand 2 GB. */
const MAX_ZSTD_WINDOW_LOG = 23;
/** A truncated body is read as far as it goes. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/** Servers use `deflate` for two formats; the low half of the first byte tells them apart. */
const inflaterFor = async (message: IncomingMessage): Promise<Transform> => {
  if (message.readableLength === 0 && !message.closed)
    await Promise.race([once(message, 'readable'), once(message, 'close')]);
  const head = message.read() as Buffer | null;
  if (head) message.unshift(head);
  const isWrapped = head === null || ((head[0] ?? 0) & 0x0f) === 8;
  return isWrapped ? createInflate(LENIENT) : createInflateRaw(LENIENT);
};

const decoderFor = async (encoding: string, message: IncomingMessage): Promise<Transform | undefined> => {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(LENIENT);
  if (encoding === 'br') return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
  if (encoding === 'deflate') return inflaterFor(message);
  if (encoding !== 'zstd') return undefined;
  return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG } });
};

/** Reads up to `maxBytes`, then closes the source. */
const collect = async (source: Readable, maxBytes: number, onBytes: () => void): Promise<Body> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of source as AsyncIterable<Buffer>) {
    onBytes();
    pieces.push(piece);
    size += piece.length;
    if (size > maxBytes) break;
  }
  const bytes = Buffer.concat(pieces).subarray(0, maxBytes);
  return { status: 'read', bytes, isCut: size > maxBytes };
};

/**
 * Reads and decompresses the body. The limit applies to the decompressed size, so a small body that expands to
 * gigabytes stops at the limit too. Rejects if the connection or the compressed data is broken.
 */
export const readBody = async (
  message: IncomingMessage,
  maxBytes: number,
  onBytes: () => void,
): Promise<Body> => {
  const encoding = (message.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return collect(message, maxBytes, onBytes);
  const decoder = await decoderFor(encoding, message);
  if (!decoder) return { status: 'unknown-encoding' };
  // Errors of either stream surface while the decoder is read.
  pipeline(message, decoder, () => undefined);
  return collect(decoder, maxBytes, onBytes);
};
