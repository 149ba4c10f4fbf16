import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { raceAbort, untilAborted, withDeadline } from '#src/infra/abort.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const STOPPED = new Error('the person stopped it');

const setUp = () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const task = Promise.withResolvers<string>();
  const outcomes: string[] = [];
  const race = (): Promise<void> =>
    raceAbort(task.promise, controller.signal, clock, 1_000).then(
      (value) => void outcomes.push(value),
      (error: unknown) => void outcomes.push(error instanceof Error ? error.message : 'not an error'),
    );
  const listeners = (): number => getEventListeners(controller.signal, 'abort').length;
  return { clock, controller, task, outcomes, race, listeners };
};

describe('raceAbort', () => {
  it('gives what the task gives, and leaves neither timer nor listener behind', async () => {
    const { clock, task, outcomes, race, listeners } = setUp();
    const raced = race();
    expect(listeners()).toBe(1);
    task.resolve('done');
    await raced;
    expect([outcomes, clock.pendingTimers, listeners()]).toEqual([['done'], 0, 0]);
  });

  it("throws the task's own error, and leaves neither timer nor listener behind", async () => {
    const { clock, task, outcomes, race, listeners } = setUp();
    const raced = race();
    task.reject(new Error('broken'));
    await raced;
    expect([outcomes, clock.pendingTimers, listeners()]).toEqual([['broken'], 0, 0]);
  });

  it('waits without an end while nobody aborts', async () => {
    const { clock, outcomes, race, task } = setUp();
    const raced = race();
    await clock.advance(3_600_000);
    expect(outcomes).toEqual([]);
    task.resolve('late');
    await raced;
    expect(outcomes).toEqual(['late']);
  });

  it('lets the task end by itself within the grace after an abort', async () => {
    const { clock, controller, task, outcomes, race } = setUp();
    const raced = race();
    controller.abort(STOPPED);
    await clock.advance(999);
    expect(outcomes).toEqual([]);
    task.resolve('tidied up');
    await raced;
    expect([outcomes, clock.pendingTimers]).toEqual([['tidied up'], 0]);
  });

  it("leaves a deaf task after the grace with the signal's reason", async () => {
    const { clock, controller, outcomes, race } = setUp();
    const raced = race();
    controller.abort(STOPPED);
    await clock.advance(1_000);
    await raced;
    expect(outcomes).toEqual([STOPPED.message]);
  });

  it.each([
    ['an answer', (task: PromiseWithResolvers<string>) => task.resolve('far too late')],
    ['an error', (task: PromiseWithResolvers<string>) => task.reject(new Error('far too late'))],
  ])('ignores %s that a deaf task gives in the end', async (_what, end) => {
    const { clock, controller, task, outcomes, race } = setUp();
    const raced = race();
    controller.abort(STOPPED);
    await clock.advance(1_000);
    await raced;
    end(task);
    await clock.advance(0);
    expect(outcomes).toEqual([STOPPED.message]);
  });

  it('grants the grace from now on when the signal had aborted before', async () => {
    const { clock, controller, outcomes, race } = setUp();
    controller.abort(STOPPED);
    const raced = race();
    await clock.advance(999);
    expect(outcomes).toEqual([]);
    await clock.advance(1);
    await raced;
    expect(outcomes).toEqual([STOPPED.message]);
  });
});

const startDeadline = () => {
  const clock = new ManualClock();
  const parent = new AbortController();
  const tooLong = new Error('too long');
  const { signal, clear } = withDeadline(parent.signal, 5_000, clock, () => tooLong);
  return { clock, parent, tooLong, signal, clear };
};

