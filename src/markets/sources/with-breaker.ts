import { CircuitBreaker } from '#src/platform/circuit-breaker.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { isMarketError } from './errors.ts';
import type { CallKind, MarketSource } from './source.ts';
import { kindsOf, wrapCalls } from './wrap-calls.ts';

/** After three failed waits in a row, the next caller is told at once. */
const FAILURE_THRESHOLD = 3;
const RESET_TIMEOUT_MS = 30_000;

type MarketBreakers = ReadonlyMap<CallKind, CircuitBreaker>;

/** Opens if the source cannot be reached or refuses. Bad data, aborts and bugs do not count. */
const createBreaker = (name: string, clock: Clock, logger: FinClawLogger): CircuitBreaker =>
  new CircuitBreaker({
    name,
    clock,
    failureThreshold: FAILURE_THRESHOLD,
    resetTimeoutMs: RESET_TIMEOUT_MS,
    isFailure: (error) => isMarketError(error, 'MARKET_UNREACHABLE', 'MARKET_RATE_LIMITED', 'MARKET_REFUSED'),
    onChange: (from, to) => logger.warn('market source circuit', { source: name, from, to }),
  });

/** One breaker per kind of request, so that failing news does not block prices. */
export const createMarketBreakers = (
  source: MarketSource,
  clock: Clock,
  logger: FinClawLogger,
): MarketBreakers =>
  new Map(kindsOf(source).map((kind) => [kind, createBreaker(`${source.name} ${kind}`, clock, logger)]));

/**
 * Throws `CIRCUIT_OPEN` instead of calling a failing source. One answer often needs several concurrent requests: after
 * an outage, they wait for the one that probes the source.
 */
export const withBreaker = (source: MarketSource, breakers: MarketBreakers): MarketSource =>
  wrapCalls(source, (call, kind, signal) => {
    const breaker = breakers.get(kind);
    if (!breaker) return call();
    return breaker.run(async () => {
      try {
        return await call();
      } catch (error) {
        // An abort says nothing about the source, whatever error it caused.
        signal.throwIfAborted();
        throw error;
      }
    }, signal);
  });
