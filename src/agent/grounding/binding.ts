import { METRICS, type MetricId, type MetricKind } from '#src/kernel/fact-metrics.ts';
import type { FactIndex, FigureKind } from './fact-index.ts';
import type { DateMention, Figure } from './figures.ts';
import type { Line, Range } from './layout.ts';
import type { Hit } from './phrases.ts';
import {
  HIGH_ENDS,
  LOW_ENDS,
  MONEY_MOVES,
  PERCENT_GAINS,
  PERCENT_MOVES,
  type WordHit,
} from './vocabulary.ts';

/** What a number of the answer is about, as far as the words around it say. */
export interface Binding {
  /** The subjects it may be about. Undefined if none is named. */
  readonly entities: readonly string[] | undefined;
  /** True if the subject is named in the sentence or in the row. */
  readonly isEntityNear: boolean;
  /** The metrics that the nearest word names. Undefined if there is no such word. */
  readonly metrics: readonly MetricId[] | undefined;
  /** What the nearest of them calls it. */
  readonly named: readonly MetricId[] | undefined;
  /** True if that word stands beside the number. */
  readonly isMetricNear: boolean;
  /** Only "up" or "down" says that it is a change. */
  readonly isMetricByDirection: boolean;
  /** Other words of the sentence could say what it is. */
  readonly isMetricOpen: boolean;
  /** Days named in the sentence or in the row. */
  readonly days: readonly number[] | undefined;
  readonly isDayRelative: boolean;
  /** Spans named in the sentence or in the row, nearest first. */
  readonly periods: readonly number[];
  /** Integers beside the word, as the 14 of `RSI(14)`. */
  readonly parameters: readonly string[];
  readonly direction: 1 | -1 | undefined;
  /** A direction word follows the number at once: `0.3% 상승`. */
  readonly directionAfter: 1 | -1 | undefined;
  readonly isComparing: boolean;
  readonly isSupposing: boolean;
}

/** An answer, read once for all of its numbers. */
export interface ReadAnswer {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly figures: readonly Figure[];
  readonly dates: readonly DateMention[];
  readonly words: readonly WordHit[];
  readonly names: readonly Hit<readonly string[]>[];
  /** The answer or the question is about what a person holds. */
  readonly isAboutHoldings: boolean;
  /** What the person asked about. */
  readonly topic: readonly string[];
}

const within = <T extends Range>(hits: readonly T[], start: number, end: number): readonly T[] => {
  // Both lists are in order, so the search starts at the first possible one.
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hits[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  let to = low;
  while (to < hits.length && (hits[to]?.start ?? 0) < end) to += 1;
  return hits.slice(low, to);
};

const METRIC_KINDS: Readonly<Record<FigureKind, readonly MetricKind[]>> = {
  money: ['money', 'number'],
  percent: ['percent'],
  percentPoints: ['percent'],
  points: ['money', 'number'],
  multiple: ['multiple', 'number'],
  count: ['count'],
  plain: ['money', 'percent', 'number', 'multiple', 'count'],
  date: ['date'],
};

/** The metrics of a word that a number of this kind can be. */
const fitting = (metrics: readonly MetricId[], kind: FigureKind, index: FactIndex): readonly MetricId[] => {
  const kinds = METRIC_KINDS[kind];
  return metrics.filter((id) => kinds.includes(METRICS[id].kind) || index.hasKind(id, kind));
};

/** Comparisons: the other company of `SK하이닉스보다` is not the subject. */
const OBLIQUE_AFTER =
  /^(?:\([^)]{0,30}\))?[^\s,]{0,2}(?:보다|에\s?비해|와\s?달리|과\s?달리|와\s?비교|과\s?비교|\s?대비)/u;
const OBLIQUE_BEFORE = /(?:than|versus|vs\.?|unlike|against|compared (?:with|to))\s+(?:the\s+)?$/iu;
const BEHIND = /^[^,.;|]{0,14}(?:for|of|인|의|in)\s+(?:the\s+)?$/iu;
const JOINED = /^(?:은|는|이|가)?\s?(?:와|과|랑|및|,|·|\/|&|and|or|\([^)]{0,20}\))\s?(?:and\s)?(?:the\s)?$/iu;
const LONGEST_CUE = 24;
/** A number this near to a name is about it, whatever stands before the name. */
const TOUCHING = 3;
/** Where the words about a number end. */
const CLAUSE_END =
  /[,;·|\n]|\s[-–—]\s|이고|이며|으며|이니|니까|(?:고|며|지만|는데|으로|로|라서)\s|\s(?:and|with|while|but|versus|vs)\s/u;

