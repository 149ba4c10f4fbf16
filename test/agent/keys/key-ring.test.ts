import { describe, expect, it } from 'vitest';
import { unsavedProfiles } from '#src/agent/keys/resolve-api-key.ts';
import { createKeyRing, type KeyRingDeps } from '#src/agent/keys/key-ring.ts';
import type { AuthProfileRows } from '#src/agent/store/auth-profiles.ts';
import { anthropicKey, diskFull, emptyRows, inFull, openaiKey, rejectionOf, startStore } from './support.ts';

type RingOptions = Partial<Pick<KeyRingDeps, 'env' | 'config' | 'secrets' | 'anyForm'>> & {
  readonly rows?: AuthProfileRows;
  readonly secretKeys?: readonly string[];
};

const { signal } = new AbortController();
const MINUTE = 60_000;

const setUp = async ({ env = {}, config = {}, rows, secretKeys, ...deps }: RingOptions = {}) => {
  const started = await startStore(rows ?? (await emptyRows()), {
    unsaved: unsavedProfiles(env),
    ...(secretKeys ? { secretKeys } : {}),
  });
  const masked: string[] = [];
  const ring = createKeyRing({
    ...started,
    profileStore: started.store,
    env,
    config,
    onSecret: (key) => masked.push(key),
    ...deps,
  });
  const resolve = async (except: readonly string[] = []): Promise<string> =>
    (await ring.resolve('anthropic', { except: new Set(except) }, signal)).profileId;
  return { ...started, ring, masked, resolve };
};

const ENV = { ANTHROPIC_API_KEY: anthropicKey('env') };
const ENV_ID = 'environment:anthropic';

