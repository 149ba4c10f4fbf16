import { characterTest } from '#src/language/characters.ts';
import type { Range } from './layout.ts';
import type { Place } from './place.ts';
import { LONGEST_CUE, type ReadAnswer, within } from './read-answer.ts';
import type { WordHit } from './vocabulary.ts';

interface Direction {
  readonly direction: 1 | -1 | undefined;
  /** A direction word follows the number at once: `0.3% 상승`. */
  readonly directionAfter: 1 | -1 | undefined;
  /** The word that says it. */
  readonly directionAt: Range | undefined;
}

/** `(`, `, or about`, `, 약`: the number says again what the one before it says. */
const SAYS_AGAIN = /[)(（]\s?$|(?:,\s|\s)or\s(?:about\s|roughly\s)?$|,\s약?\s?$/u;
/** The number after this one says it again, so the direction may follow that one. */
const SAID_AGAIN = /^\s?[(（]/u;
/** A cheap test of the character before a number. */
const maySayAgain = characterTest(/[()（,\s약]/u);
const SAID_AGAIN_REACH = 30;
/** A particle and a space may stand between the number and its direction. */
const AT_ONCE = 3;

const NO_DIRECTION: Direction = {
  direction: undefined,
  directionAfter: undefined,
  directionAt: undefined,
};

/** Whether the words at a number say "up" or "down". */
export const directionOf = (
  { words, text }: ReadAnswer,
  { figure, cell, sentence, from, to }: Place,
): Direction => {
  const opens =
    maySayAgain(text.charCodeAt(figure.start - 1)) &&
    SAYS_AGAIN.test(text.slice(Math.max(0, figure.start - LONGEST_CUE), figure.start))
      ? sentence.start
      : from;
  const closes = SAID_AGAIN.test(text.slice(figure.end, figure.end + 2))
    ? Math.min(sentence.end, to + SAID_AGAIN_REACH)
    : to;
  const range = cell ?? { start: opens, end: closes };
  let after: WordHit | undefined;
  let before: WordHit | undefined;
  for (const word of within(words, Math.max(range.start, sentence.start), range.end)) {
    if (word.value.direction === undefined) continue;
    if (word.end <= figure.start) before = word;
    else if (word.start >= figure.end) after ??= word;
  }
  if (!before && !after) return NO_DIRECTION;
  const isAtOnce =
    after !== undefined &&
    after.start - figure.end <= AT_ONCE &&
    !/[,;(]/u.test(text.slice(figure.end, after.start));
  const directionAfter = isAtOnce ? after?.value.direction : undefined;
  if (directionAfter !== undefined) return { direction: directionAfter, directionAfter, directionAt: after };
  const isBeforeNearer =
    before !== undefined && (after === undefined || figure.start - before.end <= after.start - figure.end);
  const nearest = isBeforeNearer ? before : after;
  return { direction: nearest?.value.direction, directionAfter, directionAt: nearest };
};
