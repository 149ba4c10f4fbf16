import { closureOn, tradingDatesAround } from '#src/markets/calendar/trading-dates.ts';
import { barDays, dateOf, epochDay, lastIndexUpTo } from '#src/markets/performance/epoch-day.ts';
import type { DailyValues } from '#src/markets/performance/risk.ts';
import type { History } from '#src/markets/sources/source.ts';
import type { Instrument, HistoryRange } from '#src/kernel/market/finance.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { usualPair } from '#src/markets/answers/convert-rate.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';
import type { AnalyseRequest } from '../requests.ts';
import type { FeatureUses } from '#src/features/services.ts';

/**
 * The closes of a history. The close before its first bar, if any, counts for `from`, because a year is measured from
 * the last close of the year before.
 */
export const dailyClosesOf = (history: History, from: number): DailyValues => {
  const { bars, baseClose } = history;
  const days = barDays(history);
  const values = bars.map(({ close }) => close.toNumber());
  const hasBase = baseClose !== undefined && (days[0] ?? from) > from;
  return hasBase ? { days: [from, ...days], values: [baseClose.toNumber(), ...values] } : { days, values };
};

/** The closes by their own days: what stands for a day on which the exchange was closed is of an earlier one. */
export const closesOnOwnDays = (
  { instrument, bars }: Pick<History, 'instrument' | 'bars'>,
  { days, values }: DailyValues,
): DailyValues => {
  const [from, ...rest] = days;
  if (from === undefined || days.length === bars.length || !closureOn(instrument, dateOf(from)))
    return { days, values };
  const own = tradingDatesAround(instrument, dateOf(from))
    .map(epochDay)
    .find((day) => day < from);
  return own === undefined ? { days: rest, values: values.slice(1) } : { days: [own, ...rest], values };
};

/** Prices that are adjusted for splits are rounded. */
const ROUNDING = 0.002;

/** Whether a price, in today's shares, is outside the range of its day; false for a day without one. */
export const rangeCheck = (history: History): ((day: number, price: Decimal) => boolean) => {
  const days = barDays(history);
  return (day, price) => {
    const index = lastIndexUpTo(days, day);
    const bar = days[index] === day ? history.bars[index] : undefined;
    return (
      bar !== undefined &&
      (price.lessThan(bar.low.times(1 - ROUNDING)) || price.greaterThan(bar.high.times(1 + ROUNDING)))
    );
  };
};

/** Reads closes in order of days and carries the last one over days without a close. */
export type CloseCursor = ReturnType<typeof closeCursor>;

export const closeCursor = ({ days, values }: DailyValues) => {
  let [at, today] = [-1, Number.NEGATIVE_INFINITY];
  return {
    /** Days must not go backwards. */
    moveTo: (day: number) => {
      today = day;
      while ((days[at + 1] ?? Number.POSITIVE_INFINITY) <= day) at += 1;
    },
    /** The last close so far; undefined before the first. */
    close: (): number | undefined => values[at],
    /** The current day has a close. */
    isTradedToday: (): boolean => days[at] === today,
  };
};

/** Daily prices of one currency in another. */
interface DailyRates {
  readonly closes: DailyValues;
  /** The last rate, exact. */
  readonly last: Decimal;
  /** The histories behind the rates: one, or two via the dollar. */
  readonly histories: readonly History[];
}

const OVER = 'USD';

const turned = ({ closes, last, histories }: DailyRates): DailyRates => ({
  closes: { days: closes.days, values: closes.values.map((value) => 1 / value) },
  last: new Decimal(1).dividedBy(last),
  histories,
});

/** Uses the days of the first; the second contributes its last close. */
const combined = (first: DailyRates, second: DailyRates): DailyRates => {
  const cursor = closeCursor(second.closes);
  const values = first.closes.days.map((day, index) => {
    cursor.moveTo(day);
    return (first.closes.values[index] ?? 0) * (cursor.close() ?? second.closes.values[0] ?? 0);
  });
  return {
    closes: { days: first.closes.days, values },
    last: first.last.times(second.last),
    histories: [...first.histories, ...second.histories],
  };
};

/** Rates as markets quote the pair, else via the dollar; undefined if neither exists. Throws on abort alone. */
export const dailyRates = async (
  from: Currency,
  to: Currency,
  { range, since }: { readonly range: HistoryRange; readonly since: number },
  deps: FeatureUses<'symbols.resolve' | 'market.getHistory'>,
  signal: AbortSignal,
): Promise<DailyRates | undefined> => {
  const [one, other] = [currencyNamed(from), currencyNamed(to)];
  if (!one || !other) return undefined;
  const pair = usualPair(one, other, deps);
  const found = pair && (await deps.market.getHistory(pair.instrument, range, signal));
  const history = found?.status === 'ok' ? found.value : undefined;
  const last = history?.bars.at(-1)?.close;
  if (pair && history && last && history.instrument.currency === pair.price.code) {
    const rates = { closes: dailyClosesOf(history, since), last, histories: [history] };
    return pair.base.code === one.code ? rates : turned(rates);
  }
  // All rates come from one source: if it is down, two more requests only waste time.
  const isDown = found?.status === 'unavailable' && found.reason === 'down';
  if (isDown || one.code === OVER || other.code === OVER) return undefined;
  const [first, second] = await Promise.all([
    dailyRates(from, OVER, { range, since }, deps, signal),
    dailyRates(OVER, to, { range, since }, deps, signal),
  ]);
  return first && second && combined(first, second);
};

export type AnalyseDataDeps = FeatureUses<'symbols.resolve' | 'market.getHistory' | 'market.getFundamentals'>;

export interface PricedInstrument {
  readonly history: History;
  readonly closes: DailyValues;
  readonly last: Decimal;
}

/** Prices, rates and benchmark of a range, as far as available. */
export interface AnalysisPrices {
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
export const readAnalysisPrices = async (
  wanted: {
    readonly instruments: readonly Instrument[];
    /** Currencies other than the base. */
    readonly currencies: readonly Currency[];
    readonly baseCurrency: Currency;
    readonly benchmark: Instrument | undefined;
    readonly range: AnalyseRequest['range'];
    /** Days since 1970-01-01. */
    readonly since: number;
  },
  deps: AnalyseDataDeps,
  signal: AbortSignal,
): Promise<AnalysisPrices> => {
  const { range, since, baseCurrency, benchmark } = wanted;
  const read = async (instrument: Instrument): Promise<PricedInstrument | undefined> => {
    const found = await deps.market.getHistory(instrument, range, signal);
    const last = found.status === 'ok' ? found.value.bars.at(-1)?.close : undefined;
    // A source's prices in another currency do not belong to the holding.
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

/** The sectors of the first thirty companies; unavailable ones are missing. Throws on abort alone. */
export const readSectors = async (
  instruments: readonly Instrument[],
  { market }: FeatureUses<'market.getHistory' | 'market.getFundamentals'>,
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
