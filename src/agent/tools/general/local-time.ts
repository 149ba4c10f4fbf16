import type { Locale } from '#src/kernel/locale.ts';

const INTL_LOCALE: Readonly<Record<Locale, string>> = { ko: 'ko-KR', en: 'en-US' };

const weekdays = new Map<Locale, Intl.DateTimeFormat>();

/** Kept, because a formatter takes half a millisecond to make. */
const weekdaysOf = (locale: Locale): Intl.DateTimeFormat =>
  weekdays.getOrInsertComputed(
    locale,
    () => new Intl.DateTimeFormat(INTL_LOCALE[locale], { weekday: 'long' }),
  );

/** `2026-11-13 (Friday) 15:30:00, UTC+09:00`: unambiguous for a model. */
export const describeLocalTime = (at: Temporal.ZonedDateTime, locale: Locale): string => {
  const weekday = weekdaysOf(locale).format(at.toPlainDate());
  const time = at.toPlainTime().toString({ smallestUnit: 'second' });
  return `${at.toPlainDate().toString()} (${weekday}) ${time}, UTC${at.offset}`;
};

const spoken = new Map<Locale, Intl.DateTimeFormat>();

/** `11월 19일(목) 오후 1:03`, `Thu, Nov 19, 1:03 PM`: for people, who know the year. */
export const sayLocalTime = (at: Temporal.ZonedDateTime, locale: Locale): string =>
  spoken
    .getOrInsertComputed(
      locale,
      () =>
        new Intl.DateTimeFormat(INTL_LOCALE[locale], {
          month: locale === 'ko' ? 'long' : 'short',
          day: 'numeric',
          weekday: 'short',
          hour: 'numeric',
          minute: '2-digit',
        }),
    )
    .format(at.toPlainDateTime())
    .replace(' (', '(');

/** A date without a time is rejected, because nobody means a reminder at midnight. */
const HAS_TIME = /^\S{8,}[T ]\d/i;

const parse = (text: string, timeZone: string): Temporal.ZonedDateTime => {
  if (text.includes('[')) return Temporal.ZonedDateTime.from(text);
  try {
    return Temporal.Instant.from(text).toZonedDateTimeISO(timeZone);
  } catch {
    // Without an offset it is local time in that zone; a time skipped by DST moves forward.
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone);
  }
};

/**
 * Parses an ISO date-time with offset, with a zone in brackets, or local to `timeZone`; undefined for anything
 * else.
 */
export const readDateTime = (text: string, timeZone: string): Temporal.ZonedDateTime | undefined => {
  const written = text.trim();
  if (!HAS_TIME.test(written)) return undefined;
  try {
    return parse(written, timeZone);
  } catch {
    return undefined;
  }
};
