import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createAwsSecrets, keyFromSecret } from '#src/agent/keys/aws-secrets.ts';
import { startSecretsManager } from '#test/fakes/secrets-manager.ts';
import { freePort, temporaryDir } from '#test/support/database.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { startBehindProxy } from '#test/support/use-fake-proxy.ts';
import { anthropicKey, inFull, openaiKey, thrownBy } from './support.ts';

const KEY = anthropicKey('aws-1');
const { signal } = new AbortController();

const importClient = async (): Promise<never> => {
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
};

const setUp = async () => {
  const fake = await startSecretsManager();
  const clock = new ManualClock();
  const { region, endpoint } = fake;
  const source = createAwsSecrets({ region, endpoint, clock });
  /** The error of reading a secret, in full. */
  const failureOf = (secretId: string): Promise<unknown> =>
    source.read(secretId, signal).then(
      () => 'no failure',
      (error: unknown) => error,
    );
  return { ...fake, clock, source, failureOf };
};

describe('createAwsSecrets', () => {
  it('goes through the proxy', async () => {
    const { proxy } = await startBehindProxy();
    const { source, secrets, endpoint } = await setUp();
    secrets.set('prod/key', { text: KEY });
    await expect(source.read('prod/key', signal)).resolves.toBe(KEY);
    expect(proxy.history.map(({ target }) => `http://${target}`)).toEqual([endpoint]);
  });

  it('reads a secret, as text or as bytes', async () => {
    const { source, secrets, clock } = await setUp();
    secrets.set('prod/key', { text: KEY });
    secrets.set('prod/bytes', { binary: KEY });
    await expect(source.read('prod/key', signal)).resolves.toBe(KEY);
    await expect(source.read('prod/bytes', signal)).resolves.toBe(KEY);
    expect(clock.pendingTimers).toBe(0);
  });

  it('asks again only after ten minutes', async () => {
    const { source, secrets, requests, clock } = await setUp();
    secrets.set('prod/key', { text: 'old' });
    await source.read('prod/key', signal);
    secrets.set('prod/key', { text: 'new' });
    await clock.advance(599_999);
    await expect(source.read('prod/key', signal)).resolves.toBe('old');
    await clock.advance(1);
    await expect(source.read('prod/key', signal)).resolves.toBe('new');
    expect(requests).toEqual(['prod/key', 'prod/key']);
  });

  it('makes one request for many readers at once, and one for each secret', async () => {
    const { source, secrets, requests } = await setUp();
    secrets.set('a', { text: 'A' });
    secrets.set('b', { text: 'B' });
    const read = await Promise.all(['a', 'a', 'b', 'a', 'b'].map((id) => source.read(id, signal)));
    expect(read).toEqual(['A', 'A', 'B', 'A', 'B']);
    expect([...requests].toSorted()).toEqual(['a', 'b']);
  });

  it('does not end the request of others when one reader leaves', async () => {
    const { source, secrets, clock } = await setUp();
    const { promise: after, resolve: answer } = Promise.withResolvers<void>();
    secrets.set('a', { text: 'A', after });
    const leaving = new AbortController();
    const left = expect(source.read('a', leaving.signal)).rejects.toThrow('I left');
    const stayed = source.read('a', signal);
    leaving.abort(new Error('I left'));
    await clock.advance(0);
    await left;
    answer();
    await expect(stayed).resolves.toBe('A');
  });

  it('reads nothing for one who has left already', async () => {
    const { source, secrets, requests } = await setUp();
    secrets.set('a', { text: 'A' });
    await expect(source.read('a', AbortSignal.abort(new Error('I left')))).rejects.toThrow('I left');
    expect(requests).toEqual([]);
  });

  it.each([
    ['it is not there', undefined, 'there is no such secret'],
    ['it may not be read', { error: 'AccessDeniedException', status: 400 }, 'may not read it'],
    ['the service says something else', { error: 'DecryptionFailure', status: 400 }, 'DecryptionFailure'],
    ['it is empty', { text: '' }, 'it is empty'],
  ] as const)(
    'gives a sentence with the reason when %s, and asks again next time',
    async (_w, secret, why) => {
      const { secrets, failureOf, source } = await setUp();
      if (secret) secrets.set('prod/key', secret);
      expect(await failureOf('prod/key')).toMatchObject({
        code: 'AWS_SECRET_UNREADABLE',
        isOperational: true,
        message: expect.stringMatching(
          new RegExp(
            `^The secret prod/key cannot be read from AWS Secrets Manager in ap-northeast-2 \\(.*${why}.*\\)\\.$`,
          ),
        ),
      });
      secrets.set('prod/key', { text: KEY });
      await expect(source.read('prod/key', signal)).resolves.toBe(KEY);
    },
  );

  it('never repeats the secret in an error, also when the answer cannot be parsed', async () => {
    const { secrets, failureOf } = await setUp();
    secrets.set('prod/key', { raw: `${KEY} is not JSON` });
    const error = await failureOf('prod/key');
    expect(error).toMatchObject({ code: 'AWS_SECRET_UNREADABLE' });
    expect(inFull(error)).not.toMatch(/aws-1|sk-ant/);
  });

  it('gives up after ten seconds without an answer', async () => {
    const { secrets, failureOf, clock, requests } = await setUp();
    secrets.set('prod/key', 'stall');
    const failing = failureOf('prod/key');
    await expect.poll(() => requests).toHaveLength(1);
    await clock.advance(10_000);
    expect(await failing).toMatchObject({
      code: 'AWS_SECRET_UNREADABLE',
      message: expect.stringContaining('no answer within 10 s'),
    });
    expect(clock.pendingTimers).toBe(0);
  });

  it('gives a sentence when nobody listens, and when there are no credentials', async () => {
    const { region } = await setUp();
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const source = createAwsSecrets({ region, endpoint, clock: new ManualClock() });
    await expect(source.read('prod/key', signal)).rejects.toMatchObject({
      message: expect.stringContaining('ECONNREFUSED'),
    });
    const nowhere = join(temporaryDir(), 'none');
    for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, nowhere);
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
    const without = createAwsSecrets({ region, endpoint, clock: new ManualClock() });
    await expect(without.read('prod/key', signal)).rejects.toMatchObject({
      code: 'AWS_SECRET_UNREADABLE',
      message: expect.stringContaining('no AWS credentials were found'),
    });
  });

  it('says what to install when the client is not there', async () => {
    const source = createAwsSecrets({ region: 'us-east-1', clock: new ManualClock(), importClient });
    await expect(source.read('prod/key', signal)).rejects.toMatchObject({
      code: 'AWS_CLIENT_MISSING',
      message: expect.stringContaining('npm install @aws-sdk/client-secrets-manager'),
    });
  });
});

