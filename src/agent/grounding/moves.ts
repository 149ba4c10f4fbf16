import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { Figure } from './figures.ts';
import type { Place } from './place.ts';
import { type ReadAnswer, within } from './read-answer.ts';
import { MONEY_MOVES, PERCENT_GAINS, PERCENT_MOVES, type WordHit } from './vocabulary.ts';

/** A particle and a space may stand between a number and the word after it. */
const BESIDE_AFTER = 4;
/** `lost about ₩`: "about" and a currency may stand between a verb and its number. */
const BESIDE_BEFORE = 9;
/** A price that rises to, or from, this level. */
const LEVEL_GAP = /까지|에서|으로|로\s|선|\(/u;
/** `drops from 36.21`, `lower, at $225`. */
const LEVEL_BEFORE = /\b(?:from|to|at|near)\b/iu;
/** `11,000원(1.8%) 하락`: the amount in two units. */
const BRACKET_AFTER = /^\s?\([^()]{0,24}\)/u;
/** The most that `BRACKET_AFTER` can cover, and one more. */
const LONGEST_BRACKET = 28;

/** Amounts, prices and levels, whose moves are counted in money or points. */
export const isAmount = ({ kind }: Figure): boolean => kind !== 'percent' && kind !== 'count';

const hasDirection = ({ value }: WordHit): boolean => value.direction !== undefined;

/** `28.61달러 빠졌습니다`, `slipped ₩11,000`: an amount beside "up" or "down" may be a change. */
export const amountMovesBeside = (
  { words, text }: ReadAnswer,
  { figure, from, to }: Place,
): readonly MetricId[] => {
  if (!isAmount(figure)) return [];
  const isBeside = within(words, from, to).some(
    ({ start, end, value }) =>
      value.direction !== undefined &&
      (start >= figure.end
        ? start - figure.end <= BESIDE_AFTER && !LEVEL_GAP.test(text.slice(figure.end, start))
        : // A Korean verb before a number belongs to what precedes it.
          end <= figure.start &&
          figure.start - end <= BESIDE_BEFORE &&
          !LEVEL_BEFORE.test(text.slice(end, figure.start)) &&
          /[a-z]/iu.test(text.slice(start, end))),
  );
  if (isBeside) return MONEY_MOVES;
  const next = text.charAt(figure.end);
  if (next !== '(' && text.charAt(figure.end + 1) !== '(') return [];
  const bracket = BRACKET_AFTER.exec(text.slice(figure.end, figure.end + LONGEST_BRACKET))?.[0];
  if (bracket === undefined) return [];
  const behind = figure.end + bracket.length;
  return within(words, behind, behind + BESIDE_AFTER).some(hasDirection) ? MONEY_MOVES : [];
};

/** What a percentage with "up" or "down" can be in this answer. */
export const percentMovesOf = ({ isAboutHoldings }: ReadAnswer): readonly MetricId[] =>
  isAboutHoldings ? [...PERCENT_MOVES, ...PERCENT_GAINS] : PERCENT_MOVES;
