import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeBackoff, retry, type RetryOptions, sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

/** A task that fails so many times and then says how often it was called. */
const failing = (times: number) => {
  const attempts: number[] = [];
  const task = async (attempt: number): Promise<string> => {
    attempts.push(attempt);
    if (attempts.length <= times) throw new Error(`failure ${attempts.length}`);
    return `done after ${attempts.length}`;
  };
  return { attempts, task };
};

const setUp = (failures: number, options: Partial<RetryOptions> = {}) => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const { attempts, task } = failing(failures);
  const start = (): Promise<string> => retry(task, { clock, jitter: false, ...options }, controller.signal);
  return { clock, controller, attempts, start };
};

describe('retry', () => {
  it('calls a task that succeeds once, without waiting', async () => {
    const { attempts, start } = setUp(0);
    await expect(start()).resolves.toBe('done after 1');
    expect(attempts).toEqual([1]);
  });

  it('tries again after the backoff, which grows, and tells the attempt its number', async () => {
    const { clock, attempts, start } = setUp(2);
    const result = start();
    await clock.advance(999);
    expect(attempts).toEqual([1]);
    await clock.advance(1);
    expect(attempts).toEqual([1, 2]);
    await clock.advance(1_999);
    expect(attempts).toEqual([1, 2]);
    await clock.advance(1);
    await expect(result).resolves.toBe('done after 3');
    expect(attempts).toEqual([1, 2, 3]);
  });

  it.each([
    { maxAttempts: undefined, calls: 3 },
    { maxAttempts: 1, calls: 1 },
    { maxAttempts: 5, calls: 5 },
  ])('gives up after $calls calls with the last error (maxAttempts $maxAttempts)', async (row) => {
    const options = row.maxAttempts === undefined ? {} : { maxAttempts: row.maxAttempts };
    const { clock, attempts, start } = setUp(99, options);
    const rejected = expect(start()).rejects.toThrow(`failure ${row.calls}`);
    await clock.advance(600_000);
    await rejected;
    expect(attempts).toHaveLength(row.calls);
  });

  it('waits what the other side asked for instead of the computed delay', async () => {
    const { clock, attempts, start } = setUp(1, { retryAfterMs: () => 7_000 });
    const result = start();
    await clock.advance(6_999);
    expect(attempts).toEqual([1]);
    await clock.advance(1);
    await expect(result).resolves.toBe('done after 2');
  });

  it('waits not at all when the other side asked for zero', async () => {
    const delays: number[] = [];
    const { clock, start } = setUp(1, {
      retryAfterMs: () => 0,
      onRetry: (_error, _attempt, delayMs) => delays.push(delayMs),
    });
    const result = start();
    await clock.advance(0);
    await expect(result).resolves.toBe('done after 2');
    expect(delays).toEqual([0]);
  });

  it('falls back to the computed delay when the other side asked for nothing', async () => {
    const delays: number[] = [];
    const { clock, start } = setUp(2, {
      retryAfterMs: () => undefined,
      onRetry: (_error, _attempt, delayMs) => delays.push(delayMs),
    });
    const result = start();
    await clock.advance(3_000);
    await result;
    expect(delays).toEqual([1_000, 2_000]);
  });

  it('reports each retry with the error, the attempt that failed and the delay', async () => {
    const reports: unknown[] = [];
    const { clock, start } = setUp(2, {
      onRetry: (error, attempt, delayMs) => reports.push([String(error), attempt, delayMs]),
    });
    const result = start();
    await clock.advance(3_000);
    await result;
    expect(reports).toEqual([
      ['Error: failure 1', 1, 1_000],
      ['Error: failure 2', 2, 2_000],
    ]);
  });

  it('stops at the first error that is not worth another try', async () => {
    const asked: unknown[] = [];
    const { clock, attempts, start } = setUp(99, {
      maxAttempts: 10,
      shouldRetry: (error, attempt) => {
        asked.push([String(error), attempt]);
        return attempt < 2;
      },
    });
    const rejected = expect(start()).rejects.toThrow('failure 2');
    await clock.advance(60_000);
    await rejected;
    expect(attempts).toEqual([1, 2]);
    expect(asked).toEqual([
      ['Error: failure 1', 1],
      ['Error: failure 2', 2],
    ]);
  });

  it("rejects with the signal's reason when it aborts between two tries, and does not try again", async () => {
    const { clock, controller, attempts, start } = setUp(99);
    const reason = new Error('stopped');
    const rejected = expect(start()).rejects.toBe(reason);
    await clock.advance(500);
    controller.abort(reason);
    await rejected;
    await clock.advance(60_000);
    expect(attempts).toEqual([1]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not call the task when the signal had aborted before', async () => {
    const { controller, attempts, start } = setUp(0);
    const reason = new Error('stopped');
    controller.abort(reason);
    await expect(start()).rejects.toBe(reason);
    expect(attempts).toEqual([]);
  });

  it("passes on the task's own error, and does not wait, when the signal aborted during it", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const task = async (): Promise<never> => {
      controller.abort(new Error('stopped'));
      throw new Error('from the task');
    };
    await expect(retry(task, { clock }, controller.signal)).rejects.toThrow('from the task');
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('computeBackoff', () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [5, 16_000],
    [6, 30_000],
    [2_000, 30_000],
  ])('waits at attempt %i without jitter %i ms', (attempt, delayMs) => {
    expect(computeBackoff(attempt, { jitter: false })).toBe(delayMs);
  });

  it('spreads the delay over the whole range when it jitters', () => {
    const delays = [0, 0.5, 0.999_999].map((random) => computeBackoff(3, { random: () => random }));
    expect(delays).toEqual([0, 2_000, 4_000]);
  });

  it('jitters unless told otherwise', () => {
    expect(computeBackoff(4, { random: () => 0.25 })).toBe(2_000);
  });

  it('stays between zero and the smaller of the doubled minimum and the maximum', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, minDelayMs, maxDelayMs, random) => {
          const delayMs = computeBackoff(attempt, { minDelayMs, maxDelayMs, random: () => random });
          expect(delayMs).toBeGreaterThanOrEqual(0);
          expect(delayMs).toBeLessThanOrEqual(Math.min(maxDelayMs, minDelayMs * 2 ** (attempt - 1)));
        },
      ),
    );
  });
});

describe('sleepWithAbort', () => {
  it('resolves when the delay is over and not before', async () => {
    const clock = new ManualClock();
    let isAwake = false;
    const sleep = sleepWithAbort(1_000, clock, new AbortController().signal).then(() => (isAwake = true));
    await clock.advance(999);
    expect(isAwake).toBe(false);
    await clock.advance(1);
    await sleep;
    expect(isAwake).toBe(true);
  });

  it("rejects with the signal's reason as soon as it aborts, and leaves no timer behind", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const reason = new Error('the person stopped it');
    const sleep = sleepWithAbort(1_000, clock, controller.signal);
    controller.abort(reason);
    await expect(sleep).rejects.toBe(reason);
    expect(clock.pendingTimers).toBe(0);
  });

  it('rejects at once when the signal had aborted before', async () => {
    const clock = new ManualClock();
    const reason = new Error('too late');
    await expect(sleepWithAbort(1_000, clock, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not listen to the signal any more once it has ended', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const sleep = sleepWithAbort(10, clock, controller.signal);
    await clock.advance(10);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    controller.abort();
    await expect(sleep).resolves.toBeUndefined();
  });
});
