import { describe, expect, it } from 'vitest';
import type { SecretSource } from '#src/agent/keys/aws-secrets.ts';
import {
  resolveApiKeyForProvider,
  type ResolverOptions,
  unsavedProfiles,
} from '#src/agent/keys/resolve-api-key.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { anthropicKey, inFull, openaiKey, rejectionOf, setUpStore } from './support.ts';

const ENV = { ANTHROPIC_API_KEY: anthropicKey('from-env'), OPENAI_API_KEY: openaiKey('from-env') };
const CONFIG = {
  providers: { anthropic: { apiKey: anthropicKey('from-config'), awsSecretId: 'prod/anthropic' } },
  allowDefaultKeys: true,
  defaultKeys: { anthropic: anthropicKey('from-default') },
};
const SECRETS: SecretSource = { read: async () => anthropicKey('from-aws') };
const failing = (error: Error): SecretSource => ({
  read: async () => {
    throw error;
  },
});
const { signal } = new AbortController();

type Options = Partial<Omit<ResolverOptions, 'profileStore' | 'events'>>;

/** One profile, one key of every other source; `options` replace what they name. */
const setUp = async (profiles: readonly string[] = ['from-profile']) => {
  const { store, recorded, events, cooldowns } = await setUpStore();
  const ids: string[] = [];
  for (const name of profiles) {
    const { id } = await store.create({ name, provider: 'anthropic', apiKey: anthropicKey(name) });
    ids.push(id);
  }
  const resolve = (options: Options = {}, provider: 'anthropic' | 'openai' = 'anthropic') =>
    resolveApiKeyForProvider(
      provider,
      {
        profileStore: store,
        env: ENV,
        config: CONFIG,
        secrets: SECRETS,
        isUsable: () => true,
        waitMs: (id) => cooldowns.getRemainingMs(id),
        restReason: (id) => cooldowns.getReason(id),
        events,
        ...options,
      },
      signal,
    );
  return { store, resolve, recorded, cooldowns, ids };
};

const LATER_SOURCES = ['environment', 'config', 'aws-secrets', 'default'] as const;

describe('resolveApiKeyForProvider', () => {
  it('goes through its sources in order, each when those before it were tried', async () => {
    const { resolve, ids } = await setUp();
    const tried = new Set<string>();
    const found: unknown[] = [];
    for (let step = 0; step < 5; step += 1) {
      const key = await resolve({ except: tried });
      found.push(key);
      tried.add(key.profileId);
    }
    expect(found).toEqual([
      { apiKey: anthropicKey('from-profile'), source: 'profile', profileId: ids[0] },
      { apiKey: anthropicKey('from-env'), source: 'environment', profileId: 'environment:anthropic' },
      { apiKey: anthropicKey('from-config'), source: 'config', profileId: 'config:anthropic' },
      { apiKey: anthropicKey('from-aws'), source: 'aws-secrets', profileId: 'aws-secrets:anthropic' },
      { apiKey: anthropicKey('from-default'), source: 'default', profileId: 'default:anthropic' },
    ]);
    await expect(resolve({ except: tried })).rejects.toMatchObject({
      code: 'KEYS_COOLING',
      message: 'All usable keys for anthropic were already tried.',
      details: { retryAfterMs: 0 },
    });
  });

  it('passes over what is not usable, without reading a secret for it', async () => {
    const { resolve } = await setUp([]);
    let reads = 0;
    const secrets: SecretSource = {
      read: async () => {
        reads += 1;
        return anthropicKey('from-aws');
      },
    };
    for (const [index, source] of LATER_SOURCES.entries()) {
      const resting = new Set(LATER_SOURCES.slice(0, index).map((other) => `${other}:anthropic`));
      const key = await resolve({ secrets, isUsable: (id) => !resting.has(id) });
      expect(key.source).toBe(source);
      expect(reads).toBe(source === 'aws-secrets' || source === 'default' ? 1 : 0);
    }
  });

  it('goes on to the environment when all profiles rest', async () => {
    const { resolve, cooldowns, ids } = await setUp(['one', 'two']);
    for (const id of ids) cooldowns.setCooldown(id, 'rate-limit');
    expect((await resolve()).source).toBe('environment');
  });

  it('stays with the profile of the conversation', async () => {
    const { resolve } = await setUp(['one', 'two']);
    const first = await resolve({ sessionKey: 's' });
    await resolve();
    await resolve();
    expect((await resolve({ sessionKey: 's' })).profileId).toBe(first.profileId);
  });

  it('tells where each key came from, and nothing of the key', async () => {
    const { resolve, recorded } = await setUp([]);
    await resolve();
    await resolve({}, 'openai');
    await expect(resolve({ env: {}, config: {} })).rejects.toThrow();
    expect(recorded.payloads('auth:resolve')).toEqual([
      { provider: 'anthropic', source: 'environment' },
      { provider: 'openai', source: 'environment' },
    ]);
  });

  it.each(['', '  ', ' , ', undefined])('takes a variable set to %j for none', async (value) => {
    const { resolve } = await setUp([]);
    expect((await resolve({ env: { ANTHROPIC_API_KEY: value } })).source).toBe('config');
  });

  it.each([
    [' one ', 'one'],
    ['one,', 'one'],
    ['one,one', 'one'],
  ])('takes a variable set to %j for the one key in it', async (value, apiKey) => {
    const { resolve } = await setUp([]);
    expect(unsavedProfiles({ ANTHROPIC_API_KEY: value })).toEqual([]);
    expect(await resolve({ env: { ANTHROPIC_API_KEY: value } })).toMatchObject({
      apiKey,
      profileId: 'environment:anthropic',
    });
  });

  it('leaves several keys in one variable to the profiles that are made of them', async () => {
    const { resolve } = await setUp([]);
    const env = { ANTHROPIC_API_KEY: 'one, two,one,, three', OPENAI_API_KEY: 'single' };
    expect(unsavedProfiles(env)).toEqual([
      { name: 'ANTHROPIC_API_KEY #1', provider: 'anthropic', apiKey: 'one' },
      { name: 'ANTHROPIC_API_KEY #2', provider: 'anthropic', apiKey: 'two' },
      { name: 'ANTHROPIC_API_KEY #3', provider: 'anthropic', apiKey: 'three' },
    ]);
    expect((await resolve({ env })).source).toBe('config');
  });

  it('uses default keys only where that is allowed', async () => {
    const { resolve } = await setUp([]);
    const defaultKeys = { anthropic: anthropicKey('from-default') };
    await expect(resolve({ env: {}, config: { defaultKeys } })).rejects.toMatchObject({ code: 'NO_API_KEY' });
    const key = await resolve({ env: {}, config: { defaultKeys, allowDefaultKeys: true } });
    expect(key.source).toBe('default');
  });

  it.each([
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['openai', 'OPENAI_API_KEY'],
  ] as const)('names every way to set a key for %s where there is none', async (provider, variable) => {
    const { resolve } = await setUp([]);
    const error = await rejectionOf(resolve({ env: {}, config: {} }, provider));
    expect(error).toMatchObject({
      code: 'NO_API_KEY',
      isOperational: true,
      message: `There is no API key for ${provider}. Set ${variable}, add a key as an administrator, or set providers.${provider}.apiKey or providers.${provider}.awsSecretId in the configuration file.`,
    });
  });

  it('has no key where all are switched off, and says how many', async () => {
    const { resolve, store, ids } = await setUp(['one', 'two']);
    for (const id of ids) await store.update(id, { isActive: false });
    const error = await rejectionOf(resolve({ env: {}, config: {} }));
    expect(error).toMatchObject({
      code: 'NO_API_KEY',
      message: expect.stringMatching(/^There is no API key for anthropic \(2 switched off\)\. Set/),
    });
    expect(inFull(error)).not.toContain('sk-ant');
  });

  it('says when the first key may be used again where all rest, whatever their source', async () => {
    const { resolve, cooldowns, ids } = await setUp(['one', 'two']);
    const [one = '', two = ''] = ids;
    cooldowns.setCooldown(one, 'billing');
    cooldowns.setCooldown(two, 'rate-limit', 90_500);
    cooldowns.setCooldown('environment:anthropic', 'auth');
    const error = await rejectionOf(resolve({ config: {}, isUsable: (id) => !cooldowns.isInCooldown(id) }));
    expect(error).toMatchObject({
      code: 'KEYS_COOLING',
      statusCode: 503,
      message: 'All keys for anthropic are in cooldown; the next one is usable in 91 s.',
      details: { provider: 'anthropic', retryAfterMs: 90_500 },
    });
    expect(inFull(error)).not.toContain('sk-ant');
  });
});

