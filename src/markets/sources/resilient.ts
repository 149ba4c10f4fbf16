import type { CircuitBreaker } from '#src/platform/circuit-breaker.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { createFailureLog } from './failure-log.ts';
import type { SessionCalendar } from './session-calendar.ts';
import type { MarketSource } from './source.ts';
import { type Pauses, withBackOff } from './with-back-off.ts';
import { createMarketBreakers, withBreaker } from './with-breaker.ts';
import { withBudget } from './with-budget.ts';
import { withCache } from './with-cache.ts';
import { withFallback } from './with-fallback.ts';
import { withLastKnown } from './with-last-known.ts';
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
  const guard = (each: MarketSource) => {
    const breakers = createMarketBreakers(each, clock, logger);
    const checked = dropFutureQuotes(each, { clock, logger });
    return {
      source: withBackOff(withBreaker(checked, breakers), clock, pauses),
      breakers: [...breakers.values()],
    };
  };
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
