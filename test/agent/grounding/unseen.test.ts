import { describe, expect, it } from 'vitest';
import { UNSEEN } from './recorded.ts';
import { scoreOf } from './score.ts';

const { flagged, numbers, caught, alarms } = scoreOf(UNSEEN);

/** In percent, as measured, with half a point of room: the check must not become worse. */
const MOST_FLAGGED = 1.3;
const MOST_UNSUPPORTED = 0.3;
const LEAST_CAUGHT = [
  ['x10', 95.7],
  ['currency', 93.7],
  ['invented', 94],
  ['swapped', 89.6],
  ['sign', 79.7],
  ['sum', 77],
  ['other-company', 29.5],
  ['stale', 33.9],
  ['other-metric', 32.4],
  ['other-period', 3.4],
] as const;

describe('answers by people who had not read the check', () => {
  it('are seldom sent back if they are right', () => {
    expect(flagged.all).toBeGreaterThanOrEqual(1_200);
    expect(flagged.percent, alarms.join('\n')).toBeLessThanOrEqual(MOST_FLAGGED);
    expect(numbers.percent, alarms.join('\n')).toBeLessThanOrEqual(MOST_UNSUPPORTED);
  });

  it.each(LEAST_CAUGHT)('have their errors caught: %s', (kind, least) => {
    expect(caught.get(kind)?.percent).toBeGreaterThanOrEqual(least);
  });
});
