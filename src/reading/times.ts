import { resolveTimeZone } from './time-zone.ts';
import { BLANK, countOf, GAP, isWordCharacter, NATIVE_COUNT } from './calendar-words.ts';
import { everyReading, foldWidth, matchAt, type Reading } from './reading.ts';

export interface TimeValue {
  readonly time: Temporal.PlainTime;
  /** The zone named beside the time: `9:30 ET`, `뉴욕 시간 9시 반`. */
  readonly timeZone?: string;
}

export interface TimeOptions {
  /** Read `830` and `0830` as times. Otherwise they are numbers. */
  readonly allowsCompact?: boolean;
}

const PART = '오전|오후|새벽|아침|점심|낮|저녁|밤|am|pm';
const AFTER = '[ap]\\.?m\\.?(?![a-z])';

const FORMS: readonly RegExp[] = [
  `(?<moment>noon|midnight|정오|자정)`,
  // 8:30, 08:30:00, 오후 3:30, 8:30 pm
  `(?:(?<part>${PART})${GAP})?(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::\\d{2})?(?:${GAP}(?<after>${AFTER}))?`,
  // 8시, 여덟시 반, 오후 3시 30분
  `(?:(?<part>${PART})${GAP})?(?<hour>\\d{1,2}|${NATIVE_COUNT})${GAP}시(?![간세가장점])(?:${GAP}(?:(?<minute>\\d{1,2})${GAP}분|(?<half>반)))?`,
  // 9am, 9.30 pm
  `(?<hour>\\d{1,2})(?:\\.(?<minute>\\d{2}))?${GAP}(?<after>${AFTER})`,
  // 저녁 8
  `(?<part>${PART})${BLANK}(?<hour>\\d{1,2})`,
  // half past 8, quarter to nine
  `(?<past>half${BLANK}past|quarter${BLANK}past|quarter${BLANK}to)${BLANK}(?<hour>\\d{1,2})(?:${GAP}(?<after>${AFTER}))?`,
  // at 6
  `(?<at>at)${BLANK}(?<hour>\\d{1,2})(?:o['’]clock)?`,
  `(?<hour>\\d{1,2})${GAP}o['’]clock`,
].map((pattern) => new RegExp(pattern, 'iuy'));

/** Only for whole texts if the caller allows it. */
const COMPACT = /(?<hour>\d{1,2})\.?(?<minute>\d{2})(?:[ \t]{0,3}(?<after>[ap]\.?m\.?(?![a-z])))?/iuy;
/** `at 6` is a price unless it is the whole text. */
const isOnlyWhole = (groups: Readonly<Record<string, string | undefined>>): boolean =>
  groups['at'] !== undefined;

/** The hour in 24-hour form. Undefined if it does not fit the part of the day. */
const hourIn = (part: string, hour: number): number | undefined => {
  if (hour > 12) return /^(?:오후|저녁|밤|pm)$/u.test(part) ? hour : undefined;
  if (hour === 0) return /^(?:오전|새벽|밤|am)$/u.test(part) ? 0 : undefined;
  switch (part) {
    case '오전':
    case '새벽':
    case 'am':
      return hour % 12;
    case '아침':
      return hour < 12 ? hour : undefined;
    case '오후':
    case 'pm':
      return (hour % 12) + 12;
    case '저녁':
      return hour < 12 ? hour + 12 : undefined;
    case '밤':
      // One at night is 01:00; ten at night is 22:00.
      return hour === 12 ? 0 : hour < 6 ? hour : hour + 12;
    default:
      // Noon covers about ten to three.
      return hour >= 10 ? hour : hour + 12;
  }
};

const timeOf = (hour: number, minute: number): Temporal.PlainTime | undefined =>
  hour <= 23 && minute <= 59 ? new Temporal.PlainTime(hour, minute) : undefined;