describe('reporting on a key', () => {
  it.each([
    ['rate-limit', undefined, MINUTE],
    ['rate-limit', 2_000, 2_000],
    ['auth', undefined, 5 * MINUTE],
    ['billing', undefined, 24 * 60 * MINUTE],
  ] as const)(
    'rests it after %s (retry after %s) for %i ms, whatever its source',
    async (reason, after, ms) => {
      const { ring, resolve, clock } = await setUp({ env: ENV });
      const { id } = await ring.add('anthropic', anthropicKey('profile'));
      expect([await resolve(), await resolve([id])]).toEqual([id, ENV_ID]);
      await ring.reportFailure(id, reason, after);
      expect(await resolve()).toBe(ENV_ID);
      await ring.reportFailure(ENV_ID, reason, after);
      expect(await rejectionOf(resolve())).toMatchObject({
        code: 'KEYS_COOLING',
        details: { retryAfterMs: ms, reason },
      });
      await clock.advance(ms);
      expect([await resolve(), await resolve([id])]).toEqual([id, ENV_ID]);
    },
  );

  it('takes effect before anything is awaited', async () => {
    const { ring, resolve } = await setUp({ env: ENV });
    const { id } = await ring.add('anthropic', anthropicKey('profile'));
    const written = ring.reportFailure(id, 'billing');
    const next = resolve();
    expect(await next).toBe(ENV_ID);
    await written;
  });

  it('escalates with failures one after the other, and begins anew after a success', async () => {
    const { ring, cooldowns, clock } = await setUp({ env: ENV });
    const fail = async (): Promise<number> => {
      await ring.reportFailure(ENV_ID, 'rate-limit');
      const restMs = cooldowns.getRemainingMs(ENV_ID);
      await clock.advance(restMs);
      return restMs;
    };
    expect([await fail(), await fail()]).toEqual([MINUTE, 2 * MINUTE]);
    await ring.reportSuccess(ENV_ID);
    expect(await fail()).toBe(MINUTE);
  });

  it('does not end a rest by a success that was under way before the failure', async () => {
    const { ring, cooldowns } = await setUp({ env: ENV });
    await ring.reportFailure(ENV_ID, 'billing');
    await ring.reportSuccess(ENV_ID);
    expect(cooldowns.isInCooldown(ENV_ID)).toBe(true);
  });

  it('takes failures of requests that were under way at once for one', async () => {
    const { ring, health, clock, resolve } = await setUp({ env: ENV });
    await Promise.all([1, 2, 3, 4].map(() => ring.reportFailure(ENV_ID, 'auth', 5_000)));
    expect(health.getHealth(ENV_ID)).toBe('healthy');
    await clock.advance(5_000);
    expect(await resolve()).toBe(ENV_ID);
  });

  it.each(['profile', 'environment'] as const)(
    'disables a key (%s) after three failures, and tries it once a window later',
    async (source) => {
      const { ring, clock, resolve, cooldowns, recorded } = await setUp(
        source === 'profile' ? {} : { env: ENV },
      );
      const id = source === 'profile' ? (await ring.add('anthropic', anthropicKey('p'))).id : ENV_ID;
      for (let count = 0; count < 3; count += 1) {
        await ring.reportFailure(id, 'auth', 1_000);
        await clock.advance(1_000);
      }
      expect(cooldowns.isInCooldown(id)).toBe(false);
      expect(await rejectionOf(resolve())).toMatchObject({
        code: 'KEYS_COOLING',
        details: { retryAfterMs: 5 * MINUTE - 1_000 },
      });
      await clock.advance(5 * MINUTE - 1_000);
      expect(await resolve()).toBe(id);
      expect(await rejectionOf(resolve())).toMatchObject({ code: 'KEYS_COOLING' });
      await ring.reportSuccess(id);
      expect([await resolve(), await resolve()]).toEqual([id, id]);
      expect(recorded.payloads('auth:health:change')).toEqual([
        { profileId: id, from: 'healthy', to: 'disabled' },
        { profileId: id, from: 'disabled', to: 'healthy' },
      ]);
    },
  );

  it('rests a key for as long as an operator says, over a restart too, until the operator ends it', async () => {
    const rows = await emptyRows();
    const { ring, resolve, clock } = await setUp({ env: ENV, rows });
    const { id } = await ring.add('anthropic', anthropicKey('profile'));
    const recorded: string[] = [];
    const record = async (): Promise<void> => void recorded.push(await resolve());
    expect(await ring.pause(id, 90 * MINUTE, record)).toBe('done');
    expect(await ring.pause('key-unknown', MINUTE, record)).toBe('unknown');
    expect([recorded, await resolve()]).toEqual([[id], ENV_ID]);
    await clock.advance(30 * MINUTE);
    expect((await ring.list()).find((key) => key.id === id)?.cooldownMs).toBe(60 * MINUTE);
    await ring.pause(ENV_ID, 5 * MINUTE);
    expect(await rejectionOf(resolve())).toMatchObject({ details: { reason: 'operator' } });
    await ring.pause(id, 0);
    expect(await resolve()).toBe(id);
  });

  it('is used again for every model when an operator ends its pause', async () => {
    const { ring, cooldowns } = await setUp({ env: ENV });
    await ring.reportFailure(ENV_ID, 'rate-limit', MINUTE, 'opus');
    expect(await ring.pause(ENV_ID, 0)).toBe('done');
    expect(cooldowns.isInCooldown(ENV_ID, 'opus')).toBe(false);
  });

  it('keeps a rest over a restart', async () => {
    const rows = await emptyRows();
    const before = await setUp({ rows });
    const { id } = await before.ring.add('anthropic', anthropicKey('p'));
    await before.ring.reportFailure(id, 'billing');
    const after = await setUp({ rows });
    expect(await rejectionOf(after.resolve())).toMatchObject({
      code: 'KEYS_COOLING',
      details: { retryAfterMs: 24 * 60 * MINUTE },
    });
  });

  it('remembers nothing of a key that is not there any more', async () => {
    const { ring, cooldowns, health } = await setUp();
    const { id } = await ring.add('anthropic', anthropicKey('p'));
    await ring.remove(id);
    for (let count = 0; count < 3; count += 1) await ring.reportFailure(id, 'billing');
    expect(health.getHealth(id)).toBe('healthy');
    await ring.reportSuccess(id);
    expect(cooldowns.isInCooldown(id)).toBe(false);
  });

  it('goes from key to key of a provider until all rest', async () => {
    const { ring, resolve } = await setUp({ env: { ANTHROPIC_API_KEY: 'key-a,key-b,key-c' } });
    const used: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const id = await resolve();
      used.push(id);
      await ring.reportFailure(id, 'rate-limit');
    }
    expect(used).toEqual(['env-anthropic-1', 'env-anthropic-2', 'env-anthropic-3']);
    expect(await rejectionOf(resolve())).toMatchObject({ code: 'KEYS_COOLING' });
  });
});

