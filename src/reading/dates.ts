import { BLANK, ENGLISH_COUNT, GAP } from './calendar-words.ts';
import {
  type DateQuery,
  type DateForm,
  type DateOptions,
  dayPeriod,
  type FormReading,
  type Period,
} from './calendar-periods.ts';
import { characterTest, isDigit, isHangul, isLetterOrDigit } from './characters.ts';
import { endAt, everyReading, foldWidth, matchAt, type Reading } from './reading.ts';
import { RELATIVE_FORMS } from './relative-dates.ts';
import { spanFieldsAt } from './spans.ts';
import { WRITTEN_FORMS } from './written-dates.ts';

export type { DateOptions, DateOrder, Period } from './calendar-periods.ts';

export type DateValue =
  | (Period & {
      readonly status: 'date';
      /** From the word beside the date: `since March`, `12월 31일까지`. */
      readonly bound: 'on' | 'from' | 'until';
      /** How complete the text is: the whole date, without the year, or counted from today. */
      readonly said: 'full' | 'yearless' | 'relative';
    })
  /** Written as a date but impossible: 30 February, 13월. */
  | { readonly status: 'impossible' };

const FORMS: readonly DateForm[] = [...WRITTEN_FORMS, ...RELATIVE_FORMS];
/** First characters of all forms, which rule out most words quickly. */
const LETTERS = new RegExp(
  [
    '[오금내낼명모글그어엊지저이다담차전당월화수목토일연년분돌재작올크성신새설구추한두세네여아열석넉하사나닷엿반보삼육칠팔십]',
    `(?:${ENGLISH_COUNT})[ -]|half|fortnight|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec`,
    'mon|tue|wed|thu|fri|sat|sun|today|tonight|tomorrow|tmr|yesterday|last|day|this|next|past|coming|prev|prior|current',
    'the|early|mid|late|start|begin|end|week|month|quarter|year|about|same|christmas|xmas|new|q\\d|first|second|third|fourth|in|since|during',
  ].join('|'),
  'iuy',
);
const DIGIT_FORMS = FORMS.filter(({ begins }) => begins !== 'letter');
const LETTER_FORMS = FORMS.filter(({ begins }) => begins !== 'digit');

/** A part of the text that has the form of a date. What it means is asked only of the longest. */
interface Found {
  readonly end: number;
  /** Undefined if it is not a date after all. */
  readonly read: () => FormReading | undefined;
}

const IN = new RegExp(`in${BLANK}(?:about${BLANK})?`, 'iuy');
const AWAY = new RegExp(
  `${GAP}(?:(?<past>전|ago(?![a-z]))|(?:후|뒤|from${BLANK}(?:now|today)|later)(?![a-z]))`,
  'iuy',
);

/** Dates counted from today: `3일 전`, `a week ago`, `in 3 days`, `보름 뒤`. Hours are not dates. */
const spanFrom = (text: string, at: number, { today }: DateQuery): Found | undefined => {
  const lead = endAt(IN, text, at);
  const span = spanFieldsAt(text, lead ?? at);
  if (!span) return undefined;
  const away = lead === undefined ? matchAt(AWAY, text, span.end) : undefined;
  const { hours = 0, minutes = 0 } = span.fields;
  if (away === null || hours > 0 || minutes > 0) return undefined;
  const isPast = away?.groups?.['past'] !== undefined;
  const read = (): FormReading => {
    try {
      return { periods: [dayPeriod(isPast ? today.subtract(span.fields) : today.add(span.fields))] };
    } catch {
      // `99999 years ago` is outside the calendar.
      return { periods: [] };
    }
  };
  return { end: span.end + (away?.[0].length ?? 0), read };
};

const TAIL = new RegExp(
  `(?<approx>${GAP}(?:쯤|께|경|무렵|즈음|정도))?(?:(?<from>${GAP}(?:부터|이후))|(?<until>${GAP}(?:까지만|까지는|까지|이전))|(?<tie>에는|에도|에만|에|날|자로|자)|에서|은|는|도|만|의|이랑|하고|와|과|이나|이면|면|으로|로|이었|이야|이에요|예요|인데|이|가|을|를|['’]s(?![a-z]))?`,
  'iuy',
);
/** Words that people attach to a date: `어제샀어`. */
const GLUED = /(?:샀|산|팔|매수|매도|받|넣|뺐|입금|출금|기준|종가|주가|시세|환율)/uy;

