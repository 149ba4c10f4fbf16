import { checkAnswer, checkInSteps } from '#src/agent/grounding/judge/check-answer.ts';
import type { Evidence } from '#src/agent/grounding/facts/evidence.ts';
import { readFigures } from '#src/agent/grounding/read/figures.ts';
import { evidenceOf } from '#test/agent/grounding/evidence.ts';
import { conversationOf, evidenceFor, UNSEEN } from '#test/agent/grounding/recorded.ts';
import { scoreOf } from '#test/agent/grounding/score.ts';
import { WORST_ANSWERS } from '#test/agent/grounding/worst-answers.ts';
import { median } from './statistics.ts';

const NUMBERS = 40;
const FACTS = 250;
/** Of what it costs to read the numbers of the answer alone. */
const USUAL_BAR = 40;
/** A step of a worst answer, in usual checks: nothing else runs meanwhile. */
const STEP_BAR = 12;

/** Right answers with so many numbers, and so many facts. */
const usual = (): readonly [answer: string, evidence: Evidence] => {
  const right = UNSEEN.answers.filter(({ kind }) => kind === undefined);
  const facts = right.flatMap(({ id }) => evidenceFor(conversationOf(UNSEEN, id)).facts).slice(0, FACTS);
  const evidence = evidenceOf(facts);
  let answer = '';
  for (const { answer: next } of right) {
    answer = `${answer}\n\n${next}`;
    if (checkAnswer(answer, evidence).numbers.length >= NUMBERS) break;
  }
  return [answer, evidence];
};

const timeOf = (work: () => unknown, rounds: number): number => {
  const spent = Array.from({ length: rounds }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return median(spent);
};

/** How long the longest step and all steps of a check take, and how many they are. */
const stepsOf = (answer: string, evidence: Evidence) => {
  const steps = checkInSteps(answer, evidence);
  let longest = 0;
  let all = 0;
  let count = 0;
  for (let isDone = false; !isDone; count += 1) {
    const startedAt = performance.now();
    isDone = steps.next().done === true;
    const spent = performance.now() - startedAt;
    all += spent;
    longest = Math.max(longest, spent);
  }
  return { longest, all, count };
};

const verdict = (value: number, bar: number): string =>
  `${value.toFixed(1)}, bar ${bar}${value <= bar ? '' : ' (missed)'}`;

const printCost = (): void => {
  const [answer, evidence] = usual();
  const check = () => checkAnswer(answer, evidence);
  timeOf(check, 100);
  const spent = timeOf(check, 200);
  const reading = timeOf(() => readFigures(answer, evidence.today), 200);
  console.log(
    `check of ${check().numbers.length} numbers beside ${evidence.facts.length} facts: ${spent.toFixed(2)} ms; ` +
      `in readings of the same answer: ${verdict(spent / reading, USUAL_BAR)}`,
  );
  for (const [name, [worst, beside]] of Object.entries(WORST_ANSWERS)) {
    const { longest, all, count } = stepsOf(worst, beside);
    console.log(
      `${name}: ${(all / spent).toFixed(0)} usual checks in ${count} steps; the longest step: ${verdict(longest / spent, STEP_BAR)}`,
    );
  }
};

const printShares = (showsMisses: boolean): void => {
  const { flagged, numbers, caught, alarms } = scoreOf(UNSEEN);
  console.log(
    `right answers that are sent back: ${flagged.hits} of ${flagged.all}; right numbers without a source: ${numbers.hits} of ${numbers.all}`,
  );
  for (const [kind, { hits, all }] of caught) console.log(`  wrong ones caught, ${kind}: ${hits} of ${all}`);
  if (showsMisses) for (const alarm of alarms) console.log(alarm);
};

/** How many wrong answers the check finds among those of people who had not read it, and what it costs. */
export const benchGrounding = ({ showsMisses = false } = {}): void => {
  printShares(showsMisses);
  printCost();
};
