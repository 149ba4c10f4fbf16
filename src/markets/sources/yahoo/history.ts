import type { AssetClass, Instrument, HistoryRange } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { RANGE_SPANS } from '#src/reading/history-range.ts';
import { mapInSteps, sortInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Bar, BarInterval, History } from '../source.ts';
import { type PriceReader, priceReader, withDecimalsFor } from './prices.ts';
import { type ChartWire, instantOf } from './wire.ts';

export const INTERVALS: Readonly<Record<HistoryRange, BarInterval>> = {
  '1d': '5m',
  '5d': '30m',
  '1mo': '1d',
  '3mo': '1d',
  '6mo': '1d',
  ytd: '1d',
  '1y': '1d',
  '2y': '1d',
  '5y': '1wk',
  max: '1mo',
};

/** Trading days, not calendar days. */
const TRADING_DAYS: Partial<Record<HistoryRange, number>> = { '1d': 1, '5d': 5 };
/** Seoul's longest holidays close the exchange for nine days; currencies close at weekends. */
const LONGEST_PAUSE_DAYS: Partial<Record<AssetClass, number>> = { crypto: 0, fx: 3 };
const EXCHANGE_PAUSE_DAYS = 10;
const HOURS_OF_A_DAY = 24;
/** Markets that never close are measured from the previous bar. */
const SPARE_HOURS = 1;
/** Covers time zone differences and the week in which the range starts. */
const MARGIN_DAYS = 8;

const firstDay = (range: HistoryRange, today: Temporal.PlainDate): Temporal.PlainDate => {
  if (range === 'ytd') return today.with({ month: 1, day: 1 });
  const span = RANGE_SPANS[range];
  return span ? today.subtract(span) : Temporal.PlainDate.from('1970-01-01');
};

/** Start of the requested period, with a margin because the exchange's time zone is known only from the response. */
export const requestStart = (range: HistoryRange, assetClass: AssetClass, now: Timestamp): Timestamp => {
  const days = TRADING_DAYS[range];
  if (days === undefined) {
    // West of Greenwich it may still be yesterday, and last year.
    const yesterday = now.toZonedDateTimeISO('UTC').subtract({ days: 1 });
    const since = firstDay(range, yesterday.toPlainDate()).toZonedDateTime('UTC').toInstant();
    return range === 'max' ? since : since.subtract({ hours: MARGIN_DAYS * HOURS_OF_A_DAY });
  }
  const pause = LONGEST_PAUSE_DAYS[assetClass] ?? EXCHANGE_PAUSE_DAYS;
  return now.subtract({ hours: (days + pause) * HOURS_OF_A_DAY + SPARE_HOURS });
};

/** True if the intraday chart is measured from the previous day's close. */
export const hasDailyBase = (range: HistoryRange, assetClass: AssetClass): boolean =>
  range === '1d' && assetClass !== 'crypto' && assetClass !== 'fx';

/** Start of a daily period that surely contains the previous trading day. */
export const dailyRequestStart = (now: Timestamp): Timestamp =>
  now.subtract({ hours: 2 * EXCHANGE_PAUSE_DAYS * HOURS_OF_A_DAY });

const notBefore = (bars: readonly Bar[], since: Timestamp): readonly Bar[] =>
  bars.filter(({ at }) => Temporal.Instant.compare(at, since) >= 0);

/** Midnight before the earliest of the last `days` trading days. */
const firstTradingMidnight = (bars: readonly Bar[], days: number, timeZone: string): Timestamp => {
  let since = bars.at(-1)?.at.toZonedDateTimeISO(timeZone).startOfDay().toInstant();
  for (let day = 1; day < days && since; day += 1) {
    const before = since;
    const earlier = bars.findLast(({ at }) => Temporal.Instant.compare(at, before) < 0);
    since = earlier?.at.toZonedDateTimeISO(timeZone).startOfDay().toInstant() ?? since;
  }
  return since ?? Temporal.Instant.fromEpochMilliseconds(0);
};

