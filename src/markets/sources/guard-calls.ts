import type { CallKind, MarketSource } from './source.ts';
import { CircuitBreaker } from '#src/platform/concurrency/circuit-breaker.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { IncompleteError, isMarketError } from './errors.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { computeBackoff } from '#src/platform/concurrency/retry.ts';

/** Wraps a request of any kind. */
type Around = <T>(call: () => Promise<T>, kind: CallKind, signal: AbortSignal) => Promise<T>;

const METHODS = [
  ['quotes', 'getQuotes'],
  ['history', 'getHistory'],
  ['days', 'getDays'],
  ['symbol', 'lookUp'],
  ['news', 'getNews'],
  ['fundamentals', 'getFundamentals'],
  ['earnings', 'getEarnings'],
] as const satisfies readonly (readonly [CallKind, keyof MarketSource])[];

/** A source whose requests all run through `around`. */
const wrapCalls = (source: MarketSource, around: Around): MarketSource => {
  const { getQuotes, getHistory, getDays, lookUp } = source;
  const { getNews, getFundamentals, getEarnings } = source;
  return {
    ...source,
    getQuotes: (...args) => around(() => getQuotes(...args), 'quotes', args[1]),
    ...(getHistory && {
      getHistory: (...args: Parameters<typeof getHistory>) =>
        around(() => getHistory(...args), 'history', args[2]),
    }),
    ...(getDays && {
      getDays: (...args: Parameters<typeof getDays>) => around(() => getDays(...args), 'days', args[2]),
    }),
    ...(lookUp && {
      lookUp: (...args: Parameters<typeof lookUp>) => around(() => lookUp(...args), 'symbol', args[1]),
    }),
    ...(getNews && {
      getNews: (...args: Parameters<typeof getNews>) => around(() => getNews(...args), 'news', args[1]),
    }),
    ...(getFundamentals && {
      getFundamentals: (...args: Parameters<typeof getFundamentals>) =>
        around(() => getFundamentals(...args), 'fundamentals', args[1]),
    }),
    ...(getEarnings && {
      getEarnings: (...args: Parameters<typeof getEarnings>) =>
        around(() => getEarnings(...args), 'earnings', args[2]),
    }),
  };
};

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
    onChange: (from, to) =>
      logger.warn('The circuit breaker of a market source changed', { source: name, from, to }),
  });

/** One breaker per kind of request, so that failing news does not block prices. */
const createBreakers = (source: MarketSource, clock: Clock, logger: FinClawLogger): MarketBreakers =>
  new Map(
    METHODS.flatMap(([kind, method]) =>
      source[method] ? [[kind, createBreaker(`${source.name} ${kind}`, clock, logger)]] : [],
    ),
  );

/**
 * Throws `CIRCUIT_OPEN` instead of calling a failing source. One answer often needs several concurrent requests: after
 * an outage, they wait for the one that probes the source.
 */
const withBreaker = (source: MarketSource, breakers: MarketBreakers): MarketSource =>
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

const MAX_PAUSE_MS = 300_000;
const MIN_PAUSE_MS = { limited: 15_000, refused: 60_000 } as const;
/** Bounds of the pause that a source may ask for. */
const ASKED_PAUSE_MS = { min: 1_000, max: 3_600_000 } as const;

interface Pause {
  /** The error that started the pause. It is thrown again during the pause, so that it is logged once. */
  readonly error: FinClawError;
  readonly untilMs: number;
  readonly attempt: number;
}

/** By family of requests. Sources that share a family share its pauses. */
export type Pauses = Map<string, Pause>;

const pauseMs = (error: FinClawError, attempt: number): number => {
  const { retryAfterMs } = error.details;
  if (typeof retryAfterMs === 'number')
    return Math.min(Math.max(retryAfterMs, ASKED_PAUSE_MS.min), ASKED_PAUSE_MS.max);
  const minDelayMs = MIN_PAUSE_MS[isMarketError(error, 'MARKET_REFUSED') ? 'refused' : 'limited'];
  return computeBackoff(attempt, { minDelayMs, maxDelayMs: MAX_PAUSE_MS, jitter: false });
};

const isCircuitOpen = (error: unknown): boolean =>
  error instanceof FinClawError && error.code === 'CIRCUIT_OPEN';

/**
 * Pauses a family of requests after a 429: for as long as the source asks, otherwise 15 s, doubled up to 5 min; after a
 * refusal, from 60 s. During the pause, every request of the family throws the same error at once, and so does a kind
 * whose 429s opened its breaker. Other families continue.
 */
const withBackOff = (source: MarketSource, clock: Clock, pauses: Pauses): MarketSource => {
  /** The last error of each kind of request, if it was a 429 or a refusal. */
  const held = new Map<CallKind, FinClawError>();

  return wrapCalls(source, async (call, kind) => {
    const family = source.familyOf?.(kind) ?? source.name;
    const begunMs = clock.monotonicMs();
    const before = pauses.get(family);
    if (before && begunMs < before.untilMs) throw before.error;
    /** False for requests that were already under way when the pause began. */
    const isAfterPause = (): boolean => {
      const pause = pauses.get(family);
      return !pause || begunMs >= pause.untilMs;
    };
    try {
      const result = await call();
      if (isAfterPause()) pauses.delete(family);
      held.delete(kind);
      return result;
    } catch (error) {
      if (isCircuitOpen(error)) throw held.get(kind) ?? error;
      const cause = error instanceof IncompleteError ? error.cause : error;
      if (isMarketError(cause, 'MARKET_UNREACHABLE')) held.delete(kind);
      if (!isMarketError(cause, 'MARKET_RATE_LIMITED', 'MARKET_REFUSED')) throw error;
      held.set(kind, cause);
      if (isAfterPause()) {
        const attempt = (pauses.get(family)?.attempt ?? 0) + 1;
        pauses.set(family, { error: cause, untilMs: clock.monotonicMs() + pauseMs(cause, attempt), attempt });
      }
      throw error;
    }
  });
};

/** Stops calling a source for a while after it failed, limited or refused requests. */
export const guardCalls = (
  source: MarketSource,
  { clock, logger }: { readonly clock: Clock; readonly logger: FinClawLogger },
  pauses: Pauses,
): { readonly source: MarketSource; readonly breakers: readonly CircuitBreaker[] } => {
  const breakers = createBreakers(source, clock, logger);
  return {
    source: withBackOff(withBreaker(source, breakers), clock, pauses),
    breakers: [...breakers.values()],
  };
};
