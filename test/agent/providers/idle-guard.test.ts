import { describe, expect, it } from 'vitest';
import { FailoverError } from '#src/agent/errors.ts';
import { createIdleGuard } from '#src/agent/providers/idle-guard.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const setUp = (parent: AbortSignal = new AbortController().signal) => {
  const clock = new ManualClock();
  return { clock, guard: createIdleGuard(parent, 30_000, clock) };
};

describe('createIdleGuard', () => {
  it('aborts as a timeout when nothing came for the whole time, and not before', async () => {
    const { clock, guard } = setUp();
    await clock.advance(29_999);
    expect(guard.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(guard.signal.reason).toBeInstanceOf(FailoverError);
    expect(guard.signal.reason).toMatchObject({
      fallbackReason: 'timeout',
      message: 'No data for 30 s',
    });
    expect(clock.pendingTimers).toBe(0);
  });

  it('counts from the last thing that came', async () => {
    const { clock, guard } = setUp();
    for (let round = 0; round < 10; round += 1) {
      await clock.advance(20_000);
      guard.touch();
    }
    await clock.advance(29_999);
    expect(guard.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(guard.signal.aborted).toBe(true);
  });

  it('counts to the millisecond', async () => {
    const { clock, guard } = setUp();
    await clock.advance(1);
    guard.touch();
    await clock.advance(29_999);
    expect(guard.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(guard.signal.aborted).toBe(true);
  });

  it('keeps one timer, however much comes', async () => {
    const { clock, guard } = setUp();
    for (let round = 0; round < 100; round += 1) guard.touch();
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(30_000);
    guard.touch();
    expect(clock.pendingTimers).toBeLessThanOrEqual(1);
  });

  it("aborts with the caller's reason, whatever it is", () => {
    const parent = new AbortController();
    const { guard } = setUp(parent.signal);
    parent.abort('enough');
    expect(guard.signal.reason).toBe('enough');
  });

  it('is aborted from the start when the caller was', () => {
    expect(setUp(AbortSignal.abort('before')).guard.signal.reason).toBe('before');
  });

  it('watches over nothing any more once it is cleared', async () => {
    const parent = new AbortController();
    const { clock, guard } = setUp(parent.signal);
    guard.clear();
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(60_000);
    parent.abort('late');
    expect(guard.signal.aborted).toBe(false);
  });

  it('can be cleared after the caller aborted, and twice', () => {
    const { clock, guard } = setUp(AbortSignal.abort('before'));
    guard.clear();
    guard.clear();
    expect(clock.pendingTimers).toBe(0);
  });
});
