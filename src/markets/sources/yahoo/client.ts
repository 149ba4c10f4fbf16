import type { Instrument } from '#src/kernel/market/finance.ts';
import { raceAbort } from '#src/platform/concurrency/abort.ts';
import type { Uses } from '#src/platform/services.ts';
import { marketError } from '../errors.ts';
import { createYahooRequest, type YahooRequestDeps } from './http.ts';
import { openYahooSession, readData, YahooRefusal, type YahooSession } from './session.ts';

export type YahooClientDeps = YahooRequestDeps & Uses<'logger'>;

interface YahooQuery {
  /** Such as `/v8/finance/chart/AAPL`, with encoded symbols. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Quotes and summaries need a cookie and a crumb; charts and search do not. */
  readonly needsSession: boolean;
}

export type YahooClient = ReturnType<typeof createYahooClient>;

/** A request for modules of the company page. */
export const summaryQuery = ({ symbol }: Instrument, modules: readonly string[]): YahooQuery => ({
  path: `/v10/finance/quoteSummary/${encodeURIComponent(symbol)}`,
  query: { modules: modules.join(','), formatted: 'false' },
  needsSession: true,
});

const DATA_URL = 'https://query2.finance.yahoo.com';

export const createYahooClient = (deps: YahooClientDeps) => {
  const { clock, logger } = deps;
  const request = createYahooRequest(deps);
  let session: Promise<YahooSession> | undefined;

  /** Shared by concurrent requests, so it is not bound to the signal of the first. */
  const open = (): Promise<YahooSession> => {
    if (session) return session;
    const opening = openYahooSession(request, clock, new AbortController().signal);
    session = opening;
    opening.catch(() => {
      if (session === opening) session = undefined;
    });
    return opening;
  };

  const read = async (
    { path, query }: YahooQuery,
    known: YahooSession | undefined,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const url = new URL(path, DATA_URL);
    url.search = new URLSearchParams({ ...query, ...(known && { crumb: known.crumb }) }).toString();
    const headers = known ? { cookie: known.cookieFor(url) } : {};
    return readData(path, await request(url, { headers }, signal), clock.now());
  };

  const attempt = async (question: YahooQuery, signal: AbortSignal): Promise<unknown> => {
    if (!question.needsSession) return read(question, undefined, signal);
    const opening = open();
    const known = await raceAbort(opening, signal);
    try {
      return await read(question, known, signal);
    } catch (error) {
      // Several requests may be refused with the same crumb; only the first discards the session.
      const isRefused = error instanceof YahooRefusal && error.kind === 'session';
      if (isRefused && session === opening) session = undefined;
      throw error;
    }
  };

  return {
    /**
     * Returns Yahoo's JSON, or null if it does not know the symbol. A refused crumb is retried once with a new
     * session. Throws market errors and the signal's reason.
     */
    fetchJson: async (question: YahooQuery, signal: AbortSignal): Promise<unknown> => {
      signal.throwIfAborted();
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await attempt(question, signal);
        } catch (error) {
          if (!(error instanceof YahooRefusal)) throw error;
          if (error.kind === 'no-data') return null;
          if (attempts > 1 || !question.needsSession)
            throw marketError('MARKET_REFUSED', `Yahoo Finance refused the request: ${error.message}`);
          logger.info('Yahoo Finance refused the session; opening a new one', { reason: error.message });
        }
      }
    },
  };
};
