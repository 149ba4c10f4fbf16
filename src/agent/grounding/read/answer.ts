import { type DateMention } from '#src/reading/report-dates.ts';
import type { Hit } from '#src/reading/phrases.ts';
import { type Figure, readFigures } from './figures.ts';
import { type AnswerLine, linesOf, type TextRange, sentenceAt } from './layout.ts';

/** A name in the answer, with the subjects that it may mean. */
export type NameHit = Hit<readonly string[]>;

/** More numbers than that are no answer for a person. */
const MAX_FIGURES = 500;

/** An answer, read once for all of its numbers. */
export interface ReadAnswer {
  readonly text: string;
  /** In lower case, of the same length. */
  readonly lowered: string;
  readonly lines: readonly AnswerLine[];
  readonly figures: readonly Figure[];
  readonly dates: readonly DateMention[];
  readonly names: readonly NameHit[];
  readonly uncheckedCount: number;
}

/** Where a number stands. */
export interface AnswerPlace {
  readonly line: AnswerLine;
  /** The sentence of the number, or its row in a table. */
  readonly sentence: TextRange;
  readonly cell: TextRange | undefined;
  /** The head of its column. */
  readonly column: TextRange | undefined;
}

/** The ISO date of a day number. */
export const isoOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** In lower case, unless that changes the length. */
const lowerCase = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
};

export const readAnswer = (
  text: string,
  today: Temporal.PlainDate,
  namesIn: (lowered: string) => readonly NameHit[],
): ReadAnswer => {
  const { figures, dates } = readFigures(text, today);
  const lowered = lowerCase(text);
  return {
    text,
    lowered,
    lines: linesOf(text),
    figures: figures.slice(0, MAX_FIGURES),
    dates,
    names: namesIn(lowered),
    uncheckedCount: Math.max(0, figures.length - MAX_FIGURES),
  };
};

/** The place of the first hit that starts at this position or behind it. */
const firstFrom = (hits: readonly TextRange[], start: number): number => {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hits[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
};

const NONE: readonly never[] = [];

/** The hits that start in this part of the text. The hits must be in the order of the text. */
export const within = <T extends TextRange>(hits: readonly T[], start: number, end: number): readonly T[] => {
  const from = firstFrom(hits, start);
  let to = from;
  while (to < hits.length && (hits[to]?.start ?? 0) < end) to += 1;
  return from === to ? NONE : hits.slice(from, to);
};

/** Finds the line of a position. Fast for positions in order. */
export const lineFinder = (lines: readonly AnswerLine[]): ((at: number) => AnswerLine | undefined) => {
  let place = 0;
  return (at) => {
    if ((lines[place]?.start ?? 0) > at) place = 0;
    while (place < lines.length && (lines[place]?.end ?? 0) < at) place += 1;
    return lines[place];
  };
};

export const placeOf = (line: AnswerLine, at: number): AnswerPlace => {
  const { row } = line;
  const nth = row ? row.cells.findIndex(({ end }) => at < end) : -1;
  return {
    line,
    sentence: row ? line : sentenceAt(line, at),
    cell: row?.cells[nth],
    column: row?.headers[nth],
  };
};

/** The names of the sentence, or else of what introduces its line. */
export const namesAt = (
  { names }: ReadAnswer,
  { line, sentence, column }: AnswerPlace,
): readonly NameHit[] => {
  const here = within(names, sentence.start, sentence.end);
  if (here.length > 0) return here;
  const inColumn = column ? within(names, column.start, column.end) : NONE;
  if (inColumn.length > 0) return inColumn;
  const inLine = within(names, line.start, line.end);
  if (inLine.length > 0) return inLine;
  for (let above = line.parent; above; above = above.parent) {
    const named = within(names, above.start, above.end);
    if (named.length > 0) return named;
  }
  return NONE;
};