/** Likeliest first. `8시` alone may be in the evening; `08:00` and `20:00` are clear. */
const timesFrom = (groups: Readonly<Record<string, string | undefined>>): readonly Temporal.PlainTime[] => {
  const { moment, part, hour: written = '', minute = '0', half, after, past } = groups;
  if (moment !== undefined) return [new Temporal.PlainTime(/^(?:noon|정오)$/iu.test(moment) ? 12 : 0)];
  if (part !== undefined && after !== undefined) return [];
  const isTo = /to$/iu.test(past ?? '');
  const minutes =
    half !== undefined || /^half/iu.test(past ?? '')
      ? 30
      : past === undefined
        ? Number(minute)
        : isTo
          ? 45
          : 15;
  const said = countOf(written) - (isTo ? 1 : 0);
  const ofDay = (part ?? after)?.replaceAll('.', '').toLowerCase();
  if (ofDay !== undefined) {
    const hour = hourIn(ofDay, said);
    return hour === undefined ? [] : [timeOf(hour, minutes)].flatMap((time) => time ?? []);
  }
  const isUnclear = said >= 1 && said <= 12 && !written.startsWith('0');
  const hours = isUnclear ? [said, (said + 12) % 24] : [said];
  return hours.flatMap((hour) => timeOf(hour, minutes) ?? []);
};

const LETTERS = 'kst|jst|est|edt|et|cst|cdt|ct|mst|mdt|mt|pst|pdt|pt|bst|utc|gmt';
const ZONE_BEHIND = new RegExp(
  `${GAP}\\(?(?:(?<offset>(?:utc|gmt)[+-]\\d{1,2}(?::?\\d{2})?)|(?<letters>${LETTERS})(?![a-z])|(?<place>[\\p{L}]{2,16}(?: [\\p{L}]{2,12}){0,2})${GAP}(?:시간|time(?![a-z])))\\)?`,
  'iuy',
);
const ZONE_BEFORE = new RegExp(
  `(?<place>[\\p{L}]{2,12}(?: [\\p{L}]{2,12}){0,2})${GAP}(?:시간|time)(?:으로)?${GAP}$`,
  'iu',
);
const LOOK_BEHIND = 48;

interface Zone {
  readonly timeZone: string;
  readonly length: number;
}

/** The zone named by the last words: `tell me new york`. */
const zoneOf = (
  place: string,
  isFromRight: boolean,
): { readonly zone: string; readonly words: string } | undefined => {
  const words = place.split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const some = (isFromRight ? words.slice(-count) : words.slice(0, count)).join(' ');
    if (!isFromRight && count < words.length) return undefined;
    const zone = resolveTimeZone(some);
    if (zone !== undefined) return { zone, words: some };
  }
  return undefined;
};

const zoneBehind = (text: string, at: number): Zone | undefined => {
  const match = matchAt(ZONE_BEHIND, text, at);
  const { offset, letters, place } = match?.groups ?? {};
  const name = offset ?? letters ?? place;
  const timeZone = name === undefined ? undefined : zoneOf(name, false)?.zone;
  return match && timeZone !== undefined ? { timeZone, length: match[0].length } : undefined;
};

const zoneBefore = (text: string, at: number): Zone | undefined => {
  const before = text.slice(Math.max(0, at - LOOK_BEHIND), at);
  const match = ZONE_BEFORE.exec(before);
  const found = zoneOf(match?.groups?.['place'] ?? '', true);
  if (!match || !found) return undefined;
  return { timeZone: found.zone, length: before.length - before.lastIndexOf(found.words) };
};

const TAIL =
  /(?<approx>[ \t]{0,3}(?:쯤|경|께|무렵|즈음|정도))?(?:에는|에도|에|부터|까지|마다|이|가|은|는|을|를|의|로|으로)?/uy;
const AT = new RegExp(
  `(?:(?:at|by|from|until|till)${BLANK})?(?<approx>(?:about|around|약|대략)${BLANK})?$`,
  'iu',
);
/** `1:10 split`, `비율 1:10`. */
const RATIO_BEHIND = /[ \t]{0,3}(?:split|분할|비율|무상|병합|reverse)/iuy;
const RATIO_BEFORE = /(?:비율|ratio|split)[ \t]{0,3}(?:of[ \t])?$/iu;

