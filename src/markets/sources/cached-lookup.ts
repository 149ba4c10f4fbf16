import { raceAbort } from '#src/platform/concurrency/abort.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { IncompleteError, isMarketError } from './errors.ts';
import type { Cache } from './cache.ts';

interface Flight<T> {
  readonly task: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

type Coalesce<T> = (key: string, run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * Concurrent callers with the same key share one run. An abort ends only the wait of its caller; the run itself is
 * aborted once nobody waits for it.
 */
export const createCoalesce = <T>(): Coalesce<T> => {
  const flights = new Map<string, Flight<T>>();

  const start = (key: string, run: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const controller = new AbortController();
    const flight: Flight<T> = { task: run(controller.signal), controller, waiting: 0 };
    flights.set(key, flight);
    const land = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.task.then(land, land);
    return flight;
  };

  return async (key, run, signal) => {
    signal.throwIfAborted();
    const flight = flights.get(key) ?? start(key, run);
    flight.waiting += 1;
    try {
      return await raceAbort(flight.task, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0 && flights.get(key) === flight) {
        // New callers must not join an aborted run.
        flights.delete(key);
        flight.controller.abort(signal.reason);
      }
    }
  };
};

/** Instruments per request. */
const MAX_BATCH = 50;
/** Long enough to gather the tool calls of one turn, too short to be noticed. */
const GATHER_MS = 5;

interface Wanted<T> {
  readonly instrument: Instrument;
  readonly outcome: PromiseWithResolvers<T | null>;
  isLeft: boolean;
}

interface BatchDeps<T> {
  /** One request for all instruments. Returns those the source has, in any order. */
  readonly ask: (instruments: readonly Instrument[], signal: AbortSignal) => Promise<readonly T[]>;
  readonly clock: Clock;
}

/**
 * Gathers single look-ups of a few milliseconds into one request of at most `MAX_BATCH`. Null for instruments that the
 * response lacks. A request is aborted once all its callers have aborted.
 */
const createBatch = <T extends { readonly instrument: Instrument }>({ ask, clock }: BatchDeps<T>) => {
  let gathering: Wanted<T>[] = [];
  let cancelTimer: (() => void) | undefined;

  const send = async (batch: readonly Wanted<T>[]): Promise<void> => {
    const controller = new AbortController();
    const isAbandoned = (): boolean => batch.every(({ isLeft }) => isLeft);
    for (const { outcome } of batch)
      outcome.promise.catch(() => {
        if (isAbandoned()) controller.abort();
      });
    const wanted = new Map(
      batch.filter(({ isLeft }) => !isLeft).map(({ instrument }) => [instrument.symbol, instrument]),
    );
    if (wanted.size === 0) return;
    try {
      const answers = await ask([...wanted.values()], controller.signal);
      const bySymbol = new Map(answers.map((answer) => [answer.instrument.symbol, answer]));
      for (const { instrument, outcome } of batch) outcome.resolve(bySymbol.get(instrument.symbol) ?? null);
    } catch (error) {
      const isPart = error instanceof IncompleteError;
      const found = isPart ? (error as IncompleteError<T>).found : [];
      const bySymbol = new Map(found.map((answer) => [answer.instrument.symbol, answer]));
      const failed = new Set(isPart ? error.failedSymbols : wanted.keys());
      for (const { instrument, outcome } of batch)
        if (failed.has(instrument.symbol)) outcome.reject(isPart ? error.cause : error);
        else outcome.resolve(bySymbol.get(instrument.symbol) ?? null);
    }
  };

  const flush = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    const batch = gathering;
    gathering = [];
    void send(batch);
  };

  return (instrument: Instrument, signal: AbortSignal): Promise<T | null> => {
    const wanted: Wanted<T> = { instrument, outcome: Promise.withResolvers(), isLeft: false };
    const onAbort = (): void => {
      wanted.isLeft = true;
      wanted.outcome.reject(signal.reason);
    };
    if (signal.aborted) onAbort();
    else {
      signal.addEventListener('abort', onAbort, { once: true });
      gathering.push(wanted);
      if (gathering.length >= MAX_BATCH) flush();
      else cancelTimer ??= clock.after(GATHER_MS, flush);
    }
    return wanted.outcome.promise;
  };
};

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
