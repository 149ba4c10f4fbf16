import {
  BLANK,
  countOf,
  ENGLISH_COUNT,
  GAP,
  isWordCharacter,
  NATIVE_COUNT,
  SINO_COUNT,
} from './calendar-words.ts';
import { everyReading, foldWidth, matchAt, type Reading } from './reading.ts';

type Unit = 'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes';

/** Longest to shortest, the order in which people combine them. */
const UNITS: readonly (readonly [unit: Unit, pattern: string])[] = [
  ['years', 'years?|yrs?|y|년|해'],
  ['months', 'months?|mons?|mo|mths?|개월|달'],
  ['weeks', 'weeks?|wks?|w|주일|주'],
  ['days', 'days?|d|일'],
  ['hours', 'hours?|hrs?|h|시간'],
  ['minutes', 'minutes?|mins?|m|분(?![의기])'],
];
const UNIT = UNITS.map(([, pattern]) => pattern)
  .join('|')
  .split('|')
  .toSorted((a, b) => b.length - a.length)
  .join('|');
const IS_UNIT = UNITS.map(([unit, pattern]) => [unit, new RegExp(`^(?:${pattern})$`, 'iu')] as const);
const rankOf = (unit: Unit): number => UNITS.findIndex(([each]) => each === unit);

type Fields = Readonly<Partial<Record<Unit, number>>>;

/** Words that are a span by themselves. */
const WHOLE: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ['하루', { days: 1 }],
  ['이틀', { days: 2 }],
  ['사흘', { days: 3 }],
  ['나흘', { days: 4 }],
  ['닷새', { days: 5 }],
  ['엿새', { days: 6 }],
  ['이레', { days: 7 }],
  ['여드레', { days: 8 }],
  ['아흐레', { days: 9 }],
  ['열흘', { days: 10 }],
  ['보름', { days: 15 }],
  ['반나절', { hours: 6 }],
  ['반년', { months: 6 }],
  ['반시간', { minutes: 30 }],
  ['반달', { days: 15 }],
  ['halfhour', { minutes: 30 }],
  ['halfday', { hours: 12 }],
  ['halfyear', { months: 6 }],
  ['fortnight', { weeks: 2 }],
  ['quarterofhour', { minutes: 15 }],
  ['pastweek', { weeks: 1 }],
  ['pastmonth', { months: 1 }],
  ['pastquarter', { months: 3 }],
  ['pastyear', { years: 1 }],
]);
/** Without spaces and articles. */
const wholeKey = (written: string): string =>
  written
    .toLowerCase()
    .replaceAll(/\ban?[ \t]/gu, '')
    .replaceAll(/[ \t-]/gu, '');
const WHOLE_WORD = `하루|이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘|보름|반나절|반${GAP}(?:년|시간|달)|half(?:${BLANK}an?)?[ -](?:hour|day|year)|(?:a${BLANK})?fortnight|(?:a${BLANK})?quarter${BLANK}of${BLANK}an${BLANK}hour|past${BLANK}(?:week|month|quarter|year)`;

const AND_A_HALF = `${BLANK}and${BLANK}a${BLANK}half`;
/** Numerals pair with certain units: `이 주` is this week, and `사주` is not four weeks. */
const ONE = new RegExp(
  [
    `(?<whole>${WHOLE_WORD})`,
    `(?<digits>\\d{1,5}(?:\\.\\d{1,2})?)(?<half1>${AND_A_HALF})?(?:-|${GAP})(?<unit1>${UNIT})`,
    `(?<native>${NATIVE_COUNT})${GAP}(?<unit2>달|주일|주|시간|해)`,
    `(?<sino>${SINO_COUNT})(?<unit3>년|개월|주일)`,
    `(?<english>${ENGLISH_COUNT})(?<half2>${AND_A_HALF})?(?:-|${BLANK})(?<unit4>years?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?)`,
  ].join('|'),
  'iuy',
);
const BEHIND = new RegExp(`(?<korean>${GAP}반)|${BLANK}and${BLANK}a${BLANK}half`, 'iuy');
const BETWEEN = new RegExp(`${GAP}(?:,|and|하고|and${BLANK}a)?${GAP}`, 'iuy');

/** Half of each unit. */
const HALF: Readonly<Record<Unit, Fields>> = {
  years: { months: 6 },
  months: { days: 15 },
  weeks: { hours: 84 },
  days: { hours: 12 },
  hours: { minutes: 30 },
  minutes: {},
};

