import type { Locale } from './locale.ts';
import type { Timestamp } from './ids.ts';

/** How a person's time zone is known, the most reliable source first. */
export type ZoneSource =
  /** Set with `/profile`. */
  | 'profile'
  /** From the platform profile, as on Slack. */
  | 'platform'
  /** The person uses the terminal of the bot's machine. */
  | 'terminal'
  /** Guessed from the person's language on the platform. */
  | 'language'
  /** Set by the server's managers with `/settings`. */
  | 'server'
  /** Guessed from the server's language. */
  | 'server-language'
  /** Configured by the operator. */
  | 'bot'
  /** The zone of the bot's machine: often UTC, wherever people are. */
  | 'machine';

/** Whether the zone is certainly the person's own. An absent source counts as sure. */
export const isSureZone = (source: ZoneSource | undefined): boolean =>
  source === undefined || source === 'profile' || source === 'platform' || source === 'terminal';

/** Whether somebody set the zone, for the person, the server or the bot. Otherwise it is a guess. */
export const isSaidZone = (source: ZoneSource | undefined): boolean =>
  isSureZone(source) || source === 'server' || source === 'bot';

/** The name as Temporal writes it; undefined if it is not a zone. */
export const canonicalZone = (name: string): string | undefined => {
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId;
  } catch {
    return undefined;
  }
};

export const isTimeZone = (zone: string): boolean => canonicalZone(zone) !== undefined;

const WEEKDAYS: Readonly<Record<Locale, readonly string[]>> = {
  en: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  ko: ['월', '화', '수', '목', '금', '토', '일'],
};

/** `day` is the ISO number: Monday is 1. */
export const weekdayName = (day: number, locale: Locale): string => WEEKDAYS[locale][day - 1] ?? '';

/**
 * In minutes from UTC. `CST` is missing because a model or newspaper may mean China Standard Time, and the moment would
 * be shown 14 hours off.
 */
const OFFSETS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  KST: 540,
  JST: 540,
  EST: -300,
  EDT: -240,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  AKST: -540,
  AKDT: -480,
  HST: -600,
  WET: 0,
  WEST: 60,
  BST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
};

/** Local names that the English locale data does not have. */
const OWN_NAMES: Readonly<Record<string, string>> = { 'Asia/Seoul': 'KST', 'Asia/Tokyo': 'JST' };

const NANOSECONDS_A_MINUTE = 60_000_000_000;
const MINUTES_AN_HOUR = 60;

const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 500;

/** Locale data has short zone names only for its own region. */
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known) return known;
  const locale = timeZone.startsWith('Europe/') ? 'en-GB' : 'en-US';
  const made = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, made);
  return made;
};

