import type { Instrument, SourceQuote } from '#src/kernel/market/finance.ts';
import { marketError } from '#src/markets/sources/errors.ts';
import { resilient } from '#src/markets/sources/resilient.ts';
import type { MarketSource } from '#src/markets/sources/source.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import {
  createFixedCalendar,
  createLiveSource,
  createRecorder,
  instruments,
  quoteOf,
} from './market-fixtures.ts';

export const { signal } = new AbortController();
export const unreachable = () => marketError('MARKET_UNREACHABLE', 'host out of reach');
export const limited = (retryAfterMs?: number) => marketError('MARKET_RATE_LIMITED', '429', { retryAfterMs });

/** A source of a test behind all that makes it resilient. */
export const open = (
  overrides: Partial<MarketSource> = {},
  clock = new ManualClock(),
  calendar = createFixedCalendar(),
) => {
  const upstream = createLiveSource(overrides);
  const { logger, lines } = createRecorder();
  const { source, breakers } = resilient(upstream.source, { calendar: calendar.calendar, clock, logger });
  const [breaker] = breakers;
  /** Time passes until the batch has gone up and its answer is here. */
  const ask = async (symbols: readonly string[], by = signal): Promise<readonly SourceQuote[]> => {
    const asked = source.getQuotes(instruments(...symbols), by);
    asked.catch(() => undefined);
    await clock.advance(5);
    return asked;
  };
  return { source, breaker, breakers, clock, calendar, lines, asked: upstream.asked, ask };
};

/** Fails while it is told to. */
export const createFailing = () => {
  let error: Error | undefined;
  return {
    fail: (next: Error | undefined): void => {
      error = next;
    },
    getQuotes: async (wanted: readonly Instrument[]): Promise<readonly SourceQuote[]> => {
      if (error) throw error;
      return wanted.map((instrument) => quoteOf(instrument));
    },
  };
};
