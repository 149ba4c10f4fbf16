import { describe, expect, it, onTestFinished } from 'vitest';
import { FailoverError, type FallbackReason } from '#src/agent/errors.ts';
import { FALLBACK_STEPS } from '#src/agent/models/fallback.ts';
import { offline } from '#src/agent/offline/offline-provider.ts';
import { createProviders } from '#src/agent/providers/providers.ts';
import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import { createReadSentence } from '#src/features/intents/read-sentence.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { startFakeOpenAi } from '#test/fakes/openai/server.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { failureOf, hear, never, requestTo } from './request.ts';

const setUp = (baseUrl?: string) => {
  const clock = new ManualClock();
  const changes: string[] = [];
  const settings = { baseUrl, maxConcurrency: 2, idleTimeoutMs: 30_000 };
  const offlineAdapter = offline({ readSentence: createReadSentence(createSymbolSearch()) });
  const providers = createProviders({
    settings: { anthropic: settings, openai: { ...settings, maxConcurrency: 3, api: 'chat' } },
    offline: offlineAdapter,
    clock,
    onBreakerChange: (provider, from, to) => changes.push(`${provider}: ${from} > ${to}`),
  });
  const fail = async (error: unknown, times: number): Promise<void> => {
    const failing = async (): Promise<never> => {
      throw error;
    };
    for (let count = 0; count < times; count += 1) {
      await failureOf(providers.breakerOf('anthropic').run(failing));
    }
  };
  return { clock, changes, providers, offlineAdapter, fail };
};

describe('the breaker of a provider', () => {
  it.each(['server-error', 'timeout'] satisfies readonly FallbackReason[])(
    'opens on %s, and lets one probe through after a while',
    async (reason) => {
      const { providers, fail, changes, clock } = setUp();
      await fail(new FailoverError('x', reason), 5);
      expect(changes).toEqual(['anthropic: closed > open']);
      const asked = failureOf(providers.breakerOf('anthropic').run(async () => 'fine'));
      expect(await asked).toMatchObject({ code: 'CIRCUIT_OPEN' });
      await clock.advance(30_000);
      await expect(providers.breakerOf('anthropic').run(async () => 'fine')).resolves.toBe('fine');
    },
  );

  it('opens on errors of an SDK that are the fault of the provider', async () => {
    const { fail, changes } = setUp();
    await fail(Object.assign(new Error('x'), { status: 529 }), 5);
    expect(changes).toHaveLength(1);
  });

  const harmless = (Object.keys(FALLBACK_STEPS) as FallbackReason[]).filter(
    (reason) => !['server-error', 'timeout'].includes(reason),
  );
  everyRow<readonly [string, unknown]>([
    ...harmless.map((reason) => [reason, new FailoverError('x', reason)] as const),
    ['a refused request', new FinClawError('x', 'PROVIDER_REFUSED', { statusCode: 400 })],
    ['an abort', new RunAbortedError('stopped')],
    ['a bug', new TypeError('undefined is not a function')],
  ])('stays closed on %s', async (_what, error) => {
    const { fail, changes } = setUp();
    await fail(error, 20);
    expect(changes).toEqual([]);
  });

  it('is one of each provider', async () => {
    const { providers, fail } = setUp();
    await fail(new FailoverError('x', 'server-error'), 5);
    expect(providers.breakerOf('anthropic').state).toBe('open');
    expect(providers.breakerOf('openai').state).toBe('closed');
  });

  it('is told of while it fails', async () => {
    const { providers, fail } = setUp();
    expect(providers.breakers()).toEqual([]);
    await fail(new FailoverError('x', 'server-error'), 5);
    expect(providers.breakers()).toEqual([{ name: 'anthropic', state: 'open' }]);
  });
});

describe('the limit of a provider', () => {
  it('lets so many requests run at once as the settings say, each provider on its own', async () => {
    const { providers } = setUp();
    const limit = providers.limitOf('anthropic');
    const release = await limit.acquire(crypto.randomUUID(), never());
    await limit.acquire(crypto.randomUUID(), never());
    let isIn = false;
    const third = limit.acquire(crypto.randomUUID(), never()).then(() => (isIn = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect({ isIn, waiting: limit.waiting }).toEqual({ isIn: false, waiting: 1 });
    for (let count = 0; count < 3; count += 1)
      await providers.limitOf('openai').acquire(crypto.randomUUID(), never());
    expect(providers.limitOf('openai').waiting).toBe(0);
    release();
    await third;
    expect(isIn).toBe(true);
  });

  it('lets one person have half of them at most', async () => {
    const { providers } = setUp();
    const limit = providers.limitOf('anthropic');
    await limit.acquire('ann', never());
    void limit.acquire('ann', never());
    await limit.acquire('bob', never());
    expect(limit.waiting).toBe(1);
  });

  it('does not exist for the offline rules', async () => {
    const { providers } = setUp();
    for (let count = 0; count < 100; count += 1)
      await providers.limitOf('offline').acquire(crypto.randomUUID(), never());
    expect(providers.limitOf('offline').waiting).toBe(0);
  });
});

describe('the adapters', () => {
  it('are made once for each key and provider', async () => {
    const { providers } = setUp();
    const first = await providers.adapterFor('anthropic', 'sk-1');
    expect(await providers.adapterFor('anthropic', 'sk-1')).toBe(first);
    expect(await providers.adapterFor('anthropic', 'sk-2')).not.toBe(first);
    const other = await providers.adapterFor('openai', 'sk-1');
    expect([first, other].map(({ supportsModel }) => supportsModel('claude-opus-5-5'))).toEqual([
      true,
      false,
    ]);
  });

  it('are made once when two ask at the same time', async () => {
    const { providers } = setUp();
    const [one, two] = await Promise.all([
      providers.adapterFor('openai', 'sk-1'),
      providers.adapterFor('openai', 'sk-1'),
    ]);
    expect(one).toBe(two);
  });

  it('are forgotten when there were many keys since', async () => {
    const { providers } = setUp();
    const first = await providers.adapterFor('openai', 'sk-first');
    for (let count = 0; count < 60; count += 1) await providers.adapterFor('openai', `sk-${count}`);
    expect(await providers.adapterFor('openai', 'sk-59')).toBe(await providers.adapterFor('openai', 'sk-59'));
    expect(await providers.adapterFor('openai', 'sk-first')).not.toBe(first);
  });

  it('are the one of the rules for the offline model, whatever the key', async () => {
    const { providers, offlineAdapter } = setUp();
    expect(await providers.adapterFor('offline', '')).toBe(offlineAdapter);
  });

  it('ask the address of the settings in the language of the settings, with their key', async () => {
    const fake = await startFakeOpenAi();
    onTestFinished(fake.close);
    const { providers } = setUp(fake.url);
    const adapter = await providers.adapterFor('openai', 'sk-mine');
    expect((await hear(adapter, requestTo('openai', 'llama-3'))).text).toBe('ok');
    expect(fake.history[0]).toMatchObject({ path: '/v1/chat/completions', apiKey: 'sk-mine' });
  });
});
