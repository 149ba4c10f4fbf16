import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { errorMessage } from '#src/kernel/errors.ts';
import { withDeadline } from '#src/platform/concurrency/abort.ts';
import { requestHttp, requestHttps } from '#src/platform/net/http.ts';
import type { Uses } from '#src/platform/services.ts';
import { isMarketError, marketError } from '../errors.ts';
import { resolveUrl } from '../source-definition.ts';

interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** False: read only the headers. */
  readonly wantsBody: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The cookie page exceeds Node's default of 16 KB of headers. */
const MAX_HEADER_BYTES = 128 * 1024;
/** Sixty years of days are 1.5 MB. What is parsed in one piece holds everybody up. */
const MAX_BODY_BYTES = 3_000_000;

/** The server closed a kept-alive connection, which is not a failure of the server. */
class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';
}

const open = (url: URL, question: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { method, body } = question;
    const headers: Record<string, string> = { ...question.headers, 'accept-encoding': 'gzip, deflate, br' };
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
    const start = url.protocol === 'https:' ? requestHttps : requestHttp;
    // Node's shared agents keep connections alive and use the proxy.
    const request = start(url, { method, headers, maxHeaderSize: MAX_HEADER_BYTES });
    const onAbort = (): void => void request.destroy(signal.reason);
    request.once('response', resolve);
    // The listener stays: a second error on the connection would otherwise crash the process.
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
      reject(
        isStale ? new StaleConnectionError('The kept-alive connection was closed', { cause: error }) : error,
      );
    });
    request.once('close', () => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    request.end(body);
  });

/** Each stale connection is discarded after its failure, so the recursion ends. */
const openWithRetry = async (
  url: URL,
  question: HttpRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> => {
  try {
    return await open(url, question, signal);
  } catch (error) {
    if (error instanceof StaleConnectionError) return openWithRetry(url, question, signal);
    throw error;
  }
};

const decompressed = (message: IncomingMessage): AsyncIterable<Buffer> => {
  const packing = message.headers['content-encoding'] ?? 'identity';
  if (packing === 'identity') return message;
  // `pipeline` forwards errors of both streams to the reader.
  return pipeline(message, packing === 'br' ? createBrotliDecompress() : createUnzip(), () => undefined);
};

const readBody = async (message: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of decompressed(message)) {
    size += piece.length;
    if (size > MAX_BODY_BYTES) throw new Error(`The response exceeds ${String(MAX_BODY_BYTES)} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};

/**
 * One request with a bounded response; redirects are not followed. Uses `node:http`, which allows a header size
 * limit per request. Rejects with the signal's reason or the network error.
 */
const sendRequest = async (url: URL, question: HttpRequest, signal: AbortSignal): Promise<HttpResponse> => {
  try {
    const message = await openWithRetry(url, question, signal);
    const { headers, statusCode: status = 500 } = message;
    if (question.wantsBody) return { status, headers, body: await readBody(message) };
    message.on('error', () => undefined);
    message.destroy();
    return { status, headers, body: '' };
  } catch (error) {
    // Node wraps an abort during the body in an error of its own.
    signal.throwIfAborted();
    throw error;
  }
};

export interface YahooRequestDeps extends Uses<'clock'> {
  /** Replaces every Yahoo host. The original host is sent as `x-forwarded-host`. */
  readonly baseUrl?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Sends one request to a Yahoo host. Throws `MARKET_UNREACHABLE` and the signal's reason. */
export type RequestYahoo = (
  url: URL,
  question: Partial<HttpRequest>,
  signal: AbortSignal,
) => Promise<HttpResponse>;

const TIMEOUT_MS = 8000;
const YAHOO_HOST = /(?:^|\.)yahoo\.com$/u;

/** Yahoo answers 429 to clients that do not look like a browser. */
const DEFAULT_HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; FinClaw/1.0)',
  accept: '*/*',
  'accept-language': 'en-US,en;q=0.9',
};

const assertYahooHost = (url: URL): void => {
  if (url.protocol !== 'https:' || !YAHOO_HOST.test(url.hostname))
    throw marketError('MARKET_UNREACHABLE', `Yahoo Finance redirects to another host: ${url.hostname}`);
};

export const createYahooRequest =
  ({ baseUrl, clock, timeoutMs = TIMEOUT_MS }: YahooRequestDeps): RequestYahoo =>
  async (url, question, signal) => {
    assertYahooHost(url);
    const target = baseUrl === undefined ? url : resolveUrl(baseUrl, `${url.pathname}${url.search}`);
    const headers = {
      ...DEFAULT_HEADERS,
      ...question.headers,
      ...(baseUrl !== undefined && { 'x-forwarded-host': url.hostname }),
    };
    const deadline = withDeadline(signal, timeoutMs, clock, () =>
      marketError('MARKET_UNREACHABLE', `Yahoo Finance did not answer within ${String(timeoutMs)} ms`),
    );
    try {
      return await sendRequest(
        target,
        { method: 'GET', wantsBody: true, ...question, headers },
        deadline.signal,
      );
    } catch (error) {
      if (signal.aborted || isMarketError(error, 'MARKET_UNREACHABLE')) throw error;
      // Network errors contain the address and port but never the path.
      throw marketError('MARKET_UNREACHABLE', `Yahoo Finance: ${errorMessage(error)}`, { cause: error });
    } finally {
      deadline.clear();
    }
  };