describe('a key in AWS', () => {
  const config = { providers: { anthropic: { awsSecretId: 'prod/anthropic' } } };
  const down = new FinClawError('AWS is down', 'AWS_SECRET_UNREADABLE');

  it('is asked for by the id that is configured, with the signal of the run', async () => {
    const { resolve } = await setUp([]);
    const asked: unknown[] = [];
    const secrets: SecretSource = {
      read: async (...args) => {
        asked.push(...args);
        return JSON.stringify({ ANTHROPIC_API_KEY: anthropicKey('json') });
      },
    };
    expect((await resolve({ env: {}, config, secrets })).apiKey).toBe(anthropicKey('json'));
    expect(asked).toEqual(['prod/anthropic', signal]);
  });

  it('counts for nothing where there is no source of secrets', async () => {
    const { resolve } = await setUp([]);
    await expect(resolve({ env: {}, config, secrets: undefined })).rejects.toMatchObject({
      code: 'NO_API_KEY',
    });
  });

  it('that cannot be read gives way to the default one', async () => {
    const { resolve } = await setUp([]);
    expect(
      (await resolve({ env: {}, config: { ...CONFIG, ...config }, secrets: failing(down) })).source,
    ).toBe('default');
  });

  it('that cannot be read is the failure where it is the only one', async () => {
    const { resolve } = await setUp([]);
    await expect(resolve({ env: {}, config, secrets: failing(down) })).rejects.toBe(down);
  });

  it('that holds no key is the failure where it is the only one', async () => {
    const { resolve } = await setUp([]);
    const secrets: SecretSource = { read: async () => '{}' };
    await expect(resolve({ env: {}, config, secrets })).rejects.toMatchObject({ code: 'AWS_SECRET_INVALID' });
  });

  it('that cannot be read is the cause where the others only rest', async () => {
    const { resolve, cooldowns, ids } = await setUp(['one']);
    cooldowns.setCooldown(ids[0] ?? '', 'rate-limit');
    await expect(resolve({ env: {}, config, secrets: failing(down) })).rejects.toMatchObject({
      code: 'KEYS_COOLING',
      details: { retryAfterMs: 60_000 },
      cause: down,
    });
  });

  it('is not replaced by another when our own code is wrong', async () => {
    const { resolve } = await setUp([]);
    const bug = new TypeError('a bug');
    await expect(
      resolve({
        env: {},
        config: CONFIG,
        secrets: failing(bug),
        isUsable: (id) => id !== 'config:anthropic',
      }),
    ).rejects.toBe(bug);
  });
});
