import type { Place } from './place.ts';
import { LONGEST_CUE, type ReadAnswer, within } from './read-answer.ts';

interface Direction {
  readonly direction: 1 | -1 | undefined;
  /** A direction word follows the number at once: `0.3% 상승`. */
  readonly directionAfter: 1 | -1 | undefined;
}

/** `(`, `, or about`, `, 약`: the number says again what the one before it says. */
const SAYS_AGAIN = /[)(（]\s?$|(?:,\s|\s)or\s(?:about\s|roughly\s)?$|,\s약?\s?$/u;
/** The number after this one says it again, so the direction may follow that one. */
const SAID_AGAIN = /^\s?[(（]/u;
const SAID_AGAIN_REACH = 30;
/** A particle and a space may stand between the number and its direction. */
const AT_ONCE = 3;

/** Whether the words at a number say "up" or "down". */
export const directionOf = (
  { words, text }: ReadAnswer,
  { figure, cell, sentence, from, to }: Place,
): Direction => {
  const opens = SAYS_AGAIN.test(text.slice(Math.max(0, figure.start - LONGEST_CUE), figure.start))
    ? sentence.start
    : from;
  const closes = SAID_AGAIN.test(text.slice(figure.end, figure.end + 2))
    ? Math.min(sentence.end, to + SAID_AGAIN_REACH)
    : to;
  const range = cell ?? { start: opens, end: closes };
  const near = within(words, Math.max(range.start, sentence.start), range.end).filter(
    ({ value }) => value.direction !== undefined,
  );
  const after = near.find(({ start }) => start >= figure.end);
  const before = near.findLast(({ end }) => end <= figure.start);
  const isAtOnce =
    after !== undefined &&
    after.start - figure.end <= AT_ONCE &&
    !/[,;(]/u.test(text.slice(figure.end, after.start));
  const directionAfter = isAtOnce ? after.value.direction : undefined;
  if (directionAfter !== undefined) return { direction: directionAfter, directionAfter };
  const isBeforeNearer = before && (!after || figure.start - before.end <= after.start - figure.end);
  return { direction: (isBeforeNearer ? before : after)?.value.direction, directionAfter };
};
