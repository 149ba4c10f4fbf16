import { FinClawError } from '#src/kernel/errors.ts';
import { computeBackoff } from '#src/platform/retry.ts';
import type { Clock } from '#src/platform/clock.ts';
import { isMarketError } from './errors.ts';
import { IncompleteError } from './incomplete-error.ts';
import type { CallKind, MarketSource } from './source.ts';
import { wrapCalls } from './wrap-calls.ts';

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
export const withBackOff = (
  source: MarketSource,
  clock: Clock,
  pauses: Pauses = new Map<string, Pause>(),
): MarketSource => {
  /** The last error of each kind of request, if it was a 429 or a refusal. */
  const held = new Map<CallKind, FinClawError>();

  return wrapCalls(source, async (call, kind) => {
    const family = source.familyOf?.(kind) ?? source.name;
    const begunMs = clock.monotonicMs();
    const before = pauses.get(family);
    if (before && begunMs < before.untilMs) throw before.error;
    /** False for requests that were already under way when the pause began. */
    const isNews = (): boolean => {
      const pause = pauses.get(family);
      return !pause || begunMs >= pause.untilMs;
    };
    try {
      const result = await call();
      if (isNews()) pauses.delete(family);
      held.delete(kind);
      return result;
    } catch (error) {
      if (isCircuitOpen(error)) throw held.get(kind) ?? error;
      const cause = error instanceof IncompleteError ? error.cause : error;
      if (isMarketError(cause, 'MARKET_UNREACHABLE')) held.delete(kind);
      if (!isMarketError(cause, 'MARKET_RATE_LIMITED', 'MARKET_REFUSED')) throw error;
      held.set(kind, cause);
      if (isNews()) {
        const attempt = (pauses.get(family)?.attempt ?? 0) + 1;
        pauses.set(family, { error: cause, untilMs: clock.monotonicMs() + pauseMs(cause, attempt), attempt });
      }
      throw error;
    }
  });
};
