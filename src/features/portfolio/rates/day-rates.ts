import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import type { DailyRate, DailyRateStore, RatePair } from '../store/daily-rates.ts';
import { usualPair } from '#src/markets/answers/convert-rate.ts';
import type { DailyHistory } from '#src/markets/sources/source.ts';
import { barDays, dateOf, epochDay, lastIndexUpTo } from '#src/markets/performance/epoch-day.ts';
import { attemptWithin } from '#src/platform/concurrency/abort.ts';
import type { Uses } from '#src/platform/services.ts';
import { Exact } from '../ledger/fixed-point.ts';
import type { FeatureUses } from '#src/features/services.ts';

export interface FillRatesDeps extends FeatureUses<'clock' | 'symbols.resolve' | 'market.getDays'> {
  /** The cache of rates. Without it, every rate is requested. */
  readonly dailyRates?: DailyRateStore;
}

/** A rate with the day of its close and its source. */
export interface RateOn {
  /** The price of one unit of the first currency in the second. */
  readonly rate: Decimal;
  /** The requested day, or the last day before it that has a close. */
  readonly day: Temporal.PlainDate;
  readonly source: string;
  readonly isSample: boolean;
}

/** The rate of a day, or the reason for its absence. */
export type DayRate =
  | (RateOn & {
      readonly status: 'ok';
      /** The day is over, so the rate no longer changes. */
      readonly isFinal: boolean;
      /** The rate was not known before this request. */
      readonly isNew: boolean;
    })
  /** The source has no rate for that day. */
  | { readonly status: 'none' }
  /** No live source answered. */
  | { readonly status: 'waits' };

const OVER = 'USD';
/** Currency markets never close for this long, so an older close is not the rate of a day. */
const MAX_AGE_DAYS = 7;
/** The first days of January need the last close of the year before. */
const EARLIER_DAYS = 10;
const STORED_DIGITS = 24;

interface Close {
  readonly rate: Decimal;
  readonly day: number;
}

/** The closes of one pair in one year. */
interface YearCloses {
  readonly status: 'ok';
  /** The last close up to that day, unless it is too old. */
  readonly closeOn: (day: number) => Close | undefined;
  readonly firstDay: number;
  /** The last day that is over in the time zone of the rate's market. */
  readonly lastFinalDay: number;
  readonly source: string;
  readonly isSample: boolean;
}

type YearResult = YearCloses | { readonly status: 'none' } | { readonly status: 'waits' };

const closesOf = ({ bars, timeZone, source, isSample }: DailyHistory, clock: Clock): YearResult => {
  const days = barDays({ bars, timeZone });
  const [firstDay] = days;
  if (firstDay === undefined) return { status: isSample ? 'waits' : 'none' };
  // Sample data ends on a fixed day, whatever the date.
  const maxAge = isSample ? Number.POSITIVE_INFINITY : MAX_AGE_DAYS;
  return {
    status: 'ok',
    closeOn: (day) => {
      const index = lastIndexUpTo(days, day);
      const [bar, of] = [bars[index], days[index]];
      if (!bar?.close.greaterThan(0) || of === undefined || day - of > maxAge) return undefined;
      return { rate: new Exact(bar.close), day: of };
    },
    firstDay,
    lastFinalDay: epochDay(clock.now().toZonedDateTimeISO(timeZone).toPlainDate()) - 1,
    source,
    isSample,
  };
};

const crossed = (first: YearCloses, second: YearCloses): YearCloses => ({
  status: 'ok',
  closeOn: (day) => {
    const [a, b] = [first.closeOn(day), second.closeOn(day)];
    return a && b && { rate: a.rate.times(b.rate), day: Math.min(a.day, b.day) };
  },
  firstDay: Math.max(first.firstDay, second.firstDay),
  lastFinalDay: Math.min(first.lastFinalDay, second.lastFinalDay),
  source: [...new Set([first.source, second.source])].join(', '),
  isSample: first.isSample || second.isSample,
});

const turned = (closes: YearCloses): YearCloses => ({
  ...closes,
  closeOn: (day) => {
    const close = closes.closeOn(day);
    return close && { ...close, rate: new Exact(1).dividedBy(close.rate) };
  },
});

