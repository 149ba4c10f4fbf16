import type { z } from 'zod';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Uses } from '#src/platform/services.ts';
import type { EarningsDate, EarningsOptions } from '../source.ts';
import { summaryQuery, type YahooClient } from './client.ts';
import { decimalOf } from './prices.ts';
import type { createQuoteReader, Parsed } from './quotes.ts';
import { calendarWire, EARNINGS_FIELDS, earningsWire, problemOf } from './wire.ts';

const dateIn = (at: Timestamp, timeZone: string): Temporal.PlainDate =>
  at.toZonedDateTimeISO(timeZone).toPlainDate();

/** The next report. Null if only past ones are known. */
const mapEarnings = (
  instrument: Instrument,
  wire: z.infer<typeof earningsWire>,
  now: Timestamp,
  source: string,
): EarningsDate | null => {
  const dateOf = (at: Timestamp): Temporal.PlainDate => dateIn(at, wire.exchangeTimezoneName);
  const { earningsTimestamp: single, earningsTimestampStart: start, earningsTimestampEnd: end } = wire;
  // `earningsTimestamp` is often the last report, not the next.
  const first = start ?? single;
  const last = end ?? first;
  if (!first || !last) return null;
  const [from, to] = [dateOf(first), dateOf(last)];
  if (Temporal.PlainDate.compare(to, dateOf(now)) < 0 || Temporal.PlainDate.compare(from, to) > 0)
    return null;
  return {
    instrument,
    from,
    to,
    // A date is unconfirmed unless Yahoo says otherwise.
    isEstimate: wire.isEarningsDateEstimate ?? true,
    asOf: now,
    source,
    isSample: false,
  };
};

/**
 * Adds the consensus estimate if it belongs to the same report. `epsForward` of a quote is for a year, so it cannot
 * be used.
 */
const withEstimate = (
  date: EarningsDate,
  timeZone: string,
  wire: z.infer<typeof calendarWire> | undefined,
): EarningsDate => {
  const earnings = wire?.quoteSummary.result[0]?.calendarEvents.earnings;
  const isSame = earnings?.earningsDate.some((at) => {
    const day = dateIn(at, timeZone);
    return Temporal.PlainDate.compare(day, date.from) >= 0 && Temporal.PlainDate.compare(day, date.to) <= 0;
  });
  return earnings && isSame ? { ...date, epsEstimate: decimalOf(earnings.earningsAverage) } : date;
};

interface Dated {
  readonly date: EarningsDate;
  readonly timeZone: string;
}

interface EarningsDeps extends Uses<'clock' | 'logger'> {
  readonly client: YahooClient;
  readonly readQuotes: ReturnType<typeof createQuoteReader>;
  readonly source: string;
}

/** Reads the dates in one request, and each estimate in one more. */
export const createEarningsDates = ({ client, readQuotes, clock, logger, source }: EarningsDeps) => {
  const read = (instrument: Instrument, raw: unknown): Parsed<Dated> => {
    const { data, error } = earningsWire.safeParse(raw);
    if (error) return { problem: problemOf(error) };
    const date = mapEarnings(instrument, data, clock.now(), source);
    return date ? { value: { date, timeZone: data.exchangeTimezoneName } } : {};
  };

  /** The date is useful without an estimate, so failures are only logged. */
  const addEstimate = async ({ date, timeZone }: Dated, signal: AbortSignal): Promise<EarningsDate> => {
    try {
      const json = await client.fetchJson(summaryQuery(date.instrument, ['calendarEvents']), signal);
      return withEstimate(date, timeZone, calendarWire.safeParse(json).data);
    } catch (error) {
      signal.throwIfAborted();
      logger.debug('Earnings estimate not available from Yahoo Finance', {
        symbol: date.instrument.symbol,
        error,
      });
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
