import type { z } from 'zod';
import type { Instrument } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { EarningsDate } from '../source.ts';
import { decimalOf } from './decimal-of.ts';
import type { calendarWire, earningsWire } from './wire.ts';

const dateIn = (at: Timestamp, timeZone: string): Temporal.PlainDate =>
  at.toZonedDateTimeISO(timeZone).toPlainDate();

/** The next report, or null where only past ones are known. */
export const mapEarnings = (
  instrument: Instrument,
  wire: z.infer<typeof earningsWire>,
  now: Timestamp,
  source: string,
): EarningsDate | null => {
  const dateOf = (at: Timestamp): Temporal.PlainDate => dateIn(at, wire.exchangeTimezoneName);
  const { earningsTimestamp: single, earningsTimestampStart: start, earningsTimestampEnd: end } = wire;
  // The single one is often the last report, not the next.
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
    // What Yahoo does not say is not confirmed.
    isEstimate: wire.isEarningsDateEstimate ?? true,
    asOf: now,
    source,
    isSample: false,
  };
};

/** With what analysts expect, where that is of the same report. Not `epsForward` of a quote: that is of a year. */
export const withEstimate = (
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