/** Converts fractions to the next smaller unit. A month without a start has 30 days. */
const SMALLER: Readonly<Record<Unit, readonly [unit: Unit, factor: number]>> = {
  years: ['months', 12],
  months: ['days', 30],
  weeks: ['days', 7],
  days: ['hours', 24],
  hours: ['minutes', 60],
  minutes: ['minutes', 1],
};

const add = (a: Fields, b: Fields): Fields => {
  const sum: Partial<Record<Unit, number>> = { ...a };
  for (const [unit] of UNITS) if (b[unit] !== undefined) sum[unit] = (sum[unit] ?? 0) + b[unit];
  return sum;
};

const fieldsOf = (count: number, unit: Unit): Fields => {
  const whole = Math.trunc(count);
  const part = count - whole;
  if (part === 0) return { [unit]: count };
  const [smaller, factor] = SMALLER[unit];
  if (unit === 'minutes') return { minutes: Math.round(count) };
  const rest = Math.round(part * factor * 100) / 100;
  return add(whole === 0 ? {} : { [unit]: whole }, fieldsOf(rest, smaller));
};

/** `3m` is minutes or months, which only the caller knows. */
const IS_SHORT_M = /^m$/iu;
/** `3주` may be shares, `3일` a day of the month. */
const IS_UNSURE = /^(?:주|일|m)$/iu;

export interface SpanFound {
  readonly end: number;
  readonly duration: Temporal.Duration;
  /** `3m` as months. */
  readonly others: readonly Temporal.Duration[];
  /** The last unit has another meaning: `3주`, `3일`, `5m`. */
  readonly isUnsure: boolean;
}

interface Piece {
  readonly end: number;
  readonly fields: Fields;
  readonly rank: number;
  readonly isShortM: boolean;
  readonly isUnsure: boolean;
}

const pieceAt = (text: string, at: number): Piece | undefined => {
  const match = matchAt(ONE, text, at);
  if (!match) return undefined;
  const groups = match.groups ?? {};
  const { whole, half1, half2 } = groups;
  const count = groups['digits'] ?? groups['native'] ?? groups['sino'] ?? groups['english'] ?? '';
  const written = groups['unit1'] ?? groups['unit2'] ?? groups['unit3'] ?? groups['unit4'] ?? '';
  const half = half1 ?? half2;
  const end = at + match[0].length;
  if (whole !== undefined) {
    const fields = WHOLE.get(wholeKey(whole)) ?? { minutes: 0 };
    const rank = rankOf((Object.keys(fields)[0] ?? 'minutes') as Unit);
    const behind = fields.days === 1 ? matchAt(BEHIND, text, end) : null;
    if (behind)
      return {
        end: end + behind[0].length,
        fields: add(fields, HALF.days),
        rank,
        isShortM: false,
        isUnsure: false,
      };
    return { end, fields, rank, isShortM: false, isUnsure: false };
  }
  const unit = IS_UNIT.find(([, pattern]) => pattern.test(written))?.[0] ?? 'minutes';
  const behind = half === undefined ? matchAt(BEHIND, text, end) : null;
  const isHalf = half !== undefined || behind !== null;
  const fields = add(fieldsOf(countOf(count), unit), isHalf ? HALF[unit] : {});
  return {
    end: end + (behind?.[0].length ?? 0),
    fields,
    rank: rankOf(unit),
    isShortM: IS_SHORT_M.test(written),
    isUnsure: IS_UNSURE.test(written),
  };
};

interface FieldsFound extends Pick<SpanFound, 'end' | 'isUnsure'> {
  readonly fields: Fields;
  readonly isShortM: boolean;
}

/** The units of the span at this position, whatever follows. */
export const spanFieldsAt = (text: string, at: number): FieldsFound | undefined => {
  const first = pieceAt(text, at);
  if (!first) return undefined;
  let { fields, end, rank } = first;
  let { isShortM, isUnsure } = first;
  for (;;) {
    const between = matchAt(BETWEEN, text, end);
    const next = pieceAt(text, end + (between?.[0].length ?? 0));
    // A repeated or longer unit starts another span.
    if (!next || next.rank <= rank) break;
    fields = add(fields, next.fields);
    ({ end, rank, isUnsure } = next);
    // `1h30m` is minutes, `1y6m` months.
    if (next.isShortM && fields.hours === undefined && fields.minutes !== undefined)
      fields = { ...fields, minutes: 0, months: (fields.months ?? 0) + fields.minutes };
    isShortM = false;
    if (next.isShortM) isUnsure = false;
  }
  return { end, fields, isShortM, isUnsure };
};

