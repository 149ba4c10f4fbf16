import { beforeAll, describe, expect, it } from 'vitest';
import { collectFacts } from './generator/collect-facts.ts';
import { type Measured, measure, shareOf, totalOf } from './generator/measure.ts';

/** A slice of what `npm run bench` measures in full. */
const SLICE = { seed: 'a slice', answers: 300, plantedEach: 5 };

describe('generated answers about the facts of the tools', () => {
  let measured: Measured;
  beforeAll(async () => {
    measured = measure(await collectFacts('some'), SLICE);
  });

  it('plants errors of every kind', () => {
    expect(measured.planted.size).toBe(13);
    expect(totalOf(measured.planted).all).toBeGreaterThan(1_200);
  });

  it('finds at least 99.5 % of the planted errors', () => {
    const missed = measured.misses.map(({ of, note, text }) => `${of}: ${note} in: ${text}`);
    expect(shareOf(totalOf(measured.planted)), missed.join('\n')).toBeGreaterThanOrEqual(0.995);
  });

  it('doubts at most 0.5 % of the right answers', () => {
    const doubted = measured.falseAlarms.map(({ of, note, text }) => `${of}: ${note} in: ${text}`);
    expect(shareOf(totalOf(measured.right)), doubted.join('\n')).toBeLessThanOrEqual(0.005);
  });
});
