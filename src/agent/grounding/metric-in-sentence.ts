import type { MetricId } from '#src/kernel/fact-metrics.ts';
import { directionOf } from './direction.ts';
import type { FactIndex } from './fact-index.ts';
import type { Figure } from './figures.ts';
import { fitting, lastFitting } from './metric-fit.ts';
import { amountMovesBeside, isAmount, percentMovesOf } from './moves.ts';
import { metricAbove, type NamedMetric } from './named-metric.ts';
import { spansBefore } from './parameters.ts';
import type { Place } from './place.ts';
import { LONGEST_CUE, type ReadAnswer, within } from './read-answer.ts';
import { periodsOf } from './when.ts';
import { HIGH_ENDS, LOW_ENDS, MONEY_MOVES, type WordHit } from './vocabulary.ts';

/** Where the words about a number end. */
const CLAUSE_END =
  /[,;·|\n]|\s[-–—]\s|이고|이며|으며|이니|니까|(?:고|며|지만|는데|으로|로|라서)\s|\s(?:and|with|while|but|versus|vs)\s/u;
const RANGE_GAP =
  /^\s{0,3}(?:~|-|–|—|to|and|에서|부터|와|과)\s{0,3}(?:약|about|roughly|around|approximately)?\s{0,3}$/iu;
/** The most that `RANGE_GAP` can cover, and some more. */
const LONGEST_GAP = 30;
const isRangeGap = (text: string, from: number, to: number): boolean =>
  to - from <= LONGEST_GAP && RANGE_GAP.test(text.slice(from, to));
