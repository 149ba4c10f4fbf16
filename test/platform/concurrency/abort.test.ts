import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { attemptWithin, raceAbort, waitAtMost, withDeadline } from '#src/platform/concurrency/abort.ts';
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

describe('raceAbort without a clock', () => {
  it('rejects at once with the reason, before or after the start, and leaves no listener behind', async () => {
    const { controller, listeners } = setUp();
    const never = new Promise<string>(() => undefined);
    const raced = raceAbort(never, controller.signal);
    controller.abort(STOPPED);
    await expect(raced).rejects.toBe(STOPPED);
    await expect(raceAbort(never, controller.signal)).rejects.toBe(STOPPED);
    expect(listeners()).toBe(0);
  });
});

describe('waitAtMost', () => {
  it('gives the outcome in time, or nothing when it is late, and leaves no timer behind', async () => {
    const clock = new ManualClock();
    await expect(waitAtMost(Promise.resolve('done'), 1_000, clock)).resolves.toBe('done');
    await expect(waitAtMost(Promise.reject(STOPPED), 1_000, clock)).rejects.toBe(STOPPED);
    const late = waitAtMost(new Promise<string>(() => undefined), 1_000, clock);
    await clock.advance(1_000);
    await expect(late).resolves.toBeUndefined();
    expect(clock.pendingTimers).toBe(0);
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

describe('attemptWithin', () => {
  it('gives the outcome in time, nothing on failure or delay, and throws when the parent aborts', async () => {
    const clock = new ManualClock();
    const parent = new AbortController();
    const attempt = (task: () => Promise<string>) => attemptWithin(task, 5_000, clock, parent.signal);
    const never = new Promise<string>(() => undefined);
    expect(await attempt(async () => 'done')).toBe('done');
    expect(await attempt(() => Promise.reject(new Error('broken')))).toBeUndefined();
    const late = attempt(() => never);
    await clock.advance(5_000);
    expect(await late).toBeUndefined();
    const stopped = attempt(() => never);
    parent.abort(STOPPED);
    await expect(stopped).rejects.toBe(STOPPED);
    expect([getEventListeners(parent.signal, 'abort').length, clock.pendingTimers]).toEqual([0, 0]);
  });
});
