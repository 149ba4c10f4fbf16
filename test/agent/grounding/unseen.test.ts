import { describe, expect, it } from 'vitest';
import { UNSEEN } from './recorded.ts';
import { scoreOf } from './score.ts';

const { flagged, numbers, caught, alarms } = scoreOf(UNSEEN);

/** In percent, as measured, with half a point of room: the check must not become worse. */
const MOST_FLAGGED = 2;
const MOST_UNSUPPORTED = 0.6;
const LEAST_CAUGHT = [
  ['x10', 97.8],
  ['currency', 94.5],
  ['invented', 88.0],
  ['swapped', 89.6],
  ['sign', 83.1],
  ['sum', 74.9],
  ['other-company', 33.9],
  ['stale', 33.9],
  ['other-metric', 32.2],
  ['other-period', 4.4],
] as const;

describe('answers by people who had not read the check', () => {
  it('are seldom sent back if they are right', () => {
    expect(flagged.all).toBeGreaterThanOrEqual(800);
    expect(flagged.percent, alarms.join('\n')).toBeLessThanOrEqual(MOST_FLAGGED);
    expect(numbers.percent, alarms.join('\n')).toBeLessThanOrEqual(MOST_UNSUPPORTED);
  });

  it.each(LEAST_CAUGHT)('have their errors caught: %s', (kind, least) => {
    expect(caught.get(kind)?.percent).toBeGreaterThanOrEqual(least);
  });
});
