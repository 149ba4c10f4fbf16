import type { Instrument } from '#src/kernel/finance.ts';
import type { Clock } from '#src/platform/clock.ts';
import { IncompleteError } from './incomplete-error.ts';

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
export const createBatch = <T extends { readonly instrument: Instrument }>({ ask, clock }: BatchDeps<T>) => {
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