/** What the words around a number call it. */
interface NamedMetric {
  /** What it may be. */
  readonly metrics: readonly MetricId[] | undefined;
  /** What the nearest word calls it, if that is less. */
  readonly named?: readonly MetricId[];
  readonly word: WordHit | undefined;
  readonly isNear: boolean;
  readonly isByDirection?: boolean;
  /** Other words of the sentence could say what it is. */
  readonly isExtended?: boolean;
}

/** The words that belong to one number of a sentence. */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly inSentence: readonly Figure[];
  readonly said: readonly WordHit[];
}

const BESIDE = 4;
/** `lost about ₩` */
const BESIDE_BEFORE = 9;
/** A price that rises to, or from, this level. */
const LEVEL_GAP = /까지|에서|으로|로\s|선|\(/u;
/** `a close of $271.50 on Nov 13`: the date belongs to the number before it. */
const OF_NUMBER_BEFORE = /^\s*(?:\(|on|as of|in)?\s*$/iu;
const RANGE_GAP = /^\s*(?:~|-|–|—|to|and|에서|부터|와|과)\s*(?:약|about|roughly|around|approximately)?\s*$/iu;
const BETWEEN_SPANS = /\d|[,;·|\n]|이고|이며|으며|\s(?:and|with|while|but|versus|vs)\s/u;

interface Named {
  readonly entities: readonly string[];
  readonly isNear: boolean;
}

const union = (names: readonly Hit<readonly string[]>[]): readonly string[] => [
  ...new Set(names.flatMap(({ value }) => value)),
];

/** The names joined with this one: `삼성전자와 SK하이닉스는`. */
const group = (
  text: string,
  names: readonly Hit<readonly string[]>[],
  at: number,
): readonly Hit<readonly string[]>[] => {
  let first = at;
  while (first > 0) {
    const [one, other] = [names[first - 1], names[first]];
    if (!one || !other || !JOINED.test(text.slice(one.end, other.start))) break;
    first -= 1;
  }
  return names.slice(first, at + 1);
};

/** Finds what each number of an answer is about. */
export class Binder {
  readonly #answer: ReadAnswer;
  readonly #index: FactIndex;
  readonly #isIgnored: (figure: Figure) => boolean;

  /** `isIgnored` tells parameters, spans and list numbers, which do not separate words from numbers. */
  constructor(answer: ReadAnswer, index: FactIndex, isIgnored: (figure: Figure) => boolean) {
    this.#answer = answer;
    this.#index = index;
    this.#isIgnored = isIgnored;
  }

  bind(figure: Figure, line: Line): Binding {
    const { words, dates, figures } = this.#answer;
    const sentence = line.sentences.find(({ end }) => figure.start < end) ?? line;
    const inSentence = within(figures, sentence.start, sentence.end).filter(
      (each) => each === figure || !this.#isIgnored(each),
    );
    const place = inSentence.indexOf(figure);
    const cell = line.row?.cells.find(({ end }) => figure.start < end);
    const column = line.row && cell ? line.row.headers[line.row.cells.indexOf(cell)] : undefined;
    const near: Range = cell ?? sentence;
    const said = within(words, near.start, near.end);
    const from = cell ? cell.start : (inSentence[place - 1]?.end ?? sentence.start);
    const to = cell ? cell.end : (inSentence[place + 1]?.start ?? sentence.end);
    const named = line.row
      ? this.#namedInRow(figure, line, column)
      : this.#namedInSentence(figure, line, sentence, inSentence);
    const {
      metrics,
      named: called,
      isNear,
      word,
      isByDirection,
      isExtended,
    } = line.row
      ? this.#metricInRow(figure, line, cell, column)
      : this.#metricInSentence(figure, line, sentence, { from, to, inSentence, said });
    const ranges: readonly Range[] = line.row ? [...(column ? [column] : []), line] : [sentence];
    const mention = this.#dayFor(
      figure,
      ranges,
      within(dates, sentence.start, sentence.end),
      line.row ? undefined : from,
      place > 0,
    );
    return {
      entities: named?.entities,
      isEntityNear: named?.isNear ?? false,
      metrics,
      named: called ?? metrics,
      isMetricNear: isNear,
      isMetricByDirection: isByDirection ?? false,
      isMetricOpen: isExtended ?? false,
      days: mention && mention.days.length > 0 ? mention.days : undefined,
      isDayRelative: mention?.isRelative ?? false,
      periods: this.#periodsFor(figure, ranges, line),
      parameters:
        word && isNear
          ? this.#parametersBeside(word, line.row ? line.start : from, figure)
          : this.#spansBefore(figure, from),
      ...this.#directionFor(figure, from, to, line, sentence),
      isComparing:
        said.some(({ value }) => value.isComparing) ||
        (column ? within(words, column.start, column.end).some(({ value }) => value.isComparing) : false),
      isSupposing: said.some(({ value }) => value.isSupposing),
    };
  }

  /** The last subject named before this position, as the topic of what follows. */
  #topicBefore(at: number): Named | undefined {
    const { names, text } = this.#answer;
    const before = within(names, 0, at);
    const place = before.length - 1;
    if (place >= 0) return { entities: union(group(text, before, place)), isNear: false };
    const { topic } = this.#answer;
    return topic.length > 0 ? { entities: topic, isNear: false } : undefined;
  }

  #namedAbove(line: Line): Named | undefined {
    for (let above = line.parent; above; above = above.parent) {
      const names = within(this.#answer.names, above.start, above.end);
      if (names.length > 0) return { entities: union(names), isNear: false };
    }
    return this.#topicBefore(line.start);
  }

  #namedInRow(figure: Figure, line: Line, column: Range | undefined): Named | undefined {
    const { names } = this.#answer;
    const inRow = within(names, line.start, line.end).filter(
      ({ start }) => start < figure.start || start > figure.end,
    );
    if (inRow.length > 0) return { entities: union(inRow), isNear: true };
    const inColumn = column ? within(names, column.start, column.end) : [];
    if (inColumn.length > 0) return { entities: union(inColumn), isNear: true };
    return this.#namedAbove(line);
  }

  #namedInSentence(
    figure: Figure,
    line: Line,
    sentence: Range,
    inSentence: readonly Figure[],
  ): Named | undefined {
    const { names, text, words } = this.#answer;
    const here = within(names, sentence.start, sentence.end);
    if (here.length === 0) {
      const earlier = within(names, line.start, sentence.start);
      if (earlier.length > 0)
        return { entities: union(group(text, earlier, earlier.length - 1)), isNear: false };
      return this.#namedAbove(line);
    }
    const respective = within(words, sentence.start, sentence.end).find(({ value }) => value.isRespective);
    if (respective) {
      const after = inSentence.filter(({ start }) => start >= respective.end);
      const listedFigures = after.length > 0 ? after : inSentence;
      const until = after.length > 0 ? respective.start : (inSentence[0]?.start ?? 0);
      const listed = [
        ...new Map(here.filter(({ end }) => end <= until).map((name) => [name.value.join(), name])).values(),
      ];
      const place = listedFigures.indexOf(figure);
      const each = listed[place % Math.max(1, listed.length)];
      if (
        listed.length > 1 &&
        each &&
        place >= 0 &&
        place < listedFigures.length - (listedFigures.length % listed.length)
      )
        return { entities: each.value, isNear: true };
    }
    const before = here.filter(({ end }) => end <= figure.start);
    const after = here.find(({ start }) => start >= figure.end);
    if (after && BEHIND.test(text.slice(figure.end, after.start))) {
      const last = before.at(-1);
      const isClause =
        last === undefined || inSentence.some((each) => each.start > last.end && each.end <= figure.start);
      return { entities: isClause ? after.value : [...after.value, ...last.value], isNear: true };
    }
    const place = before.length - 1;
    const last = before[place];
    if (!last) {
      const isOther = after && inSentence.some((each) => each.start > figure.end && each.end <= after.start);
      if (isOther) return this.#topicBefore(sentence.start) ?? { entities: after.value, isNear: false };
      if (!after) return undefined;
      // `41.70%로 삼성전자(31.24%)보다 높고`: the subject stands in the sentence before.
      const isCompared = OBLIQUE_AFTER.test(text.slice(after.end, after.end + LONGEST_CUE + 16));
      const topic = isCompared ? this.#topicBefore(sentence.start) : undefined;
      return topic ?? { entities: after.value, isNear: true };
    }
    const together = group(text, before, place);
    const isOblique =
      figure.start - last.end > TOUCHING &&
      (OBLIQUE_AFTER.test(text.slice(last.end, last.end + LONGEST_CUE)) ||
        OBLIQUE_BEFORE.test(text.slice(Math.max(0, last.start - LONGEST_CUE), last.start)));
    if (!isOblique) return { entities: union(together), isNear: true };
    const subject = before[place - together.length] ?? after;
    const topic = subject ? subject.value : (this.#namedAbove(line)?.entities ?? []);
    return { entities: [...new Set([...union(together), ...topic])], isNear: true };
  }

  /** `28.61달러 빠졌습니다`, `slipped ₩11,000`: an amount beside "up" or "down" may be a change. */
  #movesBeside(figure: Figure, from: number, to: number): readonly MetricId[] {
    if (figure.kind === 'percent' || figure.kind === 'count') return [];
    const { words, text } = this.#answer;
    const moves = within(words, from, to).filter(({ value }) => value.direction !== undefined);
    const isBeside = moves.some(({ start, end }) =>
      start >= figure.end
        ? start - figure.end <= BESIDE && !LEVEL_GAP.test(text.slice(figure.end, start))
        : end <= figure.start &&
          figure.start - end <= BESIDE_BEFORE &&
          /[a-z]/iu.test(text.slice(start, end)),
    );
    const bracket = /^\s?\([^()]{0,24}\)/u.exec(text.slice(figure.end, figure.end + LONGEST_CUE + 4))?.[0];
    const behind = figure.end + (bracket?.length ?? 0);
    const isAfterBracket =
      bracket !== undefined &&
      within(words, behind, behind + BESIDE).some(({ value }) => value.direction !== undefined);
    return isBeside || isAfterBracket ? MONEY_MOVES : [];
  }

  #percentMoves(): readonly MetricId[] {
    return this.#answer.isAboutHoldings ? [...PERCENT_MOVES, ...PERCENT_GAINS] : PERCENT_MOVES;
  }

  /** Where the words after a number stop being about it. */
  #reachOf(figure: Figure, to: number, next: Figure | undefined): number {
    const rest = this.#answer.text.slice(figure.end, to);
    const stops = [rest.search(CLAUSE_END)];
    // In `612,000 won (a gain of 4.44 %)` the bracket is about the next number.
    if (next) stops.push(rest.lastIndexOf(')') < rest.lastIndexOf('(') ? rest.lastIndexOf('(') : -1);
    const stop = Math.min(...stops.map((at) => (at === -1 ? Infinity : at)));
    return Math.min(to, figure.end + stop);
  }

  #lastFitting(
    hits: readonly WordHit[],
    kind: FigureKind,
  ): { readonly metrics: readonly MetricId[]; readonly word: WordHit } | undefined {
    for (const word of hits.toReversed()) {
      const metrics = fitting(word.value.metrics, kind, this.#index);
      if (metrics.length > 0) return { metrics, word };
    }
    return undefined;
  }

  #metricInRow(figure: Figure, line: Line, cell: Range | undefined, column: Range | undefined): NamedMetric {
    const { words } = this.#answer;
    const own = cell ? this.#lastFitting(within(words, cell.start, cell.end), figure.kind) : undefined;
    if (own) return { ...own, isNear: true };
    const [label] = line.row?.cells ?? [];
    const inColumn = column
      ? this.#lastFitting(within(words, column.start, column.end), figure.kind)
      : undefined;
    const inLabel =
      label && label !== cell
        ? this.#lastFitting(within(words, label.start, label.end), figure.kind)
        : undefined;
    if (inColumn && inLabel) {
      const both = inColumn.metrics.filter((id) => inLabel.metrics.includes(id));
      return {
        ...inColumn,
        metrics: both.length > 0 ? both : [...inColumn.metrics, ...inLabel.metrics],
        isNear: true,
      };
    }
    const found = inColumn ?? inLabel;
    if (found) return { ...found, isNear: true };
    return this.#metricAbove(figure, line);
  }

  #metricAbove(figure: Figure, line: Line): NamedMetric {
    for (let above = line.parent; above; above = above.parent) {
      const found = this.#lastFitting(within(this.#answer.words, above.start, above.end), figure.kind);
      if (found) return { metrics: found.metrics, word: undefined, isNear: false };
    }
    return { metrics: undefined, word: undefined, isNear: false };
  }

  #metricInSentence(
    figure: Figure,
    line: Line,
    sentence: Range,
    { from, to, inSentence, said }: Segment,
  ): NamedMetric {
    const { text, words } = this.#answer;
    const fits = ({ value }: WordHit): readonly MetricId[] =>
      fitting(value.metrics, figure.kind, this.#index);
    const [firstFigure] = inSentence;
    if (firstFigure && said.some(({ value }) => value.isRespective)) {
      const listed = said.filter((word) => word.end <= firstFigure.start && fits(word).length > 0);
      const word = listed[inSentence.indexOf(figure)];
      if (listed.length === inSentence.length && word) return { metrics: fits(word), word, isNear: true };
    }
    const before = said.filter(
      (word) => word.start >= from && word.end <= figure.end && fits(word).length > 0,
    );
    const nouns = before.filter(({ value }) => !value.isRange);
    const place = inSentence.indexOf(figure);
    const weak = said.flatMap((word) =>
      word.start >= from && word.end <= to ? (word.value.weak ?? []) : [],
    );
    const moves = this.#movesBeside(figure, from, to);
    const isOfSpan =
      this.#spansBefore(figure, from).length > 0 ||
      /^[^,;]{0,16}\d{1,3}(?:-day|일)/u.test(text.slice(figure.end, to));
    const ofSpan = isOfSpan
      ? fitting(['sma', 'ema', 'distanceFromSma', 'distanceFromEma'], figure.kind, this.#index)
      : [];
    const also = [...fitting(weak, figure.kind, this.#index), ...ofSpan, ...moves];
    const [previous, next] = [inSentence[place - 1], inSentence[place + 1]];
    const isHigherEnd = previous !== undefined && RANGE_GAP.test(text.slice(previous.end, figure.start));
    const isLowerEnd = next !== undefined && RANGE_GAP.test(text.slice(figure.end, next.start));
    const reach = this.#reachOf(figure, to, next);
    const isOfRange = (ends: readonly MetricId[]): NamedMetric => ({
      metrics: fitting(ends, figure.kind, this.#index),
      word: undefined,
      isNear: true,
    });
    const start = isHigherEnd ? (inSentence[place - 2]?.end ?? sentence.start) : from;
    const stop = isLowerEnd ? (inSentence[place + 2]?.start ?? sentence.end) : to;
    const isRange =
      (isLowerEnd || isHigherEnd) &&
      said.some(({ value, ...word }) => value.isRange && word.start >= start && word.end <= stop);
    const hasNoun =
      nouns.length > 0 ||
      (isHigherEnd &&
        said.some(
          (word) =>
            word.start >= start &&
            word.end <= (previous?.end ?? 0) &&
            !word.value.isRange &&
            fits(word).length > 0,
        ));
    if (isRange && !hasNoun) {
      const isAscending = isHigherEnd ? previous.value <= figure.value : figure.value <= (next?.value ?? 0);
      return isOfRange(!isAscending ? [...LOW_ENDS, ...HIGH_ENDS] : isHigherEnd ? HIGH_ENDS : LOW_ENDS);
    }
    if (isHigherEnd && before.length === 0 && previous.kind === figure.kind) {
      const lower = this.#metricInSentence(previous, line, sentence, {
        from: start,
        to: previous.end,
        inSentence: inSentence.slice(0, place),
        said,
      });
      if (lower.metrics && lower.isNear) return lower;
    }
    const farther =
      isLowerEnd && next
        ? this.#reachOf(next, inSentence[place + 2]?.start ?? sentence.end, inSentence[place + 2])
        : reach;
    const after = said.find(
      (word) => word.start >= figure.end && word.end <= farther && fits(word).length > 0,
    );
    const last = before.at(-1);
    // `PER 11.4배`, and `0.96% dividend yield`: a word at the number counts before one further away.
    const isAfterNearer = after && last && after.start - figure.end <= 2 && figure.start - last.end > 12;
    const nearest = isAfterNearer ? after : (last ?? after);
    if (nearest) {
      const others = [
        ...before,
        ...(after && (isAfterNearer || !last || after.start - figure.end <= 4) ? [after] : []),
      ];
      const called = fits(nearest);
      // `볼린저 밴드는 상단 …`: the nearest word is the exact one.
      const wider = others.filter((word) => !called.every((id) => fits(word).includes(id)));
      const isMove = moves.length > 0;
      return {
        metrics: [
          ...new Set([
            ...called,
            ...wider.flatMap(fits),
            ...moves,
            ...fitting(weak, figure.kind, this.#index).filter(
              (id) => id === 'previousClose' || id === 'lastYearClose',
            ),
          ]),
        ],
        named: isMove ? MONEY_MOVES : called,
        word: nearest,
        isNear: true,
      };
    }
    if (
      figure.kind === 'percent' &&
      this.#directionFor(figure, from, to, line, sentence).direction !== undefined
    )
      return {
        metrics: [...this.#percentMoves(), ...said.flatMap(fits), ...also],
        isExtended: said.some((word) => fits(word).length > 0) || also.length > 0,
        word: undefined,
        isNear: true,
        isByDirection: true,
      };
    const open = (found: NamedMetric): NamedMetric => ({
      ...found,
      metrics: also.length > 0 ? [...(found.metrics ?? []), ...also] : found.metrics,
    });
    const isBehindPercent =
      previous?.kind === 'percent' && /^\s?\(\s?$/u.test(text.slice(previous.end, figure.start));
    if (isBehindPercent && figure.kind !== 'percent' && figure.kind !== 'count')
      return { metrics: MONEY_MOVES, word: undefined, isNear: false };
    const earlier = this.#lastFitting(
      said.filter(({ end }) => end <= from),
      figure.kind,
    );
    const isBehind = previous !== undefined && /^\s?\(\s?$/u.test(text.slice(previous.end, figure.start));
    if (earlier) return open({ ...earlier, isNear: isBehind });
    const later = said.find((word) => word.start >= figure.end && fits(word).length > 0);
    if (later && inSentence.at(-1) === figure) return { metrics: fits(later), word: later, isNear: false };
    const above = this.#metricAbove(figure, line);
    if (above.metrics) return open(above);
    const earlierInLine = this.#lastFitting(within(words, line.start, sentence.start), figure.kind);
    const isSignedMoney = figure.kind !== 'percent' && figure.kind !== 'count' && figure.sign !== undefined;
    const isSignedPercent = figure.kind === 'percent' && figure.sign !== undefined;
    const metrics =
      earlierInLine?.metrics ??
      (isSignedPercent ? this.#percentMoves() : isSignedMoney ? MONEY_MOVES : undefined);
    return open({ metrics, word: undefined, isNear: false });
  }

  /** The date of a number; not one that another number stands between, if `from` says where that ends. */
  #dayFor(
    figure: Figure,
    ranges: readonly Range[],
    inSentence: readonly DateMention[],
    from: number | undefined,
    hasPrevious: boolean,
  ): DateMention | undefined {
    if (from !== undefined) {
      const { text } = this.#answer;
      const after = inSentence.find(({ start }) => start >= figure.end);
      const gap = after && text.slice(figure.end, after.start);
      if (gap !== undefined && OF_NUMBER_BEFORE.test(gap)) return after;
      const before = inSentence.findLast(
        ({ start, end }) =>
          start >= from &&
          end <= figure.start + 1 &&
          !(hasPrevious && OF_NUMBER_BEFORE.test(text.slice(from, start))),
      );
      if (before) return before;
      return gap !== undefined && gap.length <= LONGEST_CUE && !/[\d,;]/u.test(gap) ? after : undefined;
    }
    for (const range of ranges) {
      const here = within(this.#answer.dates, range.start, range.end);
      const date =
        here.findLast(({ end }) => end <= figure.start + 1) ?? here.find(({ start }) => start >= figure.end);
      if (date) return date;
    }
    return undefined;
  }

  #periodsFor(figure: Figure, ranges: readonly Range[], line: Line): readonly number[] {
    const { words, figures, text } = this.#answer;
    const inRange = (
      range: Range,
    ): readonly { readonly start: number; readonly end: number; readonly days: number }[] => [
      ...within(words, range.start, range.end).flatMap(({ value, start, end }) =>
        value.periodDays === undefined ? [] : [{ start, end, days: value.periodDays }],
      ),
      ...within(figures, range.start, range.end).flatMap(({ durationDays, start, end }) =>
        durationDays === undefined ? [] : [{ start, end, days: durationDays }],
      ),
    ];
    const near = ranges.flatMap(inRange);
    if (near.length > 0) {
      // In `90.5% year to date and 75.2% over twelve months`, each span belongs to the number that it touches.
      const attached = near.filter(({ start, end }) =>
        end <= figure.start
          ? !BETWEEN_SPANS.test(text.slice(end, figure.start))
          : !BETWEEN_SPANS.test(text.slice(figure.end, start)),
      );
      if (attached.length > 0) return attached.map(({ days }) => days);
      const before = near.filter(({ end }) => end <= figure.start);
      if (before.length > 0) return before.map(({ days }) => days);
    }
    for (let above = line.parent; above; above = above.parent) {
      const there = inRange(above);
      if (there.length > 0) return there.map(({ days }) => days);
    }
    return [];
  }

  /** `200-day ($224.19)` */
  #spansBefore(figure: Figure, from: number): readonly string[] {
    return within(this.#answer.figures, from, figure.start).flatMap(({ durationDays, value }) =>
      durationDays === undefined ? [] : [String(value)],
    );
  }

  #parametersBeside(word: WordHit, from: number, figure: Figure): readonly string[] {
    const { text, figures } = this.#answer;
    const end = Math.max(word.end, Math.min(word.end + 6, figure.start));
    const beside = within(figures, Math.max(0, word.start - 10), end).filter(
      (each) =>
        each !== figure && Number.isInteger(each.value) && Math.abs(each.value) <= 400 && each.end > from - 1,
    );
    const ahead = /(?<digits>\d{1,3})(?:\s?-?\s?(?:day|일))?\s?$/u.exec(
      text.slice(Math.max(0, word.start - 8), word.start),
    )?.groups?.['digits'];
    const attached = /^\s?\(?(?<digits>\d{1,3})\)?(?![\d.,%])/u.exec(text.slice(word.end, end))?.groups?.[
      'digits'
    ];
    return [
      ...beside.map(({ value }) => String(value)),
      ...(attached === undefined ? [] : [attached]),
      ...(ahead === undefined ? [] : [ahead]),
    ];
  }

  #directionFor(
    figure: Figure,
    from: number,
    to: number,
    line: Line,
    sentence: Range,
  ): Pick<Binding, 'direction' | 'directionAfter'> {
    const { words, text } = this.#answer;
    const isBracketed = /[)(（]\s?$|(?:,\s|\s)or\s(?:about\s|roughly\s)?$|,\s약?\s?$/u.test(
      text.slice(Math.max(0, figure.start - LONGEST_CUE), figure.start),
    );
    const opens = isBracketed ? sentence.start : from;
    const closes = /^\s?[(（]/u.test(text.slice(figure.end, figure.end + 2))
      ? Math.min(sentence.end, to + 30)
      : to;
    const cell = line.row?.cells.find(({ end: at }) => figure.start < at);
    const [start, end] = cell ? [cell.start, cell.end] : [opens, closes];
    const near = within(words, Math.max(start, sentence.start), end).filter(
      ({ value }) => value.direction !== undefined,
    );
    const after = near.find(({ start: at }) => at >= figure.end);
    const before = near.findLast(({ end: at }) => at <= figure.start);
    const isAtOnce =
      after !== undefined &&
      after.start - figure.end <= 3 &&
      !/[,;(]/u.test(text.slice(figure.end, after.start));
    const directionAfter = isAtOnce ? after.value.direction : undefined;
    if (directionAfter !== undefined) return { direction: directionAfter, directionAfter };
    const isBeforeNearer = before && (!after || figure.start - before.end <= after.start - figure.end);
    return { direction: (isBeforeNearer ? before : after)?.value.direction, directionAfter };
  }
}
