export const MAX_EXPRESSION_CHARACTERS = 500;

/** Why an expression has no result; `hoursTexts` has a sentence for each. */
export type CalculationProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'tooLong'; readonly limit: number }
  | { readonly kind: 'tooDeep' }
  | { readonly kind: 'unreadable'; readonly near: string }
  | { readonly kind: 'ambiguousComma'; readonly text: string }
  | { readonly kind: 'unknownWord'; readonly word: string }
  | { readonly kind: 'wrongCount'; readonly name: string; readonly usage: string }
  | { readonly kind: 'differentUnits'; readonly left: string; readonly right: string }
  | { readonly kind: 'plainNeeded'; readonly unit: string }
  | { readonly kind: 'percentFirst' }
  | { readonly kind: 'dividedByZero' }
  | { readonly kind: 'noResult'; readonly name: string }
  | { readonly kind: 'outOfRange' };

/** Ends a calculation from any depth. Only `evaluate` catches it. */
export class CalculationFailure extends Error {
  readonly problem: CalculationProblem;

  constructor(problem: CalculationProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

export const fail = (problem: CalculationProblem): never => {
  throw new CalculationFailure(problem);
};
