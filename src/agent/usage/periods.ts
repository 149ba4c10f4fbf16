import type { Timestamp } from '#src/kernel/ids.ts';

/**
 * The day in the time zone that contains `at`, from its first moment to that of the next day. It may have 23 or
 * 25 hours, and begins at one if the clocks go forward at midnight.
 */
export const dayAround = (
  at: Timestamp,
  timeZone: string,
): { readonly start: Timestamp; readonly end: Timestamp } => {
  const start = at.toZonedDateTimeISO(timeZone).startOfDay();
  return { start: start.toInstant(), end: start.add({ days: 1 }).startOfDay().toInstant() };
};

/** The date of the day that contains `at`: `2026-11-13`. */
export const dayOf = (at: Timestamp, timeZone: string): string =>
  at.toZonedDateTimeISO(timeZone).toPlainDate().toString();

/** The first moment of the month in the time zone that contains `at`. */
export const startOfMonth = (at: Timestamp, timeZone: string): Timestamp =>
  at.toZonedDateTimeISO(timeZone).with({ day: 1 }).startOfDay().toInstant();