describe('whether there is a key', () => {
  const secrets = { read: async () => anthropicKey('aws') };
  it.each<[string, RingOptions, boolean]>([
    ['nothing at all', {}, false],
    ['a variable', { env: ENV }, true],
    ['several in a variable', { env: { ANTHROPIC_API_KEY: 'one,two' } }, true],
    ['an empty variable', { env: { ANTHROPIC_API_KEY: ' ' } }, false],
    ['one of the other provider', { env: { OPENAI_API_KEY: 'one' } }, false],
    ['the configuration', { config: { providers: { anthropic: { apiKey: 'one' } } } }, true],
    ['a secret id', { config: { providers: { anthropic: { awsSecretId: 'id' } } }, secrets }, true],
    [
      'a default that is allowed',
      { config: { allowDefaultKeys: true, defaultKeys: { anthropic: 'x' } } },
      true,
    ],
    ['a default that is not', { config: { defaultKeys: { anthropic: 'x' } } }, false],
  ])('is said of %s', async (_what, options, expected) => {
    const { ring } = await setUp(options);
    expect(ring.hasKey('anthropic')).toBe(expected);
  });

  it('does not depend on whether it rests, but on whether it is switched on', async () => {
    const { ring } = await setUp();
    const { id } = await ring.add('anthropic', anthropicKey('p'));
    await ring.reportFailure(id, 'billing');
    expect(ring.hasKey('anthropic')).toBe(true);
    await ring.setActive(id, false);
    expect(ring.hasKey('anthropic')).toBe(false);
  });
});

