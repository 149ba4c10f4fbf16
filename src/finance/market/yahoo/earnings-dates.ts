import type { Instrument } from '#src/core/finance.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import type { EarningsDate, EarningsOptions } from '../source.ts';
import { mapEarnings, withEstimate } from './map-earnings.ts';
import type { createQuoteReader, Read } from './quote-reader.ts';
import { problemOf } from './read-wire.ts';
import { calendarWire, EARNINGS_FIELDS, earningsWire } from './wire.ts';
import { summaryOf, type YahooClient } from './yahoo-client.ts';

interface Dated {
  readonly date: EarningsDate;
  readonly timeZone: string;
}

interface EarningsDeps {
  readonly client: YahooClient;
  readonly readQuotes: ReturnType<typeof createQuoteReader>;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  readonly source: string;
}

/** The dates of many in one request; what analysts expect in one more for each. */
export const createEarningsDates = ({ client, readQuotes, clock, logger, source }: EarningsDeps) => {
  const read = (instrument: Instrument, raw: unknown): Read<Dated> => {
    const { data, error } = earningsWire.safeParse(raw);
    if (error) return { problem: problemOf(error) };
    const date = mapEarnings(instrument, data, clock.now(), source);
    return date ? { value: { date, timeZone: data.exchangeTimezoneName } } : {};
  };

  /** A date is worth having without the estimate: a failure is not passed on. */
  const addEstimate = async ({ date, timeZone }: Dated, signal: AbortSignal): Promise<EarningsDate> => {
    try {
      const json = await client.ask(summaryOf(date.instrument, ['calendarEvents']), signal);
      return withEstimate(date, timeZone, calendarWire.safeParse(json).data);
    } catch (error) {
      signal.throwIfAborted();
      logger.debug('Yahoo Finance gave no estimate of earnings', { symbol: date.instrument.symbol, error });
      return date;
    }
  };

  return async (
    instruments: readonly Instrument[],
    { wantsEstimates }: EarningsOptions,
    signal: AbortSignal,
  ): Promise<readonly EarningsDate[]> => {
    const wanted = { what: 'date of earnings', fields: EARNINGS_FIELDS, read };
    const found = await readQuotes(instruments, wanted, signal);
    if (!wantsEstimates) return found.map(({ date }) => date);
    return Promise.all(found.map((dated) => addEstimate(dated, signal)));
  };
};
