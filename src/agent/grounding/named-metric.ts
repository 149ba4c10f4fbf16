import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { FactIndex } from './fact-index.ts';
import { lastFitting } from './metric-fit.ts';
import type { Place } from './place.ts';
import { type ReadAnswer, within } from './read-answer.ts';
import type { WordHit } from './vocabulary.ts';

/** What the words around a number call it. */
export interface NamedMetric {
  /** What it may be. */
  readonly metrics: readonly MetricId[] | undefined;
  /** What the nearest word calls it, if that is less. */
  readonly named?: readonly MetricId[];
  /** The word that names it, if that stands in the sentence or in the table. */
  readonly word: WordHit | undefined;
  readonly isNear: boolean;
  /** Only "up" or "down" says what it is. */
  readonly isByDirection?: boolean;
  /** A heading or an outer list item names it. */
  readonly isAbove?: boolean;
  /** It is an end of a range that a word names. */
  readonly isRangeEnd?: boolean;
  /** Other words of the sentence could say what it is. */
  readonly isExtended?: boolean;
}

/** What a heading or an outer list item calls the numbers below it. */
export const metricAbove = (
  { words }: ReadAnswer,
  index: FactIndex,
  { figure, line }: Place,
): NamedMetric => {
  for (let above = line.parent; above; above = above.parent) {
    const found = lastFitting(within(words, above.start, above.end), figure, index);
    if (found) return { metrics: found.metrics, word: undefined, isNear: false, isAbove: true };
  }
  return { metrics: undefined, word: undefined, isNear: false };
};

/** What the cell, the head of the column or the first cell of the row calls a number. */
export const metricInRow = (answer: ReadAnswer, index: FactIndex, place: Place): NamedMetric => {
  const { figure, line, cell, column } = place;
  const { words } = answer;
  const own = cell ? lastFitting(within(words, cell.start, cell.end), figure, index) : undefined;
  if (own) return { ...own, isNear: true };
  const [label] = line.row?.cells ?? [];
  const inColumn = column ? lastFitting(within(words, column.start, column.end), figure, index) : undefined;
  const inLabel =
    label && label !== cell ? lastFitting(within(words, label.start, label.end), figure, index) : undefined;
  if (inColumn && inLabel) {
    const both = inColumn.metrics.filter((id) => inLabel.metrics.includes(id));
    return {
      ...inColumn,
      metrics: both.length > 0 ? both : [...inColumn.metrics, ...inLabel.metrics],
      isNear: true,
    };
  }
  const found = inColumn ?? inLabel;
  return found ? { ...found, isNear: true } : metricAbove(answer, index, place);
};