const beginsAt = (text: string, at: number): boolean =>
  !isWordCharacter(text[at - 1]) && !/[$₩€£¥.,:/#@%+-]/u.test(text[at - 1] ?? ' ');

const endsAt = (text: string, at: number): boolean =>
  !isWordCharacter(text[at]) && !(/[.:,/]/u.test(text[at] ?? '') && /\d/u.test(text[at + 1] ?? ''));

interface Found {
  readonly times: readonly Temporal.PlainTime[];
  readonly end: number;
}

const longestAt = (
  text: string,
  at: number,
  forms: readonly RegExp[],
  isWhole: boolean,
): Found | undefined => {
  let best: Found | undefined;
  for (const form of forms) {
    const match = matchAt(form, text, at);
    if (!match || (isOnlyWhole(match.groups ?? {}) && !isWhole)) continue;
    const end = at + match[0].length;
    const times = timesFrom(match.groups ?? {});
    if (times.length > 0 && end > (best?.end ?? 0)) best = { times, end };
  }
  return best;
};

const readingAt = (
  text: string,
  at: number,
  forms: readonly RegExp[],
  isWhole: boolean,
): Reading<TimeValue> | undefined => {
  const found = beginsAt(text, at) ? longestAt(text, at, forms, isWhole) : undefined;
  if (!found) return undefined;
  const zone = zoneBehind(text, found.end);
  const core = found.end + (zone?.length ?? 0);
  const tail = matchAt(TAIL, text, core);
  const withTail = core + (tail?.[0].length ?? 0);
  const end = endsAt(text, withTail) ? withTail : endsAt(text, core) ? core : undefined;
  const before = text.slice(Math.max(0, at - LOOK_BEHIND), at);
  if (end === undefined || matchAt(RATIO_BEHIND, text, found.end) || RATIO_BEFORE.test(before))
    return undefined;
  const other = zone ? undefined : zoneBefore(text, at);
  const timeZone = zone?.timeZone ?? other?.timeZone;
  const lead = AT.exec(before);
  const leadLength = other?.length ?? (lead && !isWordCharacter(before[lead.index - 1]) ? lead[0].length : 0);
  const values = found.times.map((time): TimeValue => ({
    time,
    ...(timeZone !== undefined && { timeZone }),
  }));
  const [value, ...alternatives] = values;
  if (!value) return undefined;
  const isApproximate =
    (end > core && tail?.groups?.['approx'] !== undefined) || lead?.groups?.['approx'] !== undefined;
  return { value, start: at - leadLength, end, isApproximate, alternatives };
};

/** Every time of day in a sentence, left to right. */
export const timesIn = (text: string): readonly Reading<TimeValue>[] =>
  everyReading(text, (folded, at) => readingAt(folded, at, FORMS, false));

const LEADING = new RegExp(`^\\s{0,20}(?:(?:by|from|until|till|about|around|약|대략)${BLANK}){0,2}`, 'iu');
const AT_FIRST = new RegExp(`^at${BLANK}(?:about${BLANK}|around${BLANK})?(?=\\S*[^\\d\\s])`, 'iu');
const ZONE_FIRST =
  /^(?:[\p{L}]{2,12}[ \t]{1,3}){0,2}[\p{L}]{2,12}[ \t]{0,3}(?:시간|time)(?:으로)?[ \t]{1,3}/iu;
const NOTHING = /^[\s.,!?]{0,20}$/u;

/** The whole text as a time: `08:30`, `아침 8시 반`, `at 6`, `9am ET`. A bare hour is not a time. */
export const readTime = (
  text: string,
  { allowsCompact = false }: TimeOptions = {},
): Reading<TimeValue> | undefined => {
  const folded = foldWidth(text);
  const forms = allowsCompact ? [...FORMS, COMPACT] : FORMS;
  const first = LEADING.exec(folded)?.[0].length ?? 0;
  const rest = folded.slice(first);
  const starts = [0, AT_FIRST.exec(rest)?.[0].length ?? 0, ZONE_FIRST.exec(rest)?.[0].length ?? 0];
  for (const at of new Set(starts)) {
    const reading = readingAt(folded, first + at, forms, true);
    if (reading && NOTHING.test(folded.slice(reading.end))) return reading;
  }
  return undefined;
};
