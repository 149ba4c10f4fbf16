import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProfileHealthMonitor } from '#src/agent/keys/profile-rotation.ts';
import { everyRow } from '#test/support/every-row.ts';
import { createProcess } from './support.ts';

const WINDOW = 300_000;

const setUp = () => {
  const { clock, events, recorded } = createProcess();
  const health = new ProfileHealthMonitor({ clock, events });
  /** One letter a result: `+` or `-`. */
  const record = (results: string, id = 'a'): void => {
    for (const result of results) health.recordResult(id, result === '+');
  };
  const changes = () =>
    recorded.payloads('auth:health:change').map(({ profileId, from, to }) => `${profileId}: ${from} > ${to}`);
  return { clock, health, record, changes };
};

describe('ProfileHealthMonitor', () => {
  everyRow([
    ['', 'healthy'],
    ['-', 'healthy'],
    ['--', 'healthy'],
    ['-+', 'healthy'],
    ['--+', 'degraded'],
    ['---', 'disabled'],
    ['+---', 'disabled'],
    ['--+-', 'unhealthy'],
    ['--+--+--+-', 'unhealthy'],
    ['--+--+--++', 'degraded'],
    ['-++-++-+++', 'degraded'],
    ['-++-+++++++', 'healthy'],
    ['++++++++', 'healthy'],
  ])('finds a profile with the results %j %s', (results, expected) => {
    const { health, record } = setUp();
    record(results);
    expect(health.getHealth('a')).toBe(expected);
  });

  it('counts only the results of the window', async () => {
    const { clock, health, record } = setUp();
    record('--+');
    await clock.advance(WINDOW - 1);
    expect(health.getHealth('a')).toBe('degraded');
    await clock.advance(1);
    expect(health.getHealth('a')).toBe('healthy');
    record('--+');
    expect(health.getHealth('a')).toBe('degraded');
  });

  it('forgets of a window that moves only what has left it, result by result', async () => {
    const { clock, health, record } = setUp();
    const seen: string[] = [];
    record('-');
    for (const result of '-+++-') {
      await clock.advance(WINDOW / 5);
      record(result);
      seen.push(health.getHealth('a'));
    }
    await clock.advance(WINDOW / 5);
    seen.push(health.getHealth('a'));
    expect(seen).toEqual(['healthy', 'degraded', 'degraded', 'degraded', 'degraded', 'healthy']);
  });

  it('tells of each change once, also of one that only time made', async () => {
    const { clock, health, record, changes } = setUp();
    record('--+-');
    record('+++', 'b');
    await clock.advance(WINDOW);
    health.getHealth('a');
    health.getHealth('a');
    expect(changes()).toEqual(['a: healthy > degraded', 'a: degraded > unhealthy', 'a: unhealthy > healthy']);
  });

  it('keeps profiles apart, and lets all but the disabled be used', () => {
    const { health, record } = setUp();
    record('---', 'a');
    record('--+', 'b');
    record('+', 'c');
    expect(['a', 'b', 'c'].map((id) => health.getHealth(id))).toEqual(['disabled', 'degraded', 'healthy']);
    const profiles = ['a', 'b', 'c', 'never used'].map((id) => ({ id, name: `profile ${id}` }));
    expect(health.filterHealthy(profiles)).toEqual(profiles.slice(1));
  });

  it('stays disabled until it has proved itself: time alone does not heal', async () => {
    const { clock, health, record } = setUp();
    record('---');
    await clock.advance(10 * WINDOW);
    expect(health.getHealth('a')).toBe('disabled');
  });

  it('lets one probe through a window after the last failure, not before', async () => {
    const { clock, health, record } = setUp();
    record('--');
    await clock.advance(100_000);
    record('-');
    expect(health.getProbeWaitMs('a')).toBe(WINDOW);
    await clock.advance(WINDOW - 1);
    expect(health.tryProbe('a')).toBe(false);
    expect(health.getProbeWaitMs('a')).toBe(1);
    await clock.advance(1);
    expect(health.getProbeWaitMs('a')).toBe(0);
    expect([health.tryProbe('a'), health.tryProbe('a')]).toEqual([true, false]);
  });

  it('lets another probe through a window later when nothing was heard of the first', async () => {
    const { clock, health, record } = setUp();
    record('---');
    await clock.advance(2 * WINDOW);
    expect(health.tryProbe('a')).toBe(true);
    expect(health.getProbeWaitMs('a')).toBe(WINDOW);
    await clock.advance(WINDOW - 1);
    expect(health.tryProbe('a')).toBe(false);
    await clock.advance(1);
    expect(health.tryProbe('a')).toBe(true);
  });

  it('is healthy after a probe that succeeded, with clean counters', async () => {
    const { clock, health, record, changes } = setUp();
    record('+---');
    await clock.advance(WINDOW);
    health.tryProbe('a');
    record('+');
    expect(health.getHealth('a')).toBe('healthy');
    expect(changes().at(-1)).toBe('a: disabled > healthy');
    record('--');
    expect(health.getHealth('a')).toBe('degraded');
    record('-');
    expect(health.getHealth('a')).toBe('disabled');
  });

  it('is healthy at the first success even while the failures are still in the window', () => {
    const { health, record } = setUp();
    record('---+');
    expect(health.getHealth('a')).toBe('healthy');
    record('++');
    expect(health.getHealth('a')).toBe('healthy');
  });

  it('waits a whole window again after a probe that failed', async () => {
    const { clock, health, record } = setUp();
    record('---');
    await clock.advance(WINDOW);
    health.tryProbe('a');
    await clock.advance(10_000);
    record('-');
    await clock.advance(WINDOW - 1);
    expect(health.tryProbe('a')).toBe(false);
    await clock.advance(1);
    expect(health.tryProbe('a')).toBe(true);
  });

  it('has no probe for a profile that is not disabled', () => {
    const { health, record } = setUp();
    record('--+-');
    expect([health.tryProbe('a'), health.tryProbe('unknown')]).toEqual([false, false]);
    expect(health.getProbeWaitMs('a')).toBe(0);
  });

  it('forgets a profile, and tells when that made it healthy', () => {
    const { health, record, changes } = setUp();
    record('---');
    health.forget('a');
    health.forget('unknown');
    expect(health.getHealth('a')).toBe('healthy');
    expect(changes().slice(1)).toEqual(['a: disabled > healthy']);
    record('--');
    expect(health.getHealth('a')).toBe('healthy');
  });

  it('is disabled exactly while the last three results are failures', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('+', '-'), { maxLength: 30 }), (results) => {
        const { health, record } = setUp();
        record(results.join(''));
        expect(health.getHealth('a') === 'disabled').toBe(results.join('').endsWith('---'));
      }),
    );
  });
});
