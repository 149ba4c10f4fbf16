import type { Timestamp } from '#src/kernel/ids.ts';

/** The local date at some moment. */
interface LocalDay {
  readonly date: Temporal.PlainDate;
  /** ISO date, such as `2026-11-13`. */
  readonly text: string;
}

interface Span extends LocalDay {
  readonly fromMs: number;
  readonly toMs: number;
}

const UTC_DAY_MS = 86_400_000;
/** Alerts read the dates of many years at every evaluation. */
const MAX_CACHED_DAYS = 4_000;

/** By time zone and UTC day. A UTC day overlaps two or three local days. */
const cache = new Map<string, Map<number, readonly Span[]>>();
let count = 0;

const remember = (timeZone: string, utcDay: number, span: Span): void => {
  if (count >= MAX_CACHED_DAYS) {
    cache.clear();
    count = 0;
  }
  const days = cache.get(timeZone) ?? new Map<number, readonly Span[]>();
  cache.set(timeZone, days);
  days.set(utcDay, [...(days.get(utcDay) ?? []), span]);
  count += 1;
};

/** The local date at a moment. Time zone lookups are slow, so computed days are cached. */
export const localDay = (at: Timestamp, timeZone: string): LocalDay => {
  const atMs = at.epochMilliseconds;
  const utcDay = Math.floor(atMs / UTC_DAY_MS);
  for (const span of cache.get(timeZone)?.get(utcDay) ?? [])
    if (atMs >= span.fromMs && atMs < span.toMs) return span;
  const local = at.toZonedDateTimeISO(timeZone);
  const date = local.toPlainDate();
  const day = { date, text: date.toString() };
  const start = local.startOfDay();
  const toMs = date.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
  // A day with a clock change may repeat an hour, so it is never cached.
  const changeMs = start.getTimeZoneTransition('next')?.epochMilliseconds;
  if (changeMs === undefined || changeMs >= toMs)
    remember(timeZone, utcDay, { ...day, fromMs: start.epochMilliseconds, toMs });
  return day;
};
