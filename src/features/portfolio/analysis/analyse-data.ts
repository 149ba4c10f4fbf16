import type { Instrument, SymbolSearch } from '#src/kernel/finance.ts';
import type { AnalyseRequest } from '#src/kernel/account-services.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import { Semaphore } from '#src/platform/semaphore.ts';
import type { History, Market } from '#src/markets/sources/source.ts';
import { type DailyCloses, dailyClosesOf } from './value-series-closes.ts';
import { type DailyRates, dailyRates } from './value-series-rates.ts';

export interface AnalyseDataDeps {
  readonly market: Pick<Market, 'getHistory' | 'getFundamentals'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

export interface PricedInstrument {
  readonly history: History;
  readonly closes: DailyCloses;
  readonly last: Decimal;
}

/** Prices, rates and the benchmark of a range, as far as they were to be had. */
export interface AnalysisData {
  readonly priced: ReadonlyMap<string, PricedInstrument>;
  readonly rates: ReadonlyMap<Currency, DailyRates>;
  readonly benchmark: PricedInstrument | undefined;
}

const AT_ONCE = 8;
const MAX_SECTORS = 30;

export const BENCHMARKS = { kospi: '^KS11', sp500: '^GSPC' } as const;

/** Requested in small groups, because sources refuse one large request. */
const eachOf = async <T, R>(
  items: readonly T[],
  ask: (item: T) => Promise<R>,
  signal: AbortSignal,
): Promise<readonly R[]> => {
  const places = new Semaphore(AT_ONCE);
  return Promise.all(
    items.map(async (item) => {
      const release = await places.acquire('', signal);
      try {
        return await ask(item);
      } finally {
        release();
      }
    }),
  );
};

const isKnown = <V>(pair: readonly [string, V | undefined]): pair is readonly [string, V] =>
  pair[1] !== undefined;

/** Throws on abort alone. */
export const readAnalysisData = async (
  wanted: {
    readonly instruments: readonly Instrument[];
    /** Other than the base. */
    readonly currencies: readonly Currency[];
    readonly baseCurrency: Currency;
    readonly benchmark: Instrument | undefined;
    readonly range: AnalyseRequest['range'];
    /** Days since 1970-01-01. */
    readonly since: number;
  },
  deps: AnalyseDataDeps,
  signal: AbortSignal,
): Promise<AnalysisData> => {
  const { range, since, baseCurrency, benchmark } = wanted;
  const read = async (instrument: Instrument): Promise<PricedInstrument | undefined> => {
    const found = await deps.market.getHistory(instrument, range, signal);
    const last = found.status === 'ok' ? found.value.bars.at(-1)?.close : undefined;
    // Where a source prices it in another currency, its closes are not those of what is held.
    if (found.status !== 'ok' || !last || found.value.instrument.currency !== instrument.currency)
      return undefined;
    return { history: found.value, closes: dailyClosesOf(found.value, since), last };
  };
  const [priced, rates, index] = await Promise.all([
    eachOf(wanted.instruments, async (each) => [each.symbol, await read(each)] as const, signal),
    eachOf(
      wanted.currencies,
      async (each) => [each, await dailyRates(each, baseCurrency, { range, since }, deps, signal)] as const,
      signal,
    ),
    benchmark && read(benchmark),
  ]);
  return {
    priced: new Map(priced.filter(isKnown)),
    rates: new Map(rates.filter(isKnown)),
    benchmark: index,
  };
};

/** The sectors of companies, the first thirty of them; what cannot be had is missing. Throws on abort alone. */
export const readSectors = async (
  instruments: readonly Instrument[],
  { market }: Pick<AnalyseDataDeps, 'market'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> => {
  const companies = instruments.filter(({ assetClass }) => assetClass === 'equity').slice(0, MAX_SECTORS);
  const found = await eachOf(
    companies,
    async (instrument) => {
      const result = await market.getFundamentals(instrument, signal);
      const figures = result.status === 'ok' ? result.value.figures : [];
      return [instrument.symbol, figures.find(({ metric }) => metric === 'sector')?.value] as const;
    },
    signal,
  );
  return new Map(found.filter(isKnown));
};
