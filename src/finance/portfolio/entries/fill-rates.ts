import type { SymbolSearch } from '#src/core/finance.ts';
import type { NewTransaction } from '#src/core/ledger.ts';
import type { HistoryRange } from '#src/core/market-desk.ts';
import { type Currency, Decimal } from '#src/core/money.ts';
import type { Clock } from '#src/infra/clock.ts';
import { usualPair } from '../../answers/convert-rate.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import type { History, Market } from '../../market/source.ts';
import { Exact } from '../ledger/exact.ts';
import { markNote } from './mark-note.ts';
import { byTime, type Steps } from '#src/infra/steps.ts';

export interface FillRatesDeps {
  readonly market: Pick<Market, 'getHistory'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly clock: Clock;
}

/** What somebody reads on an entry whose rate or price is made up: it must never be taken for a real one. */
export const SAMPLE_RATE_NOTE = 'SAMPLE rate · 샘플 환율';

const RATE_DECIMALS = 12;
const OVER = 'USD';

/** The shortest that reaches back so far, with days to spare; beyond two years there are no daily closes. */
const RANGES: readonly (readonly [days: number, range: HistoryRange])[] = [
  [20, '1mo'],
  [80, '3mo'],
  [170, '6mo'],
  [355, '1y'],
  [720, '2y'],
  [1_810, '5y'],
];

const DAILY_DAYS = 720;

/** A rate, with the day whose close it is and where it is from. */
export interface RateOn {
  readonly rate: Decimal;
  readonly day: Temporal.PlainDate;
  /** Of a week or a month: the close is of about that day. */
  readonly isAbout: boolean;
  readonly source: string;
  readonly isSample: boolean;
}

type Rates = (date: Temporal.PlainDate) => RateOn | undefined;

/**
 * The close of that day or the last before it. A week's close is of its last day: of longer bars it is the close of
 * the one before.
 */
const closeOn = (
  { bars, timeZone, interval, source, isSample }: History,
  date: Temporal.PlainDate,
): RateOn | undefined => {
  const dayOf = ({ at }: History['bars'][number]): Temporal.PlainDate =>
    at.toZonedDateTimeISO(timeZone).toPlainDate();
  const end = date.add({ days: 1 }).toZonedDateTime(timeZone).toInstant().epochMilliseconds;
  const index = bars.findLastIndex(({ at }) => at.epochMilliseconds < end);
  const isAbout = interval !== '1d';
  const [bar, next] = [bars[isAbout ? index - 1 : index], bars[index]];
  if (!bar?.close.greaterThan(0) || !next) return undefined;
  const day = isAbout ? dayOf(next).subtract({ days: 1 }) : dayOf(bar);
  return { rate: new Exact(bar.close), day, isAbout, source, isSample };
};

const combined =
  (first: Rates, second: Rates): Rates =>
  (date) => {
    const [a, b] = [first(date), second(date)];
    if (!a || !b) return undefined;
    const older = Temporal.PlainDate.compare(a.day, b.day) <= 0 ? a : b;
    const source = a.source === b.source ? a.source : `${a.source}, ${b.source}`;
    return { ...older, rate: a.rate.times(b.rate), source, isSample: a.isSample || b.isSample };
  };

