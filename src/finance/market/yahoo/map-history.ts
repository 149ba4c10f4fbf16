import type { Instrument } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { HistoryRange } from '#src/core/market-desk.ts';
import { Decimal } from '#src/core/money.ts';
import type { Bar, BarInterval, History } from '../source.ts';
import { INTERVALS, withinRange } from './history-range.ts';
import { withDecimalsFor } from './price-decimals.ts';
import { type QuotedIn, quotedIn } from './quoted-in.ts';
import type { ChartWire } from './wire.ts';

/** The day, week or month that a moment is in. */
const periodOf = (at: Timestamp, interval: BarInterval, timeZone: string): string => {
  const day = at.toZonedDateTimeISO(timeZone).toPlainDate();
  if (interval === '1wk') return `${String(day.yearOfWeek)}-${String(day.weekOfYear)}`;
  return interval === '1mo' ? day.toPlainYearMonth().toString() : day.toString();
};

/** Yahoo counts coins in money: what was paid, at the close, is nearly as many coins. */
const volumeOf = (volume: number | null | undefined, close: Decimal, instrument: Instrument): Decimal => {
  const counted = new Decimal(String(Math.max(0, volume ?? 0)));
  return instrument.assetClass === 'crypto' ? counted.dividedBy(close).toDecimalPlaces(8) : counted;
};

/** A day without a close has no bar. Of one that has nothing but a close, that is all four prices. */
const barsOf = (
  { timestamp = [], indicators }: ChartWire,
  { instrument, price }: QuotedIn,
): readonly Bar[] => {
  const [series] = indicators.quote;
  return timestamp.flatMap((at, index): Bar[] => {
    const value = series?.close?.[index];
    if (value === null || value === undefined || (value <= 0 && instrument.assetClass !== 'rate')) return [];
    const close = price(value);
    const known = (raw: number | null | undefined): Decimal =>
      raw === null || raw === undefined || raw <= 0 ? close : price(raw);
    const open = known(series?.open?.[index]);
    return [
      {
        at,
        open,
        // A range that leaves out its own ends is a slip of the source.
        high: Decimal.max(known(series?.high?.[index]), open, close),
        low: Decimal.min(known(series?.low?.[index]), open, close),
        close,
        volume: volumeOf(series?.volume?.[index], close, instrument),
      },
    ];
  });
};

/** Two bars of one period. Of a day the later stands alone; a week or a month goes on with it. */
const joined = (first: Bar, second: Bar, interval: BarInterval): Bar =>
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
/** Bars that are further apart are of two periods, the last one aside: zones and summer time take an hour. */
const APART_MS: Readonly<Partial<Record<BarInterval, number>>> = {
  '1d': 20 * HOUR_MS,
  '1wk': 6 * 24 * HOUR_MS,
  '1mo': 27 * 24 * HOUR_MS,
};

/**
 * The running day comes as a bar of its own, also behind the week or the month that it is part of. To find the period
 * of every bar would take longer than all the rest: it is asked of those that may share one.
 */
const joinPeriods = (bars: readonly Bar[], interval: BarInterval, timeZone: string): readonly Bar[] => {
  const apartMs = APART_MS[interval];
  if (apartMs === undefined) return bars;
  const found: Bar[] = [];
  for (const [index, bar] of bars.entries()) {
    const before = found.at(-1);
    const isNear =
      before &&
      (index === bars.length - 1 || bar.at.epochMilliseconds - before.at.epochMilliseconds < apartMs);
    const isSame = isNear && periodOf(before.at, interval, timeZone) === periodOf(bar.at, interval, timeZone);
    if (isSame) found[found.length - 1] = joined(before, bar, interval);
    else found.push(bar);
  }
  return found;
};

/** The running day is stamped with its last trade; a bar begins with the opening. */
const sinceOpening = (bars: readonly Bar[], { meta }: ChartWire): readonly Bar[] => {
  const opening = meta.currentTradingPeriod?.regular.start;
  const last = bars.at(-1);
  if (!opening || !last) return bars;
  const dayOf = (at: Timestamp): string => periodOf(at, '1d', meta.exchangeTimezoneName);
  return dayOf(last.at) === dayOf(opening) ? [...bars.slice(0, -1), { ...last, at: opening }] : bars;
};

interface Mapped {
  readonly now: Timestamp;
  readonly source: string;
  /** Days, where the close before a day of minutes has to be found in them; null where there are none. */
  readonly days: ChartWire | null | undefined;
}

/** The last close before the first bar, of those ranges that are measured from it. */
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

const sortedBars = (wire: ChartWire, quoted: QuotedIn): readonly Bar[] =>
  barsOf(wire, quoted).toSorted((a, b) => Temporal.Instant.compare(a.at, b.at));

/** Of each day of trade one bar, oldest first. */
export const dailyBarsOf = (wire: ChartWire, quoted: QuotedIn): readonly Bar[] =>
  sinceOpening(joinPeriods(sortedBars(wire, quoted), '1d', wire.meta.exchangeTimezoneName), wire);

/** Null where nothing is left; the words say why the whole of it is of no use. */
export const mapHistory = (
  instrument: Instrument,
  range: HistoryRange,
  wire: ChartWire,
  { now, source, days }: Mapped,
): History | string | null => {
  const interval = INTERVALS[range];
  const timeZone = wire.meta.exchangeTimezoneName;
  const quoted = quotedIn(instrument, wire.meta.currency);
  if (!quoted) return 'no currency';
  const all = joinPeriods(sortedBars(wire, quoted), interval, timeZone);
  const inRange = withinRange(interval === '1d' ? sinceOpening(all, wire) : all, range, {
    assetClass: instrument.assetClass,
    timeZone,
    now,
  });
  // Before the first session of a year it has not moved yet: its last close is all there is.
  const bars = inRange.length === 0 && range === 'ytd' ? all.slice(-1) : inRange;
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  // Days in another currency are no days of this.
  const daily = days?.meta.currency === wire.meta.currency ? days : null;
  const baseClose =
    inRange.length === 0
      ? last.close
      : baseCloseOf(range, first, {
          all,
          days: days === undefined ? undefined : daily ? sortedBars(daily, quoted) : [],
          timeZone,
        });
  const traded = wire.meta.regularMarketTime;
  const isOfLast =
    traded &&
    Temporal.Instant.compare(traded, last.at) >= 0 &&
    periodOf(traded, interval, timeZone) === periodOf(last.at, interval, timeZone);
  return {
    // Not of all bars: what cost ten cents before its splits is not told in hundredths of them today.
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
