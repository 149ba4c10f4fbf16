import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { requestHttp, requestHttps } from './http.ts';

/** The HTTP transport of model SDKs and platforms. */
export interface HttpTransport {
  readonly fetch: typeof fetch;
  /** The byte stream of a streaming response; undefined for any other. */
  readonly streamOf: (response: Response) => IncomingMessage | undefined;
}

const EVENT_STREAM = /^text\/event-stream\b/i;

const headersOf = (message: IncomingMessage): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) headers.append(name, each);
  return headers;
};

/** By events, because iterating over a message costs as much as sending it. */
const bytesOf = (message: IncomingMessage): Promise<Buffer<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    message.on('data', (piece: Buffer) => pieces.push(piece));
    message.on('end', () => resolve(Buffer.concat(pieces)));
    message.on('error', reject);
    // Without an end, the connection was cut.
    message.on('close', () => reject(new Error('The response was cut off')));
  });

interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For the request with its whole response. Default: no limit. */
  readonly timeoutMs?: number;
  /** To a program on this machine, past every proxy. */
  readonly isLocal?: boolean;
}

interface Target {
  readonly start: typeof requestHttp;
  readonly options: ReturnType<typeof urlToHttpOptions>;
}

const parseAddress = (address: string): Target => {
  const url = new URL(address);
  return {
    start: url.protocol === 'https:' ? requestHttps : requestHttp,
    options: urlToHttpOptions(url),
  };
};

/** An address that has its final form: an origin without credentials, and a path of plain characters. */
const PLAIN_ADDRESS = /^(https?:\/\/[\w.:[\]-]+)(\/[\w\-./~%?=&:@!$,;*+]*)$/;
const MAX_ORIGINS = 100;
/** Programs call the same few servers again and again, and parsing an address takes as long as half of a request. */
const origins = new Map<string, Target>();

const targetOf = (address: string): Target => {
  const [, origin, path] = PLAIN_ADDRESS.exec(address) ?? [];
  if (origin === undefined || path === undefined || path.includes('/.')) return parseAddress(address);
  if (origins.size >= MAX_ORIGINS) origins.clear();
  const { start, options } = origins.getOrInsertComputed(origin, parseAddress);
  return { start, options: { ...options, path } };
};

/** A request on a new connection is written once the connection is open. */
const checkOnceConnected = (socket: Socket, check: () => void, request: ClientRequest): void => {
  if (!socket.connecting) return;
  // Over TLS, it is written after the handshake.
  socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
    try {
      check();
    } catch (error) {
      request.destroy(error as Error);
    }
  });
};

const checks = new AsyncLocalStorage<() => void>();

/**
 * Calls `check` right before each request of this work is written. If it throws, the request is not sent. A check before
 * the call would come too early: a request may wait for a rate limit, and the process may stand still meanwhile.
 */
export const withRequestCheck = <T>(check: () => void, work: () => T): T => checks.run(check, work);

/** Runs the check of the current work. For requests that are sent by other means. */
export const checkRequest = (): void => checks.getStore()?.();

const send = (
  address: string,
  { method, signal, timeoutMs, isLocal = false, body, ...given }: HttpRequest,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const check = checks.getStore();
    check?.();
    const headers = { ...given.headers };
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
    const { start, options } = targetOf(address);
    // Node's shared agents keep connections alive and use the proxy.
    const request = start({ ...options, method, headers, ...(isLocal && { agent: false }) });
    const onAbort = (): void =>
      void request.destroy(new DOMException('The request was aborted', 'AbortError'));
    const onLate = (): void => void request.destroy(new DOMException('No answer in time', 'TimeoutError'));
    const timer = timeoutMs === undefined ? undefined : setTimeout(onLate, timeoutMs);
    request.once('response', resolve);
    // Not `once`: a connection may fail more than once, and an unhandled error ends the process.
    request.on('error', reject);
    request.once('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    if (check) request.once('socket', (socket) => checkOnceConnected(socket, check, request));
    request.end(body);
  });

/** A request whose response is read as text. Does not follow redirects. */
export const requestText = async (
  address: string,
  request: HttpRequest,
): Promise<{
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}> => {
  const message = await send(address, request);
  const bytes = await bytesOf(message);
  return { status: message.statusCode ?? 500, headers: message.headers, text: bytes.toString('utf8') };
};

const isWhole = (body: RequestInit['body']): body is string | Uint8Array<ArrayBuffer> | null | undefined =>
  body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array;

/**
 * `fetch` on `node:http`, for requests with a body of text or bytes. A streamed answer costs about a third less CPU,
 * because the built-in `fetch` pipes everything through web streams that the SDKs do not need.
 */
export const createHttpTransport = (): HttpTransport => {
  const streams = new WeakMap<Response, IncomingMessage>();

  return {
    streamOf: (response) => streams.get(response),
    fetch: async (input, init = {}) => {
      const { body } = init;
      // Other bodies, such as a form with a recording, use the built-in `fetch`.
      if (input instanceof Request || !isWhole(body)) return fetch(input, init);
      const message = await send(String(input), {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(
          init.headers instanceof Headers ? init.headers : new Headers(init.headers),
        ),
        body: body ?? undefined,
        signal: init.signal ?? undefined,
      });
      const answer = { status: message.statusCode ?? 500, headers: headersOf(message) };
      const isStream = answer.status < 300 && EVENT_STREAM.test(message.headers['content-type'] ?? '');
      if (!isStream) {
        const bytes = await bytesOf(message);
        return new Response(bytes.length > 0 ? bytes : null, answer);
      }
      const response = new Response(null, answer);
      streams.set(response, message);
      return response;
    },
  };
};
