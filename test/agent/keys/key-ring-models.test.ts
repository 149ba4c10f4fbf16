import { describe, expect, it } from 'vitest';
import { unsavedProfiles } from '#src/agent/keys/resolve-api-key.ts';
import { createKeyRing } from '#src/agent/keys/key-ring.ts';
import type { AuthProfileRows } from '#src/agent/store/auth-profiles.ts';
import { anthropicKey, emptyRows, rejectionOf, startStore } from './support.ts';

const { signal } = new AbortController();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FIXED_ID = 'environment:anthropic';

/** A ring over the keys of the environment; `one` or `one,two`. */
const setUp = async (keys = 'one', rows?: AuthProfileRows) => {
  const env = { ANTHROPIC_API_KEY: keys };
  const started = await startStore(rows ?? (await emptyRows()), { unsaved: unsavedProfiles(env) });
  const ring = createKeyRing({
    ...started,
    profileStore: started.store,
    env,
    config: {},
    onSecret: () => undefined,
  });
  const resolve = async (model?: string): Promise<string> =>
    (await ring.resolve('anthropic', { model }, signal)).profileId;
  const statusOf = async (id: string) => (await ring.list()).find((key) => key.id === id);
  return { ...started, ring, resolve, statusOf };
};

/** The same for a key that stands alone in the environment and for one that somebody added. */
const SOURCES = ['environment', 'profile'] as const;
const withOneKey = async (source: (typeof SOURCES)[number]) => {
  const world = await setUp(source === 'environment' ? 'one' : '');
  const id = source === 'environment' ? FIXED_ID : (await world.ring.add('anthropic', anthropicKey('p'))).id;
  return { ...world, id };
};

describe.each(SOURCES)('a limit of rate (%s)', (source) => {
  it('rests the key for the model that was asked, and for no other', async () => {
    const { ring, resolve, clock, id } = await withOneKey(source);
    await ring.reportFailure(id, 'rate-limit', 90_000, 'opus');
    expect(await rejectionOf(resolve('opus'))).toMatchObject({
      code: 'KEYS_COOLING',
      details: { retryAfterMs: 90_000, reason: 'rate-limit' },
    });
    expect([await resolve('haiku'), await resolve()]).toEqual([id, id]);
    await clock.advance(90_000);
    expect(await resolve('opus')).toBe(id);
  });

  it('however often it is reached does not disable the key', async () => {
    const { ring, resolve, clock, health, statusOf, id } = await withOneKey(source);
    for (let count = 0; count < 10; count += 1) {
      await ring.reportFailure(id, 'rate-limit', 1_000, 'opus');
      await clock.advance(1_000);
    }
    expect(await resolve('opus')).toBe(id);
    expect(health.getHealth(id)).toBe('healthy');
    expect(await statusOf(id)).toMatchObject({ health: 'healthy', cooldownMs: 0 });
  });

  it('does not hide that the key is refused: a refusal beside it counts', async () => {
    const { ring, clock, health, id } = await withOneKey(source);
    for (let count = 0; count < 3; count += 1) {
      await ring.reportFailure(id, 'rate-limit', DAY, 'opus');
      await ring.reportFailure(id, 'auth', 1_000, 'haiku');
      await clock.advance(1_000);
    }
    expect(health.getHealth(id)).toBe('disabled');
  });

  it('ends with a success of that model, and goes on for the others', async () => {
    const { ring, cooldowns, clock, id } = await withOneKey(source);
    const limit = async (model: string): Promise<number> => {
      await ring.reportFailure(id, 'rate-limit', undefined, model);
      return cooldowns.getRemainingMs(id, model);
    };
    expect([await limit('opus'), await limit('haiku')]).toEqual([MINUTE, MINUTE]);
    await clock.advance(MINUTE);
    await ring.reportSuccess(id, 'opus');
    expect([await limit('opus'), await limit('haiku')]).toEqual([MINUTE, 2 * MINUTE]);
  });

  it('is not undone by a success of the same model that began before, nor of another', async () => {
    const { ring, resolve, id } = await withOneKey(source);
    await ring.reportFailure(id, 'rate-limit', 90_000, 'opus');
    await ring.reportSuccess(id, 'opus');
    await ring.reportSuccess(id, 'haiku');
    await ring.reportSuccess(id);
    expect(await rejectionOf(resolve('opus'))).toMatchObject({ code: 'KEYS_COOLING' });
  });

  it.each([
    ['auth', 5 * MINUTE],
    ['billing', DAY],
  ] as const)('is another matter than %s, which rests the key for every model', async (reason, restMs) => {
    const { ring, resolve, id } = await withOneKey(source);
    await ring.reportFailure(id, reason, undefined, 'opus');
    for (const model of ['opus', 'haiku', undefined])
      expect(await rejectionOf(resolve(model))).toMatchObject({ details: { retryAfterMs: restMs, reason } });
  });

  it('is shown to the administrator as the longest rest that the key has', async () => {
    const { ring, clock, statusOf, id } = await withOneKey(source);
    await ring.reportFailure(id, 'rate-limit', 30_000, 'haiku');
    await ring.reportFailure(id, 'rate-limit', 90_000, 'opus');
    expect(await statusOf(id)).toMatchObject({ cooldownMs: 90_000 });
    await clock.advance(80_000);
    expect(await statusOf(id)).toMatchObject({ cooldownMs: 10_000 });
  });
});

