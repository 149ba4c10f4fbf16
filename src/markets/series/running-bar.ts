import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { lastCloseBefore, sessionOf } from '../calendar/calendar.ts';
import type { History } from '../sources/source.ts';
import { dayOf } from './bar-dates.ts';
import { originText, shortOrigin } from '../answers/quote-text.ts';

/** Assumed delay of a source that does not report one. */
const USUAL_DELAY_MINUTES = 20;
/** The last trades of a session are reported a little late. */
const AFTER_CLOSE_MINUTES = 15;
/** Older prices are not called real time, whatever the source says. */
const REAL_TIME_MINUTES = 5;

const isUpTo = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) <= 0;

/**
 * True if the last price is not a close: its session is running, or it was traded after the session. With a delayed
 * source, a session ends after the delay. Markets that never close are always running.
 */
export const isRunning = (history: History, now: Timestamp): boolean => {
  const { instrument, asOf, timeZone, delayMinutes = history.isSample ? 0 : USUAL_DELAY_MINUTES } = history;
  const state = sessionOf(instrument, asOf);
  // Without known hours, the day must be over.
  if (state === 'unknown') return dayOf(asOf, timeZone) === dayOf(now, timeZone);
  if (state === 'open') {
    const over = lastCloseBefore(instrument, now.subtract({ minutes: delayMinutes }));
    return over === null || isUpTo(over, asOf);
  }
  const closed = state === 'after' ? lastCloseBefore(instrument, asOf) : null;
  return closed !== null && isUpTo(closed.add({ minutes: AFTER_CLOSE_MINUTES }), asOf);
};

/** What is known of the last price of a history, for the line about its source. */
const lastOf = (
  { delayMinutes, asOf, source, isSample }: OriginOfHistory,
  isStillRunning: boolean,
  now: Timestamp,
) => {
  const isTold = delayMinutes !== 0 || isUpTo(now.subtract({ minutes: REAL_TIME_MINUTES }), asOf);
  return {
    asOf,
    source,
    isSample,
    sessionState: isStillRunning ? ('open' as const) : ('closed' as const),
    ...(isTold && delayMinutes !== undefined && { delayMinutes }),
  };
};

type OriginOfHistory = Pick<History, 'asOf' | 'source' | 'isSample' | 'delayMinutes'>;

/** Source and time, with the delay while the session runs. */
export const historyOrigin = (
  history: OriginOfHistory,
  isStillRunning: boolean,
  audience: Audience,
  now: Timestamp,
): string => originText(lastOf(history, isStillRunning, now), audience);

/** The same in one short line, for people. */
export const shortHistoryOrigin = (
  history: OriginOfHistory & Pick<History, 'instrument'>,
  isStillRunning: boolean,
  audience: Audience,
  now: Timestamp,
): string =>
  shortOrigin({ ...lastOf(history, isStillRunning, now), instrument: history.instrument }, audience);
