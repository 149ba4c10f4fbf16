import type { Fact } from '#src/kernel/tool.ts';

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
  /** What the program said about the moment and the person's records. Its numbers may be repeated, but not calculated with. */
  readonly contextText?: string;
  /** The headlines that come with every message, whatever it is about. Their numbers may be repeated, but not calculated with. */
  readonly headlineText?: string;
  readonly today: Temporal.PlainDate;
  /** Whether a word is the name of a company, a fund or a coin, also of one that no fact is about. */
  readonly isInstrument?: (name: string) => boolean;
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
  readonly known?: KnownFact | undefined;
  /** How a derived number was made: `102,300 − 102,000`. */
  readonly formula?: string | undefined;
  /** The number is right, and what the answer says of its direction is wrong. */
  readonly isReversed?: true | undefined;
  /** The word at a contradicted number that says the wrong direction, and that of no other number. */
  readonly wrongWord?: { readonly start: number; readonly end: number } | undefined;
  /** Where a quoted number stands. */
  readonly quotedFrom?: 'person' | 'text' | undefined;
}

export interface AnswerCheck {
  /** In order of the answer. */
  readonly numbers: readonly CheckedNumber[];
  /** How many numbers were too many to check. */
  readonly uncheckedCount: number;
}

/** A verdict about a part of the plain text. */
export type PlainVerdict = Omit<CheckedNumber, 'text'>;
