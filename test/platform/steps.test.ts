import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  atOnce,
  byTime,
  changeInSteps,
  joinInSteps,
  replaceInSteps,
  sortInSteps,
  type Steps,
} from '#src/platform/steps.ts';

const busyMs = (ms: number): void => {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
};

const byKey = (a: { readonly key: number }, b: { readonly key: number }): number => a.key - b.key;

const inSteps = function* (count: number): Steps<string> {
  for (let step = 0; step < count; step += 1) {
    busyMs(5);
    yield;
  }
  return 'done';
};

describe('work in steps', () => {
  it('lets others have their turn when it takes long', async () => {
    let turns = 0;
    const others = setInterval(() => (turns += 1), 1);
    try {
      expect(await byTime(inSteps(20), new AbortController().signal)).toBe('done');
    } finally {
      clearInterval(others);
    }
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('ends with the reason of an abort', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('stopped')), 1);
    await expect(byTime(inSteps(1_000), stop.signal)).rejects.toThrow('stopped');
  });

  it('sorts as lists do it themselves, those that are equal in their order', () => {
    const item = fc.record({ key: fc.integer({ min: 0, max: 40 }), place: fc.nat() });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 2_000, size: 'max' }), (items) => {
        expect(atOnce(sortInSteps(items, byKey))).toEqual(items.toSorted(byKey));
      }),
      { numRuns: 20 },
    );
  });

  it('joins, replaces and changes as strings do it themselves', () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => `${index},`);
    const long = pieces.join('');
    expect(atOnce(joinInSteps(pieces))).toBe(long);
    expect(atOnce(changeInSteps(long, (slice) => slice.replaceAll('7', '')))).toBe(long.replaceAll('7', ''));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '1', '😀'), maxLength: 300 }), (text) => {
        const replaced = atOnce(replaceInSteps(text, /a+|😀/g, ([found]) => `<${found}>`));
        expect(replaced).toBe(text.replaceAll(/a+|😀/g, '<$&>'));
      }),
    );
  });
});