describe('the keys as an administrator sees them', () => {
  const CONFIG = {
    providers: { anthropic: { apiKey: anthropicKey('config') }, openai: { awsSecretId: 'prod/openai' } },
    allowDefaultKeys: true,
    defaultKeys: { openai: 'dev-key-0001' },
  };
  const secrets = { read: async () => openaiKey('aws') };
  const everything = {
    env: { ...ENV, OPENAI_API_KEY: `${openaiKey('e1')},${openaiKey('e2')}` },
    config: CONFIG,
    secrets,
  };

  it('are those of every source, masked', async () => {
    const { ring } = await setUp(everything);
    const { id } = await ring.add('anthropic', anthropicKey('added'), 'the main one');
    await ring.reportFailure(id, 'rate-limit');
    const keys = await ring.list();
    expect(keys[0]).toEqual({
      id,
      provider: 'anthropic',
      name: 'the main one',
      masked: 'sk-...dded',
      source: 'profile',
      isSaved: true,
      isActive: true,
      isPreferred: false,
      health: 'degraded',
      cooldownMs: MINUTE,
      cooldownReason: 'rate-limit',
    });
    expect(keys.slice(1).map((key) => [key.id, key.name, key.source, key.masked, key.isSaved])).toEqual([
      ['environment:anthropic', 'ANTHROPIC_API_KEY', 'environment', 'sk-...-env', false],
      ['config:anthropic', 'providers.anthropic.apiKey', 'config', 'sk-...nfig', false],
      ['env-openai-1', 'OPENAI_API_KEY #1', 'environment', 'sk-...y-e1', false],
      ['env-openai-2', 'OPENAI_API_KEY #2', 'environment', 'sk-...y-e2', false],
      ['aws-secrets:openai', 'prod/openai', 'aws-secrets', '***', false],
      ['default:openai', 'defaultKeys.openai', 'default', 'dev...0001', false],
    ]);
    expect(keys.every(({ isActive }) => isActive)).toBe(true);
    expect(JSON.stringify(keys)).not.toMatch(/xxxx|yyyy/);
  });

  it('can be switched off and on, those of a list in the environment too, but not what is fixed', async () => {
    const { ring } = await setUp(everything);
    const { id } = await ring.add('anthropic', anthropicKey('added'));
    for (const own of [id, 'env-openai-1']) {
      expect(await ring.setActive(own, false)).toBe('done');
      expect((await ring.list()).find((key) => key.id === own)).toMatchObject({ isActive: false });
      expect(await ring.setActive(own, true)).toBe('done');
      expect((await ring.list()).find((key) => key.id === own)).toMatchObject({ isActive: true });
    }
    for (const fixed of ['environment:anthropic', 'config:anthropic', 'aws-secrets:openai', 'default:openai'])
      expect(await ring.setActive(fixed, false)).toBe('fixed');
    for (const unknown of ['ghost', 'environment:openai', 'env-openai-3'])
      expect(await ring.setActive(unknown, false)).toBe('unknown');
  });

  it('can be removed where somebody added them, and nowhere else', async () => {
    const rows = await emptyRows();
    const { ring } = await setUp({ ...everything, rows });
    const { id } = await ring.add('anthropic', anthropicKey('added'));
    const count = (await ring.list()).length;
    for (const fixed of ['environment:anthropic', 'env-openai-1', 'aws-secrets:openai'])
      expect(await ring.remove(fixed)).toBe('fixed');
    expect(await ring.remove('ghost')).toBe('unknown');
    expect(await ring.list()).toHaveLength(count);
    expect(await ring.remove(id)).toBe('done');
    expect(await ring.remove(id)).toBe('unknown');
    expect(await rows.list()).toEqual([]);
  });

  it('lifts a long rest when a key is switched on', async () => {
    const { ring, resolve } = await setUp();
    const { id } = await ring.add('anthropic', anthropicKey('p'));
    await ring.reportFailure(id, 'billing');
    await ring.setActive(id, true);
    expect(await resolve()).toBe(id);
  });
});

