import { describe, expect, it } from 'vitest';
import { SessionAffinity } from '#src/agent/auth/session-affinity.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const HOUR = 3_600_000;

describe('SessionAffinity', () => {
  it('remembers the last profile of each session for an hour after its last use', async () => {
    const clock = new ManualClock();
    const affinity = new SessionAffinity(clock);
    affinity.set('s1', 'a');
    affinity.set('s2', 'b');
    await clock.advance(HOUR - 1);
    expect([affinity.get('s1'), affinity.get('s2')]).toEqual(['a', 'b']);
    affinity.set('s1', 'c');
    await clock.advance(1);
    expect([affinity.get('s1'), affinity.get('s2'), affinity.get('s3')]).toEqual(['c', undefined, undefined]);
  });

  it('keeps no idle sessions', async () => {
    const clock = new ManualClock();
    const affinity = new SessionAffinity(clock);
    for (let count = 0; count < 50; count += 1) affinity.set(`old ${count}`, 'a');
    await clock.advance(HOUR);
    affinity.set('new', 'a');
    expect(affinity.size).toBe(1);
  });

  it('drops the least recently used above its bound', () => {
    const affinity = new SessionAffinity(new ManualClock(), 2);
    affinity.set('s1', 'a');
    affinity.set('s2', 'b');
    affinity.set('s1', 'a');
    affinity.set('s3', 'c');
    expect([affinity.get('s1'), affinity.get('s2'), affinity.get('s3')]).toEqual(['a', undefined, 'c']);
  });

  it('keeps ten thousand by default', () => {
    const affinity = new SessionAffinity(new ManualClock());
    for (let count = 0; count < 10_001; count += 1) affinity.set(`s${count}`, 'a');
    expect(affinity.size).toBe(10_000);
  });
});
