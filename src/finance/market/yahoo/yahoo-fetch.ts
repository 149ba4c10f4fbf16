import { errorMessage } from '#src/core/errors.ts';
import { withDeadline } from '#src/infra/abort.ts';
import type { Clock } from '#src/infra/clock.ts';
import { isMarketError, marketError } from '../errors.ts';
import { urlBelow } from '../url-below.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';
import { checkStep, isDataPath, readData } from './yahoo-answer.ts';

export interface YahooFetchDeps {
  /** Stands for every Yahoo host, its path before theirs; the one it stands for is in `x-forwarded-host`. */
  readonly baseUrl?: string | undefined;
  readonly clock: Clock;
  readonly timeoutMs?: number | undefined;
}

interface Hearing {
  readonly onAsked: () => void;
  readonly onData: (json: unknown) => void;
}

const TIMEOUT_MS = 8000;
const YAHOO_HOST = /(?:^|\.)yahoo\.com$/u;
/** Only its cookie is wanted, and it is megabytes long. */
const COOKIE_HOST = 'finance.yahoo.com';

/** What the built-in `fetch` says by itself: Yahoo is used to hear it from this library. */
const USUAL_HEADERS = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors' };

/**
 * What the library gets to read in the place of the data: enough for it to end. It would turn a price of "1,234.5"
 * into 1, and print what surprises it on the console, addresses with their crumb included.
 */
const PLACEHOLDER = JSON.stringify({
  quoteResponse: { result: [] },
  chart: { result: [{ meta: {}, indicators: { quote: [{}] } }] },
  quoteSummary: { result: [{}] },
});

const hostCheck = (url: URL): void => {
  if (url.protocol !== 'https:' || !YAHOO_HOST.test(url.hostname))
    throw marketError('MARKET_UNREACHABLE', `Yahoo Finance points to another host: ${url.hostname}`);
};

const responseOf = ({ status, headers, body }: HttpAnswer): Response => {
  const copied = new Headers();
  for (const cookie of headers['set-cookie'] ?? []) copied.append('set-cookie', cookie);
  if (headers.location !== undefined) copied.set('location', headers.location);
  return new Response(body === '' ? null : body, { status, headers: copied });
};

/**
 * The `fetch` of one call of the library: the deadline, the bounds and the reading of answers are ours, the session
 * (cookie, consent, crumb) is the library's. The caller's signal ends the data request only: the steps before it
 * are shared with whoever asks at the same moment.
 */
export const createYahooFetch =
  ({ baseUrl, clock, timeoutMs = TIMEOUT_MS }: YahooFetchDeps) =>
  ({ onAsked, onData }: Hearing, signal: AbortSignal): typeof fetch =>
  async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    hostCheck(url);
    const isData = isDataPath(url.pathname);
    if (isData) {
      signal.throwIfAborted();
      onAsked();
    }
    const target = baseUrl === undefined ? url : urlBelow(baseUrl, `${url.pathname}${url.search}`);
    const headers = { ...USUAL_HEADERS, ...Object.fromEntries(new Headers(init.headers)) };
    const question = {
      method: init.method ?? 'GET',
      headers: baseUrl === undefined ? headers : { ...headers, 'x-forwarded-host': url.hostname },
      wantsBody: url.hostname !== COOKIE_HOST,
      ...(typeof init.body === 'string' && { body: init.body }),
    };
    const deadline = withDeadline(isData ? signal : new AbortController().signal, timeoutMs, clock, () =>
      marketError('MARKET_UNREACHABLE', `Yahoo Finance did not answer within ${String(timeoutMs)} ms`),
    );
    let answer: HttpAnswer;
    try {
      answer = await exchange(target, question, deadline.signal);
    } catch (error) {
      if (signal.aborted || isMarketError(error, 'MARKET_UNREACHABLE')) throw error;
      // The cause of a fault on the way has an address and a port in it, never the path.
      throw marketError('MARKET_UNREACHABLE', `Yahoo Finance: ${errorMessage(error)}`, { cause: error });
    } finally {
      deadline.clear();
    }
    if (!isData) {
      checkStep(url.pathname, answer, clock.now());
      return responseOf(answer);
    }
    onData(readData(url.pathname, answer, clock.now()));
    // Without cookies: the library does not wait for its jar here, and one for a foreign domain would end the process.
    return responseOf({ status: answer.status, headers: {}, body: PLACEHOLDER });
  };
