import type { Figure } from './figures.ts';
import { type Line, type Range, sentenceAt } from './layout.ts';
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

/** The numbers and the words of a sentence, which its numbers share. */
interface Sentence {
  readonly range: Range;
  readonly figures: readonly Figure[];
  readonly words: readonly WordHit[];
}

/** Finds the places of numbers. Reads each sentence once, if the numbers come in the order of the text. */
export class Places {
  readonly #answer: ReadAnswer;
  readonly #isIgnored: (figure: Figure) => boolean;
  #last: Sentence | undefined;

  /** `isIgnored` tells parameters, spans and list numbers, which do not separate words from numbers. */
  constructor(answer: ReadAnswer, isIgnored: (figure: Figure) => boolean) {
    this.#answer = answer;
    this.#isIgnored = isIgnored;
  }

  of(figure: Figure, line: Line): Place {
    const sentence = sentenceAt(line, figure.start);
    const { figures: inSentence, words } = this.#read(sentence);
    const nth = inSentence.indexOf(figure);
    const { row } = line;
    const nthCell = row ? row.cells.findIndex(({ end }) => figure.start < end) : -1;
    const cell = row?.cells[nthCell];
    return {
      figure,
      line,
      sentence,
      inSentence,
      nth,
      cell,
      column: row?.headers[nthCell],
      from: cell ? cell.start : (inSentence[nth - 1]?.end ?? sentence.start),
      to: cell ? cell.end : (inSentence[nth + 1]?.start ?? sentence.end),
      said: cell ? within(this.#answer.words, cell.start, cell.end) : words,
    };
  }

  #read(range: Range): Sentence {
    if (this.#last?.range === range) return this.#last;
    const { figures, words } = this.#answer;
    this.#last = {
      range,
      figures: within(figures, range.start, range.end).filter((each) => !this.#isIgnored(each)),
      words: within(words, range.start, range.end),
    };
    return this.#last;
  }
}
