import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Answer, createBook, type FakeBook, refusal } from './book.ts';
import { playFault, type YahooEndpoint, type YahooFault } from './faults.ts';
import { type CrumbState, createSessions } from './session.ts';

export interface YahooRequest {
  readonly endpoint: YahooEndpoint;
  readonly symbols: readonly string[];
  /** `free`: it needs none. */
  readonly crumb: CrumbState | 'free';
  /** What stands behind the question mark, without the crumb. */
  readonly query: Readonly<Record<string, string>>;
  readonly at: Temporal.Instant;
  /** The client left before it had its answer. */
  readonly wasAborted: () => boolean;
}

export interface FakeYahooOptions {
  /** What the fake takes for now. Default: now. */
  readonly now?: () => Temporal.Instant;
}

export interface FakeYahoo extends FakeBook {
  /** For `FINCLAW_YAHOO_URL`. */
  readonly url: string;
  readonly requests: readonly YahooRequest[];
  readonly countOf: (endpoint: YahooEndpoint) => number;
  /** The next request of that kind goes wrong. Several queue up. */
  readonly failNext: (endpoint: YahooEndpoint, ...faults: readonly YahooFault[]) => void;
  /** All of that kind do, until it is null. */
  readonly failAlways: (endpoint: YahooEndpoint, fault: YahooFault | null) => void;
  /** All that shares a fate at Yahoo: what needs a crumb and the crumb itself, charts, news. */
  readonly failFamily: (family: YahooFamily, fault: YahooFault | null) => void;
  /** Every crumb so far is refused from now on. */
  readonly expireCrumbs: () => void;
  /** First a page that asks for consent, as in Europe. */
  readonly askConsent: () => void;
  readonly crumbs: readonly string[];
  /** Breaks the connections that are still open. */
  readonly stop: () => Promise<void>;
}

const DATA_HOSTS = new Set(['query1.finance.yahoo.com', 'query2.finance.yahoo.com']);
export type YahooFamily = 'crumbed' | 'chart' | 'search';
const FAMILIES: Readonly<Record<YahooFamily, readonly YahooEndpoint[]>> = {
  crumbed: ['crumb', 'quote', 'quoteSummary'],
  chart: ['chart'],
  search: ['search'],
};
const NEEDS_CRUMB: ReadonlySet<YahooEndpoint> = new Set(['quote', 'quoteSummary']);
const ROUTES: readonly (readonly [RegExp, YahooEndpoint])[] = [
  [/^\/v1\/test\/getcrumb$/u, 'crumb'],
  [/^\/v7\/finance\/quote$/u, 'quote'],
  [/^\/v8\/finance\/chart\/(?<symbol>[^/]+)$/u, 'chart'],
  [/^\/v1\/finance\/search$/u, 'search'],
  [/^\/v10\/finance\/quoteSummary\/(?<symbol>[^/]+)$/u, 'quoteSummary'],
];

/** Shorter answers are not worth packing. */
const MIN_PACKED_LENGTH = 4_096;

const send = (request: IncomingMessage, response: ServerResponse, { status, body }: Answer): void => {
  const isText = typeof body === 'string';
  const text = isText ? body : JSON.stringify(body);
  // Of no use to anybody, and of a foreign domain: a jar refuses it.
  response.setHeader('set-cookie', 'tracker=1; Domain=.example.com; Path=/');
  const type = isText ? 'text/plain;charset=utf-8' : 'application/json;charset=utf-8';
  const isShort = text.length < MIN_PACKED_LENGTH;
  if (isShort || !(request.headers['accept-encoding'] ?? '').includes('gzip')) {
    response.writeHead(status, { 'content-type': type }).end(text);
    return;
  }
  response.writeHead(status, { 'content-type': type, 'content-encoding': 'gzip' }).end(gzipSync(text));
};

const crumbAnswer = (crumb: string | undefined): Answer =>
  crumb === undefined
    ? refusal(401, 'finance', 'Unauthorized', 'Invalid Cookie')
    : { status: 200, body: crumb };

