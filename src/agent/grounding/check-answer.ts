import type { Fact } from '#src/kernel/tool.ts';
import { FactIndex } from './fact-index.ts';
import { Judge } from './judge.ts';
import { plainAnswer } from './plain-answer.ts';

/** A fact with the tool that gave it. */
export interface KnownFact {
  readonly fact: Fact;
  readonly tool: string;
}

/** What the numbers of an answer may rest on. */
export interface Evidence {
  /** Oldest first. */
  readonly facts: readonly KnownFact[];
  /** The person's own words, whose numbers may be repeated. */
  readonly ownText: string;
  /** Untyped text (pages, files, messages of others). It supports a number, but never contradicts one. */
  readonly looseText: string;
  readonly today: Temporal.PlainDate;
}

/**
 * `supported`: a fact says it. `derived`: it follows from supported numbers. `quoted`: it stands in the person's words
 * or in untyped text. `exempt`: a list number, a period, a parameter, a name. `contradicted`: a fact about the same
 * says otherwise. `unsupported`: nothing says it.
 */
export type Verdict = 'supported' | 'derived' | 'quoted' | 'exempt' | 'contradicted' | 'unsupported';

export interface CheckedNumber {
  /** The number is `answer.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly verdict: Verdict;
  /** The fact behind a supported number, or the one that contradicts it. */
  readonly known?: KnownFact;
  /** How a derived number was made: `102,300 − 102,000`. */
  readonly formula?: string;
  /** Where a quoted number stands. */
  readonly quotedFrom?: 'person' | 'text';
}

export interface AnswerCheck {
  /** In order of the answer. */
  readonly numbers: readonly CheckedNumber[];
  /** How many numbers were too many to check. */
  readonly uncheckedCount: number;
}

/** Longer answers are checked up to here; platforms cut them earlier. */
const MAX_CHARACTERS = 40_000;

/** Checks each number of an answer against the evidence. Pure and bounded. */
export const checkAnswer = (answer: string, evidence: Evidence): AnswerCheck => {
  const { text, positions } = plainAnswer(answer.slice(0, MAX_CHARACTERS));
  const judge = new Judge(text, evidence, new FactIndex(evidence));
  const { verdicts, uncheckedCount } = judge.verdicts();
  const numbers = verdicts.map(({ start, end, ...verdict }) => {
    const [from = 0, last = 0] = [positions[start], positions[end - 1]];
    return { start: from, end: last + 1, text: answer.slice(from, last + 1), ...verdict };
  });
  return { numbers, uncheckedCount };
};
