import type { Instrument } from '#src/kernel/finance.ts';
import type { Clock } from '#src/platform/clock.ts';
import { createBatch } from './batch.ts';
import type { Cache } from './cache.ts';
import { createCoalesce } from './coalesce.ts';
import { isMarketError } from './errors.ts';
import { IncompleteError } from './incomplete-error.ts';

interface Named {
  readonly instrument: Instrument;
}

interface CachedLookupDeps<T> {
  readonly ask: (instruments: readonly Instrument[], signal: AbortSignal) => Promise<readonly T[]>;
  /** Null means that the source was asked and has no data. */
  readonly cache: Cache<T | null>;
  /** The cache key at this moment. */
  readonly keyOf: (instrument: Instrument) => string;
  readonly ttlMs: (instrument: Instrument, value: T | null) => number;
  readonly clock: Clock;
}

/**
 * Looks up many instruments. Each result is cached, shared with concurrent callers, and fetched in batches. Throws the
 * cause if every look-up failed, and `IncompleteError` if only some did.
 */
export const createCachedLookup = <T extends Named>(deps: CachedLookupDeps<T>) => {
  const { cache, clock } = deps;
  const coalesce = createCoalesce<T | null>();
  const batch = createBatch<T>({ ask: deps.ask, clock });

  const fetchOne = async (instrument: Instrument, key: string, signal: AbortSignal): Promise<T | null> => {
    const value = await batch(instrument, signal);
    cache.set(key, value, deps.ttlMs(instrument, value));
    return value;
  };

  const lookUp = async (instrument: Instrument, signal: AbortSignal): Promise<T | null> => {
    const key = deps.keyOf(instrument);
    const known = cache.get(key);
    if (known !== undefined) return known;
    return coalesce(key, (shared) => fetchOne(instrument, key, shared), signal);
  };

  return async (instruments: readonly Instrument[], signal: AbortSignal): Promise<readonly T[]> => {
    const wanted = [...new Map(instruments.map((instrument) => [instrument.symbol, instrument])).values()];
    const outcomes = await Promise.allSettled(wanted.map((instrument) => lookUp(instrument, signal)));
    signal.throwIfAborted();
    const failed = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ symbol: wanted[index]?.symbol ?? '', error: outcome.reason }] : [],
    );
    const found = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value) || []);
    // A rate limit is more informative than an outage of some symbols.
    const first = failed.find(({ error }) => isMarketError(error, 'MARKET_RATE_LIMITED')) ?? failed[0];
    if (!first) return found;
    if (failed.length === wanted.length) throw first.error;
    throw new IncompleteError(
      found,
      failed.map(({ symbol }) => symbol),
      first.error,
    );
  };
};
