import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';

const NEVER = new AbortController().signal;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Asks for places; notes who got one, in order, and how to give it back. */
const setUp = (limit: number, maxPerOwner = limit) => {
  const semaphore = new Semaphore(limit, maxPerOwner);
  const admitted: string[] = [];
  const releases = new Map<string, () => void>();
  const ask = async (name: string, signal: AbortSignal = NEVER, owner = ''): Promise<void> => {
    const release = await semaphore.acquire(owner, signal);
    admitted.push(name);
    releases.set(name, release);
  };
  return { semaphore, admitted, ask, release: (name: string) => releases.get(name)?.() };
};

describe('Semaphore', () => {
  it('admits as many at once as allowed, and no more', async () => {
    const { semaphore, admitted, ask } = setUp(2);
    for (const name of ['a', 'b', 'c']) void ask(name);
    await settle();
    expect(admitted).toEqual(['a', 'b']);
    expect(semaphore.waiting).toBe(1);
  });

  it('admits those who wait in the order in which they came, one for each place given back', async () => {
    const { semaphore, admitted, ask, release } = setUp(1);
    for (const name of ['a', 'b', 'c']) void ask(name);
    await settle();
    release('a');
    await settle();
    expect(admitted).toEqual(['a', 'b']);
    release('b');
    await settle();
    expect(admitted).toEqual(['a', 'b', 'c']);
    expect(semaphore.waiting).toBe(0);
  });

  it('does not let who comes later pass those who wait', async () => {
    const { admitted, ask, release } = setUp(1);
    await ask('a');
    void ask('b');
    release('a');
    void ask('c');
    await settle();
    expect(admitted).toEqual(['a', 'b']);
  });

  it('takes a place back once, however often it is given', async () => {
    const { admitted, ask, release } = setUp(1);
    await ask('a');
    for (const name of ['b', 'c']) void ask(name);
    release('a');
    release('a');
    await settle();
    expect(admitted).toEqual(['a', 'b']);
    release('a');
    await settle();
    expect(admitted).toEqual(['a', 'b']);
  });

  it('admits everybody where there is no limit', async () => {
    const { semaphore, admitted, ask } = setUp(Infinity);
    await Promise.all(['a', 'b', 'c'].map((name) => ask(name)));
    expect(admitted).toHaveLength(3);
    expect(semaphore.waiting).toBe(0);
  });

  it('rejects with the reason who was aborted before, without taking a place', async () => {
    const { ask, admitted } = setUp(1);
    const reason = new Error('stopped');
    await expect(ask('a', AbortSignal.abort(reason))).rejects.toBe(reason);
    await ask('b');
    expect(admitted).toEqual(['b']);
  });

  it('rejects with the reason who is aborted while waiting, and gives the place to the next', async () => {
    const { semaphore, ask, admitted, release } = setUp(1);
    const controller = new AbortController();
    const reason = new Error('stopped');
    await ask('a');
    const rejected = expect(ask('b', controller.signal)).rejects.toBe(reason);
    void ask('c');
    controller.abort(reason);
    await rejected;
    expect(semaphore.waiting).toBe(1);
    release('a');
    await settle();
    expect(admitted).toEqual(['a', 'c']);
  });

  it('lets owners take turns, and gives none more places than their share', async () => {
    const { admitted, ask, release } = setUp(2, 1);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void ask(name, NEVER, name.slice(0, 1));
    await settle();
    expect(admitted).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) {
      release(name);
      await settle();
    }
    expect(admitted).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('does not lose a place to who is aborted just after being admitted', async () => {
    const { ask, admitted, release } = setUp(1);
    const controller = new AbortController();
    await ask('a');
    const second = ask('b', controller.signal);
    release('a');
    controller.abort(new Error('too late'));
    await second;
    release('b');
    await ask('c');
    expect(admitted).toEqual(['a', 'b', 'c']);
  });

  it('never has more at once than allowed, and forgets nobody, whatever happens', async () => {
    const step = fc.oneof(
      fc.constant('ask' as const),
      fc.record({ release: fc.nat() }),
      fc.record({ abort: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(step, { maxLength: 30 }),
        async (limit, steps) => {
          const semaphore = new Semaphore(limit);
          const held: (() => void)[] = [];
          const asked: { readonly controller: AbortController; readonly ended: Promise<boolean> }[] = [];
          for (const each of steps) {
            if (each === 'ask') {
              const controller = new AbortController();
              const ended = semaphore.acquire('', controller.signal).then(
                (release) => held.push(release) > 0,
                () => false,
              );
              asked.push({ controller, ended });
            } else if ('release' in each) held.splice(each.release % (held.length || 1), 1)[0]?.();
            else asked[each.abort % (asked.length || 1)]?.controller.abort();
            await settle();
            expect(held.length).toBeLessThanOrEqual(limit);
            if (semaphore.waiting > 0) expect(held).toHaveLength(limit);
          }
          while (held.length > 0) {
            held.shift()?.();
            await settle();
          }
          expect(semaphore.waiting).toBe(0);
          await Promise.all(asked.map(({ ended }) => ended));
        },
      ),
      { numRuns: 60 },
    );
  });
});