const asOffset = (minutes: number): string => {
  const size = Math.abs(minutes);
  const rest = size % MINUTES_AN_HOUR;
  const hours = Math.floor(size / MINUTES_AN_HOUR);
  return `GMT${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
};

/** `KST`, `EDT`, `GMT+8`: always a name that `nativeMoments` can parse. */
export const zoneName = (at: Timestamp, timeZone: string): string => {
  const minutes = Math.round(at.toZonedDateTimeISO(timeZone).offsetNanoseconds / NANOSECONDS_A_MINUTE);
  const name =
    OWN_NAMES[timeZone] ??
    formatOf(timeZone)
      .formatToParts(at.epochMilliseconds)
      .find(({ type }) => type === 'timeZoneName')?.value;
  return name !== undefined && OFFSETS[name] === minutes ? name : asOffset(minutes);
};

const clockOf = (local: Temporal.ZonedDateTime): string =>
  local.toPlainTime().toString({ smallestUnit: 'minute' });

/** `2026-11-13 15:30 KST`. */
export const writeMoment = (at: Timestamp, timeZone: string): string => {
  const local = at.toZonedDateTimeISO(timeZone);
  return `${local.toPlainDate().toString()} ${clockOf(local)} ${zoneName(at, timeZone)}`;
};

/** `Mon 2026-11-16`, `2026-11-16 (월)`. */
export const writeDate = (date: Temporal.PlainDate, locale: Locale): string => {
  const weekday = weekdayName(date.dayOfWeek, locale);
  return locale === 'ko' ? `${date.toString()} (${weekday})` : `${weekday} ${date.toString()}`;
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Nov 13`, `11/13`: a day that needs no year. */
export const writeShortDay = ({ month, day }: Temporal.PlainDate, locale: Locale): string =>
  locale === 'ko' ? `${month}/${day}` : `${MONTHS[month - 1] ?? month} ${day}`;

/** `Mon 2026-11-16 09:00 KST`. */
export const writeDayMoment = (at: Timestamp, timeZone: string, locale: Locale): string => {
  const local = at.toZonedDateTimeISO(timeZone);
  return `${writeDate(local.toPlainDate(), locale)} ${clockOf(local)} ${zoneName(at, timeZone)}`;
};

const SOON = { hours: 6 * 24 } as const;

/** `Mon 09:00 KST`, `월 09:00 KST` within the next days, and with its date where that is further off. */
export const writeSoon = (at: Timestamp, timeZone: string, locale: Locale, now: Timestamp): string => {
  if (Temporal.Instant.compare(at, now.add(SOON)) > 0) return writeDayMoment(at, timeZone, locale);
  const local = at.toZonedDateTimeISO(timeZone);
  return `${weekdayName(local.dayOfWeek, locale)} ${clockOf(local)} ${zoneName(at, timeZone)}`;
};

/** A moment found in a text. */
export interface WrittenMoment {
  /** As written, in the recipient's zone. */
  readonly text: string;
  readonly unixSeconds: number;
  readonly hasWeekday: boolean;
}

const MOMENT =
  /(?<![\w-])(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?(\d{4}-\d{2}-\d{2})(?: \([월화수목금토일]\))? (\d{2}:\d{2}) ([A-Z]{3,4}(?:[+-]\d{1,2}(?::\d{2})?)?)(?![\w+:-])/gu;
const OFFSET = /^GMT([+-])(\d{1,2})(?::(\d{2}))?$/u;

const offsetOf = (zone: string): number | undefined => {
  const [, sign, hours, minutes = '0'] = OFFSET.exec(zone) ?? [];
  if (hours === undefined) return Object.hasOwn(OFFSETS, zone) ? OFFSETS[zone] : undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * MINUTES_AN_HOUR + Number(minutes));
};

const secondsOf = (date: string, time: string, zone: string): number | undefined => {
  const minutes = offsetOf(zone);
  if (minutes === undefined) return undefined;
  const text = `${date}T${time}:00`;
  const ms = Date.parse(`${text}Z`);
  // `Date.parse` turns 31 February into 3 March.
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
  return isReal ? ms / 1_000 - minutes * 60 : undefined;
};

const inWords = (words: string, write: (moment: WrittenMoment) => string): string =>
  words.replace(MOMENT, (text: string, date: string, time: string, zone: string) => {
    const unixSeconds = secondsOf(date, time, zone);
    if (unixSeconds === undefined) return text;
    return write({ text, unixSeconds, hasWeekday: /^\D|\(/u.test(text) });
  });

/** Leaves code spans unchanged: they would show the markup literally. */
const outsideCode = (line: string, write: (moment: WrittenMoment) => string): string =>
  line.includes('`')
    ? line
        .split('`')
        .map((piece, index) => (index % 2 === 0 ? inWords(piece, write) : piece))
        .join('`')
    : inWords(line, write);

/**
 * Replaces moments, as written by the functions above, with markup that shows each reader their own zone. Moments are
 * found by their format, so that the model, the storage and the terminal all have the same plain text.
 */
export const nativeMoments = (text: string, write: (moment: WrittenMoment) => string): string => {
  if (text.search(MOMENT) === -1) return text;
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      const isFence = /^[\s>]*(?:```|~~~)/u.test(line);
      if (isFence) isCode = !isCode;
      return isCode || isFence ? line : outsideCode(line, write);
    })
    .join('\n');
};

/** Whether a moment is midnight in this zone: then it means the end of a date. */
export const endsAtMidnight = (at: Timestamp | undefined, timeZone: string): boolean => {
  const local = at?.toZonedDateTimeISO(timeZone);
  return local !== undefined && local.equals(local.startOfDay());
};

/** Writes a time to the second, in the reader's time zone. */
export const formatMoment = (at: Timestamp, { timeZone }: { readonly timeZone: string }): string => {
  const local = at
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .round({ smallestUnit: 'second', roundingMode: 'floor' });
  return `${local.toString({ smallestUnit: 'second' }).replace('T', ' ')} ${zoneName(at, timeZone)}`;
};

/** `2 days, 3 hr, 4 min`; with seconds during the first hour. */
export const formatDuration = (ms: number, locale: Locale): string => {
  const duration = Temporal.Duration.from({ seconds: Math.max(1, Math.floor(ms / 1_000)) });
  const smallestUnit = duration.total('hours') >= 1 ? 'minutes' : 'seconds';
  return duration
    .round({ largestUnit: 'days', smallestUnit, roundingMode: 'floor' })
    .toLocaleString(locale, { style: 'short' });
};
