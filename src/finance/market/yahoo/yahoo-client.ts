import type { ModuleOptionsWithValidateFalse } from 'yahoo-finance2/lib/moduleCommon';
import { errorMessage, FinClawError } from '#src/core/errors.ts';
import { waitUnless } from '#src/infra/abort.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { marketError } from '../errors.ts';
import { YahooRefusal } from './yahoo-answer.ts';
import { createYahooFetch, type YahooFetchDeps } from './yahoo-fetch.ts';

export interface YahooClientDeps extends YahooFetchDeps {
  readonly logger: FinClawLogger;
}

/** How a question is put to the library. What it returns is not used: see `yahoo-fetch.ts`. */
type Question = (session: Session, options: ModuleOptionsWithValidateFalse) => Promise<unknown>;

export interface YahooClient {
  /**
   * Yahoo's JSON as it came, or null where it has nothing under that symbol. A refused crumb gets a fresh session
   * and one more try. Throws market errors, and the signal's reason.
   */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<unknown>;
}

const noLog = (): void => undefined;
/** It would log crumbs at debug, and advertise. */
const SILENT = { info: noLog, warn: noLog, error: noLog, debug: noLog, dir: noLog };

/** Loaded when the first question comes. Four modules instead of all save 3 MB. */
const loadLibrary = async () => {
  const [{ default: create }, { ExtendedCookieJar }, quote, chart, search, quoteSummary] = await Promise.all([
    import('yahoo-finance2/createYahooFinance'),
    import('yahoo-finance2/lib/cookieJar'),
    import('yahoo-finance2/modules/quote'),
    import('yahoo-finance2/modules/chart'),
    import('yahoo-finance2/modules/search'),
    import('yahoo-finance2/modules/quoteSummary'),
  ]);
  const modules = {
    quote: quote.default,
    chart: chart.default,
    search: search.default,
    quoteSummary: quoteSummary.default,
  };
  const Library = create({ modules });
  /** With a jar of its own: the library keeps a crumb as long as its jar, also one that is refused. */
  return () =>
    new Library({
      cookieJar: new ExtendedCookieJar(),
      logger: SILENT,
      validation: { logErrors: false, logOptionsErrors: false },
      versionCheck: false,
      suppressNotices: ['yahooSurvey'],
    });
};

type OpenSession = Awaited<ReturnType<typeof loadLibrary>>;
export type Session = ReturnType<OpenSession>;

export const createYahooClient = (deps: YahooClientDeps): YahooClient => {
  const fetchOf = createYahooFetch(deps);
  let library: Promise<OpenSession> | undefined;
  let session: Session | undefined;

  const open = async (refused?: Session): Promise<Session> => {
    library ??= loadLibrary();
    const openSession = await library;
    // Several may be refused with the same crumb: the first of them opens the session that all of them use.
    if (session === undefined || session === refused) session = openSession();
    return session;
  };

  const attempt = async (current: Session, question: Question, signal: AbortSignal): Promise<unknown> => {
    const heard: { wasAsked: boolean; json?: unknown } = { wasAsked: false };
    const fetch = fetchOf(
      { onAsked: () => (heard.wasAsked = true), onData: (json) => (heard.json = json) },
      signal,
    );
    try {
      await waitUnless(question(current, { fetch, validateResult: false }), signal);
    } catch (error) {
      if (signal.aborted || error instanceof FinClawError || error instanceof YahooRefusal) throw error;
      // Without an answer the library failed on its way to the crumb; its words have no secret in them.
      if (!heard.wasAsked) throw new YahooRefusal('session', errorMessage(error), { cause: error });
      if (heard.json === undefined) throw error;
    }
    return heard.json;
  };

  return {
    ask: async (question, signal) => {
      signal.throwIfAborted();
      const first = await open();
      try {
        return await attempt(first, question, signal);
      } catch (error) {
        if (!(error instanceof YahooRefusal)) throw error;
        if (error.kind === 'no-data') return null;
        deps.logger.info('Yahoo Finance refused the session: a new one is opened', { reason: error.message });
      }
      try {
        return await attempt(await open(first), question, signal);
      } catch (error) {
        if (!(error instanceof YahooRefusal)) throw error;
        if (error.kind === 'no-data') return null;
        throw marketError('MARKET_UNREACHABLE', `Yahoo Finance refuses every session: ${error.message}`);
      }
    },
  };
};
