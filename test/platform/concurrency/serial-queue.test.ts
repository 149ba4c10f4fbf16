import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { SerialQueue, type WaitForTurn } from '#src/platform/concurrency/serial-queue.ts';

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tasks that wait for the test, and when they began and ended. */
const setUp = () => {
  const queue = new SerialQueue();
  const log: string[] = [];
  const pass = (key: string, name: string, wait?: WaitForTurn) => {
    const gate = Promise.withResolvers<string>();
    const passed = queue.run(
      key,
      async () => {
        log.push(`${name} begins`);
        try {
          return await gate.promise;
        } finally {
          log.push(`${name} ends`);
        }
      },
      wait,
    );
    return { ...gate, passed };
  };
  return { queue, log, pass };
};

describe('SerialQueue', () => {
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
    const { queue } = setUp();
    const broken = queue.run('a', () => {
      throw new Error('at once');
    });
    const next = queue.run('a', async () => 'next');
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

  it('lets one that waited too long begin, and those behind it wait for everybody before them', async () => {
    const { log, pass } = setUp();
    const first = pass('a', 'first');
    const hasty = pass('a', 'hasty', async () => undefined);
    const third = pass('a', 'third');
    hasty.resolve('2');
    third.resolve('3');
    await hasty.passed;
    await turnOfTheLoop();
    expect(log).toEqual(['first begins', 'hasty begins', 'hasty ends']);
    first.resolve('1');
    await third.passed;
    expect(log.slice(-3)).toEqual(['first ends', 'third begins', 'third ends']);
  });

  it('never runs one that left the line, and holds up nobody behind it', async () => {
    const { log, pass } = setUp();
    const first = pass('a', 'first');
    const left = pass('a', 'left', () => Promise.reject(new Error('no patience')));
    const third = pass('a', 'third');
    third.resolve('3');
    await expect(left.passed).rejects.toThrow('no patience');
    first.resolve('1');
    await third.passed;
    expect(log).toEqual(['first begins', 'first ends', 'third begins', 'third ends']);
  });

  it('is idle when everybody has left, also those who hold a turn without a task', async () => {
    const { queue } = setUp();
    const leave = await queue.enter('a');
    let isIdle = false;
    const idle = queue.idle().then(() => (isIdle = true));
    await turnOfTheLoop();
    expect(isIdle).toBe(false);
    leave();
    await idle;
  });

  it('keeps nothing of a chat whose messages have all passed', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const queue = new SerialQueue();
    const passOne = async (): Promise<WeakRef<object>> =>
      new WeakRef(await queue.run('a', async () => ({ receipt: 'large' })));
    const kept = await passOne();
    await turnOfTheLoop();
    collectGarbage();
    expect(kept.deref()).toBeUndefined();
    await expect(queue.run('a', async () => 'again')).resolves.toBe('again');
  });
});
