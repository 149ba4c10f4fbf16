import type { Instrument, HistoryRange } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { startOfUtc, withinDays } from '../daily-history.ts';
import { marketError } from '../errors.ts';
import type { BarInterval, DailyHistory, DaySpan, History } from '../source.ts';
import type { UpbitClient } from './client.ts';
import { barFrom, candlesSchema, SOURCE_NAME, type UpbitCandle, withDecimalsOf } from './mapper.ts';

/** Page size limit of the API. */
const PAGE = 200;
/** Covers more than two years of daily candles. */
const MAX_PAGES = 5;
const TIME_ZONE = 'Asia/Seoul';
/** Ranges whose change is measured from the last price before them. */
const MEASURED_FROM_PREVIOUS_CLOSE: ReadonlySet<HistoryRange> = new Set(['1d', 'ytd']);

interface Candles {
  readonly path: string;
  readonly interval: BarInterval;
  /** Start of the range. Absent: the first trade. */
  readonly since?: (now: Temporal.ZonedDateTime) => Temporal.ZonedDateTime;
}

const days = (since: NonNullable<Candles['since']>): Candles => ({
  path: '/v1/candles/days',
  interval: '1d',
  since,
});

const CANDLES: Readonly<Record<HistoryRange, Candles>> = {
  '1d': { path: '/v1/candles/minutes/5', interval: '5m', since: (now) => now.subtract({ hours: 24 }) },
  '5d': { path: '/v1/candles/minutes/30', interval: '30m', since: (now) => now.subtract({ days: 5 }) },
  '1mo': days((now) => now.subtract({ months: 1 })),
  '3mo': days((now) => now.subtract({ months: 3 })),
  '6mo': days((now) => now.subtract({ months: 6 })),
  ytd: days((now) => now.with({ month: 1, day: 1 }).startOfDay()),
  '1y': days((now) => now.subtract({ years: 1 })),
  '2y': days((now) => now.subtract({ years: 2 })),
  '5y': { path: '/v1/candles/weeks', interval: '1wk', since: (now) => now.subtract({ years: 5 }) },
  max: { path: '/v1/candles/months', interval: '1mo' },
};

/** `/v1/candles/…` returns the newest candle first; `to` is exclusive. */
const readPage = async (
  client: UpbitClient,
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly UpbitCandle[]> => {
  const body = await client.get(path, { ...query, count: String(PAGE) }, signal);
  if (body === null) return [];
  const parsed = candlesSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw marketError('MARKET_BAD_DATA', `${SOURCE_NAME} sent invalid candles`, { cause: parsed.error });
};

/** Reads pages backwards, newest first, until one reaches `from`. */
const readPages = async (
  client: UpbitClient,
  path: string,
  first: Readonly<Record<string, string>>,
  from: Timestamp | undefined,
  signal: AbortSignal,
): Promise<readonly UpbitCandle[]> => {
  const candles: UpbitCandle[] = [];
  let query = first;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await readPage(client, path, query, signal);
    candles.push(...page);
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE) break;
    if (from && Temporal.Instant.compare(barFrom(oldest).at, from) < 0) break;
    query = { ...first, to: `${oldest.candle_date_time_utc}Z` };
  }
  return candles;
};

/** Null without data, or if the days need more pages than allowed. */
export const readDays = async (
  client: UpbitClient,
  asked: { readonly instrument: Instrument; readonly market: string; readonly days: DaySpan },
  now: Timestamp,
  signal: AbortSignal,
): Promise<DailyHistory | null> => {
  const { instrument, market, days: span } = asked;
  // Daily candles start at 00:00 UTC, which is 09:00 of the same date in Seoul.
  const end = startOfUtc(span.last.add({ days: 1 }));
  const to = Temporal.Instant.compare(end, now) < 0 ? end : now;
  if (startOfUtc(span.first).until(to).total('hours') > PAGE * MAX_PAGES * 24) return null;
  const query = { market, to: to.toString({ smallestUnit: 'second' }) };
  const candles = await readPages(client, '/v1/candles/days', query, startOfUtc(span.first), signal);
  const [newest] = candles;
  if (!newest) return null;
  const bars = candles.map(barFrom).toReversed();
  const history: DailyHistory = {
    instrument: withDecimalsOf(
      instrument,
      bars.map(({ close }) => close),
    ),
    timeZone: TIME_ZONE,
    bars,
    actions: [],
    asOf: Temporal.Instant.fromEpochMilliseconds(newest.timestamp),
    source: SOURCE_NAME,
    isSample: false,
  };
  return withinDays(history, span);
};

/** Reads pages until the range is covered. Null without data. */
export const readHistory = async (
  client: UpbitClient,
  asked: { readonly instrument: Instrument; readonly market: string; readonly range: HistoryRange },
  now: Timestamp,
  signal: AbortSignal,
): Promise<History | null> => {
  const { instrument, market, range } = asked;
  const { path, interval, since } = CANDLES[range];
  const from = since?.(now.toZonedDateTimeISO(TIME_ZONE)).toInstant();
  const isWanted = (at: Timestamp): boolean => !from || Temporal.Instant.compare(at, from) >= 0;
  const candles = await readPages(client, path, { market }, from, signal);
  const all = candles.map(barFrom).toReversed();
  const bars = all.filter(({ at }) => isWanted(at));
  const baseClose = MEASURED_FROM_PREVIOUS_CLOSE.has(range)
    ? all.findLast(({ at }) => !isWanted(at))?.close
    : undefined;
  const [newest] = candles;
  if (!newest || bars.length === 0) return null;
  return {
    instrument: withDecimalsOf(instrument, [
      ...bars.map(({ close }) => close),
      ...(baseClose ? [baseClose] : []),
    ]),
    range,
    interval,
    timeZone: TIME_ZONE,
    bars,
    ...(baseClose && { baseClose }),
    delayMinutes: 0,
    asOf: Temporal.Instant.fromEpochMilliseconds(newest.timestamp),
    source: SOURCE_NAME,
    isSample: false,
  };
};
