import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { lastCloseBefore, sessionOf } from '../calendar/calendar.ts';
import type { History } from '../sources/source.ts';
import { dayOf } from './bar-dates.ts';
import { originText } from '../answers/quote-text.ts';

/** What a source that does not say so may be behind. */
const USUAL_DELAY_MINUTES = 20;
/** The last trades of a session are told a little after it. */
const AFTER_CLOSE_MINUTES = 15;
/** What is older is not called real time, whoever says so. */
const REAL_TIME_MINUTES = 5;

const isUpTo = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) <= 0;

/**
 * The last price of it is no close: the session that it is from goes on, or it was paid after the session. A session
 * is over when a source that is behind can have told its end. What never closes is always running.
 */
export const isRunning = (history: History, now: Timestamp): boolean => {
  const { instrument, asOf, timeZone, delayMinutes = USUAL_DELAY_MINUTES } = history;
  // A made-up price stands still at a close; only coins go on.
  if (history.isSample) return instrument.assetClass === 'crypto';
  const state = sessionOf(instrument, asOf);
  // Where nobody knows the hours, the day has to be over.
  if (state === 'unknown') return dayOf(asOf, timeZone) === dayOf(now, timeZone);
  if (state === 'open') {
    const over = lastCloseBefore(instrument, now.subtract({ minutes: delayMinutes }));
    return over === null || isUpTo(over, asOf);
  }
  const closed = state === 'after' ? lastCloseBefore(instrument, asOf) : null;
  return closed !== null && isUpTo(closed.add({ minutes: AFTER_CLOSE_MINUTES }), asOf);
};

/** From where, as of when, and how far behind while that matters. */
export const historyOrigin = (
  history: Pick<History, 'asOf' | 'source' | 'isSample' | 'delayMinutes'>,
  isStillRunning: boolean,
  audience: Audience,
  now: Timestamp,
): string => {
  const { delayMinutes, asOf, source, isSample } = history;
  const isTold = delayMinutes !== 0 || isUpTo(now.subtract({ minutes: REAL_TIME_MINUTES }), asOf);
  return originText(
    {
      asOf,
      source,
      isSample,
      sessionState: isStillRunning ? 'open' : 'closed',
      ...(isTold && delayMinutes !== undefined && { delayMinutes }),
    },
    audience,
  );
};
