import type { CircuitBreaker } from '#src/platform/concurrency/circuit-breaker.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { createFailureLog } from './errors.ts';
import type { MarketSource, SessionCalendar } from './source.ts';
import { guardCalls, type Pauses } from './guard-calls.ts';
import { withBudget, withFallback, withLastKnown } from './fallbacks.ts';
import { withCache } from './with-cache.ts';
import { dropFutureQuotes } from './drop-future-quotes.ts';

interface ResilientDeps {
  readonly calendar: SessionCalendar;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  /** Provides quotes that the source fails to give, at one request per symbol. */
  readonly fallback?: MarketSource;
}

interface ResilientSource {
  readonly source: MarketSource;
  /** One per kind of request, named after source and kind. */
  readonly breakers: readonly CircuitBreaker[];
}

/** Fallback quotes are kept for a minute, because fallback requests are few. */
const FALLBACK_QUOTE_MS = 60_000;

/**
 * Wraps a live source. From the outside in: last known prices, fallback, cache and batches, back-off, breaker, and the
 * check for future quotes.
 */
export const resilient = (
  source: MarketSource,
  { calendar, clock, logger, fallback }: ResilientDeps,
): ResilientSource => {
  const pauses: Pauses = new Map();
  const guard = (each: MarketSource): ResilientSource =>
    guardCalls(dropFutureQuotes(each, { clock, logger }), { clock, logger }, pauses);
  const first = guard(source);
  const cached = withCache(first.source, { calendar, clock });
  if (!fallback) return { source: withLastKnown(cached, clock), breakers: first.breakers };
  const second = guard(fallback);
  const standIn = withCache(withBudget(second.source, clock), {
    calendar,
    clock,
    minQuoteMs: FALLBACK_QUOTE_MS,
  });
  return {
    source: withLastKnown(withFallback(cached, standIn, createFailureLog(logger)), clock),
    breakers: [...first.breakers, ...second.breakers],
  };
};
