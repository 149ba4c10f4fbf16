import type { CircuitBreaker } from '#src/infra/circuit-breaker.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import type { SessionCalendar } from './session-calendar.ts';
import type { MarketSource } from './source.ts';
import { withBackOff } from './with-back-off.ts';
import { createMarketBreakers, withBreaker } from './with-breaker.ts';
import { withCache } from './with-cache.ts';
import { withoutFuture } from './without-future.ts';

interface ResilientDeps {
  readonly calendar: SessionCalendar;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

interface ResilientSource {
  readonly source: MarketSource;
  /** One for each kind of request, named after both. */
  readonly breakers: readonly CircuitBreaker[];
}

/** A live source as the bot uses it: from the outside in, remembered and gathered, backed off, broken, checked. */
export const resilient = (
  source: MarketSource,
  { calendar, clock, logger }: ResilientDeps,
): ResilientSource => {
  const breakers = createMarketBreakers(source, clock, logger);
  const checked = withoutFuture(source, { clock, logger });
  const guarded = withBackOff(withBreaker(checked, breakers), clock);
  return { source: withCache(guarded, { calendar, clock }), breakers: [...breakers.values()] };
};
