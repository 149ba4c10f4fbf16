import type { Timestamp } from '#src/kernel/ids.ts';
import { readDate, SOME_DAY } from '#src/reading/dates.ts';
import { minutesOf, readSpan } from '#src/reading/spans.ts';
import type { AlertPlace, SetAlertRequest } from '#src/kernel/people/alerts.ts';

/** Whole minutes; undefined if the text is no span of time. */
export const readSpanMinutes = (typed: string): number | undefined => {
  const span = readSpan(typed)?.value;
  return span && minutesOf(span);
};

/** The end of that day, week, month or year in the person's time zone. */
const endOfDate = (typed: string, now: Timestamp, timeZone: string): Timestamp | undefined => {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  const date = readDate(typed, today, { looks: 'ahead' })?.value;
  return date?.status === 'date'
    ? date.last.add({ days: 1 }).toZonedDateTime(timeZone).toInstant()
    : undefined;
};

const endOfSpan = (typed: string, now: Timestamp): Timestamp | undefined => {
  const minutes = readSpanMinutes(typed);
  return minutes === undefined ? undefined : now.add({ minutes });
};

/** `30일까지` is the 30th, `30일` and `30일 동안` are thirty days, `2시간까지` can only be two hours. */
const UNTIL = /^until |^till? | ?까지(?:만)?$/giu;

/** Reads an end time: `30d`, `2026-12-31`, `until Friday`, `내일까지`. Undefined if there is none or it has passed. */
export const readUntil = (typed: string, now: Timestamp, timeZone: string): Timestamp | undefined => {
  const text = typed.replaceAll(/\s+/gu, ' ').trim();
  const until =
    endOfSpan(text, now) ?? endOfDate(text, now, timeZone) ?? endOfSpan(text.replaceAll(UNTIL, ''), now);
  return until && Temporal.Instant.compare(until, now) > 0 ? until : undefined;
};

/** Whether these words may be an end time. */
const isWhen = (words: string): boolean => {
  const text = words.replaceAll(UNTIL, '');
  return readSpan(text) !== undefined || readDate(text, SOME_DAY, { looks: 'ahead' }) !== undefined;
};

/** Options beside the condition, as they were typed. */
export interface AlertOptions {
  readonly isRepeating?: boolean;
  readonly cooldown?: string;
  readonly expires?: string;
  readonly usesExtendedHours?: true;
  readonly place?: AlertPlace;
}

const BEGIN = String.raw`(?<=\s)(?:--)?`;
const END = String.raw`(?=\s|$)`;

/** An option is never the first word, which is a name. */
const option = (pattern: string): RegExp => new RegExp(`${BEGIN}(?:${pattern})${END}`, 'iu');

/** A phrase that marks a span or a date as an option. */
interface Marked {
  readonly pattern: RegExp;
  readonly isValue: (words: string) => boolean;
}

const isSpan = (words: string): boolean => readSpanMinutes(words) !== undefined;

const COOLDOWN: readonly Marked[] = [
  {
    pattern: /^(?:--)?(?:cool-?down|쿨다운|최소 ?간격|간격|(?:at most )?every) ?[=:]? ?(?<value>\S.*)$/iu,
    isValue: isSpan,
  },
  { pattern: /^(?:--)?(?<value>\S.*)(?:마다|간격으로)$/iu, isValue: isSpan },
];
const EXPIRES: readonly Marked[] = [
  {
    pattern: /^(?:--)?(?:expires?|expiry|until|till|만료|기한)(?: (?:in|on|at))? ?[=:]? ?(?<value>\S.*)$/iu,
    isValue: isWhen,
  },
  { pattern: /^(?:--)?(?<value>\S.*까지)만?$/iu, isValue: isWhen },
  { pattern: /^for (?<value>\S.*)$/iu, isValue: isSpan },
  { pattern: /^(?<value>\S.*)(?:동안|간)$/iu, isValue: isSpan },
];
/** No option has more words than `expires on the last day of …`. */
const MAX_OPTION_WORDS = 8;

