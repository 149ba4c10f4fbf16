import { isIP, type LookupFunction } from 'node:net';
import {
  HttpAgent,
  HttpsAgent,
  proxyOptions,
  requestHttp,
  requestHttps,
  STATUS_CODES,
} from '#src/platform/net/http.ts';
import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { lookup as lookupName } from 'node:dns/promises';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import { versionNumber } from '#src/platform/build.ts';
import { createIdleGuard, type IdleGuard } from '#src/agent/providers/idle-guard.ts';
import { isPublicAddress } from '#src/platform/net/public-address.ts';
import { checkUrl, hostOf, WEB_PORTS } from './web-address.ts';
import { decodeCp949 } from '#src/platform/text/decode-text.ts';
import type { Uses } from '#src/platform/services.ts';
import { once } from 'node:events';
import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

const NETWORK_PROBLEMS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not exist, or has no address: check the spelling',
  ENODATA: 'does not exist, or has no address: check the spelling',
  EAI_AGAIN: 'could not be looked up just now: try again later',
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke off the connection',
  EPIPE: 'broke off the connection',
  ETIMEDOUT: 'cannot be reached',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
};

const CERTIFICATE = /CERT|SIGNED|SIGNATURE|ERR_TLS|ERR_SSL|EPROTO/;

const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
};

/** Describes a network failure in one sentence. The error's own message may name internal addresses. */
const networkProblem = (host: string, error: unknown): string => {
  const code = codeOf(error);
  const known = NETWORK_PROBLEMS[code];
  if (known !== undefined) return `${host} ${known}.`;
  if (code === 'ERR_PROXY_TUNNEL') return `${host} cannot be reached through the proxy.`;
  if (CERTIFICATE.test(code)) return `${host} offers no secure connection that can be trusted.`;
  if (code.startsWith('HPE_')) return `${host} answered with something that is not HTTP.`;
  if (code.startsWith('Z_') || code.startsWith('ERR_') || code.startsWith('ZSTD_'))
    return `The answer of ${host} is damaged and cannot be unpacked.`;
  return `${host} could not be read${code === '' ? '' : ` (${code})`}.`;
};

const ADVICE: Readonly<Record<number, string>> = {
  401: 'it wants a login, so it cannot be read',
  403: 'it does not let programs read it',
  404: 'there is no such page; check the address',
  410: 'the page is gone',
  429: 'it gets too many requests; try again later',
  451: 'it is withheld for legal reasons',
};

/** Describes an HTTP status in one sentence. */
const statusProblem = (host: string, statusCode: number): string => {
  const advice =
    ADVICE[statusCode] ?? (statusCode >= 500 ? 'the server has a fault; try again later' : 'no page came');
  const name = STATUS_CODES[statusCode];
  return `${host} answered with status ${statusCode}${name ? ` (${name})` : ''}: ${advice}.`;
};

/** Always returns the checked addresses, so that the name is never resolved a second time. */
const pinnedTo =
  (addresses: readonly [LookupAddress, ...LookupAddress[]]): LookupFunction =>
  (_hostname, options, callback) => {
    const [{ address, family }] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, address, family);
  };

/**
 * Sends one GET over its own connection to one of the given addresses, or through the proxy, which looks up the name
 * itself. Name, certificate and Host header are those of the URL. Rejects with the network error or on abort; redirects
 * are not followed.
 */
const requestPinned = (
  url: URL,
  addresses: readonly [LookupAddress, ...LookupAddress[]],
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    // Agents of their own, because the shared ones may have a connection to another address of that name.
    const [start, agent] =
      url.protocol === 'https:'
        ? [requestHttps, new HttpsAgent(proxyOptions())]
        : [requestHttp, new HttpAgent(proxyOptions())];
    const request = start(url, { agent, headers, lookup: pinnedTo(addresses), signal });
    request.once('response', resolve);
    // Not `once`: a connection may fail more than once, and an unhandled error ends the process.
    request.on('error', reject);
    request.end();
  });

/** Overridable in tests; the defaults admit the public web only. */
export interface SafeFetchDeps extends Uses<'clock'> {
  readonly version: string;
  /** Resolves a name to all its addresses, once per request. */
  readonly lookup?: (hostname: string) => Promise<readonly LookupAddress[]>;
  readonly isPublicAddress?: (address: string) => boolean;
  readonly allowedPorts?: ReadonlySet<number>;
}

export type FetchOutcome =
  | {
      readonly outcome: 'page';
      /** The final URL after redirects. */
      readonly url: string;
      readonly statusCode: number;
      readonly mimeType: string;
      readonly text: string;
      /** The page was longer than the limit. */
      readonly isCut: boolean;
    }
  /** One sentence that says what to do instead. */
  | { readonly outcome: 'failed'; readonly problem: string };

/** Resolves for every outcome; rejects only with the signal's reason. */
export type SafeFetch = (address: string, signal: AbortSignal) => Promise<FetchOutcome>;

type Addresses = readonly [LookupAddress, ...LookupAddress[]];

const TOTAL_MS = 15_000;
const IDLE_MS = 8_000;
const MAX_BYTES = 2_000_000;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const TEXT_TYPE = /^(?:text\/[\w.+-]+|application\/(?:json|xml|xhtml\+xml|[\w.-]+\+(?:json|xml)))$/;

const lookUpAll = (hostname: string): Promise<readonly LookupAddress[]> =>
  lookupName(hostname, { all: true });

