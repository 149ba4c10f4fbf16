import type { Instrument } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { HistoryRange } from '#src/core/market-desk.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { marketError } from '../errors.ts';
import type { BarInterval, History } from '../source.ts';
import { askedSince, daysSince, hasDailyBase, INTERVALS } from './history-range.ts';
import { mapHistory } from './map-history.ts';
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
  readonly now: Timestamp;
}

/** The bars of a range, and the close that a day or a year is measured from. */
export const createHistoryReader = ({ client, clock, logger, source }: HistoryReaderDeps) => {
  /** Null where Yahoo has none. */
  const readChart = async (
    { symbol }: Instrument,
    { interval, since, now }: Asked,
    signal: AbortSignal,
  ): Promise<ChartWire | null> => {
    const query = {
      period1: new Date(since.epochMilliseconds),
      period2: new Date(now.epochMilliseconds),
      interval,
      includePrePost: false,
    };
    // The library puts the symbol into the path as it is.
    const path = encodeURIComponent(symbol);
    const json = await client.ask((yahoo, options) => yahoo.chart(path, query, options), signal);
    return json === null ? null : (readAs(chartWire, json, 'chart').chart.result[0] ?? null);
  };

  /**
   * The close before a day of minutes: the last minutes of the day before are not its close, and the one that Yahoo
   * names beside a chart is from before all that was asked for. A day is worth having without: a failure is not
   * passed on.
   */
  const readDays = async (
    instrument: Instrument,
    now: Timestamp,
    signal: AbortSignal,
  ): Promise<ChartWire | null> => {
    try {
      return await readChart(instrument, { interval: '1d', since: daysSince(now), now }, signal);
    } catch (error) {
      signal.throwIfAborted();
      logger.debug('Yahoo Finance gave no close of the day before', { symbol: instrument.symbol, error });
      return null;
    }
  };

  return async (
    instrument: Instrument,
    range: HistoryRange,
    signal: AbortSignal,
  ): Promise<History | null> => {
    const now = clock.now();
    const { assetClass } = instrument;
    const since = askedSince(range, assetClass, now);
    const [chart, days] = await Promise.all([
      readChart(instrument, { interval: INTERVALS[range], since, now }, signal),
      hasDailyBase(range, assetClass) ? readDays(instrument, now, signal) : undefined,
    ]);
    if (!chart) return null;
    const history = mapHistory(instrument, range, chart, { now, source, days });
    if (typeof history === 'string')
      throw marketError('MARKET_BAD_DATA', `Yahoo Finance sent an odd chart: ${history}`);
    return history;
  };
};
