import type { Locale } from '#src/kernel/locale.ts';

const INTL_LOCALE: Readonly<Record<Locale, string>> = { ko: 'ko-KR', en: 'en-US' };

/** `2026-11-13 (Friday) 15:30:00, UTC+09:00`: nothing about it is left to be guessed. */
export const describeLocalTime = (at: Temporal.ZonedDateTime, locale: Locale): string => {
  const weekday = at.toLocaleString(INTL_LOCALE[locale], { weekday: 'long' });
  const time = at.toPlainTime().toString({ smallestUnit: 'second' });
  return `${at.toPlainDate().toString()} (${weekday}) ${time}, UTC${at.offset}`;
};

/** A date alone says no time, and a reminder at midnight is what nobody meant. */
const HAS_TIME = /^\S{8,}[T ]\d/i;

const parse = (text: string, timeZone: string): Temporal.ZonedDateTime => {
  if (text.includes('[')) return Temporal.ZonedDateTime.from(text);
  try {
    return Temporal.Instant.from(text).toZonedDateTimeISO(timeZone);
  } catch {
    // Without an offset it is a time on the clocks of that zone; one that they skip is the next that they show.
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone);
  }
};

/** An ISO date-time with an offset, with a zone in brackets, or else of `timeZone`; undefined for anything else. */
export const readDateTime = (text: string, timeZone: string): Temporal.ZonedDateTime | undefined => {
  const written = text.trim();
  if (!HAS_TIME.test(written)) return undefined;
  try {
    return parse(written, timeZone);
  } catch {
    return undefined;
  }
};
