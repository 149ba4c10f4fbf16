import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib';
import { createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** The encodings that `readBody` undoes, for the request. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

export type Body =
  | { readonly status: 'read'; readonly bytes: Uint8Array; readonly isCut: boolean }
  | { readonly status: 'unknown-encoding' };

/** More memory for one window is never needed on the web, and a server could ask for 2 GB. */
const MAX_ZSTD_WINDOW_LOG = 23;
/** A body that ends too early is read as far as it goes. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/** Servers mean two things by `deflate`; the low half of the first byte tells them apart. */
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

/** The first `maxBytes` of what comes; the source is closed behind them, however much it still has. */
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
 * The body, decompressed. What is counted is what comes out: a small body that unpacks to gigabytes is left
 * at the limit like every other. Rejects when the connection or the compressed data breaks.
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
  // The decoder carries an error of either; reading it tells.
  pipeline(message, decoder, () => undefined);
  return collect(decoder, maxBytes, onBytes);
};
