import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ArrivalOrder } from '#src/gateway/arrival-order.ts';

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tasks that wait for the test, and when they began and ended. */
const setUp = () => {
  const arrivals = new ArrivalOrder();
  const log: string[] = [];
  const pass = (key: string, name: string) => {
    const gate = Promise.withResolvers<string>();
    const passed = arrivals.pass(key, async () => {
      log.push(`${name} begins`);
      try {
        return await gate.promise;
      } finally {
        log.push(`${name} ends`);
      }
    });
    return { ...gate, passed };
  };
  return { arrivals, log, pass };
};

describe('ArrivalOrder', () => {
  it('lets a task begin only when the one before it under the same key has ended', async () => {
    const { log, pass } = setUp();
    const [first, second, third] = [pass('a', 'first'), pass('a', 'second'), pass('a', 'third')];
    third.resolve('3');
    second.resolve('2');
    await turnOfTheLoop();
    expect(log).toEqual(['first begins']);
    first.resolve('1');
    expect(await Promise.all([first.passed, second.passed, third.passed])).toEqual(['1', '2', '3']);
    expect(log).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
  });

  it('holds up nobody under another key', async () => {
    const { log, pass } = setUp();
    const first = pass('a', 'first');
    const other = pass('b', 'other');
    other.resolve('x');
    await other.passed;
    expect(log).toEqual(['first begins', 'other begins', 'other ends']);
    first.resolve('1');
    await first.passed;
  });

  it('gives the error of a task to its caller alone and goes on with the next', async () => {
    const { log, pass } = setUp();
    const [first, second] = [pass('a', 'first'), pass('a', 'second')];
    first.reject(new Error('disk full'));
    second.resolve('2');
    await expect(first.passed).rejects.toThrow('disk full');
    await expect(second.passed).resolves.toBe('2');
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('goes on after a task that throws before it gives a promise', async () => {
    const { arrivals } = setUp();
    const broken = arrivals.pass('a', () => {
      throw new Error('at once');
    });
    const next = arrivals.pass('a', async () => 'next');
    await expect(broken).rejects.toThrow('at once');
    await expect(next).resolves.toBe('next');
  });

  it('lets one that comes later wait for those that still wait, not only for the one that runs', async () => {
    const { log, pass } = setUp();
    const [first, second] = [pass('a', 'first'), pass('a', 'second')];
    first.resolve('1');
    await first.passed;
    await turnOfTheLoop();
    const third = pass('a', 'third');
    third.resolve('3');
    await turnOfTheLoop();
    expect(log.at(-1)).toBe('second begins');
    second.resolve('2');
    await third.passed;
    expect(log.slice(-2)).toEqual(['third begins', 'third ends']);
  });

  it('keeps nothing of a chat whose messages have all passed', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const arrivals = new ArrivalOrder();
    const passOne = async (): Promise<WeakRef<object>> =>
      new WeakRef(await arrivals.pass('a', async () => ({ receipt: 'large' })));
    const kept = await passOne();
    await turnOfTheLoop();
    collectGarbage();
    expect(kept.deref()).toBeUndefined();
    await expect(arrivals.pass('a', async () => 'again')).resolves.toBe('again');
  });
});