/** The span at this position, whatever follows. */
const spanAt = (text: string, at: number): SpanFound | undefined => {
  const found = spanFieldsAt(text, at);
  if (!found) return undefined;
  const { end, fields, isShortM, isUnsure } = found;
  const others = isShortM ? [Temporal.Duration.from({ months: fields.minutes ?? 0 })] : [];
  return { end, duration: Temporal.Duration.from(fields), others, isUnsure };
};

const TAIL = new RegExp(
  `(?<approx>${GAP}(?:쯤|정도|가량))?(?<tie>${GAP}(?:동안(?:만|은)?|간(?:만|은)?|안에|이내에?|내에?|만에|마다|째|짜리|치|후에?|뒤에?))?(?:은|는|이면|이|가|면|을|를|의|로|도|만|에)?`,
  'uy',
);
const PAST = new RegExp(`${GAP}(?:전|ago(?![a-z]))`, 'iuy');
const AROUND = new RegExp(`(?:about|around|roughly|approximately|약|대략|한)${BLANK}$`, 'iu');
const LEAD = new RegExp(
  `(?:for|in|within|every|over|past|last)${BLANK}(?:the${BLANK})?(?:about${BLANK}|around${BLANK})?$`,
  'iu',
);
const LOOK_BEHIND = 24;

/** True if a span can start here: not inside a word or after a sign such as `$` or `.`. */
const beginsAt = (text: string, at: number): boolean =>
  !isWordCharacter(text[at - 1]) && !/[$₩€£¥.,:/#@%+]/u.test(text[at - 1] ?? ' ');

const readingAt = (text: string, at: number, isWhole: boolean): Reading<Temporal.Duration> | undefined => {
  const found = beginsAt(text, at) ? spanAt(text, at) : undefined;
  if (!found || matchAt(PAST, text, found.end)) return undefined;
  const tail = matchAt(TAIL, text, found.end);
  const { approx, tie } = tail?.groups ?? {};
  const isWord = (position: number): boolean => isWordCharacter(text[position]);
  let end = found.end + (tail?.[0].length ?? 0);
  if (isWord(end)) end = found.end;
  if (isWord(end)) return undefined;
  const before = text.slice(Math.max(0, at - LOOK_BEHIND), at);
  if (found.isUnsure && !isWhole && (end === found.end || tie === undefined) && !LEAD.test(before))
    return undefined;
  const isApproximate = (approx !== undefined && end > found.end) || AROUND.test(before);
  return { value: found.duration, start: at, end, isApproximate, alternatives: found.others };
};

/** Every span in a sentence, left to right. `3주`, `3일` and `5m` need a word such as 동안. */
export const spansIn = (text: string): readonly Reading<Temporal.Duration>[] =>
  everyReading(text, (folded, at) => readingAt(folded, at, false));

const LEADING = new RegExp(
  `^\\s{0,20}(?:(?:for|in|within|every|about|around|약|대략)${BLANK}){0,2}(?:the${BLANK})?`,
  'iu',
);
const NOTHING = /^[\s.,!?]{0,20}$/u;

/** The whole text as a span: `30분`, `1년 반`, `for half an hour`, `2주 동안`. */
export const readSpan = (text: string): Reading<Temporal.Duration> | undefined => {
  const folded = foldWidth(text);
  const start = LEADING.exec(folded)?.[0].length ?? 0;
  const reading = readingAt(folded, start, true);
  return reading && NOTHING.test(folded.slice(reading.end)) ? reading : undefined;
};

const DAYS = { years: 365, months: 30, weeks: 7, days: 1 } as const;

/** Minutes of a span without a start: a month has 30 days, a year 365. */
export const minutesOf = ({ years, months, weeks, days, hours, minutes }: Temporal.Duration): number => {
  const allDays = years * DAYS.years + months * DAYS.months + weeks * DAYS.weeks + days;
  return Math.round((allDays * 24 + hours) * 60 + minutes);
};
