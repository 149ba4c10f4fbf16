import { beforeAll, describe, expect, it } from 'vitest';
import { collectFacts } from './generator/collect-facts.ts';
import { measure } from './generator/measure.ts';
import type { Score } from './score.ts';

/** In percent, as measured, with a little room. */
const MOST_FLAGGED = 2.5;
const LEAST_CAUGHT = [
  ['times ten', 80],
  ['invented', 70],
] as const;

describe('generated answers about the facts of the tools', () => {
  let score: Score;
  beforeAll(async () => {
    score = measure(await collectFacts(), { seed: 'a slice', answers: 100 });
  });

  it('are seldom sent back if they are right', () => {
    const { flagged, alarms } = score;
    expect(flagged.percent, alarms.join('\n')).toBeLessThanOrEqual(MOST_FLAGGED);
  });

  it.each(LEAST_CAUGHT)('have a wrong number caught: %s', (kind, least) => {
    expect(score.caught.get(kind)?.percent).toBeGreaterThanOrEqual(least);
  });
});