describe('withDeadline', () => {
  it('aborts with its reason when the time is over and not before', async () => {
    const { clock, tooLong, signal } = startDeadline();
    await clock.advance(4_999);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(signal.reason).toBe(tooLong);
  });

  it("follows the parent at once, with the parent's reason", async () => {
    const { clock, parent, signal } = startDeadline();
    parent.abort(STOPPED);
    expect(signal.reason).toBe(STOPPED);
    await clock.advance(5_000);
    expect(signal.reason).toBe(STOPPED);
  });

  it('is aborted from the start when the parent is', () => {
    const { signal, clear } = withDeadline(
      AbortSignal.abort(STOPPED),
      5_000,
      new ManualClock(),
      () => STOPPED,
    );
    clear();
    expect(signal.reason).toBe(STOPPED);
  });

  it('does not abort the parent', async () => {
    const { clock, parent } = startDeadline();
    await clock.advance(5_000);
    expect(parent.signal.aborted).toBe(false);
  });

  it('has no deadline and no timer any more once it was cleared', async () => {
    const { clock, signal, clear } = startDeadline();
    expect(clock.pendingTimers).toBe(1);
    clear();
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(5_000);
    expect(signal.aborted).toBe(false);
  });

  it('does not follow the parent any more once it was cleared', () => {
    const { parent, signal, clear } = startDeadline();
    clear();
    parent.abort(STOPPED);
    expect(signal.aborted).toBe(false);
  });

  it('keeps the reason of the deadline when the parent aborts later', async () => {
    const { clock, parent, tooLong, signal } = startDeadline();
    await clock.advance(5_000);
    parent.abort(STOPPED);
    expect(signal.reason).toBe(tooLong);
  });

  it('makes no reason before the time is over', async () => {
    const clock = new ManualClock();
    let made = 0;
    const { clear } = withDeadline(new AbortController().signal, 5_000, clock, () => {
      made += 1;
      return STOPPED;
    });
    await clock.advance(4_999);
    clear();
    await clock.advance(1);
    expect(made).toBe(0);
  });

  it('listens to the parent once, and leaves nothing behind on it however often it is used', () => {
    const clock = new ManualClock();
    const parent = new AbortController();
    const listeners = (): number => getEventListeners(parent.signal, 'abort').length;
    for (let use = 0; use < 1_000; use += 1) {
      const { clear } = withDeadline(parent.signal, 5_000, clock, () => STOPPED);
      expect(listeners()).toBe(1);
      clear();
      clear();
    }
    expect([listeners(), clock.pendingTimers]).toEqual([0, 0]);
  });

  it('leaves nothing behind either where the parent has aborted, before or meanwhile', () => {
    const clock = new ManualClock();
    const parent = new AbortController();
    const first = withDeadline(parent.signal, 5_000, clock, () => STOPPED);
    parent.abort(STOPPED);
    const second = withDeadline(parent.signal, 5_000, clock, () => STOPPED);
    first.clear();
    second.clear();
    expect([getEventListeners(parent.signal, 'abort').length, clock.pendingTimers]).toEqual([0, 0]);
  });
});

/** A source of the given items that records when it was asked to clean up. */
const sourceOf = (...items: readonly (string | Promise<string>)[]) => {
  const seen = { cleanUps: 0, asked: 0 };
  const source: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const item = items[seen.asked];
        seen.asked += 1;
        return item === undefined ? { done: true, value: undefined } : { done: false, value: await item };
      },
      return: async () => {
        seen.cleanUps += 1;
        return { done: true, value: undefined };
      },
    }),
  };
  return { source, seen };
};

const read = (source: AsyncIterable<string>) => {
  const controller = new AbortController();
  const items: string[] = [];
  const ended = (async () => {
    for await (const item of untilAborted(source, controller.signal)) items.push(item);
  })();
  const listeners = (): number => getEventListeners(controller.signal, 'abort').length;
  return { controller, items, ended, listeners };
};

const never = new Promise<string>(() => undefined);

describe('untilAborted', () => {
  it('gives every item and ends with its source, leaving no listener behind', async () => {
    const { source } = sourceOf('a', 'b', 'c');
    const { items, ended, listeners } = read(source);
    expect(listeners()).toBe(1);
    await ended;
    expect(items).toEqual(['a', 'b', 'c']);
    expect(listeners()).toBe(0);
  });

  it("leaves a deaf source at once with the signal's reason, and asks it to clean up", async () => {
    const { source, seen } = sourceOf('a', never);
    const { controller, items, ended, listeners } = read(source);
    const left = expect(ended).rejects.toBe(STOPPED);
    await new Promise((resolve) => setImmediate(resolve));
    expect(items).toEqual(['a']);
    controller.abort(STOPPED);
    await left;
    expect(seen).toEqual({ asked: 2, cleanUps: 1 });
    expect(listeners()).toBe(0);
  });

  it('does not wait for a clean-up that never ends, and does not mind one that fails', async () => {
    for (const cleanUp of [never, Promise.reject(new Error('cannot clean up'))]) {
      const source: AsyncIterable<string> = {
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ done: false, value: await never }),
          return: async () => ({ done: true, value: await cleanUp }),
        }),
      };
      const { controller, ended } = read(source);
      controller.abort(STOPPED);
      await expect(ended).rejects.toBe(STOPPED);
    }
  });

  it('asks for nothing when the signal had aborted before', async () => {
    const { source, seen } = sourceOf('a');
    const items = untilAborted(source, AbortSignal.abort(STOPPED));
    await expect(items.next()).rejects.toBe(STOPPED);
    expect(seen.asked).toBe(0);
  });

  it('asks for no further item after an abort between two', async () => {
    const { source, seen } = sourceOf('a', 'b');
    const controller = new AbortController();
    const items = untilAborted(source, controller.signal);
    await expect(items.next()).resolves.toMatchObject({ value: 'a' });
    controller.abort(STOPPED);
    await expect(items.next()).rejects.toBe(STOPPED);
    expect(seen).toEqual({ asked: 1, cleanUps: 1 });
  });

  it('passes the error of the source on', async () => {
    const { source } = sourceOf('a', Promise.reject(new Error('cut off')));
    const { items, ended, listeners } = read(source);
    await expect(ended).rejects.toThrow('cut off');
    expect([items, listeners()]).toEqual([['a'], 0]);
  });

  it('asks the source to clean up when its reader has enough', async () => {
    const { source, seen } = sourceOf('a', 'b');
    for await (const item of untilAborted(source, new AbortController().signal)) {
      expect(item).toBe('a');
      break;
    }
    expect(seen.cleanUps).toBe(1);
  });
});
