import { errorMessage } from '#src/core/errors.ts';
import { withDeadline } from '#src/infra/abort.ts';
import type { Clock } from '#src/infra/clock.ts';
import { isMarketError, marketError } from '../errors.ts';
import { urlBelow } from '../url-below.ts';
import { exchange, type HttpAnswer, type HttpQuestion } from './http-exchange.ts';

export interface YahooRequestDeps {
  /** Stands for every Yahoo host, its path before theirs; the one it stands for is in `x-forwarded-host`. */
  readonly baseUrl?: string | undefined;
  readonly clock: Clock;
  readonly timeoutMs?: number | undefined;
}

/** One request to a host of Yahoo's. Throws `MARKET_UNREACHABLE`, and the signal's reason. */
export type RequestYahoo = (
  url: URL,
  question: Partial<HttpQuestion>,
  signal: AbortSignal,
) => Promise<HttpAnswer>;

const TIMEOUT_MS = 8000;
const YAHOO_HOST = /(?:^|\.)yahoo\.com$/u;

/** Yahoo answers 429 to whoever does not look like a browser. */
const USUAL_HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; FinClaw/1.0)',
  accept: '*/*',
  'accept-language': 'en-US,en;q=0.9',
};

const hostCheck = (url: URL): void => {
  if (url.protocol !== 'https:' || !YAHOO_HOST.test(url.hostname))
    throw marketError('MARKET_UNREACHABLE', `Yahoo Finance points to another host: ${url.hostname}`);
};

export const createYahooRequest =
  ({ baseUrl, clock, timeoutMs = TIMEOUT_MS }: YahooRequestDeps): RequestYahoo =>
  async (url, question, signal) => {
    hostCheck(url);
    const target = baseUrl === undefined ? url : urlBelow(baseUrl, `${url.pathname}${url.search}`);
    const headers = {
      ...USUAL_HEADERS,
      ...question.headers,
      ...(baseUrl !== undefined && { 'x-forwarded-host': url.hostname }),
    };
    const deadline = withDeadline(signal, timeoutMs, clock, () =>
      marketError('MARKET_UNREACHABLE', `Yahoo Finance did not answer within ${String(timeoutMs)} ms`),
    );
    try {
      return await exchange(
        target,
        { method: 'GET', wantsBody: true, ...question, headers },
        deadline.signal,
      );
    } catch (error) {
      if (signal.aborted || isMarketError(error, 'MARKET_UNREACHABLE')) throw error;
      // The cause of a fault on the way has an address and a port in it, never the path.
      throw marketError('MARKET_UNREACHABLE', `Yahoo Finance: ${errorMessage(error)}`, { cause: error });
    } finally {
      deadline.clear();
    }
  };
