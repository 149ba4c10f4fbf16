import { describe, expect, it } from 'vitest';
import { unsavedProfiles } from '#src/agent/keys/resolve-api-key.ts';
import { createKeyRing } from '#src/agent/keys/key-ring.ts';
import { anthropicKey, emptyRows, openaiKey, rejectionOf, startStore } from './support.ts';

const { signal } = new AbortController();

const setUp = async () => {
  const env = { ANTHROPIC_API_KEY: `${anthropicKey('one')},${anthropicKey('two')}` };
  const started = await startStore(await emptyRows(), { unsaved: unsavedProfiles(env) });
  return createKeyRing({
    ...started,
    profileStore: started.store,
    env,
    config: { providers: { openai: { apiKey: openaiKey('file'), awsSecretId: 'finclaw/openai' } } },
    secrets: { read: async () => JSON.stringify({ OPENAI_API_KEY: openaiKey('aws') }) },
    onSecret: () => undefined,
  });
};

describe('trying all keys', () => {
  it('tries every key of every source once, each with its provider', async () => {
    const ring = await setUp();
    const tried: string[] = [];
    await ring.tryAll(async (provider, apiKey) => void tried.push(`${provider} ${apiKey}`), signal);
    expect(tried).toHaveLength(4);
    expect(new Set(tried)).toEqual(
      new Set([
        `anthropic ${anthropicKey('one')}`,
        `anthropic ${anthropicKey('two')}`,
        `openai ${openaiKey('file')}`,
        `openai ${openaiKey('aws')}`,
      ]),
    );
  });

  it('says of each key what became of it, and never the key', async () => {
    const ring = await setUp();
    const refused = new Error('refused');
    const trials = await ring.tryAll(async (_provider, apiKey) => {
      if (apiKey === anthropicKey('two')) throw refused;
    }, signal);
    expect(trials.map(({ key, error }) => [key.id, error])).toEqual([
      ['env-anthropic-1', undefined],
      ['env-anthropic-2', refused],
      ['config:openai', undefined],
      ['aws-secrets:openai', undefined],
    ]);
    expect(JSON.stringify(trials)).not.toContain(anthropicKey('one'));
    expect(JSON.stringify(trials)).not.toContain(openaiKey('file'));
  });

  it('leaves out what is switched off', async () => {
    const ring = await setUp();
    await ring.setActive('env-anthropic-1', false);
    const trials = await ring.tryAll(async () => undefined, signal);
    expect(trials.map(({ key }) => key.id)).not.toContain('env-anthropic-1');
  });

  it('counts for nothing: no key rests because a trial failed', async () => {
    const ring = await setUp();
    await ring.tryAll(async () => Promise.reject(new Error('down')), signal);
    expect((await ring.list()).map(({ cooldownMs, health }) => [cooldownMs, health])).toEqual(
      Array.from({ length: 4 }, () => [0, 'healthy']),
    );
  });

  it('ends with the reason of an abort', async () => {
    const ring = await setUp();
    const controller = new AbortController();
    const reason = new Error('enough');
    const trying = ring.tryAll(async () => {
      controller.abort(reason);
      throw new Error('aborted');
    }, controller.signal);
    expect(await rejectionOf(trying)).toBe(reason);
  });
});
