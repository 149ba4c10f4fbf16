import type { Timestamp } from '#src/kernel/ids.ts';

/**
 * The day of the time zone that `at` falls into: from its first moment up to the first of the next one. It
 * may have 23 or 25 hours, and where the clocks go forward at midnight it begins at one.
 */
export const dayAround = (
  at: Timestamp,
  timeZone: string,
): { readonly start: Timestamp; readonly end: Timestamp } => {
  const start = at.toZonedDateTimeISO(timeZone).startOfDay();
  return { start: start.toInstant(), end: start.add({ days: 1 }).startOfDay().toInstant() };
};

/** The date of that day: `2026-11-13`. */
export const dayOf = (at: Timestamp, timeZone: string): string =>
  at.toZonedDateTimeISO(timeZone).toPlainDate().toString();

/** The first moment of the month of the time zone that `at` falls into. */
export const startOfMonth = (at: Timestamp, timeZone: string): Timestamp =>
  at.toZonedDateTimeISO(timeZone).with({ day: 1 }).startOfDay().toInstant();
