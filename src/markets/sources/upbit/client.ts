import type { IncomingMessage } from 'node:http';
import { FinClawError } from '#src/kernel/errors.ts';
import { withDeadline } from '#src/platform/concurrency/abort.ts';
import { sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import { requestHttp, requestHttps } from '#src/platform/net/http.ts';
import type { Uses } from '#src/platform/services.ts';
import { marketError } from '../errors.ts';
import { resolveUrl } from '../source-definition.ts';
import { SOURCE_NAME } from './mapper.ts';

const DEFAULT_URL = 'https://api.upbit.com';
const TIMEOUT_MS = 5_000;
/** The largest response, the list of all markets, has about 100 KB. */
const MAX_BYTES = 2_000_000;
const SECOND_MS = 1_000;

const textOf = async (message: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BYTES)
      throw marketError('MARKET_BAD_DATA', `${SOURCE_NAME} sent a response that is too long`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};

/** Does not follow redirects, because the API has none. */
const send = (url: URL, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = start(url, { headers: { accept: 'application/json' } });
    const onAbort = (): void =>
      void request.destroy(new DOMException('The request was aborted', 'AbortError'));
    request.once('response', resolve);
    // The listener stays: a second error on the connection would otherwise crash the process.
    request.on('error', reject);
    request.once('close', () => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    request.end();
  });

const retryAfterMs = ({ headers }: IncomingMessage): number | undefined => {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * SECOND_MS : undefined;
};

/** Parses `group=ticker; min=600; sec=0`: no requests are left in this second. */
const isQuotaUsedUp = ({ headers }: IncomingMessage): boolean =>
  /\bsec=0\b/.test(String(headers['remaining-req']));

export type UpbitClient = ReturnType<typeof createUpbitClient>;

interface UpbitClientOptions extends Uses<'clock'> {
  /** Overrides the default URL. */
  readonly baseUrl?: string | undefined;
}

/** Throws market errors and the signal's reason. Waits for the next second when the quota is used up. */
export const createUpbitClient = ({ baseUrl = DEFAULT_URL, clock }: UpbitClientOptions) => {
  let notBeforeMs = 0;

  const read = async (url: URL, signal: AbortSignal): Promise<unknown> => {
    const message = await send(url, signal);
    const body = await textOf(message);
    const status = message.statusCode ?? 0;
    if (isQuotaUsedUp(message)) notBeforeMs = clock.monotonicMs() + SECOND_MS;
    if (status === 404) return null;
    // 418: banned for ignoring 429 responses.
    if (status === 429 || status === 418)
      throw marketError('MARKET_RATE_LIMITED', `${SOURCE_NAME} answered ${status}`, {
        retryAfterMs: retryAfterMs(message),
      });
    if (status !== 200) throw marketError('MARKET_UNREACHABLE', `${SOURCE_NAME} answered ${status}`);
    try {
      return JSON.parse(body);
    } catch (cause) {
      throw marketError('MARKET_BAD_DATA', `${SOURCE_NAME} sent a response that is not JSON`, { cause });
    }
  };

  return {
    /** The parsed body. Null for 404, the response for an unknown market. */
    get: async (
      path: string,
      query: Readonly<Record<string, string>>,
      signal: AbortSignal,
    ): Promise<unknown> => {
      const url = resolveUrl(baseUrl, path);
      url.search = new URLSearchParams(query).toString();
      const waitMs = notBeforeMs - clock.monotonicMs();
      if (waitMs > 0) await sleepWithAbort(waitMs, clock, signal);
      const deadline = withDeadline(signal, TIMEOUT_MS, clock, () =>
        marketError('MARKET_UNREACHABLE', `${SOURCE_NAME} did not answer within ${TIMEOUT_MS} ms`),
      );
      try {
        return await read(url, deadline.signal);
      } catch (error) {
        // The abort reason says more than the connection error it causes.
        deadline.signal.throwIfAborted();
        if (error instanceof FinClawError) throw error;
        throw marketError('MARKET_UNREACHABLE', `${SOURCE_NAME} cannot be reached`, { cause: error });
      } finally {
        deadline.clear();
      }
    },
  };
};