describe('several keys', () => {
  const [ONE, TWO] = ['env-anthropic-1', 'env-anthropic-2'];

  it('rest each for its own models', async () => {
    const { ring, resolve } = await setUp('one,two');
    await ring.reportFailure(ONE, 'rate-limit', DAY, 'opus');
    await ring.reportFailure(TWO, 'rate-limit', DAY, 'haiku');
    for (let count = 0; count < 3; count += 1)
      expect([await resolve('opus'), await resolve('haiku')]).toEqual([TWO, ONE]);
  });

  it('say why they rest, and are not healthy while that is a failure', async () => {
    const { ring, statusOf } = await setUp('one,two');
    await ring.reportFailure(ONE, 'auth');
    await ring.pause(TWO, DAY);
    expect(await statusOf(ONE)).toMatchObject({ health: 'degraded', cooldownReason: 'auth' });
    expect(await statusOf(TWO)).toMatchObject({ health: 'healthy', cooldownReason: 'operator' });
    await ring.pause(ONE, 0);
    expect(await statusOf(ONE)).toMatchObject({ health: 'healthy', cooldownReason: undefined });
  });

  it('have the shortest wait for the model that is asked for', async () => {
    const { ring, resolve } = await setUp('one,two');
    await ring.reportFailure(ONE, 'rate-limit', 90_000, 'opus');
    await ring.reportFailure(TWO, 'rate-limit', 70_000, 'opus');
    await ring.reportFailure(TWO, 'rate-limit', DAY, 'haiku');
    expect(await rejectionOf(resolve('opus'))).toMatchObject({ details: { retryAfterMs: 70_000 } });
  });

  it('are used in turn, but a preferred one as long as it may be', async () => {
    const { ring, resolve, statusOf } = await setUp('one,two');
    expect([await resolve('opus'), await resolve('opus')]).toEqual([ONE, TWO]);
    expect(await ring.setPreferred(TWO, true)).toBe('done');
    expect([(await statusOf(ONE))?.isPreferred, (await statusOf(TWO))?.isPreferred]).toEqual([false, true]);
    expect([await resolve('opus'), await resolve('opus'), await resolve('opus')]).toEqual([TWO, TWO, TWO]);
    await ring.reportFailure(TWO, 'rate-limit', DAY, 'opus');
    expect([await resolve('opus'), await resolve('haiku')]).toEqual([ONE, TWO]);
    expect(await ring.setPreferred(TWO, false)).toBe('done');
    expect(new Set([await resolve('haiku'), await resolve('haiku')])).toEqual(new Set([ONE, TWO]));
  });
});

describe('a preference', () => {
  it('outlives a restart where the key is saved, and neither lifts a rest nor switches a key on', async () => {
    const rows = await emptyRows();
    const before = await setUp('', rows);
    const { id } = await before.ring.add('anthropic', anthropicKey('p'));
    await before.ring.reportFailure(id, 'billing');
    await before.ring.setActive(id, false);
    await before.ring.setPreferred(id, true);
    expect(await before.statusOf(id)).toMatchObject({ isPreferred: true, isActive: false, cooldownMs: DAY });
    const after = await setUp('', rows);
    expect(await after.statusOf(id)).toMatchObject({ isPreferred: true, isActive: false });
  });

  it('is none of what is fixed or unknown', async () => {
    const { ring, statusOf } = await setUp();
    expect(await ring.setPreferred(FIXED_ID, true)).toBe('fixed');
    expect(await statusOf(FIXED_ID)).toMatchObject({ isPreferred: false });
    expect(await ring.setPreferred('ghost', true)).toBe('unknown');
  });
});

describe('what is shown of a disabled key', () => {
  it('is the wait for its next trial, where that is longer than its rest', async () => {
    const { ring, clock, statusOf } = await setUp();
    for (let count = 0; count < 3; count += 1) {
      await clock.advance(1_000);
      await ring.reportFailure(FIXED_ID, 'auth', 1_000);
    }
    await clock.advance(1_000);
    expect(await statusOf(FIXED_ID)).toMatchObject({ health: 'disabled', cooldownMs: 5 * MINUTE - 1_000 });
    await ring.reportFailure(FIXED_ID, 'billing');
    expect(await statusOf(FIXED_ID)).toMatchObject({ cooldownMs: DAY });
  });
});

describe('whether a key is known', () => {
  it('does not depend on whether it is switched on', async () => {
    const { ring } = await setUp('');
    expect(ring.knowsKey('anthropic')).toBe(false);
    const { id } = await ring.add('anthropic', anthropicKey('p'));
    await ring.setActive(id, false);
    expect([ring.hasKey('anthropic'), ring.knowsKey('anthropic')]).toEqual([false, true]);
    expect(ring.knowsKey('openai')).toBe(false);
    await ring.remove(id);
    expect(ring.knowsKey('anthropic')).toBe(false);
  });

  it('is so of one that is fixed', async () => {
    const { ring } = await setUp();
    expect([ring.knowsKey('anthropic'), ring.knowsKey('openai')]).toEqual([true, false]);
  });
});
