import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Evidence } from '../facts/evidence.ts';
import { Pool } from '../facts/pool.ts';
import { readAnswer } from '../read/answer.ts';
import { readFigures } from '../read/figures.ts';
import type { TextRange } from '../read/layout.ts';
import { plainAnswer } from '../read/plain-answer.ts';
import { falseClaimsIn } from './claims.ts';
import { Judge } from './judge.ts';
import { questionsIn } from './questions.ts';
import { type AnswerCheck, type CheckedNumber, NOTHING_TO_CHECK } from './verdict.ts';

/** Longer answers are checked up to here. */
const MAX_CHARACTERS = 10_000;
/** `/portfolio buy 005930 10 @71000`: an example. */
const CODE = /`[^`\n]{1,200}`/gu;
const MAX_EXAMPLES = 5;
const DIGIT = /\d/u;
const NUMBER = /\d[\d.,]{0,40}/gu;

/** Whether there is anything to check, which costs much less than a check. */
export const needsCheck = (answer: string, today: Temporal.PlainDate): boolean => {
  if (answer.length > MAX_CHARACTERS || DIGIT.test(answer)) return true;
  const { text } = plainAnswer(answer);
  if (falseClaimsIn(text, []).length > 0) return true;
  const { figures, dates } = readFigures(text, today);
  return figures.length > 0 || dates.length > 0;
};

/** Checks an answer against the evidence, in steps: nothing else waits for a long one. Pure and bounded. */
export function* checkInSteps(answer: string, evidence: Evidence): Steps<AnswerCheck> {
  const { text, positions } = plainAnswer(answer.slice(0, MAX_CHARACTERS));
  const pool = yield* Pool.of(evidence);
  const read = readAnswer(text, evidence.today, (lowered) => pool.namesIn(lowered));
  yield;
  const examples = (answer.match(CODE) ?? []).slice(0, MAX_EXAMPLES).join('\n');
  const judge = new Judge(read, pool, evidence, examples);
  let questions = judge.isSettledByFacts() ? questionsIn(read, judge.all, pool, evidence) : undefined;
  if (!questions || questions.length > 0) {
    yield* pool.addTexts(evidence);
    yield* judge.run();
    questions = questionsIn(read, judge.all, pool, evidence);
  }
  const inAnswer = <T extends TextRange>({ start, end, ...more }: T): T & { readonly text: string } => {
    const [from, to] = [positions[start] ?? 0, (positions[end - 1] ?? 0) + 1];
    return { ...more, start: from, end: to, text: answer.slice(from, to) } as unknown as T & { text: string };
  };
  const numbers = judge.all.flatMap(({ figure: { start, end }, result }): readonly CheckedNumber[] =>
    result ? [inAnswer({ start, end, ...result })] : [],
  );
  const rest = answer.length > MAX_CHARACTERS ? (answer.slice(MAX_CHARACTERS).match(NUMBER)?.length ?? 0) : 0;
  return {
    numbers,
    questions: questions.map(inAnswer),
    claims: falseClaimsIn(text, evidence.done).map(inAnswer),
    uncheckedCount: read.uncheckedCount + rest,
  };
}

/** Checks an answer at once. */
export const checkAnswer = (answer: string, evidence: Evidence): AnswerCheck => {
  if (!needsCheck(answer, evidence.today)) return NOTHING_TO_CHECK;
  const steps = checkInSteps(answer, evidence);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
};
