import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { requestHttp, requestHttps } from '#src/infra/http.ts';

export interface HttpQuestion {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** False: the headers are all that matters, and the page behind them is not loaded. */
  readonly wantsBody: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The cookie page alone sends more than the 16 KB of headers that Node takes by itself. */
const MAX_HEADER_BYTES = 128 * 1024;
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A kept connection that the other side has closed a moment ago: that says nothing about the server. */
class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';
}

const open = (url: URL, question: HttpQuestion, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { method, body } = question;
    const headers: Record<string, string> = { ...question.headers, 'accept-encoding': 'gzip, deflate, br' };
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
    const start = url.protocol === 'https:' ? requestHttps : requestHttp;
    // Node's own agents keep connections, and know of proxies where NODE_USE_ENV_PROXY is set.
    const request = start(url, { method, headers, maxHeaderSize: MAX_HEADER_BYTES });
    const onAbort = (): void => void request.destroy(signal.reason);
    request.once('response', resolve);
    // For good: a connection may break more than once, and an error that nobody hears ends the process.
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
      reject(isStale ? new StaleConnectionError('The kept connection was closed', { cause: error }) : error);
    });
    request.once('close', () => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    request.end(body);
  });

/** Every stale connection is gone after its failure, so this ends. */
const openAnew = async (url: URL, question: HttpQuestion, signal: AbortSignal): Promise<IncomingMessage> => {
  try {
    return await open(url, question, signal);
  } catch (error) {
    if (error instanceof StaleConnectionError) return openAnew(url, question, signal);
    throw error;
  }
};

const unpacked = (message: IncomingMessage): AsyncIterable<Buffer> => {
  const packing = message.headers['content-encoding'] ?? 'identity';
  if (packing === 'identity') return message;
  // A fault of the one reaches the other, so that who reads hears of both.
  return pipeline(message, packing === 'br' ? createBrotliDecompress() : createUnzip(), () => undefined);
};

const textOf = async (message: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of unpacked(message)) {
    size += piece.length;
    if (size > MAX_BODY_BYTES) throw new Error(`The answer is longer than ${String(MAX_BODY_BYTES)} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};

/**
 * One request and its whole answer, of bounded size, redirects not followed. On `node:http`, where the size of the
 * headers can be set for a single request. Rejects with the signal's reason, or what went wrong on the way.
 */
export const exchange = async (
  url: URL,
  question: HttpQuestion,
  signal: AbortSignal,
): Promise<HttpAnswer> => {
  try {
    const message = await openAnew(url, question, signal);
    const { headers, statusCode: status = 500 } = message;
    if (question.wantsBody) return { status, headers, body: await textOf(message) };
    message.on('error', () => undefined);
    message.destroy();
    return { status, headers, body: '' };
  } catch (error) {
    // Node wraps an abort in the middle of the body in words of its own.
    signal.throwIfAborted();
    throw error;
  }
};
