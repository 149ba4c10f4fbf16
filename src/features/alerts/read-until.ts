import type { Timestamp } from '#src/kernel/ids.ts';
import { readDate, SOME_DAY } from '#src/language/dates.ts';
import { minutesOf, readSpan } from '#src/language/spans.ts';

/** Whole minutes; undefined for what is no span of time. */
export const readSpanMinutes = (typed: string): number | undefined => {
  const span = readSpan(typed)?.value;
  return span && minutesOf(span);
};

/** The end of that day, week, month or year, where the person is. */
const endOfDate = (typed: string, now: Timestamp, timeZone: string): Timestamp | undefined => {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  const date = readDate(typed, today, { looks: 'ahead' })?.value;
  return date?.status === 'date'
    ? date.last.add({ days: 1 }).toZonedDateTime(timeZone).toInstant()
    : undefined;
};

const endOfSpan = (typed: string, now: Timestamp): Timestamp | undefined => {
  const minutes = readSpanMinutes(typed);
  return minutes === undefined ? undefined : now.add({ minutes });
};

/** `30일까지` is the 30th, `30일` and `30일 동안` are thirty days, `2시간까지` can only be two hours. */
const UNTIL = /^until |^till? | ?까지(?:만)?$/giu;

/** `30d`, `2026-12-31`, `until Friday`, `내일까지`: until when. Undefined for what is none, or is past. */
export const readUntil = (typed: string, now: Timestamp, timeZone: string): Timestamp | undefined => {
  const text = typed.replaceAll(/\s+/gu, ' ').trim();
  const until =
    endOfSpan(text, now) ?? endOfDate(text, now, timeZone) ?? endOfSpan(text.replaceAll(UNTIL, ''), now);
  return until && Temporal.Instant.compare(until, now) > 0 ? until : undefined;
};

/** Whether these words may say until when. */
export const isWhen = (words: string): boolean => {
  const text = words.replaceAll(UNTIL, '');
  return readSpan(text) !== undefined || readDate(text, SOME_DAY, { looks: 'ahead' }) !== undefined;
};