describe('adding a key', () => {
  it('makes it usable at once and again after a restart', async () => {
    const rows = await emptyRows();
    const { ring, resolve } = await setUp({ rows });
    const added = await ring.add('anthropic', `  ${anthropicKey('p')}\n`, '  회사\n열쇠 ');
    expect(added).toMatchObject({
      name: '회사 열쇠',
      isSaved: true,
      source: 'profile',
      masked: 'sk-...xx-p',
    });
    expect(await resolve()).toBe(added.id);
    const after = await setUp({ rows });
    const key = await after.ring.resolve('anthropic', {}, signal);
    expect(key).toEqual({ apiKey: anthropicKey('p'), source: 'profile', profileId: added.id });
  });

  it('says that it is gone with the process where there is no secret key', async () => {
    const rows = await emptyRows();
    const { ring } = await setUp({ rows, secretKeys: [] });
    expect(await ring.add('anthropic', anthropicKey('p'))).toMatchObject({ isSaved: false });
    expect(await rows.list()).toEqual([]);
  });

  it('gives it a name where none is given, and cuts one that is too long', async () => {
    const { ring } = await setUp();
    const names = [undefined, ' \u0000\u0007 ', '가'.repeat(59) + '🔑🔑'];
    const added: string[] = [];
    for (const [index, name] of names.entries())
      added.push((await ring.add('openai', openaiKey(`k${index}`), name)).name);
    expect(added).toEqual(['openai 1', 'openai 2', `${'가'.repeat(59)}🔑`]);
  });

  it.each([
    ['of the other provider', openaiKey('typed')],
    ['of nobody', 'typed-secret-value-123456'],
    ['that is too short', 'sk-ant-typed'],
    ['with a blank in it', `${anthropicKey('typed')} ${anthropicKey('typed')}`],
    ['that is nothing', ''],
  ])('refuses one %s, without repeating it anywhere', async (_what, apiKey) => {
    const { ring, rows, logs } = await setUp();
    const error = await rejectionOf(ring.add('anthropic', apiKey, 'name'));
    expect(error).toMatchObject({ code: 'KEY_INVALID', isOperational: true });
    expect(`${inFull(error)} ${JSON.stringify(logs.records())}`).not.toContain('typed');
    expect(await rows.list()).toEqual([]);
  });

  it.each([
    ['the key', anthropicKey('p')],
    ['the key in quotes', `'${anthropicKey('p')}'`],
    ['a sentence with the key', `${'long '.repeat(10)}${anthropicKey('p')}`],
    ['another key', `the ${openaiKey('other')}`],
  ])('refuses %s as a name, because names are shown', async (_what, name) => {
    const { ring, rows } = await setUp();
    const error = await rejectionOf(ring.add('anthropic', anthropicKey('p'), name));
    expect(error).toMatchObject({ code: 'KEY_INVALID' });
    expect(inFull(error)).not.toContain('sk-');
    expect(await rows.list()).toEqual([]);
  });

  it('takes a key of any form for a server that gives out its own, also one that is a name', async () => {
    const { ring } = await setUp({ anyForm: new Set(['openai'] as const) });
    expect(await ring.add('openai', 'ollama', 'ollama')).toMatchObject({ name: 'ollama', masked: '***' });
    await expect(ring.add('openai', 'two words')).rejects.toMatchObject({ code: 'KEY_INVALID' });
    await expect(ring.add('anthropic', 'ollama')).rejects.toMatchObject({ code: 'KEY_INVALID' });
  });

  it('does not put the same key into the round twice', async () => {
    const { ring } = await setUp();
    const first = await ring.add('anthropic', anthropicKey('p'), 'first');
    expect(await ring.add('anthropic', anthropicKey('p'), 'second')).toEqual(first);
    expect(await ring.list()).toHaveLength(1);
  });
});

describe('what logs have to mask', () => {
  it('is told of every key that is not of the environment, before it is used', async () => {
    const rows = await emptyRows();
    const before = await setUp({ rows });
    await before.ring.add('anthropic', anthropicKey('saved'));
    expect(before.masked).toEqual([anthropicKey('saved')]);

    const { ring, masked } = await setUp({
      rows,
      env: { OPENAI_API_KEY: openaiKey('env'), ANTHROPIC_API_KEY: 'one,two' },
      config: {
        providers: { anthropic: { apiKey: anthropicKey('config') }, openai: { awsSecretId: 'id' } },
        allowDefaultKeys: true,
        defaultKeys: { openai: openaiKey('default') },
      },
      secrets: { read: async () => JSON.stringify({ OPENAI_API_KEY: openaiKey('aws') }) },
    });
    expect(masked).toEqual([anthropicKey('saved'), anthropicKey('config'), openaiKey('default')]);
    await ring.resolve('openai', { except: new Set(['environment:openai']) }, signal);
    expect(masked.at(-1)).toBe(openaiKey('aws'));
  });

  it('is told of a key also when it could not be saved', async () => {
    const rows = await emptyRows();
    const { ring, masked } = await setUp({ rows: { ...rows, insert: diskFull } });
    await expect(ring.add('anthropic', anthropicKey('p'))).rejects.toThrow('disk full');
    expect(masked).toEqual([anthropicKey('p')]);
  });
});
