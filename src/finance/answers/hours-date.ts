import type { Timestamp } from '#src/core/ids.ts';

/** How many days from today. */
const DAY_WORDS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['오늘', 0],
  ['tomorrow', 1],
  ['내일', 1],
  ['모레', 2],
  ['yesterday', -1],
  ['어제', -1],
]);

/** `2026-11-19`, `2026. 11. 19.`, `11/19`, `2026년 11월 19일`. */
const DATE = /^(?:(\d{4})\s*(?:년|[-./])\s*)?(\d{1,2})\s*(?:월|[-./])\s*(\d{1,2})\s*(?:일|\.)?$/;

/** What a person means by a date; without a year it is one of this year. Null for what is none. */
export const dateTyped = (typed: string, now: Timestamp, timeZone: string): Temporal.PlainDate | null => {
  const text = typed.trim().toLowerCase();
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  const days = DAY_WORDS.get(text);
  if (days !== undefined) return today.add({ days });
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (month === undefined || day === undefined) return null;
  try {
    const fields = { year: Number(year ?? today.year), month: Number(month), day: Number(day) };
    return Temporal.PlainDate.from(fields, { overflow: 'reject' });
  } catch {
    return null;
  }
};
