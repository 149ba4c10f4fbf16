import { shrinkNewestTurn } from './newest-turn.ts';
import { truncateTools, withShortResults } from './truncate-tools.ts';
import { type CountTokens, type Entry, tokensOf, turnStarts } from './turns.ts';

/** What stays of a conversation and what goes. */
export interface Cut<E> {
  /** Whole turns, the oldest, as they were. */
  readonly removed: readonly E[];
  readonly kept: readonly E[];
  /** Parts of the newest turn. */
  readonly dropped: readonly E[];
  /** Whether results of tools in what is kept were shortened. */
  readonly isShortened: boolean;
}

export interface CutOptions {
  /** What is kept may take so much. */
  readonly maxTokens: number;
  /** So many of the last messages are kept if there is room for them. */
  readonly preserveRecentMessages: number;
  /** Whether results of older turns may be shortened before a turn is removed for want of room. */
  readonly mayShorten: boolean;
}

/** For each place, what the conversation takes from there on. */
const tokensFrom = (counts: readonly number[]): readonly number[] => {
  const sums: number[] = [];
  let sum = 0;
  for (const count of counts.toReversed()) {
    sum += count;
    sums.push(sum);
  }
  return sums.toReversed();
};

/**
 * Cuts a conversation (without summaries) where a turn begins, so that calls stay with their results. The newest
 * turn is never removed; where it is too long by itself, it is made smaller.
 */
export const cutConversation = <E extends Entry>(
  talk: readonly E[],
  { maxTokens, preserveRecentMessages, mayShorten }: CutOptions,
  count: CountTokens,
): Cut<E> => {
  const starts = turnStarts(talk);
  const newest = starts.at(-1) ?? 0;
  const wanted = Math.max(0, talk.length - preserveRecentMessages);
  const earliest = starts.findLast((start) => start <= wanted) ?? 0;
  const whole = tokensFrom(talk.map(({ message }) => count(message)));
  const short = mayShorten
    ? tokensFrom(talk.map(({ message }, i) => count(i < newest ? withShortResults(message) : message)))
    : whole;
  const start = starts.find((place) => place >= earliest && (short[place] ?? 0) <= maxTokens) ?? newest;
  const removed = talk.slice(0, start);
  const rest = talk.slice(start);
  if ((whole[start] ?? 0) <= maxTokens) return { removed, kept: rest, dropped: [], isShortened: false };
  if (start < newest) {
    const kept = truncateTools(rest, newest - start, maxTokens, count);
    return { removed, kept, dropped: [], isShortened: true };
  }
  const { kept, dropped } = shrinkNewestTurn(rest, maxTokens, count);
  const isShortened = tokensOf(kept, count) + tokensOf(dropped, count) < tokensOf(rest, count);
  return { removed, kept, dropped, isShortened };
};
