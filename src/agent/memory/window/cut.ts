import { truncateTools, withShortResults } from './truncate-tools.ts';
import { type CountTokens, type Entry, personsWords, tokensOf, turnStarts } from './turns.ts';

interface ShrunkTurn<E> {
  readonly kept: readonly E[];
  /** Whole steps (calls with their results) and older words of the person, in their order. */
  readonly dropped: readonly E[];
}

/** The number of the step that each entry belongs to: an answer, in parts or whole, with its results. 0: the person's words. */
const stepNumbers = (turn: readonly Entry[]): readonly number[] => {
  let step = 0;
  return turn.map(({ message }, index) => {
    if (message.role === 'user') return 0;
    const before = turn[index - 1]?.message.role;
    if (message.role === 'assistant' ? before !== 'assistant' : before === 'user') step += 1;
    return step;
  });
};

/**
 * The turn that is going on, made smaller as far as it must be and may be: older results are shortened, then the
 * oldest steps go, then what the person said before their newest message. The last results stay whole.
 */
export const shrinkNewestTurn = <E extends Entry>(
  turn: readonly E[],
  maxTokens: number,
  count: CountTokens,
): ShrunkTurn<E> => {
  const lastResults = turn.findLastIndex(({ message }) => message.role === 'tool');
  const short = truncateTools(turn, lastResults, maxTokens, count);
  const steps = stepNumbers(turn);
  const lastStep = steps[lastResults] ?? 0;
  const newestWords = turn.findLastIndex(({ message }) => personsWords(message).length > 0);
  const newestOfPerson =
    newestWords >= 0 ? newestWords : turn.findLastIndex(({ message }) => message.role === 'user');

  const gone = new Set<number>();
  let tokens = tokensOf(short, count);
  const drop = (indexes: readonly number[]): void => {
    if (tokens <= maxTokens) return;
    for (const index of indexes) gone.add(index);
    tokens -= tokensOf(
      indexes.flatMap((index) => short[index] ?? []),
      count,
    );
  };
  for (let step = 1; step < lastStep; step += 1)
    drop(steps.flatMap((number, index) => (number === step ? [index] : [])));
  for (const [index, { message }] of turn.entries())
    if (message.role === 'user' && index < newestOfPerson) drop([index]);

  return {
    kept: short.filter((_, index) => !gone.has(index)),
    dropped: turn.filter((_, index) => gone.has(index)),
  };
};

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
