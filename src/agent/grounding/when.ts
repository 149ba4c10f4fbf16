import type { DateMention } from '#src/language/report-dates.ts';
import type { Line, Range } from './layout.ts';
import { isSamePeriod } from './periods.ts';
import type { Place } from './place.ts';
import { LONGEST_CUE, type ReadAnswer, within } from './read-answer.ts';

interface Span extends Range {
  readonly days: number;
}

/** `a close of $271.50 on Nov 13`: the date belongs to the number before it. */
const OF_NUMBER_BEFORE = /^\s{0,3}(?:\(|on|as of|in)?\s{0,3}$/iu;
const TODAY = /오늘|금일|\btoday\b/iu;
/** What separates a span from a number that it does not belong to. */
const BETWEEN_SPANS = /\d|[,;·|\n]|이고|이며|으며|\s(?:and|with|while|but|versus|vs)\s/u;

/** `up from a low of A, and slipped B today`: the span is of what the next clause says. */
export const OTHER_CLAUSE =
  /,\s(?:and|but|while|(?:even )?though|although|yet|whereas)\s|지만[\s,]|으나[\s,]|반면/u;

/** `오늘 내렸어도 수익률은`. */
const CONCEDED = /[어아해봐]도\s/u;
/** `오늘은 0.46% 내렸지만 전체로는 59.96%`: the span is of the number of its own clause. */
const isOfOtherClause = (between: string): boolean =>
  CONCEDED.test(between) || (/\d/u.test(between) && OTHER_CLAUSE.test(between));

/** Where the day and the span of a number are looked for, the nearest first. */
const rangesOf = ({ line, column, sentence }: Place): readonly Range[] => {
  if (!line.row) return [sentence];
  return column ? [column, line] : [line];
};

/** `from yesterday`, `전날보다`: what a number is compared with, not its own day. */
const BASE_BEFORE = /(?:from|than|since|versus|vs\.?|against|compared (?:with|to))\s(?:the\s)?$/iu;
const BASE_AFTER = /^(?:\s?\([^)]{0,20}\))?\s?(?:보다|대비|에 비해)/u;
const IS_BASE = /^(?:from|since)\s/iu;
const isBase = (text: string, { start, end }: Range): boolean =>
  IS_BASE.test(text.slice(start, end)) ||
  BASE_BEFORE.test(text.slice(Math.max(0, start - LONGEST_CUE), start)) ||
  BASE_AFTER.test(text.slice(end, end + LONGEST_CUE));

const dayInRow = ({ dates, figures }: ReadAnswer, place: Place): DateMention | undefined => {
  const { figure } = place;
  const { row } = place.line;
  const nearestIn = ({ start: from, end: to }: Range): DateMention | undefined => {
    const here = within(dates, from, to);
    return (
      here.findLast(({ end }) => end <= figure.start + 1) ?? here.find(({ start }) => start >= figure.end)
    );
  };
  const [label] = row?.cells ?? [];
  const own = [place.cell, place.column, label].flatMap((range) => (range ? (nearestIn(range) ?? []) : []));
  if (own[0]) return own[0];
  // `112,400원 (11월 4일) | 52,100원`: a day beside another number is of that one, and of several days none is of all.
  const days = (row?.cells ?? []).filter(
    ({ start, end }) => within(dates, start, end).length > 0 && within(figures, start, end).length === 0,
  );
  return days.length === 1 && days[0] ? nearestIn(days[0]) : undefined;
};

/** A date belongs to the number only if no other number stands between them. */
const dayInSentence = (
  { dates, text }: ReadAnswer,
  { figure, sentence, from, nth }: Place,
): DateMention | undefined => {
  const here = within(dates, sentence.start, sentence.end).filter(
    (date) => !date.isRelative || !isBase(text, date),
  );
  if (here.length === 0) return undefined;
  const after = here.find(({ start }) => start >= figure.end);
  const gap = after && text.slice(figure.end, after.start);
  if (gap !== undefined && OF_NUMBER_BEFORE.test(gap)) return after;
  const isOfPrevious = (start: number): boolean => nth > 0 && OF_NUMBER_BEFORE.test(text.slice(from, start));
  const before = here.findLast(
    ({ start, end }) =>
      start >= from &&
      end <= figure.start + 1 &&
      !isOfPrevious(start) &&
      // `어제 내린 삼성전자가 오늘 0.29%`
      !TODAY.test(text.slice(end, figure.start)),
  );
  if (before) return before;
  return gap !== undefined && gap.length <= LONGEST_CUE && !/[\d,;]/u.test(gap) ? after : undefined;
};

/** The date of a number. */
export const dayOf = (answer: ReadAnswer, place: Place): DateMention | undefined => {
  if (answer.dates.length === 0) return undefined;
  return place.line.row ? dayInRow(answer, place) : dayInSentence(answer, place);
};

const addSpans = (
  spans: Span[],
  { spanWords, spanFigures }: ReadAnswer,
  { start: from, end: to }: Range,
): readonly Span[] => {
  for (const { value, start, end } of within(spanWords, from, to))
    if (value.periodDays !== undefined) spans.push({ start, end, days: value.periodDays });
  for (const { durationDays, start, end } of within(spanFigures, from, to))
    if (durationDays !== undefined) spans.push({ start, end, days: durationDays });
  return spans;
};

const ENDS_SENTENCE = /[.!?다요]\s*$/u;

/** `52주 최고가는 646,000원입니다.` above a table speaks of its own number. */
const isStatement = ({ text, figures }: ReadAnswer, { start, end }: Line): boolean =>
  ENDS_SENTENCE.test(text.slice(start, end)) &&
  within(figures, start, end).some(({ durationDays }) => durationDays === undefined);

/** The spans that a heading or an outer list item names. */
const periodsAbove = (answer: ReadAnswer, line: Line): readonly number[] => {
  for (let above = line.parent; above; above = above.parent) {
    if (isStatement(answer, above)) continue;
    const there = addSpans([], answer, above);
    if (there.length > 0) return there.map(({ days }) => days);
  }
  return [];
};

/** The spans that a number may be about, in days. */
export const periodsOf = (answer: ReadAnswer, place: Place): readonly number[] => {
  const { text } = answer;
  const { figure, line } = place;
  const near: Span[] = [];
  for (const range of rangesOf(place)) addSpans(near, answer, range);
  if (near.length === 0) return periodsAbove(answer, line);
  // In `90.5% year to date and 75.2% over twelve months`, each span belongs to the number that it touches.
  const attached = near.filter(({ start, end }) =>
    end <= figure.start
      ? !BETWEEN_SPANS.test(text.slice(end, figure.start)) && !CONCEDED.test(text.slice(end, figure.start))
      : !BETWEEN_SPANS.test(text.slice(figure.end, start)),
  );
  if (attached.length > 0) return attached.map(({ days }) => days);
  const before = near.filter(
    ({ end }) => end <= figure.start && !isOfOtherClause(text.slice(end, figure.start)),
  );
  if (before.length > 0) return before.map(({ days }) => days);
  // `a high of A and a low of B over the last three months`
  const [later] = near;
  if (
    later &&
    !line.row &&
    near.every(({ days }) => isSamePeriod(days, later.days)) &&
    !OTHER_CLAUSE.test(text.slice(figure.end, later.start))
  )
    return [later.days];
  return periodsAbove(answer, line);
};
