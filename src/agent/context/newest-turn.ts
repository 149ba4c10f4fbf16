import { truncateTools } from './truncate-tools.ts';
import { type CountTokens, type Entry, personsWords, tokensOf } from './turns.ts';

export interface ShrunkTurn<E> {
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
