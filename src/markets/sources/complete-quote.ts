import type { Quote, SourceQuote } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { exchangeCalendar, nextradeSession } from '../calendar/calendar.ts';
import type { SessionCalendar } from './source.ts';

const MINUTES = { inSession: 20, beforeClose: 30, lastKnown: 2 } as const;
/** Longer than nearly every weekend with an adjoining holiday. */
const UNKNOWN_SESSION_HOURS = 4 * 24;

const isBefore = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) < 0;

/** In a session, a price may be as old as its delay plus a margin; outside, it must be from the last close. */
const isStaleAt = (quote: SourceQuote, calendar: SessionCalendar, now: Timestamp): boolean => {
  const { instrument, asOf, delayMinutes = 0 } = quote;
  const missedClose = (at: Timestamp): boolean => {
    const close = calendar.lastCloseBefore(instrument, at);
    return close === null
      ? isBefore(asOf, now.subtract({ hours: UNKNOWN_SESSION_HOURS }))
      : isBefore(asOf, close.subtract({ minutes: MINUTES.beforeClose }));
  };
  const state = calendar.sessionOf(instrument, now);
  if (state === 'unknown' && !quote.isLastKnown)
    return isBefore(asOf, now.subtract({ hours: UNKNOWN_SESSION_HOURS }));
  if (state !== 'open' && state !== 'unknown') return missedClose(now);
  // A repeated price is stale sooner, because nobody has asked the market since.
  const allowed = quote.isLastKnown ? MINUTES.lastKnown : MINUTES.inSession;
  const due = now.subtract({ minutes: delayMinutes + allowed });
  if (!isBefore(asOf, due)) return false;
  if (state === 'unknown') return true;
  // In the first minutes of a session, a delayed source rightly still has yesterday's close.
  return calendar.sessionOf(instrument, due) === 'open' || missedClose(due);
};

/** By then, the closing auction and its late trades are over. */
const CLOSING_MINUTES = 15;
/** Trading never lasts longer after the close; later trades belong to the next day. */
const AFTER_HOURS = 8;

/**
 * True if a price that the source calls regular comes from the KRX after-market; some sources overwrite the close with
 * it. Indices are calculated in regular hours only.
 */
const isAfterClose = ({ instrument, asOf, extended }: SourceQuote, calendar: SessionCalendar): boolean => {
  const { assetClass, exchange } = instrument;
  const isTraded = assetClass === 'equity' || assetClass === 'etf';
  if (!isTraded || extended || exchangeCalendar(exchange)?.market !== 'KRX') return false;
  const state = calendar.sessionOf(instrument, asOf);
  const close = calendar.lastCloseBefore(instrument, asOf);
  if (close === null || state === 'open' || state === 'pre') return false;
  const lastAfter = close.add({ hours: AFTER_HOURS });
  return isBefore(close.add({ minutes: CLOSING_MINUTES }), asOf) && !isBefore(lastAfter, asOf);
};

/** Adds session and staleness from the calendar. A sample price is never stale: it is made for the moment. */
export const completeQuote = (quote: SourceQuote, calendar: SessionCalendar, now: Timestamp): Quote => {
  const { instrument } = quote;
  if (quote.isSample) return { ...quote, sessionState: calendar.sessionOf(instrument, now), isStale: false };
  const nextrade = nextradeSession(instrument, now);
  const { delayMinutes, extended, ...known } = quote;
  const isOldExtended =
    quote.isLastKnown && extended && isBefore(extended.asOf, now.subtract({ minutes: MINUTES.lastKnown }));
  return {
    ...known,
    ...(extended && !isOldExtended && { extended }),
    // A fetch delay is meaningless for a price that is repeated later.
    ...(delayMinutes !== undefined && !quote.isLastKnown && { delayMinutes }),
    sessionState: calendar.sessionOf(instrument, now),
    isStale: isStaleAt(quote, calendar, now),
    ...(isAfterClose(quote, calendar) && { isAfterClose: true }),
    ...(nextrade && { nextradeSession: nextrade }),
  };
};
