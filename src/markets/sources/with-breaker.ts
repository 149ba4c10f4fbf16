import { CircuitBreaker } from '#src/platform/circuit-breaker.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { isMarketError } from './errors.ts';
import type { CallKind, MarketSource } from './source.ts';
import { kindsOf, wrapCalls } from './wrap-calls.ts';

/** Three people in a row have waited for nothing: the fourth is told at once. */
const FAILURE_THRESHOLD = 3;
const RESET_TIMEOUT_MS = 30_000;

type MarketBreakers = ReadonlyMap<CallKind, CircuitBreaker>;

/** Opens when the source is out of reach, or refuses; one odd answer, an abort or a bug is neither. */
const createBreaker = (name: string, clock: Clock, logger: FinClawLogger): CircuitBreaker =>
  new CircuitBreaker({
    name,
    clock,
    failureThreshold: FAILURE_THRESHOLD,
    resetTimeoutMs: RESET_TIMEOUT_MS,
    isFailure: (error) => isMarketError(error, 'MARKET_UNREACHABLE', 'MARKET_RATE_LIMITED', 'MARKET_REFUSED'),
    onChange: (from, to) => logger.warn('market source circuit', { source: name, from, to }),
  });

/** One for each kind of request: a page of news that cannot be had must not take the prices with it. */
export const createMarketBreakers = (
  source: MarketSource,
  clock: Clock,
  logger: FinClawLogger,
): MarketBreakers =>
  new Map(kindsOf(source).map((kind) => [kind, createBreaker(`${source.name} ${kind}`, clock, logger)]));

/**
 * Does not call what keeps failing; throws `CIRCUIT_OPEN` instead. One answer often needs several requests at once: after
 * an outage they wait for the one that tries whether it is over.
 */
export const withBreaker = (source: MarketSource, breakers: MarketBreakers): MarketSource =>
  wrapCalls(source, (call, kind, signal) => {
    const breaker = breakers.get(kind);
    if (!breaker) return call();
    return breaker.run(async () => {
      try {
        return await call();
      } catch (error) {
        // However the source words it: what was aborted says nothing about the other side.
        signal.throwIfAborted();
        throw error;
      }
    }, signal);
  });
