import type { Timestamp } from '#src/core/ids.ts';

/** The date of a place at some moment. */
interface LocalDay {
  readonly date: Temporal.PlainDate;
  /** `2026-11-13`. */
  readonly text: string;
}

interface Span extends LocalDay {
  readonly fromMs: number;
  readonly toMs: number;
}

const UTC_DAY_MS = 86_400_000;
/** Alerts of many years ask for their days at each look. */
const MAX_KEPT = 4_000;

/** By place and day in Greenwich, which touches two or three days of a place. */
const kept = new Map<string, Map<number, readonly Span[]>>();
let count = 0;

const keep = (timeZone: string, utcDay: number, span: Span): void => {
  if (count >= MAX_KEPT) {
    kept.clear();
    count = 0;
  }
  const days = kept.get(timeZone) ?? new Map<number, readonly Span[]>();
  kept.set(timeZone, days);
  days.set(utcDay, [...(days.get(utcDay) ?? []), span]);
  count += 1;
};

/** The date in a place at a moment. Reading its clocks is slow, so a day that was read once is remembered. */
export const localDay = (at: Timestamp, timeZone: string): LocalDay => {
  const atMs = at.epochMilliseconds;
  const utcDay = Math.floor(atMs / UTC_DAY_MS);
  for (const span of kept.get(timeZone)?.get(utcDay) ?? [])
    if (atMs >= span.fromMs && atMs < span.toMs) return span;
  const local = at.toZonedDateTimeISO(timeZone);
  const date = local.toPlainDate();
  const day = { date, text: date.toString() };
  const start = local.startOfDay();
  const toMs = date.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
  // Where clocks are changed on a day, a part of it may come twice: such a day is read each time.
  const changeMs = start.getTimeZoneTransition('next')?.epochMilliseconds;
  if (changeMs === undefined || changeMs >= toMs)
    keep(timeZone, utcDay, { ...day, fromMs: start.epochMilliseconds, toMs });
  return day;
};
