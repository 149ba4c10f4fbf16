import { FactIndex } from './fact-index.ts';
import { readFigures } from './figures.ts';
import { Judge } from './judge.ts';
import type { Range } from './layout.ts';
import { plainAnswer } from './plain-answer.ts';
import type { AnswerCheck, CheckedNumber, Evidence } from './verdict.ts';

/** Longer answers are checked up to here, so that none delays the bot. */
const MAX_CHARACTERS = 10_000;
const DIGIT = /\d/u;
const NUMBER = /\d[\d.,]{0,40}/gu;

export const NO_NUMBERS: AnswerCheck = { numbers: [], uncheckedCount: 0 };

/** Whether there is anything to check, which costs much less than a check. */
export const hasNumbers = (answer: string, today: Temporal.PlainDate): boolean => {
  if (answer.length > MAX_CHARACTERS || DIGIT.test(answer)) return true;
  const { figures, dates } = readFigures(plainAnswer(answer).text, today);
  return figures.length > 0 || dates.length > 0;
};

/** Checks each number of an answer against the evidence. Pure and bounded. */
export const checkAnswer = (answer: string, evidence: Evidence): AnswerCheck => {
  const { text, positions } = plainAnswer(answer.slice(0, MAX_CHARACTERS));
  const judge = new Judge(text, evidence, new FactIndex(evidence));
  const { verdicts, uncheckedCount } = judge.verdicts();
  const placeOf = ({ start, end }: Range): Range => ({
    start: positions[start] ?? 0,
    end: (positions[end - 1] ?? 0) + 1,
  });
  const numbers = verdicts.map((plain): CheckedNumber => {
    const { start, end } = placeOf(plain);
    const { verdict, known, formula, quotedFrom, isReversed, wrongWord } = plain;
    return {
      start,
      end,
      text: answer.slice(start, end),
      verdict,
      known,
      formula,
      quotedFrom,
      isReversed,
      wrongWord: wrongWord && placeOf(wrongWord),
    };
  });
  const rest = answer.length > MAX_CHARACTERS ? (answer.slice(MAX_CHARACTERS).match(NUMBER)?.length ?? 0) : 0;
  return { numbers, uncheckedCount: uncheckedCount + rest };
};
