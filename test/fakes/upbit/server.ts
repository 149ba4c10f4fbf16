import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { candleKind, isCount, makeCandles } from './candles.ts';

/** `hang`: never answers. `cut`: ends in the middle. `shape`: JSON, but none that fits. `html`: a proxy's page. */
export type UpbitFault = '429' | '418' | '500' | 'hang' | 'cut' | 'shape' | 'html' | 'redirect';

interface FakeUpbitOptions {
  /** In milliseconds: prices are of this moment, limits count by it. Default: the real time. */
  readonly now?: () => number;
  /** By market, `KRW-BTC`. */
  readonly prices?: Readonly<Record<string, number>>;
  /** Requests a second and group. */
  readonly limit?: number;
}

interface SeenRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export interface FakeUpbit {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** May be changed while it runs: what is not in it does not exist. */
  readonly prices: Map<string, number>;
  /** Laid over every ticker of that market: null takes a field away. */
  readonly overrides: Map<string, Readonly<Record<string, unknown>>>;
  /** Until it is healed with undefined; `retryAfter` in seconds goes with 429. */
  readonly fail: (fault: UpbitFault | undefined, retryAfter?: number) => void;
  readonly close: () => Promise<void>;
}

const DEFAULT_PRICES = { 'KRW-BTC': 141_262_000, 'KRW-ETH': 4_709_000, 'KRW-XRP': 3_342, 'BTC-ETH': 0.0333 };

const tickerOf = (market: string, price: number, nowMs: number): Record<string, unknown> => {
  const utc = new Date(nowMs).toISOString();
  /** In the steps of the price itself. */
  const decimals = String(price).split('.')[1]?.length ?? 0;
  const times = (factor: number): number => Number((price * factor).toFixed(decimals));
  return {
    market,
    trade_date: utc.slice(0, 10).replaceAll('-', ''),
    trade_time: utc.slice(11, 19).replaceAll(':', ''),
    trade_timestamp: nowMs - 250,
    opening_price: times(0.99),
    high_price: times(1.02),
    low_price: times(0.97),
    trade_price: price,
    prev_closing_price: times(0.98),
    change: 'RISE',
    signed_change_rate: 0.0204,
    trade_volume: 0.001,
    acc_trade_volume: 100.5,
    acc_trade_volume_24h: 2_431.125,
    highest_52_week_price: times(1.5),
    highest_52_week_date: '2026-10-06',
    lowest_52_week_price: times(0.5),
    lowest_52_week_date: '2026-02-05',
    timestamp: nowMs,
  };
};

const refuse = (response: ServerResponse, status: number, name: string | number, message: string): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { name, message } }));

/** Upbit's public quotation on loopback: one unknown market spoils the whole request, 200 candles at most, a limit a second. */
export const startFakeUpbit = async (options: FakeUpbitOptions = {}): Promise<FakeUpbit> => {
  const { now = Date.now, limit = 10 } = options;
  const prices = new Map(Object.entries(options.prices ?? DEFAULT_PRICES));
  const overrides = new Map<string, Readonly<Record<string, unknown>>>();
  const requests: SeenRequest[] = [];
  const counts = new Map<string, number>();
  let fault: UpbitFault | undefined;
  let retryAfterSeconds: number | undefined;

  /** True where the request is dealt with. */
  const playFault = (response: ServerResponse): boolean => {
    if (fault === undefined) return false;
    if (fault === '429' || fault === '418') {
      if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
      refuse(response, Number(fault), 'too_many_requests', 'Too many API requests.');
    } else if (fault === '500') refuse(response, 500, 'internal_error', 'Something went wrong.');
    else if (fault === 'shape') response.end(JSON.stringify([{ market: 'KRW-BTC', trade_price: 'much' }]));
    else if (fault === 'html')
      response.setHeader('content-type', 'text/html').end('<html>Please sign in</html>');
    else if (fault === 'redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    else if (fault === 'cut')
      response.writeHead(200, { 'content-length': '500' }).write('[{"market":', () => response.destroy());
    return true;
  };

  const candles = (path: readonly string[], query: URLSearchParams, response: ServerResponse): void => {
    const kind = candleKind(path);
    const market = query.get('market') ?? '';
    const count = Number(query.get('count') ?? '1');
    const price = prices.get(market);
    if (!kind) return refuse(response, 404, 404, 'No such page');
    if (!isCount(count)) return refuse(response, 400, 400, 'count must be from 1 to 200');
    if (price === undefined) return refuse(response, 404, 404, 'Code not found');
    const at = Temporal.Instant.fromEpochMilliseconds(now());
    const to = query.get('to');
    const until = to === null ? at.add({ seconds: 1 }) : Temporal.Instant.from(to);
    response.end(JSON.stringify(makeCandles(kind, { market, count, to: until, lastPrice: price }, at)));
    return undefined;
  };

  const tickers = (query: URLSearchParams, response: ServerResponse): void => {
    const wanted = (query.get('markets') ?? '').split(',').filter(Boolean);
    if (wanted.length === 0) return refuse(response, 400, 400, 'markets is missing');
    if (!wanted.every((market) => prices.has(market))) return refuse(response, 404, 404, 'Code not found');
    const list = wanted.map((market) => ({
      ...tickerOf(market, prices.get(market) ?? 0, now()),
      ...overrides.get(market),
    }));
    response.end(JSON.stringify(list));
    return undefined;
  };

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://upbit');
    requests.push({ path: pathname, query: Object.fromEntries(searchParams) });
    if (playFault(response)) return;
    const [, version, group = '', ...rest] = pathname.split('/');
    const second = `${group} ${Math.floor(now() / 1_000)}`;
    const left = limit - (counts.get(second) ?? 0) - 1;
    counts.set(second, limit - left);
    if (left < 0) return refuse(response, 429, 'too_many_requests', 'Too many API requests.');
    response.setHeader('remaining-req', `group=${group}; min=600; sec=${left}`);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    if (request.method !== 'GET' || version !== 'v1') return refuse(response, 404, 404, 'No such page');
    if (group === 'candles') return candles(rest, searchParams, response);
    if (group === 'ticker') return tickers(searchParams, response);
    if (group !== 'market' || rest[0] !== 'all') return refuse(response, 404, 404, 'No such page');
    response.end(
      JSON.stringify(
        [...prices.keys()].map((market) => ({ market, korean_name: '코인', english_name: 'Coin' })),
      ),
    );
    return undefined;
  };

  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    prices,
    overrides,
    fail: (next, retryAfter) => {
      fault = next;
      retryAfterSeconds = retryAfter;
    },
    close: async () => {
      const stopped = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await stopped;
    },
  };
};
