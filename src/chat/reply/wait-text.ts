import type { Locale } from '#src/kernel/locale.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** "in 40 seconds", in the person's language. */
export const waitText = (waitMs: number, locale: Locale): string => {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  if (waitMs < 2 * MINUTE_MS) return format.format(Math.max(1, Math.ceil(waitMs / SECOND_MS)), 'second');
  if (waitMs < 2 * HOUR_MS) return format.format(Math.ceil(waitMs / MINUTE_MS), 'minute');
  return format.format(Math.ceil(waitMs / HOUR_MS), 'hour');
};