const closesOfPair = async (
  { instrument, price }: NonNullable<ReturnType<typeof usualPair>>,
  year: number,
  { market, clock }: FillRatesDeps,
  signal: AbortSignal,
): Promise<YearResult | { readonly status: 'down' }> => {
  // The next day may already have begun in the time zone of the rate's market.
  const tomorrow = clock.now().toZonedDateTimeISO('UTC').toPlainDate().add({ days: 1 });
  const newYear = Temporal.PlainDate.from({ year, month: 1, day: 1 });
  const lastOfYear = newYear.add({ years: 1 }).subtract({ days: 1 });
  const first = newYear.subtract({ days: EARLIER_DAYS });
  const last = Temporal.PlainDate.compare(lastOfYear, tomorrow) < 0 ? lastOfYear : tomorrow;
  const found = await market.getDays(instrument, { first, last }, signal);
  if (found.status === 'ok')
    return found.value.instrument.currency === price.code ? closesOf(found.value, clock) : { status: 'none' };
  if (found.reason === 'down') return { status: 'down' };
  return { status: found.reason === 'no-data' ? 'none' : 'waits' };
};

/** Rates of `from` in `to` for a year, as markets quote the pair, else via the dollar. One request for each pair. */
const yearBetween = async (
  from: Currency,
  to: Currency,
  year: number,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<YearResult> => {
  const [a, b] = [currencyNamed(from), currencyNamed(to)];
  if (!a || !b) return { status: 'none' };
  const pair = usualPair(a, b, deps);
  const direct = pair && (await closesOfPair(pair, year, deps, signal));
  if (direct?.status === 'ok') return pair?.base.code === from ? direct : turned(direct);
  // All rates come from one source: if it is down, two more requests only waste time.
  if (direct?.status === 'down') return { status: 'waits' };
  if (from === OVER || to === OVER) return { status: direct?.status ?? 'none' };
  const [first, second] = await Promise.all([
    yearBetween(from, OVER, year, deps, signal),
    yearBetween(OVER, to, year, deps, signal),
  ]);
  if (first.status === 'ok' && second.status === 'ok') return crossed(first, second);
  const isWaiting = [direct, first, second].some((each) => each?.status === 'waits');
  return { status: isWaiting ? 'waits' : 'none' };
};

/** The pair in its stored direction, whichever way it was requested. */
const storedPair = (from: Currency, to: Currency, deps: Uses<'symbols.resolve'>): RatePair => {
  const [a, b] = [currencyNamed(from), currencyNamed(to)];
  const pair = a && b && usualPair(a, b, deps);
  if (pair) return { base: pair.base.code, quote: pair.price.code };
  return from < to ? { base: from, quote: to } : { base: to, quote: from };
};

/** Converts a rate of the stored pair to the price of one `from`. */
const inOrder = (rate: Decimal, { base }: RatePair, from: Currency): Decimal =>
  base === from ? new Exact(rate) : new Exact(1).dividedBy(rate);

/** Rows for every finished day of a year, weekends included, and for requested days without a rate. */
const rowsOf = (found: YearResult, year: number, asked: readonly number[]): readonly DailyRate[] => {
  if (found.status === 'waits') return [];
  if (found.status !== 'ok') return asked.map((day) => ({ day: dateOf(day), close: undefined, source: '' }));
  const { closeOn, firstDay, lastFinalDay, source } = found;
  const newYear = epochDay(Temporal.PlainDate.from({ year, month: 1, day: 1 }));
  const nextYear = epochDay(Temporal.PlainDate.from({ year: year + 1, month: 1, day: 1 }));
  const rows: DailyRate[] = [];
  for (let day = Math.max(newYear, firstDay); day <= Math.min(nextYear - 1, lastFinalDay); day += 1) {
    const close = closeOn(day);
    if (!close) continue;
    const rate = new Decimal(close.rate.toSignificantDigits(STORED_DIGITS).toFixed());
    rows.push({ day: dateOf(day), close: { rate, day: dateOf(close.day) }, source });
  }
  const missing = asked.filter((day) => day <= lastFinalDay && !closeOn(day));
  return [...rows, ...missing.map((day) => ({ day: dateOf(day), close: undefined, source }))];
};

/**
 * The price of one `from` in `to` on each of these days: from the cache, else by one request for each calendar year,
 * whose days are then stored. Sample rates are marked and never stored. Throws on abort alone.
 */
export const ratesOf = async (
  from: Currency,
  to: Currency,
  dates: readonly Temporal.PlainDate[],
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<(date: Temporal.PlainDate) => DayRate> => {
  const { dailyRates } = deps;
  const pair = storedPair(from, to, deps);
  const stored = await dailyRates?.read(pair, dates);
  const unknown = dates.filter((date) => !stored?.has(date.toString()));
  const years = new Map(
    await Promise.all(
      // The newest year comes first, because it is viewed most and the number of requests is limited.
      [...Map.groupBy(unknown, ({ year }) => year)]
        .toSorted(([a], [b]) => b - a)
        .map(async ([year, asked]): Promise<readonly [number, YearResult]> => {
          const found = await yearBetween(pair.base, pair.quote, year, deps, signal);
          const isLive = found.status !== 'ok' || !found.isSample;
          const rows = isLive ? rowsOf(found, year, asked.map(epochDay)) : [];
          if (rows.length > 0) await dailyRates?.keep(pair, rows);
          return [year, found];
        }),
    ),
  );
  const rateOn = (date: Temporal.PlainDate, day: number): DayRate => {
    const known = stored?.get(date.toString());
    if (known) {
      const { close, source } = known;
      if (!close) return { status: 'none' };
      const rate = inOrder(close.rate, pair, from);
      return { status: 'ok', rate, day: close.day, source, isSample: false, isFinal: true, isNew: false };
    }
    const year = years.get(date.year);
    if (year?.status !== 'ok') return { status: year?.status ?? 'waits' };
    const close = year.closeOn(day);
    if (!close) return { status: year.isSample ? 'waits' : 'none' };
    return {
      status: 'ok',
      rate: inOrder(close.rate, pair, from),
      day: dateOf(close.day),
      source: year.source,
      isSample: year.isSample,
      isFinal: !year.isSample && day <= year.lastFinalDay,
      isNew: true,
    };
  };
  // Many entries share a day.
  const found = new Map<number, DayRate>();
  return (date) => found.getOrInsertComputed(epochDay(date), (day) => rateOn(date, day));
};

/** Rates move a few percent a month, so an older close says too little about the current rate. */
const STANDS_IN_DAYS = 31;
/** For a past day only a close near it counts, which covers weekends and holidays. */
const NEAR_DAYS = 7;
/** The time limit for refreshing the stored close while live rates load. */
const RENEW_MS = 1_500;

type LastCloseDeps = Pick<FillRatesDeps, 'symbols' | 'dailyRates'>;

/** The newest stored close on each of these days, or up to that many days before it. Makes no request. */
const newestUpTo = async (
  from: Currency,
  to: Currency,
  dates: readonly Temporal.PlainDate[],
  maxAgeDays: number,
  deps: LastCloseDeps,
): Promise<(date: Temporal.PlainDate) => RateOn | undefined> => {
  const daysUpTo = (date: Temporal.PlainDate): readonly Temporal.PlainDate[] =>
    Array.from({ length: maxAgeDays + 1 }, (_, age) => date.subtract({ days: age }));
  const pair = storedPair(from, to, deps);
  const stored = await deps.dailyRates?.read(pair, dates.flatMap(daysUpTo));
  return (date) => {
    const newest = daysUpTo(date)
      .values()
      .map((day) => stored?.get(day.toString()))
      .find((row) => row?.close);
    if (!newest?.close) return undefined;
    const { rate, day } = newest.close;
    return { rate: inOrder(rate, pair, from), day, source: newest.source, isSample: false };
  };
};

const today = ({ clock }: Uses<'clock'>): Temporal.PlainDate =>
  clock.now().toZonedDateTimeISO('UTC').toPlainDate();

/** The newest stored close of the last weeks, for when no live source has a current rate. */
export const lastClose = async (
  from: Currency,
  to: Currency,
  deps: LastCloseDeps & Uses<'clock'>,
): Promise<RateOn | undefined> => {
  const date = today(deps);
  return (await newestUpTo(from, to, [date], STANDS_IN_DAYS, deps))(date);
};

/** The nearest earlier stored closes of days that could not be requested. */
export const closesBefore = (
  from: Currency,
  to: Currency,
  dates: readonly Temporal.PlainDate[],
  deps: LastCloseDeps,
): Promise<(date: Temporal.PlainDate) => RateOn | undefined> => newestUpTo(from, to, dates, NEAR_DAYS, deps);

/**
 * Keeps a recent close stored, with at most one request a week for each pair. Failures are ignored. Throws on abort
 * alone.
 */
export const renewLastClose = async (
  from: Currency,
  to: Currency,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<void> => {
  const date = today(deps);
  if (!deps.dailyRates || (await closesBefore(from, to, [date], deps))(date)) return;
  const renew = (within: AbortSignal) => ratesOf(from, to, [date.subtract({ days: 1 })], deps, within);
  await attemptWithin(renew, RENEW_MS, deps.clock, signal);
};
