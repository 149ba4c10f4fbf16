import type { Instrument } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { HistoryRange } from '#src/core/market-desk.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { startOfUtc, withinDays } from '../daily-history.ts';
import { marketError } from '../errors.ts';
import type { BarInterval, DailyHistory, DaySpan, History } from '../source.ts';
import { askedSince, daysSince, hasDailyBase, INTERVALS } from './history-range.ts';
import { mapDays } from './map-days.ts';
import { mapHistory } from './map-history.ts';
import { mapInstrument, yahooSymbol } from './map-instrument.ts';
import { readAs } from './read-wire.ts';
import { type ChartWire, chartWire } from './wire.ts';
import type { YahooClient } from './yahoo-client.ts';

interface HistoryReaderDeps {
  readonly client: YahooClient;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  readonly source: string;
}

interface Asked {
  readonly interval: BarInterval;
  readonly since: Timestamp;
  readonly until: Timestamp;
  /** Splits and dividends too. */
  readonly wantsEvents?: boolean;
}

/** The days of the exchange are known from its answer: a day more on both sides covers every zone. */
const ZONE_HOURS = 24;
/** A look-up needs no bars; some are asked for, as an empty time is refused. */
const LOOK_UP_HOURS = 24 * 7;

const earlier = (a: Timestamp, b: Timestamp): Timestamp => (Temporal.Instant.compare(a, b) < 0 ? a : b);

/** What the chart endpoint has, which needs no session: bars, splits and dividends, and what a symbol is. */
export const createChartReader = ({ client, clock, logger, source }: HistoryReaderDeps) => {
  /** Null where Yahoo has none. */
  const readChart = async (
    symbol: string,
    { interval, since, until, wantsEvents = false }: Asked,
    signal: AbortSignal,
  ): Promise<ChartWire | null> => {
    const query = {
      period1: String(Math.floor(since.epochMilliseconds / 1000)),
      period2: String(Math.floor(until.epochMilliseconds / 1000)),
      interval,
      includePrePost: 'false',
      lang: 'en-US',
      ...(wantsEvents && { events: 'div,splits' }),
    };
    const path = `/v8/finance/chart/${encodeURIComponent(symbol)}`;
    const json = await client.ask({ path, query, needsSession: false }, signal);
    return json === null ? null : (readAs(chartWire, json, 'chart').chart.result[0] ?? null);
  };

  /**
   * The close before a day of minutes: the last minutes of the day before are not its close, and the one that Yahoo
   * names beside a chart is from before all that was asked for. A day is worth having without: a failure is not
   * passed on.
   */
  const readDaysBefore = async (
    instrument: Instrument,
    now: Timestamp,
    signal: AbortSignal,
  ): Promise<ChartWire | null> => {
    try {
      return await readChart(
        instrument.symbol,
        { interval: '1d', since: daysSince(now), until: now },
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      logger.debug('Yahoo Finance gave no close of the day before', { symbol: instrument.symbol, error });
      return null;
    }
  };

  const getHistory = async (
    instrument: Instrument,
    range: HistoryRange,
    signal: AbortSignal,
  ): Promise<History | null> => {
    const now = clock.now();
    const { assetClass } = instrument;
    const since = askedSince(range, assetClass, now);
    const [chart, days] = await Promise.all([
      readChart(instrument.symbol, { interval: INTERVALS[range], since, until: now }, signal),
      hasDailyBase(range, assetClass) ? readDaysBefore(instrument, now, signal) : undefined,
    ]);
    if (!chart) return null;
    const history = mapHistory(instrument, range, chart, { now, source, days });
    if (typeof history === 'string')
      throw marketError('MARKET_BAD_DATA', `Yahoo Finance sent an odd chart: ${history}`);
    return history;
  };

  const getDays = async (
    instrument: Instrument,
    days: DaySpan,
    signal: AbortSignal,
  ): Promise<DailyHistory | null> => {
    const now = clock.now();
    // Days that are still to come have no bars, and Yahoo refuses to be asked for them alone.
    const since = earlier(startOfUtc(days.first), now).subtract({ hours: ZONE_HOURS });
    const until = earlier(startOfUtc(days.last.add({ days: 1 })).add({ hours: ZONE_HOURS }), now);
    const chart = await readChart(
      instrument.symbol,
      { interval: '1d', since, until, wantsEvents: true },
      signal,
    );
    if (!chart) return null;
    const onOdd = (problem: string): void =>
      logger.warn('Yahoo Finance sent an odd split or dividend: it is left out', {
        symbol: instrument.symbol,
        problem,
      });
    const history = mapDays(instrument, chart, { now, source, onOdd });
    if (typeof history === 'string')
      throw marketError('MARKET_BAD_DATA', `Yahoo Finance sent odd days: ${history}`);
    return withinDays(history, days);
  };

  const lookUp = async (text: string, signal: AbortSignal): Promise<Instrument | null> => {
    const symbol = yahooSymbol(text);
    if (symbol === null) return null;
    const now = clock.now();
    const since = now.subtract({ hours: LOOK_UP_HOURS });
    const chart = await readChart(symbol, { interval: '1d', since, until: now }, signal);
    return chart && mapInstrument(symbol, chart);
  };

  /** The days around the last close, with what Yahoo says beside them. */
  const readRecent = (symbol: string, signal: AbortSignal): Promise<ChartWire | null> => {
    const now = clock.now();
    return readChart(symbol, { interval: '1d', since: daysSince(now), until: now }, signal);
  };

  return { getHistory, getDays, lookUp, readRecent };
};
