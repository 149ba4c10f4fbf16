import { describe, expect, it } from 'vitest';
import { ofType } from '#test/fakes/platform/history.ts';
import { describeRound } from '../describe-round.ts';
import { runRound } from '../round.ts';
import { openDiscordStage } from './discord-stage.ts';
import { PLATFORM_NAMES, planPlatformRound, planTroubledRound, SHORT_ROUNDS, TROUBLES } from './plan.ts';
import { openSlackStage } from './slack-stage.ts';

const { FINCLAW_FAULTS, FINCLAW_FAULT_SEED, FINCLAW_FAULT_ROUNDS, FINCLAW_FAULT_PLATFORM } = process.env;

/** A few rounds of each platform, or many of them; a seed alone is one round, to be run again. */
const USUAL = FINCLAW_FAULTS === 'all' ? 36 : SHORT_ROUNDS;
const FIRST = Number(FINCLAW_FAULT_SEED ?? 1);
const COUNT = Number(FINCLAW_FAULT_ROUNDS ?? (FINCLAW_FAULT_SEED === undefined ? USUAL : 1));
const ROUNDS = Array.from({ length: COUNT }, (_, index) => FIRST + index).flatMap((seed) =>
  PLATFORM_NAMES.filter(
    (name) => FINCLAW_FAULT_PLATFORM === undefined || FINCLAW_FAULT_PLATFORM === name,
  ).map((platform) => ({ platform, plan: planPlatformRound(platform, seed) })),
);
const STAGES = { discord: openDiscordStage, slack: openSlackStage };

describe.concurrent('connections that break in every way, without a kill: nothing lost, nothing twice', () => {
  it.for(PLATFORM_NAMES)('%s', { timeout: 120_000 }, async (platform) => {
    const plan = planTroubledRound(platform);
    const result = await runRound(plan, (onMoment) => STAGES[platform](plan.seed, onMoment));
    expect(result.problems, describeRound(result)).toEqual([]);
    const troubles = ofType(result.history, 'trouble').map(({ what }) => what);
    expect(troubles.toSorted()).toEqual(TROUBLES[platform].toSorted());
    if (platform === 'slack') {
      const deliveries = Map.groupBy(ofType(result.history, 'delivered'), ({ event }) => event);
      expect(Math.max(...[...deliveries.values()].map(({ length }) => length))).toBeGreaterThanOrEqual(4);
    }
  });
});

describe.concurrent('kill -9 at any moment, on connections that break: nothing lost, nothing twice', () => {
  it.for(ROUNDS)('$platform, round $plan.seed, mode $plan.mode', { timeout: 120_000 }, async (round) => {
    const { platform, plan } = round;
    const result = await runRound(plan, (onMoment) => STAGES[platform](plan.seed, onMoment));
    expect(result.problems, describeRound(result)).toEqual([]);
  });
});
