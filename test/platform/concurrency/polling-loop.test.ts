import { describe, expect, it } from 'vitest';
import { createPollingLoop } from '#src/platform/concurrency/polling-loop.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

describe('a look loop', () => {
  it('polls at the start, when it is due and when it is woken, with one timer, until it is stopped', async () => {
    const clock = new ManualClock();
    const at: number[] = [];
    const loop = createPollingLoop(async () => {
      at.push(clock.monotonicMs());
      return at.length < 4 ? 100 : undefined;
    }, clock);
    loop.wake();
    await clock.advance(1_000);
    expect(at).toEqual([]);
    await loop.start();
    await clock.advance(130);
    loop.wake();
    await clock.advance(1_000);
    expect(at).toEqual([1_000, 1_100, 1_130, 1_230]);
    await loop.stop();
    loop.wake();
    await clock.advance(1_000);
    expect([at.length, clock.pendingTimers, loop.isRunning()]).toEqual([4, 0, false]);
  });

  it('polls once more where it was woken meanwhile, never twice at once, and is waited for', async () => {
    const clock = new ManualClock();
    const looks: PromiseWithResolvers<number>[] = [];
    const loop = createPollingLoop(() => {
      const look = Promise.withResolvers<number>();
      looks.push(look);
      return look.promise;
    }, clock);
    void loop.start();
    loop.wake();
    loop.wake();
    expect(looks).toHaveLength(1);
    looks[0]?.resolve(100);
    await clock.advance(0);
    expect(looks).toHaveLength(2);
    let isStopped = false;
    const stopped = loop.stop().then(() => void (isStopped = true));
    await clock.advance(0);
    expect(isStopped).toBe(false);
    looks[1]?.resolve(100);
    await stopped;
    expect([looks.length, clock.pendingTimers]).toEqual([2, 0]);
  });

  it('does not begin where the end came before the start', async () => {
    let polls = 0;
    const clock = new ManualClock();
    const loop = createPollingLoop(async () => {
      polls += 1;
      return 1_000;
    }, clock);
    await loop.stop();
    await loop.start();
    loop.wake();
    await clock.advance(5_000);
    expect(polls).toBe(0);
    expect(loop.isRunning()).toBe(false);
  });
});