/** The bars within the range, by exchange days, or by hours for markets that never close. */
const withinRange = (
  bars: readonly Bar[],
  range: HistoryRange,
  {
    assetClass,
    timeZone,
    now,
  }: { readonly assetClass: AssetClass; readonly timeZone: string; readonly now: Timestamp },
): readonly Bar[] => {
  const days = TRADING_DAYS[range];
  const last = bars.at(-1);
  if (!last || range === 'max') return bars;
  if (days === undefined) {
    const first = firstDay(range, now.toZonedDateTimeISO(timeZone).toPlainDate());
    // Include the week in which the range starts.
    const since = INTERVALS[range] === '1wk' ? first.subtract({ days: 6 }) : first;
    return notBefore(bars, since.toZonedDateTime(timeZone).toInstant());
  }
  if (assetClass === 'crypto' || (assetClass === 'fx' && days === 1)) {
    const since = last.at.subtract({ hours: days * HOURS_OF_A_DAY });
    return notBefore(bars, since.add({ seconds: 1 }));
  }
  return notBefore(bars, firstTradingMidnight(bars, days, timeZone));
};

/** The day, week or month of a moment. */
const periodOf = (at: Timestamp, interval: BarInterval, timeZone: string): string => {
  const day = at.toZonedDateTimeISO(timeZone).toPlainDate();
  if (interval === '1wk') return `${String(day.yearOfWeek)}-${String(day.weekOfYear)}`;
  return interval === '1mo' ? day.toPlainYearMonth().toString() : day.toString();
};

/** Yahoo reports coin volume in money; divided by the close it approximates coins. */
const volumeOf = (volume: number | null | undefined, close: Decimal, instrument: Instrument): Decimal => {
  const counted = new Decimal(String(Math.max(0, volume ?? 0)));
  return instrument.assetClass === 'crypto' ? counted.dividedBy(close).toDecimalPlaces(8) : counted;
};

/** Skips periods without a close. Missing prices default to the close. */
const barsOf = function* (
  { timestamp = [], indicators }: ChartWire,
  { instrument, price }: PriceReader,
): Steps<readonly Bar[]> {
  const [series] = indicators.quote;
  const bars = yield* mapInSteps(timestamp, (seconds, index): Bar | undefined => {
    const value = series?.close?.[index];
    if (value === null || value === undefined || (value <= 0 && instrument.assetClass !== 'rate'))
      return undefined;
    const close = price(value);
    const known = (raw: number | null | undefined): Decimal =>
      raw === null || raw === undefined || raw <= 0 ? close : price(raw);
    const open = known(series?.open?.[index]);
    return {
      at: instantOf(seconds),
      open,
      // Widen ranges that exclude their own open or close.
      high: Decimal.max(known(series?.high?.[index]), open, close),
      low: Decimal.min(known(series?.low?.[index]), open, close),
      close,
      volume: volumeOf(series?.volume?.[index], close, instrument),
    };
  });
  return bars.filter((bar) => bar !== undefined);
};

/** Merges two bars of one period. The later bar replaces a day but extends a week or month. */
const mergeBars = (first: Bar, second: Bar, interval: BarInterval): Bar =>
  interval === '1d'
    ? { ...second, at: first.at }
    : {
        at: first.at,
        open: first.open,
        high: Decimal.max(first.high, second.high),
        low: Decimal.min(first.low, second.low),
        close: second.close,
        volume: first.volume.plus(second.volume),
      };

const HOUR_MS = 3_600_000;
const BARS_A_STEP = 64;
/** Bars further apart than this are never in one period, even with daylight saving time. */
const APART_MS: Readonly<Partial<Record<BarInterval, number>>> = {
  '1d': 20 * HOUR_MS,
  '1wk': 6 * 24 * HOUR_MS,
  '1mo': 27 * 24 * HOUR_MS,
};

/**
 * Yahoo appends the current day as a separate bar, even within a week or month. Period lookups are slow, so they are
 * limited to bars that may share one.
 */
const mergePeriods = function* (
  bars: readonly Bar[],
  interval: BarInterval,
  timeZone: string,
): Steps<readonly Bar[]> {
  const apartMs = APART_MS[interval];
  if (apartMs === undefined) return bars;
  const found: Bar[] = [];
  for (const [index, bar] of bars.entries()) {
    const before = found.at(-1);
    if (index % BARS_A_STEP === 0) yield;
    const isNear =
      before &&
      (index === bars.length - 1 || bar.at.epochMilliseconds - before.at.epochMilliseconds < apartMs);
    const isSame = isNear && periodOf(before.at, interval, timeZone) === periodOf(bar.at, interval, timeZone);
    if (isSame) found[found.length - 1] = mergeBars(before, bar, interval);
    else found.push(bar);
  }
  return found;
};

