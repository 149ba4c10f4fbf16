import type { Instrument } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { RecordRequest } from '#src/core/personal-desk.ts';
import { exchangeDate, sessionMoment, tradingToday } from '../../calendar/trading-dates.ts';
import { readEntryDate, readEntryTime } from './read-entry-checks.ts';

interface Said {
  /** The person's own day. */
  readonly today: Temporal.PlainDate;
  readonly now: Timestamp;
  /** The person's own. */
  readonly timeZone: string;
}

interface Placed {
  /** Its date and time are those of the exchange, where the time is known. */
  readonly request: RecordRequest;
  /** The day until which an entry can be, and that of one without a day. */
  readonly today: Temporal.PlainDate;
  /** The day as the person counts it, where it was worked out from a moment. */
  readonly told?: Temporal.PlainDate;
}

const isBlank = (typed: string | undefined): boolean => (typed ?? '').trim() === '';

/**
 * When an entry took place. A trade of now, or one with a time, belongs to the day of its exchange: half past one at
 * night in Seoul is noon of the day before in New York. Its time is kept as that of the exchange. A day without a time
 * stays as it is written: brokers print either. Coins and money have the person's own day.
 */
export const placeInTime = (
  request: RecordRequest,
  instrument: Instrument | undefined,
  { today, now, timeZone }: Said,
): Placed => {
  const isTrade = request.kind === 'buy' || request.kind === 'sell';
  const traded = isTrade ? instrument : undefined;
  const theirs = traded && exchangeDate(traded, now);
  const isUndated = isBlank(request.date);
  const read = readEntryTime(request.time ?? '');
  // In Seoul it may be tomorrow already: that day is not ahead for a share of there.
  const isTheirs = theirs?.toString() === request.date;
  const ofNow = (): Placed =>
    traded && isUndated
      ? { request, today: tradingToday(traded, today, now), told: today }
      : { request, today: theirs && isTheirs ? theirs : today };
  if (!read || (!theirs && read.timeZone === undefined)) return ofNow();

  const here = now.toZonedDateTimeISO(read.timeZone ?? timeZone);
  const typed = isUndated ? undefined : readEntryDate(request.date ?? '', here.toPlainDate())?.value;
  const isOneDay = typed?.status === 'date' && typed.precision === 'day';
  if (!isUndated && !isOneDay) return { request, today };
  const first = isOneDay ? typed.first : here.toPlainDate();
  const last = first.toZonedDateTime({ timeZone: here.timeZoneId, plainTime: read.time });
  // Of a time without a day the last one is meant: nothing that is recorded lies ahead.
  const isAhead = isUndated && Temporal.ZonedDateTime.compare(last, here) > 0;
  const moment = isAhead ? last.subtract({ days: 1 }) : last;
  const isCertain = read.timeZone !== undefined;
  const place = traded && theirs ? sessionMoment(traded, moment, isCertain) : moment.withTimeZone(timeZone);
  if (!place) return ofNow();
  const [date, time] = [place.toPlainDate(), place.toPlainTime()];
  const told = moment.withTimeZone(timeZone).toPlainDate();
  return {
    request: { ...request, date: date.toString(), time: time.toString() },
    today: theirs ?? today,
    told,
  };
};