const failed = (problem: string): FetchOutcome => ({ outcome: 'failed', problem });

const mimeTypeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type']?.split(';')[0] ?? '').trim().toLowerCase();

/** Servers send non-ASCII letters as UTF-8, but Node decodes headers as Latin-1. */
const locationOf = ({ statusCode, headers }: IncomingMessage): string | undefined => {
  const { location } = headers;
  return location === undefined || !REDIRECTS.has(statusCode ?? 0)
    ? undefined
    : Buffer.from(location, 'latin1').toString('utf8');
};

const readPage = async (message: IncomingMessage, url: URL, guard: IdleGuard): Promise<FetchOutcome> => {
  const host = hostOf(url);
  const { statusCode = 0 } = message;
  if (statusCode < 200 || statusCode >= 300) return failed(statusProblem(host, statusCode));
  const mimeType = mimeTypeOf(message);
  if (!TEXT_TYPE.test(mimeType)) {
    const shown = mimeType.replaceAll(/[^\w.+/-]/g, '').slice(0, 80) || 'of an unknown type';
    return failed(`${host} sent something that is no text (${shown}): only text pages can be read.`);
  }
  const body = await readBody(message, MAX_BYTES, guard.touch);
  if (body.status === 'unknown-encoding')
    return failed(`${host} sent its page packed in a way that cannot be unpacked.`);
  const text = decodeText(body.bytes, message.headers['content-type'] ?? '');
  return { outcome: 'page', url: url.href, statusCode, mimeType, text, isCut: body.isCut };
};

/**
 * Fetches public web pages only: it never connects to an address inside the bot's network, however it is
 * spelled, resolved or redirected to. A proxy is asked only for names that are public here too. No cookies, and at most 15 s.
 */
export const createSafeFetch = (deps: SafeFetchDeps): SafeFetch => {
  const { clock, lookup = lookUpAll, allowedPorts = WEB_PORTS } = deps;
  const isAllowed = deps.isPublicAddress ?? isPublicAddress;
  const headers = {
    'user-agent': `FinClaw/${versionNumber(deps.version)}`,
    accept: 'text/html, application/xhtml+xml, application/json, application/xml;q=0.9, text/*;q=0.8',
    'accept-encoding': ACCEPTED_ENCODINGS,
  };

  /** The allowed addresses. One forbidden address rejects the whole name as untrustworthy. */
  const resolve = async (host: string, signal: AbortSignal): Promise<Addresses | string> => {
    const family = isIP(host);
    const found = family === 0 ? await raceAbort(lookup(host), signal) : [{ address: host, family }];
    if (!found.every(({ address }) => isAllowed(address)))
      return `${host} is not on the public internet: only public pages can be read.`;
    const [first, ...others] = found;
    return first ? [first, ...others] : `${host} has no address: check the spelling.`;
  };

  /** Requests one address: returns a page, or the redirect target. */
  const ask = async (url: URL, guard: IdleGuard): Promise<FetchOutcome | URL> => {
    const addresses = await resolve(hostOf(url), guard.signal);
    if (typeof addresses === 'string') return failed(addresses);
    guard.touch();
    const message = await requestPinned(url, addresses, headers, guard.signal);
    guard.touch();
    try {
      const location = locationOf(message);
      if (location === undefined) return await readPage(message, url, guard);
      const next = checkUrl(location, url, allowedPorts);
      if (!next.isAllowed) return failed(`${hostOf(url)} leads to another address. ${next.problem}`);
      const isDowngrade = url.protocol === 'https:' && next.url.protocol === 'http:';
      if (!isDowngrade) return next.url;
      return failed(`${hostOf(url)} leads from a secure to an insecure address, which is not followed.`);
    } finally {
      message.destroy();
    }
  };

  const follow = async (first: URL, guard: IdleGuard): Promise<FetchOutcome> => {
    let url = first;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      try {
        const found = await ask(url, guard);
        if (!(found instanceof URL)) return found;
        url = found;
      } catch (error) {
        return failed(
          guard.signal.aborted
            ? `${hostOf(url)} was too slow: ${errorMessage(guard.signal.reason)}.`
            : networkProblem(hostOf(url), error),
        );
      }
    }
    return failed(`${hostOf(first)} leads on more than ${MAX_REDIRECTS} times: it may lead in a circle.`);
  };

  return async (address, signal) => {
    signal.throwIfAborted();
    const start = checkUrl(address, undefined, allowedPorts);
    if (!start.isAllowed) return failed(start.problem);
    const tooLong = (): Error => new FinClawError(`Not done after ${TOTAL_MS / 1_000} s`, 'FETCH_TIMEOUT');
    const deadline = withDeadline(signal, TOTAL_MS, clock, tooLong);
    const guard = createIdleGuard(deadline.signal, IDLE_MS, clock);
    try {
      const outcome = await follow(start.url, guard);
      signal.throwIfAborted();
      return outcome;
    } finally {
      guard.clear();
      deadline.clear();
    }
  };
};

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
const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

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
const readBody = async (message: IncomingMessage, maxBytes: number, onBytes: () => void): Promise<Body> => {
  const encoding = (message.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return collect(message, maxBytes, onBytes);
  const decoder = await decoderFor(encoding, message);
  if (!decoder) return { status: 'unknown-encoding' };
  // Errors of either stream surface while the decoder is read.
  pipeline(message, decoder, () => undefined);
  return collect(decoder, maxBytes, onBytes);
};
