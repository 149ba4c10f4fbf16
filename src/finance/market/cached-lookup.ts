import type { Instrument } from '#src/core/finance.ts';
import type { Clock } from '#src/infra/clock.ts';
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
  /** Null: the source was asked and has none. */
  readonly cache: Cache<T | null>;
  /** Under what it is remembered at this moment, and for how long. */
  readonly keyOf: (instrument: Instrument) => string;
  readonly ttlMs: (instrument: Instrument, value: T | null) => number;
  /** What may be given once more while the source wants to be left alone, and how it is told then. */
  readonly lastKnown?: { readonly cache: Cache<T>; readonly ttlMs: number; readonly asOld: (value: T) => T };
  readonly clock: Clock;
}

/**
 * A request for many instruments where each is remembered, shared with whoever asks for it at the same time, and
 * fetched together with others. Throws the cause where nothing could be asked for, `IncompleteError` where some
 * could.
 */
export const createCachedLookup = <T extends Named>(deps: CachedLookupDeps<T>) => {
  const { cache, lastKnown, clock } = deps;
  const coalesce = createCoalesce<T | null>();
  const batch = createBatch<T>({ ask: deps.ask, clock });

  const fetchOne = async (instrument: Instrument, key: string, signal: AbortSignal): Promise<T | null> => {
    const value = await batch(instrument, signal);
    cache.set(key, value, deps.ttlMs(instrument, value));
    if (value) lastKnown?.cache.set(instrument.symbol, value, lastKnown.ttlMs);
    return value;
  };

  const lookUp = async (instrument: Instrument, signal: AbortSignal): Promise<T | null> => {
    const key = deps.keyOf(instrument);
    const known = cache.get(key);
    if (known !== undefined) return known;
    try {
      return await coalesce(key, (shared) => fetchOne(instrument, key, shared), signal);
    } catch (error) {
      const isLimited = isMarketError(error, 'MARKET_RATE_LIMITED');
      const last = isLimited ? lastKnown?.cache.get(instrument.symbol) : undefined;
      if (lastKnown && last) return lastKnown.asOld(last);
      throw error;
    }
  };

  return async (instruments: readonly Instrument[], signal: AbortSignal): Promise<readonly T[]> => {
    const wanted = [...new Map(instruments.map((instrument) => [instrument.symbol, instrument])).values()];
    const outcomes = await Promise.allSettled(wanted.map((instrument) => lookUp(instrument, signal)));
    signal.throwIfAborted();
    const failed = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ symbol: wanted[index]?.symbol ?? '', error: outcome.reason }] : [],
    );
    const found = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value) || []);
    const [first] = failed;
    if (!first) return found;
    if (failed.length === wanted.length) throw first.error;
    throw new IncompleteError(
      found,
      failed.map(({ symbol }) => symbol),
      first.error,
    );
  };
};
