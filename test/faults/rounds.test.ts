import { describe, expect, it } from 'vitest';
import { describeRound } from './describe-round.ts';
import { planRound, SHORT_ROUNDS } from './plan.ts';
import { runRound } from './round.ts';

const { FINCLAW_FAULTS, FINCLAW_FAULT_SEED, FINCLAW_FAULT_ROUNDS } = process.env;

/** One round of each mode, or many of them; a seed alone is one round, to be run again. */
const USUAL = FINCLAW_FAULTS === 'all' ? 72 : SHORT_ROUNDS;
const FIRST = Number(FINCLAW_FAULT_SEED ?? 1);
const COUNT = Number(FINCLAW_FAULT_ROUNDS ?? (FINCLAW_FAULT_SEED === undefined ? USUAL : 1));
const PLANS = Array.from({ length: COUNT }, (_, index) => planRound(FIRST + index));

describe.concurrent('kill -9 at any moment: nothing lost, nothing twice, always an answer', () => {
  it.for(PLANS)('round $seed, mode $mode', { timeout: 120_000 }, async (plan) => {
    const result = await runRound(plan);
    expect(result.problems, describeRound(result)).toEqual([]);
  });
});
