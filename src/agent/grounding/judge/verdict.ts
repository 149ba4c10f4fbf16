import type { KnownFact, QuotedFrom } from '../facts/evidence.ts';
import type { TextRange } from '../read/layout.ts';
import type { Claim } from './claims.ts';

/**
 * `supported`: a fact has it. `quoted`: it stands in a text of the conversation. `derived`: it follows from such
 * numbers. `exempt`: a list number, a span, a name, a supposition, a rule. `unsupported`: nothing has it.
 */
export type NumberVerdict = 'supported' | 'quoted' | 'derived' | 'exempt' | 'unsupported';

export interface CheckedNumber extends TextRange {
  /** As the answer writes it: `answer.slice(start, end)`. */
  readonly text: string;
  readonly verdict: NumberVerdict;
  /** The fact behind a supported number. */
  readonly known?: KnownFact | undefined;
  /** How a derived number was made: `102,300 − 102,000`. */
  readonly formula?: string | undefined;
  readonly quotedFrom?: QuotedFrom | undefined;
}

/**
 * A plain statement about one thing of one subject, of which a fact says otherwise. `stranger`: only untrusted text says
 * it.
 */
export interface AnswerQuestion extends TextRange {
  readonly text: string;
  readonly kind: 'value' | 'direction' | 'day' | 'stranger';
  /** What the facts say of exactly that thing. */
  readonly facts: readonly KnownFact[];
}

/** What the check of an answer found, in the order of the answer. */
export interface AnswerCheck {
  readonly numbers: readonly CheckedNumber[];
  readonly questions: readonly AnswerQuestion[];
  /** Claims of a change that no tool made. */
  readonly claims: readonly (Claim & { readonly text: string })[];
  /** How many numbers were too many to check. */
  readonly uncheckedCount: number;
}

export const NOTHING_TO_CHECK: AnswerCheck = { numbers: [], questions: [], claims: [], uncheckedCount: 0 };
