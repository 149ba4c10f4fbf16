import type { MetricId } from '#src/kernel/fact-metrics.ts';
import { directionOf } from './direction.ts';
import type { FactIndex } from './fact-index.ts';
import type { Figure } from './figures.ts';
import type { Line } from './layout.ts';
import { metricInSentence } from './metric-in-sentence.ts';
import { metricInRow } from './named-metric.ts';
import { parametersBeside, spansBefore } from './parameters.ts';
import { placeOf } from './place.ts';
import { type ReadAnswer, within } from './read-answer.ts';
import { subjectOf } from './subject.ts';
import { dayOf, periodsOf } from './when.ts';

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
    const answer = this.#answer;
    const place = placeOf(answer, figure, line, this.#isIgnored);
    const { said, column } = place;
    const subject = subjectOf(answer, place);
    const metric = line.row
      ? metricInRow(answer, this.#index, place)
      : metricInSentence(answer, this.#index, place);
    const mention = dayOf(answer, place);
    const inColumn = column ? within(answer.words, column.start, column.end) : [];
    return {
      entities: subject?.entities,
      isEntityNear: subject?.isNear ?? false,
      metrics: metric.metrics,
      named: metric.named ?? metric.metrics,
      isMetricNear: metric.isNear,
      isMetricByDirection: metric.isByDirection ?? false,
      isMetricOpen: metric.isExtended ?? false,
      days: mention && mention.days.length > 0 ? mention.days : undefined,
      isDayRelative: mention?.isRelative ?? false,
      periods: periodsOf(answer, place),
      parameters:
        metric.word && metric.isNear
          ? parametersBeside(answer, place, metric.word)
          : spansBefore(answer, place),
      ...directionOf(answer, place),
      isComparing: [...said, ...inColumn].some(({ value }) => value.isComparing),
      isSupposing: said.some(({ value }) => value.isSupposing),
    };
  }
}
