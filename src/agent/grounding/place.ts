import type { Figure } from './figures.ts';
import type { Line, Range } from './layout.ts';
import { type ReadAnswer, within } from './read-answer.ts';
import type { WordHit } from './vocabulary.ts';

/** Where a number stands in the answer. */
export interface Place {
  readonly figure: Figure;
  readonly line: Line;
  /** The sentence of the number. The whole row in a table. */
  readonly sentence: Range;
  /** The numbers of the sentence that say something, with this one. */
  readonly inSentence: readonly Figure[];
  /** The position of this number among them. */
  readonly nth: number;
  /** The cell of the number, in a table. */
  readonly cell: Range | undefined;
  /** The head of its column, in a table. */
  readonly column: Range | undefined;
  /** The text of this number alone: from the number before to the number after, or the cell. */
  readonly from: number;
  readonly to: number;
  /** The telling words of the sentence, or of the cell. */
  readonly said: readonly WordHit[];
}

/** `isIgnored` tells parameters, spans and list numbers, which do not separate words from numbers. */
export const placeOf = (
  { figures, words }: ReadAnswer,
  figure: Figure,
  line: Line,
  isIgnored: (figure: Figure) => boolean,
): Place => {
  const sentence = line.sentences.find(({ end }) => figure.start < end) ?? line;
  const inSentence = within(figures, sentence.start, sentence.end).filter(
    (each) => each === figure || !isIgnored(each),
  );
  const nth = inSentence.indexOf(figure);
  const cell = line.row?.cells.find(({ end }) => figure.start < end);
  const near = cell ?? sentence;
  return {
    figure,
    line,
    sentence,
    inSentence,
    nth,
    cell,
    column: line.row && cell ? line.row.headers[line.row.cells.indexOf(cell)] : undefined,
    from: cell ? cell.start : (inSentence[nth - 1]?.end ?? sentence.start),
    to: cell ? cell.end : (inSentence[nth + 1]?.start ?? sentence.end),
    said: within(words, near.start, near.end),
  };
};
