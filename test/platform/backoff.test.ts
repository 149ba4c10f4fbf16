import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeBackoff, sleepWithAbort } from '#src/platform/backoff.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

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
