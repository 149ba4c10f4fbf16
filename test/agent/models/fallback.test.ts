import { describe, expect, it } from 'vitest';
import type { FallbackReason } from '#src/agent/errors.ts';
import { DEFAULT_FALLBACK_ON, ModelsExhaustedError } from '#src/agent/models/fallback.ts';
import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import { failed, GPT, HAIKU, model, OPUS, setUp } from './fallback-support.ts';

const times = (count: number, error: Error): readonly Error[] => Array.from({ length: count }, () => error);

describe('the order of tries', () => {
  it('is one request where the first model answers', async () => {
    const { run, order, reports } = setUp();
    const { result } = await run('Hello');
    expect(result).toMatchObject({ result: 'Hello' });
    expect(order()).toEqual(['opus/a1']);
    expect(reports).toEqual(['a1 ok']);
  });

  it.each(['rate-limit', 'server-error', 'timeout'] satisfies readonly FallbackReason[])(
    'is the same key, the next key, the next model for %s',
    async (reason) => {
      const { run, order } = setUp({ models: [OPUS, GPT], maxRetriesPerKey: 1 });
      const { result } = await run(...times(4, failed(reason)), 'finally');
      expect(order()).toEqual(['opus/a1', 'opus/a1', 'opus/a2', 'opus/a2', 'gpt/o1']);
      expect(result).toMatchObject({ result: 'finally' });
    },
  );

  it.each(['auth', 'billing'] satisfies readonly FallbackReason[])(
    'is straight to the next key for %s',
    async (reason) => {
      const { run, order, waits } = setUp();
      await run(failed(reason));
      expect(order()).toEqual(['opus/a1', 'opus/a2']);
      expect(waits()).toEqual([0]);
    },
  );

  it('is the next model when no key is left', async () => {
    const { run, order } = setUp({ models: [OPUS, GPT] });
    await run(failed('auth'), failed('auth'));
    expect(order()).toEqual(['opus/a1', 'opus/a2', 'gpt/o1']);
  });

  it('is the next model with the same key where that key is at its limit for the first model', async () => {
    const { run, order, waits, reports, reportedModels } = setUp({ keys: { anthropic: ['a1'] } });
    const { result } = await run(failed('rate-limit', 3_600_000), 'from the other model');
    expect(result).toMatchObject({ result: 'from the other model' });
    expect(order()).toEqual(['opus/a1', 'haiku/a1']);
    expect(waits()).toEqual([0]);
    expect(reports).toEqual(['a1 rate-limit 3600000', 'a1 ok']);
    expect(reportedModels).toEqual(['opus', 'haiku']);
    // The next question knows of it: the key is asked for with the model that it is for.
    await run();
    expect(order().slice(2)).toEqual(['haiku/a1']);
  });

  it.each(['auth', 'billing'] satisfies readonly FallbackReason[])(
    'leads past every model of a provider whose only key rests as a whole after %s',
    async (reason) => {
      const { run, order } = setUp({
        models: [OPUS, HAIKU, GPT],
        keys: { anthropic: ['a1'], openai: ['o1'] },
      });
      await run(failed(reason));
      expect(order()).toEqual(['opus/a1', 'gpt/o1']);
    },
  );

  it('is straight to the next model, with the same key, for a model that does not exist', async () => {
    const { run, order, waits } = setUp();
    await run(failed('model-unavailable'));
    expect(order()).toEqual(['opus/a1', 'haiku/a1']);
    expect(waits()).toEqual([0]);
  });

  it('is once more and then the next model for an empty answer: another key would not help', async () => {
    const { run, order } = setUp({ maxRetriesPerKey: 1 });
    await run(failed('empty-answer'), failed('empty-answer'));
    expect(order()).toEqual(['opus/a1', 'opus/a1', 'haiku/a1']);
  });

  it('passes over a model whose provider has no key', async () => {
    const { run, order, recorded } = setUp({ models: [GPT, OPUS], keys: { anthropic: ['a1'] } });
    const { result } = await run();
    expect(order()).toEqual(['opus/a1']);
    expect(result?.attempts[0]).toMatchObject({ modelId: 'gpt', reason: 'skipped', success: false });
    expect(recorded.payloads('model:fallback')).toEqual([{ from: 'gpt', to: 'opus', reason: 'skipped' }]);
  });

  it('asks the offline model without a key, once, and reports nothing about it', async () => {
    const { run, order, reports } = setUp({ models: [model('offline', 'offline')], keys: {} });
    expect((await run()).result).toMatchObject({ result: 'ok' });
    expect(order()).toEqual(['offline/offline']);
    expect(reports).toEqual([]);
  });
});

describe('a refusal', () => {
  it('is put to one other model, and to no third', async () => {
    const { run, order } = setUp({ models: [OPUS, HAIKU, GPT] });
    const { error } = await run(failed('refusal'), failed('refusal'));
    expect(order()).toEqual(['opus/a1', 'haiku/a1']);
    expect(error).toBeInstanceOf(AggregateError);
  });

  it('counts once also when another failure lies between', async () => {
    const { run, order } = setUp({ models: [OPUS, HAIKU, GPT, model('last', 'openai')] });
    await run(failed('refusal'), failed('model-unavailable'), failed('refusal'));
    expect(order()).toEqual(['opus/a1', 'haiku/a1', 'gpt/o1']);
  });
});

