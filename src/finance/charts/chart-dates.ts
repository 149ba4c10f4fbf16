import { dayOf, isIntraday } from '../answers/bar-dates.ts';
import type { History } from '../market/source.ts';

/** `2025-11-14 – 2026-11-13`, in the exchange's days; where times matter, with their zone. */
export const datesOf = (history: History): string => {
  const { bars, timeZone, asOf } = history;
  const first = dayOf(bars[0]?.at ?? asOf, timeZone);
  // A bar of a week or a month begins long before its last price.
  const last = dayOf(asOf, timeZone);
  const span = first === last ? first : `${first} – ${last}`;
  return isIntraday(history) ? `${span} (${timeZone})` : span;
};
