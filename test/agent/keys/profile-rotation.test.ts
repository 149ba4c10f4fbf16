import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProfileRotation, SessionAffinity } from '#src/agent/keys/profile-rotation.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { anthropicKey, createProcess, emptyRows, openaiKey, setUpStore, startStore } from './support.ts';

const WINDOW = 300_000;

/** A store with profiles of Anthropic in memory, named by letters. */
const setUp = async (names: readonly string[], priorities: Readonly<Record<string, number>> = {}) => {
  const unsaved = names.map((name) => ({
    name,
    provider: 'anthropic' as const,
    apiKey: anthropicKey(name),
    priority: priorities[name] ?? 0,
  }));
  const process = await setUpStore({ unsaved });
  const idOf = (name: string): string => process.store.list().find((it) => it.name === name)?.id ?? '';
  const next = (sessionKey?: string, except: readonly string[] = []): string | undefined =>
    process.store.selectNext('anthropic', { sessionKey, except: new Set(except.map(idOf)) })?.name;
  const fail = (name: string, times: number): void => {
    for (let count = 0; count < times; count += 1) process.health.recordResult(idOf(name), false);
  };
  return { ...process, idOf, next, fail };
};

describe('selecting the next profile', () => {
  it('goes round, those never used first', async () => {
    const { next } = await setUp(['a', 'b', 'c']);
    expect(Array.from({ length: 7 }, () => next())).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
  });

  it('gives different profiles to calls at once, though the clock stands still', async () => {
    const { store } = await setUp(['a', 'b', 'c']);
    const chosen = await Promise.all(
      ['s1', 's2', 's3'].map(async (sessionKey) => store.selectNext('anthropic', { sessionKey })?.name),
    );
    expect(new Set(chosen)).toEqual(new Set(['a', 'b', 'c']));
  });

  it('takes the highest priority as long as it may be used, and the next one then', async () => {
    const { next, cooldowns, idOf, clock } = await setUp(['low', 'high', 'high too'], {
      high: 10,
      'high too': 10,
    });
    expect([next(), next(), next()]).toEqual(['high', 'high too', 'high']);
    cooldowns.setCooldown(idOf('high'), 'rate-limit');
    expect([next(), next()]).toEqual(['high too', 'high too']);
    cooldowns.setCooldown(idOf('high too'), 'rate-limit');
    expect(next()).toBe('low');
    await clock.advance(60_000);
    expect(next()).toBe('high');
  });

  it('is fair: whatever the calls, no profile is used twice more than another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.nat(60), async (count, calls) => {
        const { cooldowns, health } = createProcess();
        const rotation = new ProfileRotation({ cooldowns, health, clock: new ManualClock() });
        const profiles = Array.from({ length: count }, (_, index) => ({
          id: `p${index}`,
          provider: 'anthropic',
          isActive: true,
          priority: 0,
        }));
        const uses = new Map(profiles.map(({ id }) => [id, 0]));
        for (let call = 0; call < calls; call += 1) {
          const id = rotation.select('anthropic', profiles, {})?.id ?? 'none';
          uses.set(id, (uses.get(id) ?? 0) + 1);
        }
        expect([...uses.keys()]).toHaveLength(count);
        expect(Math.max(...uses.values()) - Math.min(...uses.values())).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('never gives one that is off, resting, disabled or excepted, whatever the mixture', async () => {
    const traits = fc.record({
      isActive: fc.boolean(),
      isResting: fc.boolean(),
      isDisabled: fc.boolean(),
      isExcepted: fc.boolean(),
      priority: fc.integer({ min: -2, max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(traits, { maxLength: 6 }), (all) => {
        const { cooldowns, health, clock } = createProcess();
        const profiles = all.map((trait, index) => ({ ...trait, id: `p${index}`, provider: 'anthropic' }));
        for (const { id, isResting, isDisabled } of profiles) {
          if (isResting) cooldowns.setCooldown(id, 'rate-limit');
          for (const _ of isDisabled ? [1, 2, 3] : []) health.recordResult(id, false);
        }
        const except = new Set(profiles.filter(({ isExcepted }) => isExcepted).map(({ id }) => id));
        const usable = profiles.filter(
          (profile) => profile.isActive && !profile.isResting && !profile.isDisabled && !profile.isExcepted,
        );
        const rotation = new ProfileRotation({ cooldowns, health, clock });
        const chosen = rotation.select('anthropic', profiles, { except });
        if (usable.length === 0) expect(chosen).toBeUndefined();
        else {
          expect(usable).toContain(chosen);
          expect(chosen?.priority).toBe(Math.max(...usable.map(({ priority }) => priority)));
        }
      }),
    );
  });

  it('gives nothing when there is none of that provider', async () => {
    const { store } = await setUp(['a']);
    expect(store.selectNext('openai')).toBeUndefined();
  });

  it('says when a profile was used last', async () => {
    const { store, clock, next, idOf } = await setUp(['a', 'b']);
    await clock.advance(5_000);
    next();
    expect(store.get(idOf('a'))?.lastUsedAt?.toString()).toBe('2026-11-13T06:30:05Z');
    expect(store.get(idOf('b'))?.lastUsedAt).toBeNull();
  });

  it('goes on after a restart where it was', async () => {
    const rows = await emptyRows();
    const before = await startStore(rows);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      const { id } = await before.store.create({ name, provider: 'anthropic', apiKey: anthropicKey(name) });
      ids.push(id);
      await before.clock.advance(1_000);
    }
    const [a = '', b = '', c = '', d = ''] = ids;
    for (const id of [c, b, a]) {
      before.store.selectNext('anthropic', { except: new Set(ids.filter((other) => other !== id)) });
      await before.store.recordUsage(id, true);
      await before.clock.advance(1_000);
    }
    const { store } = await startStore(rows);
    expect(ids.map(() => store.selectNext('anthropic')?.id)).toEqual([d, c, b, a]);
  });
});

describe('a conversation and its profile', () => {
  it('stays with it, while others go round', async () => {
    const { next } = await setUp(['a', 'b', 'c']);
    expect(next('mine')).toBe('a');
    expect([next(), next('mine'), next(), next('mine'), next('theirs')]).toEqual(['b', 'a', 'c', 'a', 'b']);
    expect([next('mine'), next('theirs')]).toEqual(['a', 'b']);
  });

  it('stays with it also when a higher priority comes back', async () => {
    const { next, cooldowns, idOf } = await setUp(['a', 'b'], { a: 1 });
    cooldowns.setCooldown(idOf('a'), 'rate-limit');
    expect(next('mine')).toBe('b');
    cooldowns.clearCooldown(idOf('a'));
    expect([next('mine'), next()]).toEqual(['b', 'a']);
  });

  it.each(['rest', 'disabled', 'off', 'removed', 'excepted'] as const)(
    'changes once when it may not be used (%s), and stays with the new one',
    async (why) => {
      const { next, store, cooldowns, idOf, fail } = await setUp(['a', 'b', 'c']);
      expect(next('mine')).toBe('a');
      const id = idOf('a');
      if (why === 'rest') cooldowns.setCooldown(id, 'rate-limit');
      if (why === 'disabled') fail('a', 3);
      if (why === 'off') await store.update(id, { isActive: false });
      if (why === 'removed') await store.delete(id);
      expect(next('mine', why === 'excepted' ? ['a'] : [])).toBe('b');
      cooldowns.clearCooldown(id);
      expect([next(), next('mine')]).toEqual(['c', 'b']);
    },
  );

  it('is forgotten after an hour of quiet', async () => {
    const { next, clock } = await setUp(['a', 'b']);
    expect([next('mine'), next('mine')]).toEqual(['a', 'a']);
    await clock.advance(3_600_000);
    expect(next('mine')).toBe('b');
  });

  it('has one for each provider', async () => {
    const { store, next } = await setUp(['a', 'b']);
    const openai = ['o1', 'o2'].map((name) =>
      store.create({ name, provider: 'openai', apiKey: openaiKey(name) }),
    );
    await Promise.all(openai);
    const nextOpenai = () => store.selectNext('openai', { sessionKey: 'mine' })?.name;
    expect([next('mine'), nextOpenai(), next('mine'), nextOpenai()]).toEqual(['a', 'o1', 'a', 'o1']);
  });
});

describe('a disabled profile', () => {
  it('is passed over, then tried once, and is back after a success', async () => {
    const { next, clock, health, idOf, fail } = await setUp(['a', 'b']);
    fail('a', 3);
    expect([next(), next()]).toEqual(['b', 'b']);
    await clock.advance(WINDOW);
    expect([next(), next(), next()]).toEqual(['a', 'b', 'b']);
    health.recordResult(idOf('a'), true);
    expect([next(), next(), next()]).toEqual(['a', 'b', 'a']);
  });

  it('is passed over for another window when it failed again', async () => {
    const { next, clock, fail } = await setUp(['a', 'b']);
    fail('a', 3);
    await clock.advance(WINDOW);
    expect(next()).toBe('a');
    fail('a', 1);
    await clock.advance(WINDOW - 1);
    expect(next()).toBe('b');
    await clock.advance(1);
    expect(next()).toBe('a');
  });

  it('does not spend its probe on a call that takes another profile', async () => {
    const { next, clock, health, idOf, fail } = await setUp(['a', 'b'], { b: 1 });
    fail('a', 3);
    await clock.advance(WINDOW);
    expect(next()).toBe('b');
    expect(health.tryProbe(idOf('a'))).toBe(true);
  });

  it('leaves nobody to ask when it is the only one, until its probe', async () => {
    const { next, clock, fail } = await setUp(['a']);
    fail('a', 3);
    expect(next('mine')).toBeUndefined();
    await clock.advance(WINDOW);
    expect([next('mine'), next('mine')]).toEqual(['a', undefined]);
  });
});

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
