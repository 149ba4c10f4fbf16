import { describe, expect, it } from 'vitest';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const realTurn = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const openTimers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

describe('systemClock', () => {
  it('tells the time of the machine', () => {
    const before = Date.now();
    const nowMs = systemClock.now().epochMilliseconds;
    expect(nowMs).toBeGreaterThanOrEqual(before);
    expect(nowMs).toBeLessThanOrEqual(Date.now());
  });

  it('counts milliseconds forward', async () => {
    const before = systemClock.monotonicMs();
    await realTurn(5);
    const elapsed = systemClock.monotonicMs() - before;
    expect(elapsed).toBeGreaterThanOrEqual(4);
    expect(elapsed).toBeLessThan(5_000);
  });

  it('calls back once after the delay', async () => {
    let calls = 0;
    systemClock.after(1, () => (calls += 1));
    expect(calls).toBe(0);
    await realTurn(10);
    expect(calls).toBe(1);
  });

  it('does not call back once it was cancelled', async () => {
    let calls = 0;
    const cancel = systemClock.after(1, () => (calls += 1));
    cancel();
    await realTurn(10);
    expect(calls).toBe(0);
  });

  it('keeps the process alive while a timer waits, and no longer', () => {
    const before = openTimers();
    const cancel = systemClock.after(60_000, () => undefined);
    const waiting = openTimers();
    cancel();
    expect({ waiting, cancelled: openTimers() }).toEqual({ waiting: before + 1, cancelled: before });
  });
});

describe('ManualClock', () => {
  it('stands still until it is moved, and then moves both times alike', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    expect([clock.now().toString(), clock.monotonicMs()]).toEqual(['2026-01-01T00:00:00Z', 0]);
    await clock.advance(1_500);
    expect([clock.now().toString(), clock.monotonicMs()]).toEqual(['2026-01-01T00:00:01.5Z', 1_500]);
  });

  it('fires due timers in order of time, then of setting, each at its own time', async () => {
    const clock = new ManualClock();
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${clock.monotonicMs()}`);
    clock.after(20, note('b'));
    clock.after(10, note('a'));
    clock.after(20, note('c'));
    clock.after(31, note('late'));
    await clock.advance(30);
    expect(fired).toEqual(['a@10', 'b@20', 'c@20']);
  });

  it('fires a timer that was set by promise code after another one fired', async () => {
    const clock = new ManualClock();
    const fired: number[] = [];
    const sleep = (ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));
    const work = (async () => {
      await sleep(10);
      fired.push(clock.monotonicMs());
      await sleep(10);
      fired.push(clock.monotonicMs());
    })();
    await clock.advance(20);
    await work;
    expect(fired).toEqual([10, 20]);
  });

  it('forgets a cancelled timer', async () => {
    const clock = new ManualClock();
    const fired: string[] = [];
    const cancel = clock.after(10, () => fired.push('cancelled'));
    clock.after(10, () => fired.push('kept'));
    cancel();
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(10);
    expect(fired).toEqual(['kept']);
  });
});
