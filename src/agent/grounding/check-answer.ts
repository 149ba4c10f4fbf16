import { FactIndex } from './fact-index.ts';
import { Judge } from './judge.ts';
import { plainAnswer } from './plain-answer.ts';
import type { AnswerCheck, Evidence } from './verdict.ts';

/** Longer answers are checked up to here, so that none delays the bot. */
const MAX_CHARACTERS = 10_000;
const NUMBER = /\d[\d.,]{0,40}/gu;

/** Checks each number of an answer against the evidence. Pure and bounded. */
export const checkAnswer = (answer: string, evidence: Evidence): AnswerCheck => {
  const { text, positions } = plainAnswer(answer.slice(0, MAX_CHARACTERS));
  const judge = new Judge(text, evidence, new FactIndex(evidence));
  const { verdicts, uncheckedCount } = judge.verdicts();
  const numbers = verdicts.map(({ start, end, verdict, known, formula, quotedFrom }) => {
    const from = positions[start] ?? 0;
    const to = (positions[end - 1] ?? 0) + 1;
    return { start: from, end: to, text: answer.slice(from, to), verdict, known, formula, quotedFrom };
  });
  const rest = answer.length > MAX_CHARACTERS ? (answer.slice(MAX_CHARACTERS).match(NUMBER)?.length ?? 0) : 0;
  return { numbers, uncheckedCount: uncheckedCount + rest };
};
