import type { AssetClass } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { HistoryRange } from '#src/core/market-desk.ts';
import { RANGE_SPANS } from '#src/language/history-range.ts';
import type { Bar, BarInterval } from '../source.ts';

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

/** Days of trading, not of the calendar. */
const TRADING_DAYS: Partial<Record<HistoryRange, number>> = { '1d': 1, '5d': 5 };
/** Around the longest holidays of Seoul there are nine days without one; currencies rest at weekends. */
const LONGEST_PAUSE_DAYS: Partial<Record<AssetClass, number>> = { crypto: 0, fx: 3 };
const EXCHANGE_PAUSE_DAYS = 10;
const HOURS_OF_A_DAY = 24;
/** What never rests is measured from the bar before it. */
const SPARE_HOURS = 1;
/** A day between zones, and the week in which the range begins. */
const MARGIN_DAYS = 8;

const firstDay = (range: HistoryRange, today: Temporal.PlainDate): Temporal.PlainDate => {
  if (range === 'ytd') return today.with({ month: 1, day: 1 });
  const span = RANGE_SPANS[range];
  return span ? today.subtract(span) : Temporal.PlainDate.from('1970-01-01');
};

/** Since when to ask: a little too much, as the days of the exchange are known from its answer. */
export const askedSince = (range: HistoryRange, assetClass: AssetClass, now: Timestamp): Timestamp => {
  const days = TRADING_DAYS[range];
  if (days === undefined) {
    // West of Greenwich it may still be yesterday, and the year before.
    const yesterday = now.toZonedDateTimeISO('UTC').subtract({ days: 1 });
    const since = firstDay(range, yesterday.toPlainDate()).toZonedDateTime('UTC').toInstant();
    return range === 'max' ? since : since.subtract({ hours: MARGIN_DAYS * HOURS_OF_A_DAY });
  }
  const pause = LONGEST_PAUSE_DAYS[assetClass] ?? EXCHANGE_PAUSE_DAYS;
  return now.subtract({ hours: (days + pause) * HOURS_OF_A_DAY + SPARE_HOURS });
};

/** Whether the day has an opening, before which is the close of another day. */
export const hasDailyBase = (range: HistoryRange, assetClass: AssetClass): boolean =>
  range === '1d' && assetClass !== 'crypto' && assetClass !== 'fx';

/** Since when to ask for days, so that the one before the last is there. */
export const daysSince = (now: Timestamp): Timestamp =>
  now.subtract({ hours: 2 * EXCHANGE_PAUSE_DAYS * HOURS_OF_A_DAY });

const notBefore = (bars: readonly Bar[], since: Timestamp): readonly Bar[] =>
  bars.filter(({ at }) => Temporal.Instant.compare(at, since) >= 0);

/** Since when the last days of trade are: the midnight before the earliest of them. */
const tradedSince = (bars: readonly Bar[], days: number, timeZone: string): Timestamp => {
  let since = bars.at(-1)?.at.toZonedDateTimeISO(timeZone).startOfDay().toInstant();
  for (let day = 1; day < days && since; day += 1) {
    const before = since;
    const earlier = bars.findLast(({ at }) => Temporal.Instant.compare(at, before) < 0);
    since = earlier?.at.toZonedDateTimeISO(timeZone).startOfDay().toInstant() ?? since;
  }
  return since ?? Temporal.Instant.fromEpochMilliseconds(0);
};

/** Those of `bars` that the range means, in days of the exchange; where trade never rests, in hours. */
export const withinRange = (
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
    // A week that has begun before belongs to it.
    const since = INTERVALS[range] === '1wk' ? first.subtract({ days: 6 }) : first;
    return notBefore(bars, since.toZonedDateTime(timeZone).toInstant());
  }
  if (assetClass === 'crypto' || (assetClass === 'fx' && days === 1)) {
    const since = last.at.subtract({ hours: days * HOURS_OF_A_DAY });
    return notBefore(bars, since.add({ seconds: 1 }));
  }
  return notBefore(bars, tradedSince(bars, days, timeZone));
};