/** The number stands in a bracket behind another one. */
const OPENS_BRACKET = /^\s?\(\s?$/u;
/** `$224.19 at its 200-day` */
const SPAN_AFTER = /^[^,;]{0,16}\d{1,3}(?:-day|일)/u;
/** What a span of days without another word names. */
const OF_SPAN: readonly MetricId[] = ['sma', 'ema', 'distanceFromSma', 'distanceFromEma'];
/** A number beside a word can be the base of what the word names: `전일 71,000원에서`. */
const BASES: ReadonlySet<MetricId> = new Set(['previousClose', 'lastYearClose']);
/** Ends of a range that belong to a span of time. */
const OF_A_SPAN: ReadonlySet<MetricId> = new Set([
  'dayLow',
  'dayHigh',
  'yearLow',
  'yearHigh',
  'periodLow',
  'periodHigh',
]);
/** No more than a space and a mark stand between. */
const AT_NUMBER = 2;
/** A particle and a space may stand between. */
const BESIDE_NUMBER = 4;
/** A word further away gives way to one at the number. */
const FAR = 12;

/** The numbers and the words around a number. */
interface Surroundings {
  readonly answer: ReadAnswer;
  readonly index: FactIndex;
  readonly place: Place;
  readonly previous: Figure | undefined;
  readonly next: Figure | undefined;
  /** The other end, if the number is the second one of `71,000 ~ 73,000`. */
  readonly firstEnd: Figure | undefined;
  /** The other end, if the number is the first one. */
  readonly secondEnd: Figure | undefined;
  /** The text of both ends of the range. That of the number alone, if there is no range. */
  readonly rangeFrom: number;
  readonly rangeTo: number;
  /** What a word names that the number can be. */
  readonly fits: (word: WordHit) => readonly MetricId[];
  /** The words before the number that name what it can be. */
  readonly before: readonly WordHit[];
  /** What the words beside it allow without ruling out others. */
  readonly weak: readonly MetricId[];
  /** The changes that an amount with "up" or "down" can be. */
  readonly moves: readonly MetricId[];
}

const surroundingsOf = (answer: ReadAnswer, index: FactIndex, place: Place): Surroundings => {
  const { figure, sentence, inSentence, nth, from, to, said } = place;
  const { text } = answer;
  const [previous, next] = [inSentence[nth - 1], inSentence[nth + 1]];
  const firstEnd = previous && isRangeGap(text, previous.end, figure.start) ? previous : undefined;
  const secondEnd = next && isRangeGap(text, figure.end, next.start) ? next : undefined;
  const fits = ({ value }: WordHit): readonly MetricId[] => fitting(value.metrics, figure, index);
  const hasWeak = said.some(({ value }) => value.weak !== undefined);
  const weak = hasWeak
    ? said.flatMap((word) => (word.start >= from && word.end <= to ? (word.value.weak ?? []) : []))
    : [];
  return {
    answer,
    index,
    place,
    previous,
    next,
    firstEnd,
    secondEnd,
    rangeFrom: firstEnd ? (inSentence[nth - 2]?.end ?? sentence.start) : from,
    rangeTo: secondEnd ? (inSentence[nth + 2]?.start ?? sentence.end) : to,
    fits,
    before: said.filter((word) => word.start >= from && word.end <= figure.end && fits(word).length > 0),
    weak: fitting(weak, figure, index),
    moves: amountMovesBeside(answer, place),
  };
};

/** `고가와 저가는 각각 …`: the words and the numbers are in the same order. */
const metricInOrder = ({ place, fits }: Surroundings): NamedMetric | undefined => {
  const { inSentence, nth, said } = place;
  const [first] = inSentence;
  if (!first || !said.some(({ value }) => value.isRespective)) return undefined;
  const listed = said.filter((word) => word.end <= first.start && fits(word).length > 0);
  const word = listed[nth];
  return listed.length === inSentence.length && word
    ? { metrics: fits(word), word, isNear: true }
    : undefined;
};

/** `52주 범위 71,000 ~ 73,000`: a word for a range says that the numbers are its ends. */
const metricOfRangeEnd = ({
  answer,
  index,
  place,
  firstEnd,
  secondEnd,
  rangeFrom,
  rangeTo,
  fits,
  before,
}: Surroundings): NamedMetric | undefined => {
  if (!firstEnd && !secondEnd) return undefined;
  const { figure, said } = place;
  const isRange = said.some(({ value, start, end }) => value.isRange && start >= rangeFrom && end <= rangeTo);
  const hasNoun =
    before.some(({ value }) => !value.isRange) ||
    (firstEnd !== undefined &&
      said.some(
        (word) =>
          word.start >= rangeFrom && word.end <= firstEnd.end && !word.value.isRange && fits(word).length > 0,
      ));
  // `dropped from 4,170 to 4,011 in a day` is no range.
  const isMove = said.some(
    ({ value, end }) => value.direction !== undefined && end <= figure.start && end > rangeFrom - LONGEST_CUE,
  );
  if (!isRange || hasNoun || isMove) return undefined;
  const isAscending = firstEnd ? firstEnd.value <= figure.value : figure.value <= (secondEnd?.value ?? 0);
  const ends = !isAscending ? [...LOW_ENDS, ...HIGH_ENDS] : firstEnd ? HIGH_ENDS : LOW_ENDS;
  const called = said.find(
    ({ value, start, end }) =>
      value.isRange && start >= rangeFrom && end <= rangeTo && value.metrics.length > 0,
  );
  const possible = called ? ends.filter((id) => called.value.metrics.includes(id)) : ends;
  const spanned = periodsOf(answer, place).length > 0 ? possible.filter((id) => OF_A_SPAN.has(id)) : possible;
  return { metrics: fitting(spanned, figure, index), word: undefined, isNear: true, isRangeEnd: true };
};

/** The second number of a range is what the first one is, if no word of its own names it. */
const metricOfFirstEnd = ({
  answer,
  index,
  place,
  firstEnd,
  rangeFrom,
  before,
}: Surroundings): NamedMetric | undefined => {
  const { figure, inSentence, nth } = place;
  if (!firstEnd || before.length > 0 || firstEnd.kind !== figure.kind) return undefined;
  const first = metricInSentence(answer, index, {
    ...place,
    figure: firstEnd,
    from: rangeFrom,
    to: firstEnd.end,
    inSentence: inSentence.slice(0, nth),
    nth: nth - 1,
  });
  return first.metrics && first.isNear ? first : undefined;
};

/** Where the words after a number stop being about it. */
const reachOf = (text: string, figure: Figure, to: number, next: Figure | undefined): number => {
  const rest = text.slice(figure.end, to);
  const stop = rest.search(CLAUSE_END);
  const reach = stop === -1 ? to : Math.min(to, figure.end + stop);
  if (!next) return reach;
  // In `612,000 won (a gain of 4.44 %)` the bracket is about the next number.
  const bracket = rest.lastIndexOf('(');
  return bracket !== -1 && rest.lastIndexOf(')') < bracket ? Math.min(reach, figure.end + bracket) : reach;
};

/** The first word after the number, or after the range that it opens, that names what it can be. */
const wordAfter = ({ answer, place, next, secondEnd, rangeTo, fits }: Surroundings): WordHit | undefined => {
  const { figure, inSentence, nth, to, said } = place;
  // Most numbers have no such word at all.
  const end = secondEnd ? rangeTo : to;
  const first = said.find((word) => word.start >= figure.end && word.end <= end && fits(word).length > 0);
  if (!first) return undefined;
  const reach = secondEnd
    ? reachOf(answer.text, secondEnd, rangeTo, inSentence[nth + 2])
    : reachOf(answer.text, figure, to, next);
  return first.end <= reach
    ? first
    : said.find((word) => word.start >= figure.end && word.end <= reach && fits(word).length > 0);
};

/** What the words of the number's own clause call it. */
const metricByWord = (around: Surroundings): NamedMetric | undefined => {
  const { place, fits, before, weak, moves } = around;
  const { figure } = place;
  const after = wordAfter(around);
  const last = before.at(-1);
  // `PER 11.4배`, and `0.96% dividend yield`: a word at the number counts before one further away.
  const isAfterNearer =
    after &&
    last &&
    ((after.start - figure.end <= AT_NUMBER && figure.start - last.end > FAR) ||
      around.answer.text.slice(last.end, figure.start).includes(', '));
  const nearest = isAfterNearer ? after : (last ?? after);
  if (!nearest) return undefined;
  const isAfterToo = after && (isAfterNearer || !last || after.start - figure.end <= BESIDE_NUMBER);
  const called = fits(nearest);
  // `볼린저 밴드는 상단 …`: a word that only says less exactly what the nearest one says adds nothing.
  const [first] = called;
  const isOther = (word: WordHit): boolean => first !== undefined && !fits(word).includes(first);
  const others = before.filter(isOther);
  if (isAfterToo && isOther(after)) others.push(after);
  const bases = weak.filter((id) => BASES.has(id));
  if (others.length === 0 && moves.length === 0 && bases.length === 0)
    return { metrics: called, named: called, word: nearest, isNear: true };
  return {
    metrics: [...new Set([...called, ...others.flatMap(fits), ...moves, ...bases])],
    named: moves.length > 0 ? MONEY_MOVES : called,
    word: nearest,
    isNear: true,
  };
};

/** What the number may be besides what a word further away calls it. */
const possible = ({ answer, index, place, weak, moves }: Surroundings): readonly MetricId[] => {
  const { figure, to } = place;
  const isOfSpan =
    spansBefore(answer, place).length > 0 || SPAN_AFTER.test(answer.text.slice(figure.end, to));
  return [...weak, ...(isOfSpan ? fitting(OF_SPAN, figure, index) : []), ...moves];
};

/** A percentage with "up" or "down" and no other word is a change. */
const metricByDirection = (
  { answer, place, fits }: Surroundings,
  also: readonly MetricId[],
): NamedMetric | undefined => {
  if (place.figure.kind !== 'percent' || directionOf(answer, place).direction === undefined) return undefined;
  const others = [...place.said.flatMap(fits), ...also];
  return {
    metrics: [...percentMovesOf(answer), ...others],
    isExtended: others.length > 0,
    word: undefined,
    isNear: true,
    isByDirection: true,
  };
};

/** What words outside the number's own clause call it. The sign alone may say that it is a change. */
const metricFromFarther = (
  { answer, index, place, previous, fits }: Surroundings,
  also: readonly MetricId[],
): NamedMetric => {
  const { figure, line, sentence, inSentence, from, said } = place;
  const open = (found: NamedMetric): NamedMetric =>
    also.length > 0 ? { ...found, metrics: [...(found.metrics ?? []), ...also] } : found;
  const isBehind =
    previous !== undefined && OPENS_BRACKET.test(answer.text.slice(previous.end, figure.start));
  // `1.8% (11,000원)`: the amount of the percentage.
  if (isBehind && previous.kind === 'percent' && isAmount(figure))
    return { metrics: MONEY_MOVES, word: undefined, isNear: false };
  const earlier = lastFitting(
    said.filter(({ end }) => end <= from),
    figure,
    index,
  );
  if (earlier) return open({ ...earlier, isNear: isBehind });
  const later = said.find((word) => word.start >= figure.end && fits(word).length > 0);
  if (later && inSentence.at(-1) === figure) return { metrics: fits(later), word: later, isNear: false };
  const above = metricAbove(answer, index, place);
  if (above.metrics) return open(above);
  const inLine = lastFitting(within(answer.words, line.start, sentence.start), figure, index);
  const isSignedPercent = figure.kind === 'percent' && figure.sign !== undefined;
  const isSignedAmount = isAmount(figure) && figure.sign !== undefined;
  const bySign = isSignedPercent ? percentMovesOf(answer) : isSignedAmount ? MONEY_MOVES : undefined;
  return open({ metrics: inLine?.metrics ?? bySign, word: undefined, isNear: false });
};

/** What the sentence, or else the text above it, calls a number. */
export function metricInSentence(answer: ReadAnswer, index: FactIndex, place: Place): NamedMetric {
  const around = surroundingsOf(answer, index, place);
  const named =
    metricInOrder(around) ?? metricOfRangeEnd(around) ?? metricOfFirstEnd(around) ?? metricByWord(around);
  if (named) return named;
  const also = possible(around);
  return metricByDirection(around, also) ?? metricFromFarther(around, also);
}
