import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  atOnce,
  byTime,
  changeInSteps,
  createYielder,
  joinInSteps,
  replaceInSteps,
  sortInSteps,
  type Steps,
} from '#src/platform/concurrency/cooperative-tasks.ts';

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

const STOPPED = new Error('the person stopped it');

/** A clock that only moves by work, and a loop that works `itemMs` per item and logs who ran. */
const setUp = () => {
  let now = 0;
  const log: string[] = [];
  const controller = new AbortController();
  const run = async (name: string, items: number, itemMs: number): Promise<void> => {
    const giveWay = createYielder(controller.signal, 20, () => now);
    for (let item = 0; item < items; item += 1) {
      await giveWay();
      now += itemMs;
      log.push(name);
    }
  };
  const watchTurns = (turns: number): void => {
    if (turns === 0) return;
    setImmediate(() => {
      log.push('|');
      watchTurns(turns - 1);
    });
  };
  return { log, controller, run, watchTurns };
};

describe('createYielder', () => {
  it('lets other work run whenever a slice of 20 ms is used up', async () => {
    const { log, run, watchTurns } = setUp();
    watchTurns(4);
    await run('a', 6, 10);
    expect(log.join('')).toMatch(/^aa\|+aa\|+aa/u);
  });

  it('never waits while the slice lasts', async () => {
    const { log, run, watchTurns } = setUp();
    watchTurns(1);
    await run('a', 1_000, 0.01);
    expect(log).not.toContain('|');
  });

  it('lets one of many loops go on per turn of the event loop', async () => {
    const { log, run, watchTurns } = setUp();
    watchTurns(12);
    await Promise.all(['a', 'b', 'c'].map((name) => run(name, 3, 20)));
    const [first = '', ...later] = log.join('').split(/\|+/u);
    expect(first).toBe('abc');
    expect(later.filter((turn) => turn !== '')).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it("ends the loop with the signal's reason at the next pause after an abort", async () => {
    const { log, controller, run } = setUp();
    const ended = expect(run('a', 100, 20)).rejects.toBe(STOPPED);
    setImmediate(() => controller.abort(STOPPED));
    await ended;
    expect(log.length).toBeLessThan(5);
    await expect(run('b', 2, 20)).rejects.toBe(STOPPED);
  });
});