describe('a conversation that is too long', () => {
  const chain = [
    model('mid', 'anthropic', 200),
    model('small', 'openai', 100),
    model('large', 'openai', 1_000),
  ];

  it('is no matter for another model unless asked for', async () => {
    const { run, order } = setUp({ models: chain });
    const error = failed('context-overflow');
    expect((await run(error)).error).toBe(error);
    expect(order()).toHaveLength(1);
  });

  it('is put only to models with a larger window where asked for', async () => {
    const { run, order } = setUp({ models: chain, fallbackOn: [...DEFAULT_FALLBACK_ON, 'context-overflow'] });
    await run(failed('context-overflow'));
    expect(order()).toEqual(['mid/a1', 'large/o1']);
  });

  it('is given up where no window is larger', async () => {
    const fallbackOn = [...DEFAULT_FALLBACK_ON, 'context-overflow' as const];
    const { run, order } = setUp({ models: chain.toReversed(), fallbackOn });
    expect((await run(failed('context-overflow'))).error).toBeInstanceOf(AggregateError);
    expect(order()).toEqual(['large/o1']);
  });
});

describe('what no other try can mend', () => {
  it.each<readonly [string, Error]>([
    ['a refused request', new FinClawError('bad', 'PROVIDER_REFUSED', { statusCode: 400 })],
    ['a bug', new TypeError('undefined is not a function')],
  ])('%s is thrown as it is, at once', async (_what, error) => {
    const { run, order, reports, recorded } = setUp();
    expect((await run(error)).error).toBe(error);
    expect(order()).toEqual(['opus/a1']);
    expect(reports).toEqual([]);
    expect(recorded.names()).toEqual([]);
  });

  it('a reason that the settings leave out is thrown as it is', async () => {
    const { run } = setUp({ fallbackOn: ['rate-limit'] });
    const error = failed('server-error');
    expect((await run(error)).error).toBe(error);
  });
});

describe('an abort', () => {
  const reason = new RunAbortedError('stopped');

  it('while it waits ends with its reason, at once', async () => {
    const { start, controller, clock, asked } = setUp({ random: () => 1 });
    const outcome = start(failed('rate-limit', 15_000)).catch((error: unknown) => error);
    await clock.advance(5_000);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect(asked).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it.each<readonly [string, Error]>([
    ['a server error', failed('server-error')],
    ['a refused key', failed('auth')],
    ['a bug', new TypeError('x')],
  ])('during a request ends with its reason, though the request made %s of it', async (_what, made) => {
    const { run, controller, asked, reports } = setUp();
    const { error } = await run(async () => {
      controller.abort(reason);
      throw made;
    });
    expect(error).toBe(reason);
    expect(asked).toHaveLength(1);
    expect(reports).toEqual([]);
  });

  it('while it waits for resting keys ends with its reason', async () => {
    const { start, controller, clock, asked } = setUp({ restsUntilMs: 10_000 });
    const outcome = start().catch((error: unknown) => error);
    await clock.advance(1_000);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect(asked).toEqual([]);
  });
});

describe('what is told', () => {
  it('records every try with its reason and how long it took', async () => {
    const { run, clock } = setUp({ models: [OPUS, HAIKU], maxRetriesPerKey: 0 });
    const slow = async (): Promise<string> => {
      await new Promise<void>((resolve) => void clock.after(700, resolve));
      throw failed('auth');
    };
    const { result } = await run(slow, failed('model-unavailable'), 'fine');
    expect(result?.attempts).toMatchObject([
      { modelId: 'opus', keyId: 'a1', success: false, reason: 'auth', durationMs: 700 },
      { modelId: 'opus', keyId: 'a2', success: false, reason: 'model-unavailable', durationMs: 0 },
      { modelId: 'haiku', success: true },
    ]);
    expect(result?.attempts[2]).not.toHaveProperty('reason');
    expect(result?.attempts[0]?.error).toMatchObject({ fallbackReason: 'auth' });
  });

  it('says from which model to which it went, and why', async () => {
    const { run, recorded } = setUp({ models: [OPUS, HAIKU, GPT] });
    await run(failed('model-unavailable'), failed('refusal'));
    expect(recorded.payloads('model:fallback')).toEqual([
      { from: 'opus', to: 'haiku', reason: 'model-unavailable' },
      { from: 'haiku', to: 'gpt', reason: 'refusal' },
    ]);
    expect(recorded.payloads('model:exhausted')).toEqual([]);
  });

  it('throws all errors together, and says so once, when nothing is left', async () => {
    const { run, recorded } = setUp();
    const errors = [failed('model-unavailable'), failed('refusal')];
    const { error } = await run(...errors);
    expect(error).toBeInstanceOf(AggregateError);
    expect(error).toMatchObject({ errors, message: 'No model answered (2 tried): it was refusal' });
    expect(recorded.payloads('model:exhausted')).toEqual([
      { models: ['opus', 'haiku'], lastError: 'it was refusal' },
    ]);
  });

  it('throws every try with it when nothing is left: also those that sent nothing', async () => {
    const { run } = setUp({ models: [GPT, OPUS], keys: { anthropic: ['a1'] } });
    const { error } = await run(failed('auth'));
    expect(error).toBeInstanceOf(ModelsExhaustedError);
    expect(error).toMatchObject({
      name: 'ModelsExhaustedError',
      attempts: [
        { modelId: 'gpt', keyId: '', success: false, reason: 'skipped', error: { code: 'NO_API_KEY' } },
        { modelId: 'opus', keyId: 'a1', success: false, reason: 'auth', durationMs: 0 },
      ],
      errors: [{ code: 'NO_API_KEY' }, { fallbackReason: 'auth' }],
    });
  });

  it('says that there is no model where the chain is empty', async () => {
    const { error } = await setUp({ models: [] }).run();
    expect(error).toMatchObject({ errors: [], message: expect.stringContaining('there is no model to ask') });
  });
});
