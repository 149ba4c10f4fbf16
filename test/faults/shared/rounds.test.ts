import { describe, expect, it } from 'vitest';
import { startPostgres } from '#test/support/database.ts';
import { FAULTS, planSharedRound, SHORT_ROUNDS } from './plan.ts';
import { describeSharedRound, runSharedRound } from './round.ts';

const { FINCLAW_FAULTS, FINCLAW_FAULT_SEED, FINCLAW_FAULT_ROUNDS } = process.env;

/** A few rounds, or many of them; a seed alone is one round, to be run again. */
const USUAL = FINCLAW_FAULTS === 'all' ? 36 : SHORT_ROUNDS;
const FIRST = Number(FINCLAW_FAULT_SEED ?? 1);
const COUNT = Number(FINCLAW_FAULT_ROUNDS ?? (FINCLAW_FAULT_SEED === undefined ? USUAL : 1));
const PLANS = Array.from({ length: COUNT }, (_, index) => planSharedRound(FIRST + index));

describe.concurrent('several processes on one database, to which things happen: nothing lost, nothing twice', () => {
  it.for(PLANS)('round $seed on $platform, mode $mode, $roles', { timeout: 300_000 }, async (plan) => {
    const postgres = await startPostgres();
    try {
      const result = await runSharedRound(plan, postgres);
      expect(result.problems, describeSharedRound(plan, result)).toEqual([]);
    } finally {
      await postgres.stop();
    }
  });
});

it('each kind of fault happens in the rounds of a usual run', () => {
  const plans = Array.from({ length: SHORT_ROUNDS }, (_, index) => planSharedRound(1 + index));
  const happening = new Set(plans.flatMap(({ faults }) => faults.map(({ fault }) => fault)));
  expect([...happening].toSorted()).toEqual([...new Set(FAULTS)].toSorted());
});
