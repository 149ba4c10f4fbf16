import type { Instrument } from '#src/kernel/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { TransactionKind } from '#src/kernel/ledger.ts';
import type { RecordRequest } from '#src/kernel/account-services.ts';
import { isSaidZone, type ZoneSource } from '#src/kernel/time-zone.ts';
import { exchangeDate, exchangeZone, tradingToday } from '#src/markets/calendar/trading-dates.ts';
import { readEntryDate, readEntryTime } from './entry-problems.ts';

/** The person's clock, and whether it is theirs for certain. */
interface OwnClock {
  readonly timeZone: string;
  readonly zoneFrom?: ZoneSource | undefined;
}

interface Said extends OwnClock {
  /** The person's own day. */
  readonly today: Temporal.PlainDate;
  readonly now: Timestamp;
}

/** A moment as it is read from a clock in that zone. */
interface ClockTime {
  readonly at: Temporal.PlainDateTime;
  readonly timeZone: string;
}

/** What the person counts as the moment of an entry, where it is stored as another one. */
export type Moved =
  | { readonly kind: 'day'; readonly own: Temporal.PlainDate }
  | {
      readonly kind: 'time';
      readonly own: ClockTime;
      readonly stored: ClockTime;
      /** No zone was written with the time. */
      readonly isPlain: boolean;
    };

interface Placed {
  /** Its date and time are those of the exchange, where the time is known. */
  readonly request: RecordRequest;
  /** The day until which an entry can be, and that of one without a day. */
  readonly today: Temporal.PlainDate;
  readonly moved?: Moved | undefined;
}

const isBlank = (typed: string | undefined): boolean => (typed ?? '').trim() === '';

const laterOf = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate =>
  Temporal.PlainDate.compare(a, b) > 0 ? a : b;

/** The same moment on another clock. On one clock it stays as it is written, in the hour that a DST change skips too. */
const onClock = ({ at, timeZone }: ClockTime, other: string): ClockTime => ({
  at: timeZone === other ? at : at.toZonedDateTime(timeZone).withTimeZone(other).toPlainDateTime(),
  timeZone: other,
});

/**
 * When an entry took place. A trade of now, or one with a time, belongs to the day of its exchange: half past one at
 * night in Seoul is noon of the day before in New York. Its time is kept as that of the exchange.
 *
 * All times of a person are on one clock, so that their order is kept: a zone that is written counts; else the person's
 * own where it was said; else the exchange's, for a guess must not move anything. A day without a time stays as it is
 * written: brokers print either. Coins and money have the person's own day and time.
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
    // In Seoul it may be tomorrow already: that day is not ahead for a share of there.
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
  // Of a time without a day the last one is meant: nothing that is recorded lies ahead.
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
  /** The zone that stands beside the time; without one it is on the clock of the file. */
  readonly timeZone: string | undefined;
}

/**
 * When an entry of a file took place: of a trade whose time has a zone, on the clock of its exchange. A split is of the
 * day that the file names, and counts from its beginning where that moment is on another day there.
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

/** `15:45 ET`: a time with its zone, as people write it and as it is read. */
export const zonedTimeText = (at: Temporal.PlainDateTime, timeZone: string): string =>
  `${timeText(at.toPlainTime())} ${LETTERS[timeZone] ?? `UTC${at.toZonedDateTime(timeZone).offset}`}`;

/**
 * The way back: the day and the time that are read as this moment of the exchange again. Where the person's zone is a
 * guess the exchange's is written with it: they may say their own before they send the command.
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
