import type { MarketSession } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { hoursTexts } from '../calendar/hours-texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { weekdayName, writeDayMoment, zoneName } from '#src/kernel/time.ts';
import type { Phase } from '../calendar/sessions.ts';

/** `09:30–16:00 EST`. */
export const spanText = (
  phase: Pick<Phase, 'from' | 'to'>,
  timeZone: string,
  date: Temporal.PlainDate,
): string => `${spanIn(phase, timeZone, date)} ${zoneName(phase.from, timeZone)}`;

/** The regular hours of a day in the exchange's time, and in the audience's behind it if that differs. */
export const regularText = (
  phase: Pick<Phase, 'from' | 'to'>,
  timeZone: string,
  date: Temporal.PlainDate,
  audience: Audience,
): string => {
  const theirs = spanText(phase, timeZone, date);
  return isSameTime(phase.from, timeZone, audience.timeZone)
    ? theirs
    : `${theirs} (${spanText(phase, audience.timeZone, date)})`;
};

/** `in 5 h 28 min`. */
export const waitText = (at: Timestamp, now: Timestamp, locale: Locale): string =>
  hoursTexts(locale).wait(waitUntil(at, now));

/** The text about one market, with its facts by name. */
export interface HoursPart {
  /** The market, and its state or the date. */
  readonly title: readonly [name: string, state: string];
  readonly lines: readonly string[];
  readonly facts: Readonly<Record<string, string>>;
  readonly isKnown: boolean;
}

/** True if both zones have the same local time at that moment. */
const isSameTime = (at: Timestamp, a: string, b: string): boolean =>
  at.toZonedDateTimeISO(a).offset === at.toZonedDateTimeISO(b).offset;

/** `09:30`, with seconds only if not zero: Nextrade opens at 09:00:30. */
const clockOf = (local: Temporal.ZonedDateTime): string =>
  local.toPlainTime().toString({ smallestUnit: local.second === 0 ? 'minute' : 'second' });

/** `09:30–16:00`. Times on another day than `date` show the difference in days. */
const spanIn = (
  { from, to }: Pick<Phase, 'from' | 'to'>,
  timeZone: string,
  date: Temporal.PlainDate,
): string =>
  [from, to]
    .map((at) => {
      const local = at.toZonedDateTimeISO(timeZone);
      const days = date.until(local.toPlainDate()).days;
      return `${clockOf(local)}${days === 0 ? '' : ` (${days > 0 ? '+' : ''}${days})`}`;
    })
    .join('–');

/** The hours of a day in the exchange's time, and in the audience's if that differs. */
export const phasesText = (
  phases: readonly Phase[],
  timeZone: string,
  date: Temporal.PlainDate,
  audience: Audience,
): string => {
  const t = hoursTexts(audience.locale);
  const [first] = phases;
  if (!first) return '';
  const inZone = (zone: string): string =>
    `${phases.map((phase) => `${t.phases[phase.state]} ${spanIn(phase, zone, date)}`).join(' · ')} ${zoneName(first.from, zone)}`;
  const theirs = inZone(timeZone);
  return isSameTime(first.from, timeZone, audience.timeZone)
    ? theirs
    : `${theirs}\n${t.yourTime}: ${inZone(audience.timeZone)}`;
};

/** `Mon 17:00 EST`, for a weekly event. */
export const weekMomentText = (at: Timestamp, timeZone: string, locale: Locale): string => {
  const local = at.toZonedDateTimeISO(timeZone);
  return `${weekdayName(local.dayOfWeek, locale)} ${clockOf(local)} ${zoneName(at, timeZone)}`;
};

const MINUTES_AN_HOUR = 60;
const HOURS_A_DAY = 24;

const waitUntil = (at: Timestamp, now: Timestamp) => {
  const total = Math.floor(now.until(at).total('minutes'));
  const hours = Math.floor(total / MINUTES_AN_HOUR);
  return {
    days: Math.floor(hours / HOURS_A_DAY),
    hours: hours % HOURS_A_DAY,
    minutes: total % MINUTES_AN_HOUR,
  };
};

/** The next change in the audience's time, with the exchange's if that differs. */
export const nextChangeText = (
  change: MarketSession['nextChange'],
  now: Timestamp,
  timeZone: string,
  { locale, timeZone: readerZone }: Audience,
): string => {
  const t = hoursTexts(locale);
  if (!change) return t.nextUnknown;
  const moment = writeDayMoment(change.at, readerZone, locale);
  const at = isSameTime(change.at, timeZone, readerZone)
    ? moment
    : `${moment} (${weekMomentText(change.at, timeZone, locale)})`;
  return t.next({ change: t.changes[change.to], at, wait: t.wait(waitUntil(change.at, now)) });
};
