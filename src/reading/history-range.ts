import type { Locale } from '#src/kernel/locale.ts';
import type { HistoryRange } from '#src/kernel/market/finance.ts';
import { minutesOf, readSpan } from './spans.ts';

/** Names of ranges without a number, in both languages, without spaces and in lower case. */
const NAMES: Readonly<Record<HistoryRange, readonly string[]>> = {
  '1d': ['day', 'today', '당일', '오늘'],
  '5d': ['week'],
  '1mo': ['month'],
  '3mo': ['quarter', '분기'],
  '6mo': ['halfyear'],
  ytd: ['ytd', 'yeartodate', 'thisyear', '올해', '금년', '연초', '연초이후', '연초대비'],
  '1y': ['year'],
  '2y': [],
  '5y': [],
  max: ['max', 'all', 'alltime', 'maximum', '전체', '최대', '전기간', '전체기간', '상장이후'],
};

const BY_NAME: ReadonlyMap<string, HistoryRange> = new Map(
  (Object.entries(NAMES) as readonly (readonly [HistoryRange, readonly string[]])[]).flatMap(
    ([range, names]) => names.map((name) => [name, range] as const),
  ),
);

/** Spans in days that are ranges; a month has 30 days. A week has five trading days. */
const BY_DAYS: ReadonlyMap<number, HistoryRange> = new Map<number, HistoryRange>([
  [1, '1d'],
  [5, '5d'],
  [7, '5d'],
  [28, '1mo'],
  [30, '1mo'],
  [90, '3mo'],
  [180, '6mo'],
  [360, '1y'],
  [364, '1y'],
  [365, '1y'],
  [720, '2y'],
  [730, '2y'],
  [1_800, '5y'],
  [1_825, '5y'],
]);
const MINUTES_A_DAY = 24 * 60;

/** Longer than any range. */
const MAX_LENGTH = 20;

/** Parses a range such as `1y`, `3m`, `6개월` or `1년간`. Undefined if the word is not one. */
export const readRange = (word: string): HistoryRange | undefined => {
  if (word.length > MAX_LENGTH) return undefined;
  const written = word.normalize('NFKC');
  const named = BY_NAME.get(written.toLowerCase().replaceAll(/[\s-]/gu, ''));
  if (named) return named;
  const span = readSpan(written);
  // For history, `3m` means months.
  const meant = span && (span.alternatives[0] ?? span.value);
  return meant && BY_DAYS.get(minutesOf(meant) / MINUTES_A_DAY);
};

/** True if the number of days equals a range. */
export const isRangeOfDays = (days: number): boolean => BY_DAYS.has(days);

/** With some slack, so that 31 days are still a month. */
const LONGEST_DAYS: readonly (readonly [range: HistoryRange, days: number])[] = [
  ['1d', 1],
  ['5d', 7],
  ['1mo', 31],
  ['3mo', 93],
  ['6mo', 186],
  ['1y', 366],
  ['2y', 731],
  ['5y', 1_830],
];

/** The shortest range that covers so many days. */
export const rangeOfDays = (days: number): HistoryRange =>
  LONGEST_DAYS.find(([, most]) => days <= most)?.[0] ?? 'max';

const LABELS: Readonly<Record<Locale, Readonly<Record<HistoryRange, string>>>> = {
  en: {
    '1d': '1 day',
    '5d': '5 days',
    '1mo': '1 month',
    '3mo': '3 months',
    '6mo': '6 months',
    ytd: 'year to date',
    '1y': '1 year',
    '2y': '2 years',
    '5y': '5 years',
    max: 'all time',
  },
  ko: {
    '1d': '1일',
    '5d': '5일',
    '1mo': '1개월',
    '3mo': '3개월',
    '6mo': '6개월',
    ytd: '올해',
    '1y': '1년',
    '2y': '2년',
    '5y': '5년',
    max: '전체 기간',
  },
};

/** The display name: `1 year`, `1년`. */
export const rangeLabel = (range: HistoryRange, locale: Locale): string => LABELS[locale][range];

/** Lengths of calendar ranges; the others are counted in trading days. */
export const RANGE_SPANS: Readonly<Partial<Record<HistoryRange, Temporal.DurationLike>>> = {
  '1mo': { months: 1 },
  '3mo': { months: 3 },
  '6mo': { months: 6 },
  '1y': { years: 1 },
  '2y': { years: 2 },
  '5y': { years: 5 },
};
