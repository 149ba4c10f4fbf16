import { describe, expect, it } from 'vitest';
import { PLATFORM_NAMES } from '../platforms/plan.ts';
import { describeAlertRound } from './describe-round.ts';
import { openDiscordAlertStage } from './discord-stage.ts';
import { planAlertRound, SHORT_ROUNDS } from './plan.ts';
import { runAlertRound } from './round.ts';
import { openSlackAlertStage } from './slack-stage.ts';

const { FINCLAW_FAULTS, FINCLAW_FAULT_SEED, FINCLAW_FAULT_ROUNDS, FINCLAW_FAULT_PLATFORM } = process.env;

/** A few rounds of each platform, or many of them; a seed alone is one round, to be run again. */
const USUAL = FINCLAW_FAULTS === 'all' ? 12 : SHORT_ROUNDS;
const FIRST = Number(FINCLAW_FAULT_SEED ?? 1);
const COUNT = Number(FINCLAW_FAULT_ROUNDS ?? (FINCLAW_FAULT_SEED === undefined ? USUAL : 1));
const PLANS = Array.from({ length: COUNT }, (_, index) => FIRST + index).flatMap((seed) =>
  PLATFORM_NAMES.filter(
    (name) => FINCLAW_FAULT_PLATFORM === undefined || FINCLAW_FAULT_PLATFORM === name,
  ).map((platform) => planAlertRound(platform, seed)),
);
const STAGES = { discord: openDiscordAlertStage, slack: openSlackAlertStage };

describe.concurrent('kill -9 while alerts come true: each is told once, and nothing else is', () => {
  it.for(PLANS)('$platform, round $seed', { timeout: 120_000 }, async (plan) => {
    const result = await runAlertRound(plan, STAGES[plan.platform]);
    expect(result.problems, describeAlertRound(result)).toEqual([]);
  });
});
