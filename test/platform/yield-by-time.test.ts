import { describe, expect, it } from 'vitest';
import { createYielder } from '#src/platform/yield-by-time.ts';

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
