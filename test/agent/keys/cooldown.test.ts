import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProcess } from './support.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const setUp = () => {
  const { clock, cooldowns, recorded } = createProcess();
  const remainingMs = (): number => cooldowns.getRemainingMs('a');
  /** Lets the cooldown of `a` run out, and so much more. */
  const waitOut = (furtherMs = 0): Promise<void> => clock.advance(remainingMs() + furtherMs);
  return { clock, cooldowns, remainingMs, waitOut, seen: () => recorded.payloads('auth:cooldown') };
};

describe('CooldownTracker with a scope', () => {
  it('rests a key for that alone', async () => {
    const { clock, cooldowns } = setUp();
    cooldowns.setCooldown('a', 'rate-limit', 5_000, 'opus');
    expect([cooldowns.isInCooldown('a', 'opus'), cooldowns.getRemainingMs('a', 'opus')]).toEqual([
      true,
      5_000,
    ]);
    for (const scope of ['haiku', undefined]) {
      expect(cooldowns.isInCooldown('a', scope)).toBe(false);
      expect(cooldowns.getRemainingMs('a', scope)).toBe(0);
      expect(cooldowns.getReason('a', scope)).toBeUndefined();
    }
    expect(cooldowns.isInCooldown('b', 'opus')).toBe(false);
    expect(cooldowns.getReason('a', 'opus')).toBe('rate-limit');
    await clock.advance(5_000);
    expect(cooldowns.isInCooldown('a', 'opus')).toBe(false);
    expect(cooldowns.getReason('a', 'opus')).toBeUndefined();
  });

  it('rests it also while it rests as a whole: the longer of the two counts, the whole is the reason', () => {
    const { cooldowns } = setUp();
    cooldowns.setCooldown('a', 'rate-limit', 9 * MINUTE, 'opus');
    cooldowns.setCooldown('a', 'auth');
    expect(['opus', 'haiku', undefined].map((scope) => cooldowns.getRemainingMs('a', scope))).toEqual([
      9 * MINUTE,
      5 * MINUTE,
      5 * MINUTE,
    ]);
    expect(cooldowns.getReason('a', 'opus')).toBe('auth');
  });

  it('knows the longest rest of a key, whatever it is for, and none of another key', () => {
    const { cooldowns } = setUp();
    expect(cooldowns.getLongest('a')?.leftMs ?? 0).toBe(0);
    cooldowns.setCooldown('a', 'rate-limit', 4_000);
    cooldowns.setCooldown('a', 'rate-limit', 7_000, 'opus');
    cooldowns.setCooldown('a', 'rate-limit', 6_000, 'haiku');
    cooldowns.setCooldown('ab', 'billing');
    expect([cooldowns.getLongest('a')?.leftMs ?? 0, cooldowns.getLongest('ab')?.leftMs ?? 0]).toEqual([
      7_000,
      DAY,
    ]);
  });

  it('doubles for that alone', async () => {
    const { clock, cooldowns } = setUp();
    const restOf = (scope: string): number => {
      cooldowns.setCooldown('a', 'rate-limit', undefined, scope);
      return cooldowns.getRemainingMs('a', scope);
    };
    expect(restOf('opus')).toBe(MINUTE);
    await clock.advance(MINUTE);
    expect([restOf('opus'), restOf('haiku')]).toEqual([2 * MINUTE, MINUTE]);
  });

  it('is cleared with its failures for that scope and the whole key, and not for other scopes', async () => {
    const { clock, cooldowns } = setUp();
    for (const scope of ['opus', 'haiku', undefined])
      cooldowns.setCooldown('a', 'rate-limit', undefined, scope);
    cooldowns.clearCooldown('a', 'opus');
    expect([cooldowns.isInCooldown('a', 'opus'), cooldowns.isInCooldown('a')]).toEqual([false, false]);
    expect(cooldowns.isInCooldown('a', 'haiku')).toBe(true);
    await clock.advance(MINUTE);
    cooldowns.setCooldown('a', 'rate-limit', undefined, 'opus');
    expect(cooldowns.getRemainingMs('a', 'opus')).toBe(MINUTE);
  });

  it('is cleared for every scope where none is named, and for no other key', () => {
    const { cooldowns } = setUp();
    for (const id of ['a', 'ab'])
      for (const scope of ['opus', undefined]) cooldowns.setCooldown(id, 'rate-limit', undefined, scope);
    cooldowns.clearCooldown('a');
    expect([cooldowns.getLongest('a')?.leftMs ?? 0, cooldowns.getLongest('ab')?.leftMs ?? 0]).toEqual([
      0,
      MINUTE,
    ]);
  });
});

