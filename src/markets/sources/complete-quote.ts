import type { Quote, SourceQuote } from '#src/kernel/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { exchangeCalendar, nextradeSession } from '../calendar/calendar.ts';
import type { SessionCalendar } from './session-calendar.ts';

const MINUTES = { inSession: 20, beforeClose: 30, lastKnown: 2 } as const;
/** Longer than any weekend with a holiday next to it but few. */
const UNKNOWN_SESSION_HOURS = 4 * 24;

const isBefore = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) < 0;

/** What trades is as old as its delay allows, and a little; what does not is from the end of the last session. */
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
  // What is told once more is old sooner: nobody has looked at the market since.
  const allowed = quote.isLastKnown ? MINUTES.lastKnown : MINUTES.inSession;
  const due = now.subtract({ minutes: delayMinutes + allowed });
  if (!isBefore(asOf, due)) return false;
  if (state === 'unknown') return true;
  // In the first minutes a delayed source still has yesterday's close, as it should.
  return calendar.sessionOf(instrument, due) === 'open' || missedClose(due);
};

/** The closing auction and its late prints are over by then. */
const CLOSING_MINUTES = 15;
/** Nobody trades on later than that; what comes after is of the next day. */
const AFTER_HOURS = 8;

/**
 * Whether a price that the source calls regular is of the after-market of KRX, which some put in the place of the
 * close. Indices are counted in regular hours only.
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

/**
 * The price with what the calendar knows. A made-up one stands still at a close and must not look live, whatever the
 * market does now; coins, which never close, go on.
 */
export const completeQuote = (quote: SourceQuote, calendar: SessionCalendar, now: Timestamp): Quote => {
  const { instrument, isSample } = quote;
  if (isSample)
    return { ...quote, sessionState: instrument.assetClass === 'crypto' ? 'open' : 'closed', isStale: false };
  const nextrade = nextradeSession(instrument, now);
  const { delayMinutes, extended, ...known } = quote;
  const isOldExtended =
    quote.isLastKnown && extended && isBefore(extended.asOf, now.subtract({ minutes: MINUTES.lastKnown }));
  return {
    ...known,
    ...(extended && !isOldExtended && { extended }),
    // How far a price was behind when it came says nothing of when it is told again.
    ...(delayMinutes !== undefined && !quote.isLastKnown && { delayMinutes }),
    sessionState: calendar.sessionOf(instrument, now),
    isStale: isStaleAt(quote, calendar, now),
    ...(isAfterClose(quote, calendar) && { isAfterClose: true }),
    ...(nextrade && { nextradeSession: nextrade }),
  };
};