const BEFORE = new RegExp(
  `(?:(?<from>since|from|starting)|(?<until>until|till|til|by|through)|on|as${BLANK}of|(?<wide>in|during|of)|(?<approx>about|around|circa|약|대략))${BLANK}(?:(?<approx2>about|around|약|대략)${BLANK})?(?<the>the${BLANK})?$`,
  'iu',
);
/** A recurring day is a schedule and not a date. In `$190 each yesterday`, `each` belongs to the price. */
const EVERY = /(?:every|(?<!(?:\d|dollars?|bucks|won|usd) ?)each|매주|매월|매달|매년)[ \t]{0,3}$/iu;
const LOOK_BEHIND = 28;
const isBlank = characterTest(/[ \t]/u);
/** Last characters of the words in `EVERY`. */
const isEveryEnd = characterTest(/[yh주월달년]/iu);

const isEvery = (text: string, at: number): boolean => {
  let end = at;
  while (isBlank(text.charCodeAt(end - 1))) end -= 1;
  return isEveryEnd(text.charCodeAt(end - 1)) && EVERY.test(text.slice(Math.max(0, at - LOOK_BEHIND), at));
};

interface Beside {
  readonly start: number;
  readonly bound: 'from' | 'until' | undefined;
  readonly isApproximate: boolean;
  /** `on sun`, but not `in the sun`. */
  readonly isBeforeDay: boolean;
}

const besideBefore = (text: string, at: number): Beside | undefined => {
  if (!isBlank(text.charCodeAt(at - 1))) return undefined;
  const before = text.slice(Math.max(0, at - LOOK_BEHIND), at);
  const match = BEFORE.exec(before);
  if (!match || isLetterOrDigit(before.charCodeAt(match.index - 1))) return undefined;
  const { from, until, wide, approx, approx2, the } = match.groups ?? {};
  return {
    start: at - match[0].length,
    bound: from === undefined ? (until === undefined ? undefined : 'until') : 'from',
    isApproximate: (approx ?? approx2) !== undefined,
    isBeforeDay: (wide ?? the) === undefined,
  };
};

const isSign = characterTest(/[$₩€£¥#@%+:]/u);
const isJoint = characterTest(/[.,/-]/u);
const isPause = characterTest(/[.,]/u);

/** False after characters that rule out a date: `$2026`, `1,11/13`, `-11`. A Korean sentence may end before it: `샀다.11/13`. */
const beginsAt = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1);
  const first = text.charCodeAt(at);
  if (isLetterOrDigit(before) || !isLetterOrDigit(first)) return false;
  if (!isDigit(first)) return true;
  const joined = text.charCodeAt(at - 2);
  if (isPause(before) && isHangul(joined)) return true;
  return !isSign(before) && !(isJoint(before) && isLetterOrDigit(joined));
};

/** The time part of `2026-11-13T09:30` and `2026-11-13Z`. */
const CLOCK = /T\d\d:|Z(?!\w)/y;
const MORE_DIGITS = /[.,/:-]\d|%/y;
const isEnglish = characterTest(/[a-z]/iu);

/** True if the word ends here: `오늘` is not part of 오늘의집, and a date not part of a longer number. */
const endsAt = (text: string, at: number): boolean => {
  const last = text.charCodeAt(at - 1);
  const next = text.charCodeAt(at);
  if (isDigit(last)) {
    if (isDigit(next) || endAt(MORE_DIGITS, text, at) !== undefined) return false;
    if (endAt(CLOCK, text, at) !== undefined) return true;
  }
  if (isLetterOrDigit(next)) return isHangul(last) && endAt(GLUED, text, at) !== undefined;
  // `monday.com` is a name.
  return !(text.charAt(at) === '.' && isEnglish(last) && isLetterOrDigit(text.charCodeAt(at + 1)));
};

interface Scan extends DateQuery {
  readonly isWhole: boolean;
  readonly options: DateOptions;
}

const allows = ({ only }: DateForm, { isWhole, options }: Scan): boolean =>
  only === undefined || (only === 'whole' ? isWhole : options.allowsCompact === true);

interface Tail {
  readonly end: number;
  readonly bound: 'from' | 'until' | undefined;
  readonly isApproximate: boolean;
  readonly isTied: boolean;
}

/** The particles after a date. Undefined if the word goes on. */
const tailAt = (text: string, at: number): Tail | undefined => {
  const match = matchAt(TAIL, text, at);
  const end = at + (match?.[0].length ?? 0);
  if (end > at && endsAt(text, end)) {
    const { approx, from, until, tie } = match?.groups ?? {};
    return {
      end,
      bound: from === undefined ? (until === undefined ? undefined : 'until') : 'from',
      isApproximate: approx !== undefined,
      isTied: (from ?? until ?? tie) !== undefined,
    };
  }
  return endsAt(text, at) ? { end: at, bound: undefined, isApproximate: false, isTied: false } : undefined;
};

