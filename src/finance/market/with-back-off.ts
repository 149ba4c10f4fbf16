import { FinClawError } from '#src/core/errors.ts';
import { computeBackoff } from '#src/infra/backoff.ts';
import type { Clock } from '#src/infra/clock.ts';
import { isMarketError } from './errors.ts';
import type { MarketSource } from './source.ts';
import { type CallKind, wrapCalls } from './wrap-calls.ts';

const MIN_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 300_000;
/** A source that names its own time gets it, within reason. */
const ASKED_PAUSE_MS = { min: 1_000, max: 3_600_000 } as const;

interface Pause {
  /** What began it: thrown again to everybody who comes before it is over, so that it is logged once. */
  readonly error: FinClawError;
  readonly untilMs: number;
  readonly attempt: number;
}

const pauseMs = (error: FinClawError, attempt: number): number => {
  const { retryAfterMs } = error.details;
  if (typeof retryAfterMs !== 'number')
    return computeBackoff(attempt, { minDelayMs: MIN_PAUSE_MS, maxDelayMs: MAX_PAUSE_MS, jitter: false });
  return Math.min(Math.max(retryAfterMs, ASKED_PAUSE_MS.min), ASKED_PAUSE_MS.max);
};

const isCircuitOpen = (error: unknown): boolean =>
  error instanceof FinClawError && error.code === 'CIRCUIT_OPEN';

/**
 * Leaves a source alone that said 429, whatever it was asked for: as long as it asks for, else 15 s, twice that for
 * each further one up to 5 min. Meanwhile every request throws `MARKET_RATE_LIMITED` at once; so does one of a kind
 * whose 429s have opened its breaker.
 */
export const withBackOff = (source: MarketSource, clock: Clock): MarketSource => {
  let pause: Pause | undefined;
  /** How the last request of a kind ended, where that was a 429. */
  const limited = new Map<CallKind, FinClawError>();

  return wrapCalls(source, async (call, kind) => {
    const begunMs = clock.monotonicMs();
    if (pause && begunMs < pause.untilMs) throw pause.error;
    /** Requests that were on their way when the pause began tell nothing new. */
    const isNews = (): boolean => !pause || begunMs >= pause.untilMs;
    try {
      const result = await call();
      if (isNews()) pause = undefined;
      limited.delete(kind);
      return result;
    } catch (error) {
      if (isCircuitOpen(error)) throw limited.get(kind) ?? error;
      if (isMarketError(error, 'MARKET_UNREACHABLE')) limited.delete(kind);
      if (!isMarketError(error, 'MARKET_RATE_LIMITED')) throw error;
      limited.set(kind, error);
      if (isNews()) {
        const attempt = (pause?.attempt ?? 0) + 1;
        pause = { error, untilMs: clock.monotonicMs() + pauseMs(error, attempt), attempt };
      }
      throw error;
    }
  });
};