describe('CooldownTracker', () => {
  it.each([
    ['rate-limit', MINUTE],
    ['auth', 5 * MINUTE],
    ['billing', DAY],
  ] as const)('rests a key after %s for %i ms, to the millisecond', async (reason, expectedMs) => {
    const { clock, cooldowns } = setUp();
    cooldowns.setCooldown('a', reason);
    expect(cooldowns.getRemainingMs('a')).toBe(expectedMs);
    await clock.advance(expectedMs - 1);
    expect(cooldowns.isInCooldown('a')).toBe(true);
    await clock.advance(1);
    expect(cooldowns.isInCooldown('a')).toBe(false);
    expect(cooldowns.getRemainingMs('a')).toBe(0);
  });

  it('rests only the key that failed', () => {
    const { cooldowns } = setUp();
    cooldowns.setCooldown('a', 'rate-limit');
    expect(cooldowns.isInCooldown('b')).toBe(false);
    expect(cooldowns.getRemainingMs('b')).toBe(0);
  });

  it.each([
    ['rate-limit', 1_500],
    ['billing', 30_000],
    ['rate-limit', 2 * 3_600_000],
  ] as const)('does what the server asked for after %s: %i ms', (reason, retryAfterMs) => {
    const { cooldowns, remainingMs } = setUp();
    cooldowns.setCooldown('a', reason, retryAfterMs);
    expect(remainingMs()).toBe(retryAfterMs);
  });

  it.each([0, -5, Number.NaN])('takes a wait of %d for none', (retryAfterMs) => {
    const { cooldowns, remainingMs } = setUp();
    cooldowns.setCooldown('a', 'rate-limit', retryAfterMs);
    expect(remainingMs()).toBe(MINUTE);
  });

  it('does not believe a server that asks for more than a week', () => {
    const { cooldowns, remainingMs } = setUp();
    cooldowns.setCooldown('a', 'rate-limit', Number.POSITIVE_INFINITY);
    expect(remainingMs()).toBe(7 * DAY);
  });

  it('doubles with every failure soon after the last rest, up to five minutes', async () => {
    const { cooldowns, remainingMs, waitOut } = setUp();
    const rests: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      cooldowns.setCooldown('a', 'rate-limit');
      rests.push(remainingMs());
      await waitOut();
    }
    expect(rests).toEqual([MINUTE, 2 * MINUTE, 4 * MINUTE, 5 * MINUTE, 5 * MINUTE]);
  });

  it('still doubles at the end of a further window as long as the rest, and not after it', async () => {
    const { cooldowns, remainingMs, waitOut } = setUp();
    cooldowns.setCooldown('a', 'rate-limit');
    await waitOut(MINUTE - 1);
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(2 * MINUTE);
    await waitOut(2 * MINUTE);
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(MINUTE);
  });

  it('keeps billing at a day, also when it fails again', async () => {
    const { cooldowns, remainingMs, waitOut } = setUp();
    cooldowns.setCooldown('a', 'billing');
    await waitOut();
    cooldowns.setCooldown('a', 'billing');
    expect(remainingMs()).toBe(DAY);
  });

  it('begins anew after it was cleared', async () => {
    const { cooldowns, remainingMs, waitOut } = setUp();
    cooldowns.setCooldown('a', 'rate-limit');
    cooldowns.clearCooldown('a');
    expect(cooldowns.isInCooldown('a')).toBe(false);
    cooldowns.setCooldown('a', 'rate-limit');
    await waitOut();
    cooldowns.clearCooldown('a');
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(MINUTE);
  });

  it('is neither shortened nor escalated by a failure while the key rests', async () => {
    const { clock, cooldowns, remainingMs, waitOut } = setUp();
    cooldowns.setCooldown('a', 'billing');
    cooldowns.setCooldown('a', 'rate-limit', 1_000);
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(DAY);
    cooldowns.clearCooldown('a');

    cooldowns.setCooldown('a', 'rate-limit');
    cooldowns.setCooldown('a', 'rate-limit');
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(MINUTE);
    await clock.advance(30_000);
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(MINUTE);
    await waitOut();
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(2 * MINUTE);
  });

  it('is lengthened by a longer wait while the key rests', () => {
    const { cooldowns, remainingMs } = setUp();
    cooldowns.setCooldown('a', 'rate-limit');
    cooldowns.setCooldown('a', 'billing');
    expect(remainingMs()).toBe(DAY);
  });

  it('has a further window as long as the whole of a rest that was lengthened', async () => {
    const { clock, cooldowns, remainingMs, waitOut } = setUp();
    cooldowns.setCooldown('a', 'rate-limit');
    await clock.advance(30_000);
    cooldowns.setCooldown('a', 'rate-limit');
    await waitOut(MINUTE + 29_999);
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(2 * MINUTE);
  });

  it('tells of every rest that begins or grows, and of no other', () => {
    const { cooldowns, seen } = setUp();
    cooldowns.setCooldown('a', 'rate-limit', 5_000);
    cooldowns.setCooldown('a', 'rate-limit', 4_000);
    cooldowns.setCooldown('a', 'billing');
    expect(seen()).toEqual([
      { profileId: 'a', reason: 'rate-limit', durationMs: 5_000 },
      { profileId: 'a', reason: 'billing', durationMs: DAY },
    ]);
  });

  it('forgets by pruning only what has passed together with its further window', async () => {
    const { clock, cooldowns, remainingMs } = setUp();
    cooldowns.setCooldown('a', 'rate-limit');
    await clock.advance(2 * MINUTE - 1);
    cooldowns.pruneExpired();
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(2 * MINUTE);
    cooldowns.pruneExpired();
    expect(cooldowns.isInCooldown('a')).toBe(true);
  });

  it('goes on after a restart until the moment that was written down, and knows the failures', async () => {
    const { clock, cooldowns, remainingMs, waitOut, seen } = setUp();
    cooldowns.restore('a', clock.now().add({ milliseconds: 90_000 }), 2);
    expect(remainingMs()).toBe(90_000);
    expect(seen()).toEqual([]);
    await waitOut();
    expect(cooldowns.isInCooldown('a')).toBe(false);
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(4 * MINUTE);
  });

  it('does not guess after a restart why a key rests, unless an operator wanted it', () => {
    const { clock, cooldowns } = setUp();
    const until = clock.now().add({ hours: 2 });
    cooldowns.restore('failed', until, 2);
    cooldowns.restore('paused', until, 0);
    expect(cooldowns.getLongest('failed')?.reason).toBe('failures');
    expect(cooldowns.getLongest('paused')?.reason).toBe('operator');
  });

  it('restores nothing that has ended, and no more than a week', () => {
    const { clock, cooldowns, remainingMs } = setUp();
    cooldowns.restore('a', clock.now(), 3);
    expect(cooldowns.isInCooldown('a')).toBe(false);
    cooldowns.setCooldown('a', 'rate-limit');
    expect(remainingMs()).toBe(MINUTE);
    cooldowns.restore('a', clock.now().add({ hours: 24 * 365 }), 3);
    expect(remainingMs()).toBe(7 * DAY);
  });

  it('never has a negative or fractional rest left, whatever happens in whatever order', async () => {
    const step = fc.oneof(
      fc.record({
        reason: fc.constantFrom('rate-limit' as const, 'auth' as const, 'billing' as const),
        retryAfterMs: fc.option(fc.double({ min: -10, max: 1e7, noNaN: true }), { nil: undefined }),
      }),
      fc.integer({ min: 0, max: 400_000 }),
      fc.constant('clear' as const),
      fc.constant('prune' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { clock, cooldowns, remainingMs } = setUp();
        for (const action of steps) {
          const beforeMs = remainingMs();
          if (typeof action === 'number') await clock.advance(action);
          else if (action === 'clear') cooldowns.clearCooldown('a');
          else if (action === 'prune') cooldowns.pruneExpired();
          else {
            cooldowns.setCooldown('a', action.reason, action.retryAfterMs);
            expect(remainingMs()).toBeGreaterThanOrEqual(Math.max(1, beforeMs));
          }
          expect(remainingMs()).toBeGreaterThanOrEqual(0);
          expect(Number.isInteger(remainingMs())).toBe(true);
          expect(cooldowns.isInCooldown('a')).toBe(remainingMs() > 0);
        }
      }),
      { numRuns: 50 },
    );
  });
});
