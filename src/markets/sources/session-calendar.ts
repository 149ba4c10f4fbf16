import type { Instrument, SessionState } from '#src/kernel/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';

/** The part of the calendar that quotes need; see `src/markets/calendar/calendar.ts`. */
export interface SessionCalendar {
  readonly sessionOf: (instrument: Instrument, at: Timestamp) => SessionState;
  /** The end of the last regular session at or before `at`. Null if unknown. */
  readonly lastCloseBefore: (instrument: Instrument, at: Timestamp) => Timestamp | null;
}