/** Longest first, because the longest reading leaves no part of the date behind. */
const foundAt = (text: string, at: number, scan: Scan): readonly Found[] => {
  const all: Found[] = [];
  for (const form of isDigit(text.charCodeAt(at)) ? DIGIT_FORMS : LETTER_FORMS) {
    if (!allows(form, scan)) continue;
    const match = matchAt(form.pattern, text, at);
    if (match) all.push({ end: at + match[0].length, read: () => form.read(match.groups ?? {}, scan) });
  }
  const away = spanFrom(text, at, scan);
  if (away) all.push(away);
  return all.length > 1 ? all.toSorted((a, b) => b.end - a.end) : all;
};

const readingAt = (text: string, at: number, scan: Scan): Reading<DateValue> | undefined => {
  if (!beginsAt(text, at)) return undefined;
  if (!isDigit(text.charCodeAt(at)) && endAt(LETTERS, text, at) === undefined) return undefined;
  const all = foundAt(text, at, scan);
  if (all.length === 0 || isEvery(text, at)) return undefined;
  const before = besideBefore(text, at);
  const isSure = ({ needs, isShort }: FormReading, tail: Tail): boolean => {
    const isAllowed = scan.isWhole || (isShort === true && scan.options.allowsShort === true);
    if (needs === undefined || isAllowed || tail.isTied) return true;
    return needs === 'any word' ? before !== undefined : before?.isBeforeDay === true;
  };
  for (const { end, read } of all) {
    const tail = tailAt(text, end);
    const found = tail && read();
    if (!found || !isSure(found, tail)) continue;
    const bound = tail.bound ?? before?.bound ?? 'on';
    const [value = { status: 'impossible' } as const, ...alternatives] = found.periods.map(
      (period): DateValue => ({ status: 'date', ...period, bound, said: found.said ?? 'relative' }),
    );
    return {
      value,
      start: before?.start ?? at,
      end: tail.end,
      isApproximate: found.isApproximate === true || tail.isApproximate || before?.isApproximate === true,
      alternatives,
    };
  }
  return undefined;
};

const scanOf = (today: Temporal.PlainDate, options: DateOptions, isWhole: boolean): Scan => ({
  today,
  looks: options.looks ?? 'back',
  order: options.order,
  isWhole,
  options,
});

/** Every date in a sentence, left to right, each with its particles and prepositions. */
export const datesIn = (
  text: string,
  today: Temporal.PlainDate,
  options: DateOptions = {},
): readonly Reading<DateValue>[] => {
  const scan = scanOf(today, options, false);
  return everyReading(text, (folded, at) => readingAt(folded, at, scan));
};

/** A placeholder for today, if only the position of a date matters. */
export const SOME_DAY = new Temporal.PlainDate(2000, 1, 1);

/** The date that starts at this position, whatever follows. */
export const dateAt = (
  text: string,
  at: number,
  options: DateOptions = {},
  today = SOME_DAY,
): Reading<DateValue> | undefined => readingAt(foldWidth(text), at, scanOf(today, options, false));

/** True if the text is only a date with its particles. */
export const isDate = (text: string, options: DateOptions = {}): boolean =>
  dateAt(text, 0, options)?.end === text.length;

const LEADING = new RegExp(
  `^\\s{0,20}(?:(?:on|since|from|until|till|til|by|as${BLANK}of|in|during|about|around|circa|약|대략)${BLANK}){0,2}(?:the${BLANK})?`,
  'iu',
);
const NOTHING = /^[\s.,!?]{0,20}$/u;

/** The whole text as a date, with particles and prepositions: `어제`, `on Oct 1`, `2026-10-01에`, `since March`. */
export const readDate = (
  text: string,
  today: Temporal.PlainDate,
  options: DateOptions = {},
): Reading<DateValue> | undefined => {
  const folded = foldWidth(text);
  const scan = scanOf(today, options, true);
  const first = folded.length - folded.trimStart().length;
  for (const at of new Set([first, LEADING.exec(folded)?.[0].length ?? first])) {
    const reading = readingAt(folded, at, scan);
    if (reading && NOTHING.test(folded.slice(reading.end))) return reading;
  }
  return undefined;
};