/** Yahoo Finance on loopback: sessions as strict as there, prices and faults as the test says. */
export const startFakeYahoo = async (options: FakeYahooOptions = {}): Promise<FakeYahoo> => {
  const now = options.now ?? (() => Temporal.Now.instant());
  const { book, answer } = createBook(now);
  const requests: YahooRequest[] = [];
  const next = new Map<YahooEndpoint, YahooFault[]>();
  const always = new Map<YahooEndpoint, YahooFault>();
  let needsConsent = false;
  let isStopping = false;
  const sessions = createSessions(() => needsConsent);

  const dataAnswer = (
    endpoint: YahooEndpoint,
    symbols: readonly string[],
    url: URL,
    crumb: YahooRequest['crumb'],
  ): Answer =>
    crumb === 'ok' || crumb === 'free'
      ? answer(endpoint, symbols, url)
      : refusal(401, 'finance', 'Unauthorized', 'Invalid Crumb');

  const record = (
    response: ServerResponse,
    entry: Pick<YahooRequest, 'endpoint' | 'symbols' | 'crumb' | 'query'>,
  ): void => {
    let wasAborted = false;
    response.on('close', () => (wasAborted = !response.writableEnded && !isStopping));
    requests.push({ ...entry, at: now(), wasAborted: () => wasAborted });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    request.resume();
    response.on('error', () => undefined);
    const host = String(request.headers['x-forwarded-host'] ?? '');
    const url = new URL(request.url ?? '/', `https://${host === '' ? 'unknown' : host}`);
    const [pattern, endpoint = 'cookie'] = ROUTES.find(([path]) => path.test(url.pathname)) ?? [];
    const inPath = pattern?.exec(url.pathname)?.groups?.['symbol'];
    const inQuery = url.searchParams.get('symbols')?.split(',') ?? [];
    const symbols = inPath === undefined ? inQuery : [decodeURIComponent(inPath)];
    const crumb = NEEDS_CRUMB.has(endpoint) ? sessions.check(request, url.searchParams.get('crumb')) : 'free';
    const { crumb: _crumb, ...query } = Object.fromEntries(url.searchParams);
    record(response, { endpoint, symbols, crumb, query });
    const planned = next.get(endpoint)?.shift() ?? always.get(endpoint);
    if (planned?.kind === 'wait') await planned.until;
    const fault = planned?.kind === 'wait' ? undefined : planned;
    if (!pattern) {
      if (fault) return playFault(fault, response, '');
      if (!sessions.handle(host, url, request, response)) response.writeHead(404).end('no such page');
      return;
    }
    if (!DATA_HOSTS.has(host)) return void response.writeHead(404).end('no such host');
    // Whoever does not look like a browser has always asked too often.
    if (!(request.headers['user-agent'] ?? '').startsWith('Mozilla/'))
      return playFault({ kind: 'status', status: 429 }, response, '');
    const right =
      endpoint === 'crumb'
        ? crumbAnswer(sessions.crumbFor(request))
        : dataAnswer(endpoint, symbols, url, crumb);
    if (fault) return playFault(fault, response, right.body);
    send(request, response, right);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const failAlways = (endpoint: YahooEndpoint, fault: YahooFault | null): void =>
    void (fault ? always.set(endpoint, fault) : always.delete(endpoint));

  return {
    ...book,
    url: `http://127.0.0.1:${String(port)}`,
    requests,
    crumbs: sessions.crumbs,
    countOf: (endpoint) => requests.filter((request) => request.endpoint === endpoint).length,
    failNext: (endpoint, ...faults) => void next.set(endpoint, [...(next.get(endpoint) ?? []), ...faults]),
    failAlways,
    failFamily: (family, fault) => {
      for (const endpoint of FAMILIES[family]) failAlways(endpoint, fault);
    },
    expireCrumbs: sessions.expire,
    askConsent: () => void (needsConsent = true),
    stop: async () => {
      if (!server.listening) return;
      isStopping = true;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
