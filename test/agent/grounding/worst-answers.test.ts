import { expect, it } from 'vitest';
import { checkInSteps } from '#src/agent/grounding/judge/check-answer.ts';
import { WORST_ANSWERS } from './worst-answers.ts';

/** Enough to see that many steps share the work; the bench runs them to the end. */
const LOOKED_AT = 2_000;

it.each(Object.entries(WORST_ANSWERS))(
  'a check of much lets others in more than once for each number: %s',
  (_name, [answer, evidence]) => {
    const steps = checkInSteps(answer, evidence);
    let count = 1;
    let step = steps.next();
    for (; !step.done && count < LOOKED_AT; count += 1) step = steps.next();
    const checked = step.done ? step.value.numbers.length : 0;
    expect(checked).toBeLessThanOrEqual(500);
    expect(count).toBeGreaterThan(Math.max(checked, 500));
  },
);
