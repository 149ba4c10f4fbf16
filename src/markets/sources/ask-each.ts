import type { Instrument } from '#src/kernel/finance.ts';
import { isMarketError } from './errors.ts';
import type { LogFailure } from './failure-log.ts';
import { IncompleteError } from './incomplete-error.ts';
import type { MarketSource } from './source.ts';

interface Named {
  readonly instrument: Instrument;
}

export type AskMany<T> = (instruments: readonly Instrument[], signal: AbortSignal) => Promise<readonly T[]>;

interface AskEachDeps<T> {
  readonly sources: readonly MarketSource[];
  /** Undefined if the source does not support this kind of request. */
  readonly askOf: (source: MarketSource) => AskMany<T> | undefined;
  readonly asked: string;
  readonly logFailure: LogFailure;
}

interface Gathered<T> {
  /** By symbol. */
  readonly found: ReadonlyMap<string, T>;
  /** Symbols for which a supporting source failed. */
  readonly failed: ReadonlySet<string>;
  /** The failed symbols that were rate limited and may be requested again soon. */
  readonly limited: ReadonlySet<string>;
}

/**
 * Asks each source once for everything it supports. Symbols that it lacks or fails to give go to the next supporting
 * source. Throws only on abort.
 */
export const askEach = async <T extends Named>(
  instruments: readonly Instrument[],
  { sources, askOf, asked, logFailure }: AskEachDeps<T>,
  signal: AbortSignal,
): Promise<Gathered<T>> => {
  signal.throwIfAborted();
  const found = new Map<string, T>();
  const failed = new Set<string>();
  const limited = new Set<string>();
  const unreachable = new Set<string>();

  const askOne = async (source: MarketSource | undefined, wanted: readonly Instrument[]): Promise<void> => {
    if (!source) return;
    const symbols = wanted.map(({ symbol }) => symbol);
    try {
      for (const item of (await askOf(source)?.(wanted, signal)) ?? [])
        found.set(item.instrument.symbol, item);
    } catch (error) {
      signal.throwIfAborted();
      const isPart = error instanceof IncompleteError;
      for (const item of isPart ? (error as IncompleteError<T>).found : [])
        found.set(item.instrument.symbol, item);
      const cause = isPart ? error.cause : error;
      const isAnswering = isMarketError(cause, 'MARKET_RATE_LIMITED', 'MARKET_REFUSED');
      for (const symbol of isPart ? error.failedSymbols : symbols) {
        failed.add(symbol);
        (isAnswering ? limited : unreachable).add(symbol);
      }
      logFailure(error, { source: source.name, asked, symbols });
    }
  };

  /** The open instruments, each with the sources not yet asked. */
  let open = [...new Map(instruments.map((instrument) => [instrument.symbol, instrument])).values()].map(
    (instrument) => ({
      instrument,
      left: sources.filter((source) => askOf(source) && source.supports(instrument)),
    }),
  );
  while (open.some(({ left }) => left.length > 0)) {
    const bySource = Map.groupBy(open, ({ left }) => left[0]);
    const asking = [...bySource].map(([source, items]) =>
      askOne(
        source,
        items.map(({ instrument }) => instrument),
      ),
    );
    await Promise.all(asking);
    open = open
      .filter(({ instrument }) => !found.has(instrument.symbol))
      .map(({ instrument, left }) => ({ instrument, left: left.slice(1) }));
  }
  return { found, failed, limited: limited.difference(unreachable) };
};
