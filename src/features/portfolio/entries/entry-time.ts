import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { isSaidZone, type ZoneSource } from '#src/kernel/time.ts';
import { exchangeDate, exchangeZone, tradingToday } from '#src/markets/calendar/trading-dates.ts';
import { isBlank, readEntryDate, readEntryTime } from './entry-problems.ts';

/** The requester's time zone, and whether they set it themselves. */
interface OwnClock {
  readonly timeZone: string;
  readonly zoneFrom?: ZoneSource | undefined;
}

interface Said extends OwnClock {
  /** Today in the requester's time zone. */
  readonly today: Temporal.PlainDate;
  readonly now: Timestamp;
}

/** A wall-clock time in a time zone. */
interface ClockTime {
  readonly at: Temporal.PlainDateTime;
  readonly timeZone: string;
}

/** The moment of an entry as the requester sees it, where the stored moment differs. */
export type MovedTime =
  | { readonly kind: 'day'; readonly own: Temporal.PlainDate }
  | {
      readonly kind: 'time';
      readonly own: ClockTime;
      readonly stored: ClockTime;
      /** The time was written without a zone. */
      readonly isPlain: boolean;
    };

interface Placed {
  /** The request with date and time of the exchange, where the time is known. */
  readonly request: RecordRequest;
  /** The last day that an entry may have, and the default day. */
  readonly today: Temporal.PlainDate;
  readonly moved?: MovedTime | undefined;
}

const laterOf = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate =>
  Temporal.PlainDate.compare(a, b) > 0 ? a : b;

/** Converts a time to another zone. In the same zone it stays as written, even in the hour that a DST change skips. */
const onClock = ({ at, timeZone }: ClockTime, other: string): ClockTime => ({
  at: timeZone === other ? at : at.toZonedDateTime(timeZone).withTimeZone(other).toPlainDateTime(),
  timeZone: other,
});

/**
 * Finds the moment of an entry. A trade made now, or one with a time, belongs to the day of its exchange: half past
 * one at night in Seoul is noon of the day before in New York. The exchange's time is stored. All times of a person
 * are read on one clock, which keeps their order: a written zone wins, then the zone that the person set, then the
 * exchange's, because a guessed zone must not move an entry. A day without a time stays as written, because brokers
 * print either. Coins and cash use the person's own day and time.
 */
export const placeInTime = (
  request: RecordRequest,
  instrument: Instrument | undefined,
  { today, now, timeZone: own, zoneFrom }: Said,
): Placed => {
  const isTrade = request.kind === 'buy' || request.kind === 'sell';
  const traded = isTrade ? instrument : undefined;
  const theirs = traded && exchangeDate(traded, now);
  const isUndated = isBlank(request.date);
  const read = readEntryTime(request.time ?? '');
  if (!read || (!traded && read.timeZone === undefined)) {
    if (traded && isUndated) {
      const day = tradingToday(traded, today, now);
      return { request, today: day, ...(!day.equals(today) && { moved: { kind: 'day', own: today } }) };
    }
    // It may already be tomorrow in Seoul: that day is not in the future for a Korean share.
    return { request, today: theirs && theirs.toString() === request.date ? theirs : today };
  }

  const zone = (traded && exchangeZone(traded)) ?? own;
  const isPlain = read.timeZone === undefined;
  const isGuess = isPlain && !isSaidZone(zoneFrom);
  const timeZone = read.timeZone ?? (isGuess ? zone : own);
  const here = now.toZonedDateTimeISO(timeZone).toPlainDateTime();
  const day = isUndated ? undefined : readEntryDate(request.date ?? '', here.toPlainDate())?.value;
  const isOneDay = day?.status === 'date' && day.precision === 'day';
  if (!isUndated && !isOneDay) return { request, today };
  const last = (isOneDay ? day.first : here.toPlainDate()).toPlainDateTime(read.time);
  // A time without a day means the latest such time, because an entry is never in the future.
  const isAhead = isUndated && Temporal.PlainDateTime.compare(last, here) > 0;
  const typed: ClockTime = { at: isAhead ? last.subtract({ days: 1 }) : last, timeZone };
  const stored = onClock(typed, zone);
  const counted = isUndated && isSaidZone(zoneFrom) ? onClock(typed, own) : typed;
  const isMoved = !stored.at.equals(typed.at) || !stored.at.toPlainDate().equals(counted.at.toPlainDate());
  return {
    request: {
      ...request,
      date: stored.at.toPlainDate().toString(),
      time: stored.at.toPlainTime().toString(),
    },
    today: isGuess && theirs ? laterOf(theirs, today) : (theirs ?? today),
    ...(isMoved && {
      moved: { kind: 'time', own: stored.at.equals(typed.at) ? counted : typed, stored, isPlain },
    }),
  };
};

interface FiledTime {
  readonly date: Temporal.PlainDate;
  readonly time: Temporal.PlainTime | undefined;
  /** The zone written beside the time; undefined for the time zone of the file. */
  readonly timeZone: string | undefined;
}

/**
 * Finds the moment of an imported entry. A trade whose time has a zone moves to the time zone of its exchange. A split
 * keeps the day that the file states, and counts from the beginning of that day if the moment falls on another day
 * there.
 */
export const filedMoment = (
  { date, time, timeZone }: FiledTime,
  kind: TransactionKind,
  instrument: Instrument | undefined,
): Pick<RecordRequest, 'date' | 'time'> => {
  const isPlaced = kind === 'buy' || kind === 'sell' || kind === 'split';
  const zone = isPlaced && instrument ? exchangeZone(instrument) : undefined;
  if (!time) return { date: date.toString() };
  const at = date.toPlainDateTime(time);
  const placed = timeZone !== undefined && zone !== undefined ? onClock({ at, timeZone }, zone).at : at;
  const day = placed.toPlainDate();
  if (kind === 'split' && !day.equals(date)) return { date: date.toString() };
  return { date: day.toString(), time: placed.toPlainTime().toString({ smallestUnit: 'second' }) };
};

export const timeText = (time: Temporal.PlainTime): string => time.toString().replace(/:00$/u, '');

const LETTERS: Readonly<Record<string, string>> = { 'Asia/Seoul': 'KST', 'America/New_York': 'ET' };

/** Formats a time with its zone (`15:45 ET`) so that it can be read back. */
export const zonedTimeText = (at: Temporal.PlainDateTime, timeZone: string): string =>
  `${timeText(at.toPlainTime())} ${LETTERS[timeZone] ?? `UTC${at.toZonedDateTime(timeZone).offset}`}`;

/**
 * Formats a moment of the exchange as the day and time that are read back as the same moment. If the person's zone is
 * a guess, the exchange's zone is written too, because the person may set their own before they send the command.
 */
export const writtenMoment = (
  instrument: Instrument,
  date: Temporal.PlainDate,
  time: Temporal.PlainTime,
  { timeZone, zoneFrom }: OwnClock,
): { readonly date: string; readonly time: string } => {
  const zone = exchangeZone(instrument);
  const stored = date.toPlainDateTime(time);
  const isSaid = isSaidZone(zoneFrom);
  if (zone !== undefined && !isSaid) return { date: date.toString(), time: zonedTimeText(stored, zone) };
  const at = zone === undefined ? stored : onClock({ at: stored, timeZone: zone }, timeZone).at;
  return { date: at.toPlainDate().toString(), time: timeText(at.toPlainTime()) };
};