/** What one `from` costs in `to`, day by day: as markets quote it, else over the dollar. */
const ratesBetween = async (
  from: Currency,
  to: Currency,
  range: HistoryRange,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<Rates | undefined> => {
  const [a, b] = [currencyNamed(from), currencyNamed(to)];
  if (!a || !b) return undefined;
  const pair = usualPair(a, b, deps);
  const found = pair && (await deps.market.getHistory(pair.instrument, range, signal));
  if (pair && found?.status === 'ok' && found.value.instrument.currency === pair.price.code) {
    const { value: history } = found;
    return (date) => {
      const close = closeOn(history, date);
      if (!close || pair.base.code === from) return close;
      return { ...close, rate: new Exact(1).dividedBy(close.rate) };
    };
  }
  if (from === OVER || to === OVER || (found?.status === 'unavailable' && found.reason === 'down'))
    return undefined;
  const [first, second] = await Promise.all([
    ratesBetween(from, OVER, range, deps, signal),
    ratesBetween(OVER, to, range, deps, signal),
  ]);
  return first && second && combined(first, second);
};

/** The dollar may be on the way to several others: nothing is asked for twice. */
const askingOnce = (deps: FillRatesDeps): FillRatesDeps => {
  const asked = new Map<string, ReturnType<Market['getHistory']>>();
  const getHistory: Market['getHistory'] = (instrument, range, signal) => {
    const key = `${instrument.symbol} ${range}`;
    const found = asked.get(key) ?? deps.market.getHistory(instrument, range, signal);
    asked.set(key, found);
    return found;
  };
  return { ...deps, market: { getHistory } };
};

/** The currencies of an entry whose rate it does not have; no money changes hands in a split. */
const lacking = (entry: NewTransaction): readonly Currency[] => [
  ...(entry.rate === undefined && entry.kind !== 'split' ? [entry.currency] : []),
  ...(entry.kind === 'fx' && entry.toRate === undefined ? [entry.toCurrency] : []),
];

/** The shortest range of a history that has this day. */
export const rangeFor = (oldest: Temporal.PlainDate, today: Temporal.PlainDate): HistoryRange => {
  const { days } = oldest.until(today, { largestUnit: 'days' });
  return RANGES.find(([limit]) => days <= limit)?.[1] ?? 'max';
};

const oldestOf = (dates: readonly Temporal.PlainDate[]): Temporal.PlainDate | undefined =>
  dates.reduce<Temporal.PlainDate | undefined>(
    (oldest, date) => (oldest && Temporal.PlainDate.compare(oldest, date) <= 0 ? oldest : date),
    undefined,
  );

/** One history for the days of the last two years, and one for what is older, which has longer bars. */
const ratesOf = async (
  currency: Currency,
  baseCurrency: Currency,
  dates: readonly Temporal.PlainDate[],
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<Rates> => {
  // A day may have begun for the person that has not for us, and the other way round.
  const today = deps.clock.now().toZonedDateTimeISO('UTC').toPlainDate();
  const firstRecent = today.subtract({ days: DAILY_DAYS });
  const isRecent = (date: Temporal.PlainDate): boolean => Temporal.PlainDate.compare(date, firstRecent) >= 0;
  const ask = (oldest: Temporal.PlainDate | undefined) =>
    oldest && ratesBetween(currency, baseCurrency, rangeFor(oldest, today), deps, signal);
  const [recent, old] = await Promise.all([
    ask(oldestOf(dates.filter(isRecent))),
    ask(oldestOf(dates.filter((date) => !isRecent(date)))),
  ]);
  return (date) => (isRecent(date) ? recent : old)?.(date);
};

/** What one `from` cost in `to` on that day, by the last close up to it. Throws on abort alone. */
export const rateOn = async (
  from: Currency,
  to: Currency,
  date: Temporal.PlainDate,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<RateOn | undefined> => (await ratesOf(from, to, [date], askingOnce(deps), signal))(date);

const one = (date: Temporal.PlainDate): RateOn => ({
  rate: new Exact(1),
  day: date,
  isAbout: false,
  source: '',
  isSample: false,
});

const stored = ({ rate }: RateOn): Decimal => new Decimal(rate.toDecimalPlaces(RATE_DECIMALS).toFixed());

/**
 * Entries with the rates of their days: the close of that day or the last before it. What has a rate keeps it; what
 * cannot be had stays undefined. Rates of sample data leave a note behind. Throws on abort alone.
 */
export const fillRates = async (
  entries: readonly NewTransaction[],
  baseCurrency: Currency,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<readonly NewTransaction[]> => {
  const datesBy = new Map<Currency, Temporal.PlainDate[]>();
  for (const entry of entries)
    for (const currency of lacking(entry)) {
      const dates = datesBy.get(currency) ?? [];
      dates.push(entry.date);
      datesBy.set(currency, dates);
    }
  const once = askingOnce(deps);
  const found = new Map(
    await Promise.all(
      [...datesBy].map(async ([currency, dates]): Promise<readonly [Currency, Rates]> => [
        currency,
        currency === baseCurrency ? one : await ratesOf(currency, baseCurrency, dates, once, signal),
      ]),
    ),
  );
  const withRates = (entry: NewTransaction): NewTransaction => {
    if (lacking(entry).length === 0) return entry;
    const rate = entry.rate === undefined ? found.get(entry.currency)?.(entry.date) : undefined;
    const needsTo = entry.kind === 'fx' && entry.toRate === undefined;
    const toRate = needsTo ? found.get(entry.toCurrency)?.(entry.date) : undefined;
    const isSample = rate?.isSample === true || toRate?.isSample === true;
    return {
      ...entry,
      ...(rate && { rate: stored(rate) }),
      ...(toRate && { toRate: stored(toRate) }),
      ...(isSample && { note: markNote(entry.note, SAMPLE_RATE_NOTE) }),
    };
  };
  const allWithRates = function* (): Steps<readonly NewTransaction[]> {
    const filled: NewTransaction[] = [];
    for (const entry of entries) {
      filled.push(withRates(entry));
      yield;
    }
    return filled;
  };
  return byTime(allWithRates(), signal);
};