describe('keyFromSecret', () => {
  const both = JSON.stringify({
    ANTHROPIC_API_KEY: KEY,
    OPENAI_API_KEY: openaiKey('o'),
    apiKey: 'other-key',
  });

  everyRow([
    ['the whole text', 'anthropic', KEY, KEY],
    ['the whole text with a line end', 'anthropic', `${KEY}\n`, KEY],
    ['the text as JSON', 'anthropic', JSON.stringify(KEY), KEY],
    ['the field of the provider', 'anthropic', both, KEY],
    ['the field of the other provider', 'openai', both, openaiKey('o')],
    ['the field apiKey', 'openai', JSON.stringify({ apiKey: ` ${openaiKey('o')} ` }), openaiKey('o')],
    ['the field apiKey beside an empty one', 'openai', '{"OPENAI_API_KEY":"","apiKey":"the-key"}', 'the-key'],
    ['digits alone', 'openai', '12345678', '12345678'],
  ] as const)('takes %s', (_what, provider, secret, expected) => {
    expect(keyFromSecret(provider, 'prod/key', secret)).toBe(expected);
  });

  it.each([
    ['only the key of the other provider', JSON.stringify({ ANTHROPIC_API_KEY: KEY })],
    ['a number', '{"apiKey":42}'],
    ['a list', JSON.stringify([KEY])],
    ['cut JSON', `{"OPENAI_API_KEY":"${KEY}"`],
    ['a sentence', `the key is ${KEY}`],
    ['nothing', ' '],
    ['null', '{"OPENAI_API_KEY":null}'],
  ])('refuses a secret with %s, names the fields, and does not repeat it', (_what, secret) => {
    const error = thrownBy(() => keyFromSecret('openai', 'prod/key', secret));
    expect(error).toMatchObject({
      code: 'AWS_SECRET_INVALID',
      message:
        'The secret prod/key holds no key for openai: it must be the key itself, or JSON with the field OPENAI_API_KEY or apiKey.',
    });
    expect(inFull(error)).not.toMatch(/aws-1|sk-ant/);
  });
});
