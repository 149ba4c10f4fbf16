import { describe, expect, it } from 'vitest';
import { Dedupe } from '#src/platform/concurrency/dedupe.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

describe('Dedupe', () => {
  it('knows a key that was added and no other', () => {
    const dedupe = new Dedupe(new ManualClock(), 1_000);
    expect(dedupe.has('a')).toBe(false);
    dedupe.add('a');
    expect([dedupe.has('a'), dedupe.has('b')]).toEqual([true, false]);
  });

  it('asking for a key does not add it', () => {
    const dedupe = new Dedupe(new ManualClock(), 1_000);
    dedupe.has('a');
    expect([dedupe.has('a'), dedupe.size]).toEqual([false, 0]);
  });

  it('forgets a key when its time is over and not before', async () => {
    const clock = new ManualClock();
    const dedupe = new Dedupe(clock, 1_000);
    dedupe.add('a');
    await clock.advance(999);
    expect(dedupe.has('a')).toBe(true);
    await clock.advance(1);
    expect(dedupe.has('a')).toBe(false);
  });

  it('starts the time of a key anew when it is added again', async () => {
    const clock = new ManualClock();
    const dedupe = new Dedupe(clock, 1_000);
    dedupe.add('a');
    await clock.advance(600);
    dedupe.add('a');
    await clock.advance(600);
    expect([dedupe.has('a'), dedupe.size]).toEqual([true, 1]);
  });

  it('drops the oldest keys when there are too many', () => {
    const dedupe = new Dedupe(new ManualClock(), 1_000, 3);
    for (const key of ['a', 'b', 'c', 'd', 'e']) dedupe.add(key);
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => dedupe.has(key))).toEqual(['c', 'd', 'e']);
    expect(dedupe.size).toBe(3);
  });

  it('counts a key that was added again as new when it drops the oldest', () => {
    const dedupe = new Dedupe(new ManualClock(), 1_000, 2);
    for (const key of ['a', 'b', 'a', 'c']) dedupe.add(key);
    expect(['a', 'b', 'c'].filter((key) => dedupe.has(key))).toEqual(['a', 'c']);
  });

  it('gives back the memory of expired keys with the next one added', async () => {
    const clock = new ManualClock();
    const dedupe = new Dedupe(clock, 1_000);
    for (let index = 0; index < 50; index += 1) dedupe.add(`old ${index}`);
    await clock.advance(500);
    dedupe.add('younger');
    await clock.advance(500);
    dedupe.add('new');
    expect([dedupe.size, dedupe.has('younger'), dedupe.has('new')]).toEqual([2, true, true]);
  });
});
