import { FinClawError } from '#src/kernel/errors.ts';
import type { Instrument, SourceQuote, UnavailableReason } from '#src/kernel/finance.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { askEach } from './ask-each.ts';
import { completeQuote } from './complete-quote.ts';
import { createFailureLog } from './failure-log.ts';
import { createOtherPrices } from './last-price-by-source.ts';
import type { SessionCalendar } from './session-calendar.ts';
import type { EarningsDate, Market, MarketResult, MarketSource } from './source.ts';

interface MarketDeps {
  /** In order of preference: live sources, or the sample alone. */
  readonly sources: readonly MarketSource[];
  readonly calendar: SessionCalendar;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/** Each analyst estimate takes a request of its own, so longer lists come without them. */
const MAX_ESTIMATES = 3;

/** A question that a single source answers. `ask` is undefined if the source does not support it. */
interface Question<T> {
  readonly asked: string;
  readonly instrument: Instrument | undefined;
  readonly ask: (source: MarketSource) => Promise<T | null> | undefined;
}

/**
 * Combines all sources as `Market` promises. Throws on a mix of live and sample sources, so that sample prices never
 * replace real ones.
 */
export const createMarket = ({ sources, calendar, clock, logger }: MarketDeps): Market => {
  const isSample = sources.some((source) => source.isSample);
  if (isSample && sources.length > 1)
    throw new FinClawError('Sample data cannot stand beside a live source', 'MARKET_MIXED_SOURCES', {
      isOperational: false,
    });
  const logFailure = createFailureLog(logger);
  const others = createOtherPrices(clock);

  const reasonFor = (hasFailed: boolean, isLimited = false): UnavailableReason => {
    if (isSample) return 'not-in-sample';
    if (isLimited) return 'limited';
    return hasFailed ? 'down' : 'no-data';
  };

  const firstAnswer = async <T>(
    { asked, instrument, ask }: Question<T>,
    signal: AbortSignal,
  ): Promise<MarketResult<T>> => {
    signal.throwIfAborted();
    let hasFailed = false;
    for (const source of sources) {
      if (instrument && !source.supports(instrument)) continue;
      try {
        const value = await ask(source);
        if (value !== null && value !== undefined) return { status: 'ok', value };
      } catch (error) {
        signal.throwIfAborted();
        hasFailed = true;
        logFailure(error, { source: source.name, asked, symbols: instrument ? [instrument.symbol] : [] });
      }
    }
    return { status: 'unavailable', reason: reasonFor(hasFailed) };
  };

  return {
    getQuotes: async (instruments, signal) => {
      const { found, failed, limited } = await askEach<SourceQuote>(
        instruments,
        { sources, askOf: ({ getQuotes }) => getQuotes, asked: 'quotes', logFailure },
        signal,
      );
      const now = clock.now();
      for (const quote of found.values()) others.sawQuote(quote);
      return instruments.map((instrument) => {
        const quote = found.get(instrument.symbol);
        const otherPrice = quote && others.against(quote);
        return quote
          ? {
              status: 'ok',
              quote: { ...completeQuote(quote, calendar, now), ...(otherPrice && { otherPrice }) },
            }
          : {
              status: 'unavailable',
              instrument,
              reason: reasonFor(failed.has(instrument.symbol), limited.has(instrument.symbol)),
            };
      });
    },
    getHistory: async (instrument, range, signal) => {
      const ask = ({ getHistory }: MarketSource) => getHistory?.(instrument, range, signal);
      const result = await firstAnswer({ asked: 'history', instrument, ask }, signal);
      if (result.status === 'ok') others.sawHistory(result.value);
      return result;
    },
    getDays: (instrument, days, signal) =>
      firstAnswer(
        { asked: 'days', instrument, ask: ({ getDays }) => getDays?.(instrument, days, signal) },
        signal,
      ),
    lookUp: (symbol, signal) =>
      firstAnswer(
        { asked: 'symbol', instrument: undefined, ask: ({ lookUp }) => lookUp?.(symbol, signal) },
        signal,
      ),
    getNews: (query, signal) =>
      firstAnswer(
        {
          asked: 'news',
          instrument: query.instrument,
          ask: async ({ getNews }) => {
            const items = await getNews?.(query, signal);
            return items && items.length > 0 ? items : null;
          },
        },
        signal,
      ),
    getFundamentals: (instrument, signal) =>
      firstAnswer(
        {
          asked: 'fundamentals',
          instrument,
          ask: ({ getFundamentals }) => getFundamentals?.(instrument, signal),
        },
        signal,
      ),
    getEarnings: async (instruments, signal) => {
      const wantsEstimates = instruments.length <= MAX_ESTIMATES;
      const { found, failed } = await askEach<EarningsDate>(
        instruments,
        {
          sources,
          askOf: ({ getEarnings }) =>
            getEarnings && ((wanted, shared) => getEarnings(wanted, { wantsEstimates }, shared)),
          asked: 'earnings',
          logFailure,
        },
        signal,
      );
      const unasked = instruments.filter(({ symbol }) => failed.has(symbol) && !found.has(symbol));
      // It is still an answer if some companies have no date and others could not be asked about.
      const isPart = unasked.length > 0 && unasked.length < instruments.length;
      return found.size > 0 || isPart
        ? { status: 'ok', value: { dates: [...found.values()], unasked } }
        : { status: 'unavailable', reason: reasonFor(failed.size > 0) };
    },
  };
};
