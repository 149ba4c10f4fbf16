import { METRICS, type MetricId, type MetricKind } from '#src/kernel/fact-metrics.ts';
import type { FactIndex, FigureKind } from './fact-index.ts';
import type { DateMention, Figure } from './figures.ts';
import type { Line, Range } from './layout.ts';
import type { Hit } from './phrases.ts';
import type { WordHit } from './vocabulary.ts';

/** What a number of the answer is about, as far as the words around it say. */
export interface Binding {
  /** The subjects it may be about. Undefined if none is named. */
  readonly entities: readonly string[] | undefined;
  /** True if the subject is named in the sentence or in the row. */
  readonly isEntityNear: boolean;
  /** The metrics that the nearest word names. Undefined if there is no such word. */
  readonly metrics: readonly MetricId[] | undefined;
  /** True if that word stands beside the number. */
  readonly isMetricNear: boolean;
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
  points: ['money', 'number', 'percent'],
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
const OBLIQUE_AFTER = /^[^\s,]{0,2}(?:보다|에\s?비해|와\s?달리|과\s?달리|와\s?비교|과\s?비교|\s?대비)/u;
const OBLIQUE_BEFORE = /(?:than|versus|vs\.?|unlike|against|compared (?:with|to))\s+(?:the\s+)?$/iu;
const BEHIND = /^[^,.;|]{0,14}(?:for|of|인|의|in)\s+(?:the\s+)?$/iu;
const JOINED = /^(?:은|는|이|가)?\s?(?:와|과|랑|및|,|·|\/|&|and|or|\([^)]{0,20}\))\s?(?:and\s)?(?:the\s)?$/iu;
const LONGEST_CUE = 24;
/** Where the words about a number end. */
const CLAUSE_END =
  /[,;·|\n]|\s[-–—]\s|이고|이며|으며|(?:고|며|지만|는데|으로|로)\s|\s(?:and|with|while|but|versus|vs)\s/u;

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
    const { metrics, isNear, word } = line.row
      ? this.#metricInRow(figure, line, cell, column)
      : this.#metricInSentence(figure, line, sentence, { from, to, inSentence, said });
    const ranges: readonly Range[] = line.row ? [...(column ? [column] : []), line] : [sentence];
    const mention = this.#dayFor(figure, ranges, within(dates, sentence.start, sentence.end));
    return {
      entities: named?.entities,
      isEntityNear: named?.isNear ?? false,
      metrics,
      isMetricNear: isNear,
      days: mention && mention.days.length > 0 ? mention.days : undefined,
      isDayRelative: mention?.isRelative ?? false,
      periods: this.#periodsFor(figure, ranges, line),
      parameters: word ? this.#parametersBeside(word, from, figure) : [],
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
    const isRespective = within(words, sentence.start, sentence.end).some(({ value }) => value.isRespective);
    const [firstFigure] = inSentence;
    if (isRespective && firstFigure) {
      const listed = [
        ...new Map(
          here.filter(({ end }) => end <= firstFigure.start).map((name) => [name.value.join(), name]),
        ).values(),
      ];
      const each = listed[inSentence.indexOf(figure) % Math.max(1, listed.length)];
      if (listed.length > 1 && each && inSentence.length % listed.length === 0)
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
    if (!last) return after && { entities: after.value, isNear: true };
    const together = group(text, before, place);
    const isOblique =
      OBLIQUE_AFTER.test(text.slice(last.end, last.end + LONGEST_CUE)) ||
      OBLIQUE_BEFORE.test(text.slice(Math.max(0, last.start - LONGEST_CUE), last.start));
    if (!isOblique) return { entities: union(together), isNear: true };
    const subject = before[place - together.length] ?? after;
    const topic = subject ? subject.value : (this.#namedAbove(line)?.entities ?? []);
    return { entities: [...new Set([...union(together), ...topic])], isNear: true };
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

  #metricInRow(figure: Figure, line: Line, cell: Range | undefined, column: Range | undefined) {
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

  #metricAbove(figure: Figure, line: Line) {
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
    {
      from,
      to,
      inSentence,
      said,
    }: {
      readonly from: number;
      readonly to: number;
      readonly inSentence: readonly Figure[];
      readonly said: readonly WordHit[];
    },
  ) {
    const { text } = this.#answer;
    const isRespective = said.some(({ value }) => value.isRespective);
    const [firstFigure] = inSentence;
    if (isRespective && firstFigure) {
      const listed = said.filter(
        ({ end, value }) =>
          end <= firstFigure.start && fitting(value.metrics, figure.kind, this.#index).length > 0,
      );
      const word = listed[inSentence.indexOf(figure)];
      if (listed.length === inSentence.length && word)
        return { metrics: fitting(word.value.metrics, figure.kind, this.#index), word, isNear: true };
    }
    const before = this.#lastFitting(
      said.filter(({ start, end }) => start >= from && end <= figure.end),
      figure.kind,
    );
    const rest = text.slice(figure.end, to);
    const stop = rest.search(CLAUSE_END);
    const reach = stop === -1 ? to : figure.end + stop;
    const afterHit = said.find(
      ({ start, end, value }) =>
        start >= figure.end && end <= reach && fitting(value.metrics, figure.kind, this.#index).length > 0,
    );
    const after = afterHit && {
      metrics: fitting(afterHit.value.metrics, figure.kind, this.#index),
      word: afterHit,
    };
    // `0.30% 상승` and `PER 11.4배`: the word at the number counts before one further away.
    const isAfterNearer =
      after && before ? after.word.start - figure.end <= 2 && figure.start - before.word.end > 12 : false;
    const found = isAfterNearer ? after : (before ?? after);
    if (found) {
      const both =
        before && after
          ? found.metrics.filter((id) => (found === before ? after : before).metrics.includes(id))
          : [];
      return { metrics: both.length > 0 ? both : found.metrics, word: found.word, isNear: true };
    }
    const earlier = this.#lastFitting(
      said.filter(({ end }) => end <= from),
      figure.kind,
    );
    if (earlier) return { ...earlier, isNear: false };
    const later = said.find(
      ({ start, value }) =>
        start >= figure.end && fitting(value.metrics, figure.kind, this.#index).length > 0,
    );
    if (later && inSentence.at(-1) === figure)
      return { metrics: fitting(later.value.metrics, figure.kind, this.#index), word: later, isNear: false };
    const above = this.#metricAbove(figure, line);
    if (above.metrics) return above;
    const earlierInLine = this.#lastFitting(
      within(this.#answer.words, line.start, sentence.start),
      figure.kind,
    );
    return { metrics: earlierInLine?.metrics, word: undefined, isNear: false };
  }

  #dayFor(
    figure: Figure,
    ranges: readonly Range[],
    inSentence: readonly DateMention[],
  ): DateMention | undefined {
    for (const range of ranges) {
      const here =
        range === ranges.at(-1) && ranges.length === 1
          ? inSentence
          : within(this.#answer.dates, range.start, range.end);
      const before = here.findLast(({ end }) => end <= figure.start + 1);
      if (before) return before;
      const after = here.find(({ start }) => start >= figure.end);
      if (after && ranges.length === 1 && after.start - figure.end <= LONGEST_CUE) return after;
      if (after && ranges.length > 1) return after;
    }
    return undefined;
  }

  #periodsFor(figure: Figure, ranges: readonly Range[], line: Line): readonly number[] {
    const { words, figures } = this.#answer;
    const inRange = (range: Range): readonly number[] =>
      [
        ...within(words, range.start, range.end).flatMap(({ value, start }) =>
          value.periodDays === undefined ? [] : [{ start, days: value.periodDays }],
        ),
        ...within(figures, range.start, range.end).flatMap(({ durationDays, start }) =>
          durationDays === undefined ? [] : [{ start, days: durationDays }],
        ),
      ]
        .toSorted((a, b) => Math.abs(a.start - figure.start) - Math.abs(b.start - figure.start))
        .map(({ days }) => days);
    const near = ranges.flatMap(inRange);
    if (near.length > 0) return near;
    for (let above = line.parent; above; above = above.parent) {
      const there = inRange(above);
      if (there.length > 0) return there;
    }
    return [];
  }

  #parametersBeside(word: WordHit, from: number, figure: Figure): readonly string[] {
    const { text, figures } = this.#answer;
    const start = Math.max(from, word.start - 10);
    const end = Math.max(word.end, Math.min(word.end + 6, figure.start));
    const beside = within(figures, start, end).filter(
      (each) => each !== figure && Number.isInteger(each.value),
    );
    const attached = /^\s?\(?(?<digits>\d{1,3})\)?(?![\d.,%])/u.exec(text.slice(word.end, end))?.groups?.[
      'digits'
    ];
    return [...beside.map(({ value }) => String(value)), ...(attached === undefined ? [] : [attached])];
  }

  #directionFor(
    figure: Figure,
    from: number,
    to: number,
    line: Line,
    sentence: Range,
  ): Pick<Binding, 'direction' | 'directionAfter'> {
    const { words, text } = this.#answer;
    const [start, end] = line.row ? [figure.start, figure.start] : [from, to];
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
