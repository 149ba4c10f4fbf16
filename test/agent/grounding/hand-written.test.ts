import { expect, it } from 'vitest';
import { HAND_WRITTEN } from './recorded.ts';
import { scoreOf } from './score.ts';

/** In percent, as measured, with half a point of room. */
const MOST_FLAGGED = 2.2;
const MOST_UNSUPPORTED = 1.0;

it('right answers of many topics are seldom sent back', () => {
  const { flagged, numbers, alarms } = scoreOf(HAND_WRITTEN);
  expect(flagged.all).toBeGreaterThan(700);
  expect(flagged.percent, alarms.join('\n')).toBeLessThanOrEqual(MOST_FLAGGED);
  expect(numbers.percent, alarms.join('\n')).toBeLessThanOrEqual(MOST_UNSUPPORTED);
});
