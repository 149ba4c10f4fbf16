import type { Instrument, SessionState } from '#src/kernel/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';

/** What prices need of the calendar: see `calendar.ts`. */
export interface SessionCalendar {
  readonly sessionOf: (instrument: Instrument, at: Timestamp) => SessionState;
  /** The end of the last regular session that ended at or before `at`; null where nobody knows. */
  readonly lastCloseBefore: (instrument: Instrument, at: Timestamp) => Timestamp | null;
}
