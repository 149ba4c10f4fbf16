import type { DateMention } from '#src/language/report-dates.ts';
import type { Figure } from './figures.ts';
import type { Line, Range } from './layout.ts';
import type { Hit } from './phrases.ts';
import type { WordHit } from './vocabulary.ts';

/** A name in the answer, with the subjects that it may mean. */
export type NameHit = Hit<readonly string[]>;

/** An answer, read once for all of its numbers. */
export interface ReadAnswer {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly figures: readonly Figure[];
  readonly dates: readonly DateMention[];
  readonly words: readonly WordHit[];
  /** The words and the numbers that name a span of time. */
  readonly spanWords: readonly WordHit[];
  readonly spanFigures: readonly Figure[];
  readonly names: readonly NameHit[];
  /** The answer or the question is about what a person holds. */
  readonly isAboutHoldings: boolean;
  /** What the person asked about. */
  readonly topic: readonly string[];
}

/** How far from a name or a number the words that belong to it are looked for, in characters. */
export const LONGEST_CUE = 24;

/** The place of the first hit that starts at this position or behind it. */
const firstFrom = (hits: readonly Range[], start: number): number => {
  // An answer has many hits and asks this for each number, so the first one is found by halving.
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
export const within = <T extends Range>(hits: readonly T[], start: number, end: number): readonly T[] => {
  const from = firstFrom(hits, start);
  let to = from;
  while (to < hits.length && (hits[to]?.start ?? 0) < end) to += 1;
  return from === to ? NONE : hits.slice(from, to);
};