interface Taken {
  readonly rest: string;
  readonly value: string | undefined;
}

/** Removes the first marked phrase, the longest that matches: `until the end of the year`, `12월 31일 까지`. */
const takeMarked = (text: string, marks: readonly Marked[]): Taken => {
  const words = text.split(' ').filter((word) => word !== '');
  for (let at = 0; at < words.length; at += 1)
    for (let count = Math.min(MAX_OPTION_WORDS, words.length - at); count > 0; count -= 1) {
      const phrase = words.slice(at, at + count).join(' ');
      for (const { pattern, isValue } of marks) {
        const value = pattern.exec(phrase)?.groups?.['value']?.trim();
        if (value === undefined || !isValue(value)) continue;
        return { rest: ` ${[...words.slice(0, at), ...words.slice(at + count)].join(' ')}`, value };
      }
    }
  return { rest: text, value: undefined };
};

const REPEATS = option(
  'repeat(?:s|ing|ed)?|recurring|every ?time|each ?time|always|반복(?:해서|으로)?|매번|항상|(?:올|될|할)? ?때 ?마다',
);
/** Repeats at most once a day. */
const DAILY = option('daily|every ?day|each ?day|매일|날마다');
const A_DAY = '1d';
const ONCE = option('once|한 ?번만?|1회');
const EXTENDED = option('extended(?:[ -]?hours)?|after[ -]?hours|pre[ -]?market|시간 ?외(?: ?포함)?|장전');
const DIRECT = option('dm(?:으로)?|privately|in private|개인 ?메시지로?|디엠(?:으로)?');

const HERE = option(
  'here|in (?:this|the) channel|여기(?:에서?|서|로)?|이곳(?:에서?|으로)?|이 ?채널(?:에서?|로)?',
);

/** Separates the options from the rest of the text. */
export const splitOptions = (text: string): { readonly rest: string; readonly options: AlertOptions } => {
  let rest = ` ${text}`;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest);
    if (found) rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`;
    return found;
  };
  // The first word stays in place, with the blank that was added before it.
  const [first = ''] = /^\s*\S+/u.exec(rest) ?? [];
  rest = rest.slice(first.length);
  const isDaily = take(DAILY) !== null;
  const takeValue = (marks: readonly Marked[]): string | undefined => {
    const taken = takeMarked(rest, marks);
    ({ rest } = taken);
    return taken.value;
  };
  const cooldown = takeValue(COOLDOWN) ?? (isDaily ? A_DAY : undefined);
  const expires = takeValue(EXPIRES);
  const repeats = take(REPEATS) !== null || cooldown !== undefined;
  const isOnce = take(ONCE) !== null;
  const isExtended = take(EXTENDED) !== null;
  const isDirect = take(DIRECT) !== null;
  const isHere = take(HERE) !== null;
  return {
    rest: `${first}${rest}`.replaceAll(/\s+/gu, ' ').trim(),
    options: {
      ...((repeats || isOnce) && { isRepeating: repeats && !isOnce }),
      ...(cooldown !== undefined && { cooldown }),
      ...(expires !== undefined && { expires }),
      ...(isExtended && { usesExtendedHours: true }),
      ...((isDirect || isHere) && { place: isDirect ? 'direct' : 'here' }),
    },
  };
};

/** Writes the options as flags, for a command that repeats the request. */
export const flagsOf = (request: SetAlertRequest): string =>
  [
    ...(request.isRepeating ? [' --repeat'] : []),
    ...(request.cooldownMinutes === undefined ? [] : [` --cooldown=${request.cooldownMinutes}m`]),
    ...(request.expires === undefined ? [] : [` --expires=${request.expires}`]),
    ...(request.usesExtendedHours ? [' --extended'] : []),
    ...(request.place === undefined ? [] : [request.place === 'here' ? ' --here' : ' --dm']),
    ...(request.isSure ? [' --yes'] : []),
  ].join('');