/** Yahoo stamps the current day with its last trade; bars start at the opening. */
const startAtOpening = (bars: readonly Bar[], { meta }: ChartWire): readonly Bar[] => {
  const opening = meta.currentTradingPeriod?.regular.start;
  const last = bars.at(-1);
  if (!opening || !last) return bars;
  const dayOf = (at: Timestamp): string => periodOf(at, '1d', meta.exchangeTimezoneName);
  return dayOf(last.at) === dayOf(opening) ? [...bars.slice(0, -1), { ...last, at: opening }] : bars;
};

interface Mapped {
  readonly now: Timestamp;
  readonly source: string;
  /** Daily bars for the previous close of an intraday chart. Null if there are none. */
  readonly days: ChartWire | null | undefined;
}

/** The last close before the first bar, for ranges measured from it. */
const baseCloseOf = (
  range: HistoryRange,
  first: Bar,
  {
    all,
    days,
    timeZone,
  }: { readonly all: readonly Bar[]; readonly timeZone: string } & {
    readonly days: readonly Bar[] | undefined;
  },
): Decimal | undefined => {
  if (range !== '1d' && range !== 'ytd') return undefined;
  const since = days ? first.at.toZonedDateTimeISO(timeZone).startOfDay().toInstant() : first.at;
  return (days ?? all).findLast(({ at }) => Temporal.Instant.compare(at, since) < 0)?.close;
};

const sortedBars = function* (wire: ChartWire, quoted: PriceReader): Steps<readonly Bar[]> {
  return yield* sortInSteps(yield* barsOf(wire, quoted), (a, b) => Temporal.Instant.compare(a.at, b.at));
};

/** One bar per trading day, oldest first. */
export const dailyBarsOf = function* (wire: ChartWire, quoted: PriceReader): Steps<readonly Bar[]> {
  const sorted = yield* sortedBars(wire, quoted);
  return startAtOpening(yield* mergePeriods(sorted, '1d', wire.meta.exchangeTimezoneName), wire);
};

/** Null without bars. A string names the problem that makes the response unusable. */
export const mapHistory = function* (
  instrument: Instrument,
  range: HistoryRange,
  wire: ChartWire,
  { now, source, days }: Mapped,
): Steps<History | string | null> {
  const interval = INTERVALS[range];
  const timeZone = wire.meta.exchangeTimezoneName;
  const quoted = priceReader(instrument, wire.meta.currency);
  if (!quoted) return 'no currency';
  const all = yield* mergePeriods(yield* sortedBars(wire, quoted), interval, timeZone);
  const inRange = withinRange(interval === '1d' ? startAtOpening(all, wire) : all, range, {
    assetClass: instrument.assetClass,
    timeZone,
    now,
  });
  // Before the first session of a year, only the last close exists.
  const bars = inRange.length === 0 && range === 'ytd' ? all.slice(-1) : inRange;
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  // Daily bars in another currency are not comparable.
  const daily = days?.meta.currency === wire.meta.currency ? days : null;
  const baseClose =
    inRange.length === 0
      ? last.close
      : baseCloseOf(range, first, {
          all,
          days: days === undefined ? undefined : daily ? yield* sortedBars(daily, quoted) : [],
          timeZone,
        });
  const traded = wire.meta.regularMarketTime;
  const isOfLast =
    traded &&
    Temporal.Instant.compare(traded, last.at) >= 0 &&
    periodOf(traded, interval, timeZone) === periodOf(last.at, interval, timeZone);
  return {
    // Considers only recent prices, because split-adjusted old prices would need too many decimals.
    instrument: withDecimalsFor(quoted.instrument, [last.close, baseClose]),
    range,
    interval,
    timeZone,
    bars,
    ...(baseClose && { baseClose }),
    asOf: isOfLast ? traded : last.at,
    source,
    isSample: false,
  };
};
