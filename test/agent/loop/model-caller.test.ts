import { describe, expect, it } from 'vitest';
import { estimateTokens } from '#src/agent/tokens.ts';
import { FailoverError } from '#src/agent/errors.ts';
import type { CallListener, ModelCaller } from '#src/agent/loop/model-caller.ts';
import type { ModelAnswer, ModelCall } from '#src/agent/loop/model-request.ts';
import { toAnthropicRequest } from '#src/agent/providers/anthropic.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { StreamChunk } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import {
  calls,
  done,
  MODEL,
  modelOf,
  says,
  ScriptedProvider,
  SESSION,
  toolContext,
  usage,
  used,
} from '#test/agent/support.ts';
import { callerOn } from './caller-support.ts';
import { assistant, text, use, user } from './runner-support.ts';

const LOOKUP = { name: 'lookup', description: 'Looks things up', inputSchema: { type: 'object' } };

const callOf = (special: Partial<ModelCall> = {}): ModelCall => ({
  models: [MODEL],
  systemPrompt: 'Be brief.',
  messages: [user('go')],
  tools: [LOOKUP],
  toolChoice: 'auto',
  sessionKey: SESSION,
  channelId: toolContext.channelId,
  userId: toolContext.userId,
  failures: { left: 6 },
  ...special,
});

const listening = () => {
  const heard: (StreamChunk['type'] | 'attempt')[] = [];
  const listener: CallListener = {
    onAttempt: () => heard.push('attempt'),
    onChunk: ({ type }) => heard.push(type),
  };
  return { heard, listener };
};
const DEAF: CallListener = listening().listener;
const NEVER = new AbortController().signal;

const failing = (reason: ConstructorParameters<typeof FailoverError>[1], ...before: readonly StreamChunk[]) =>
  async function* (): AsyncGenerator<StreamChunk> {
    yield* before;
    throw new FailoverError(`it was ${reason}`, reason);
  };

const askWith = (ask: ModelCaller, special: Partial<ModelCall> = {}): Promise<ModelAnswer> =>
  ask(callOf(special), DEAF, NEVER);

describe('createModelCaller', () => {
  it('sends a temperature within the bounds of the provider, and none to a model that takes none', async () => {
    const warm = { ...MODEL.entry, capabilities: { ...MODEL.entry.capabilities, temperature: true } };
    const ofOpenAi = { ...MODEL, provider: 'openai', entry: { ...warm, provider: 'openai' } } as const;
    const provider = new ScriptedProvider(...[1, 2, 3].map(() => [...says('ok'), done()]));
    const { askModel } = callerOn(provider, { settings: { temperatureOf: () => 1.5 } });
    for (const model of [{ ...MODEL, entry: warm }, ofOpenAi, MODEL])
      await askWith(askModel, { models: [model] });
    expect(provider.requests.map(({ temperature }) => temperature)).toEqual([1, 1.5, undefined]);
    expect(provider.requests.map(toAnthropicRequest)).toMatchObject([{ temperature: 1 }, {}, {}]);
    expect(toAnthropicRequest(provider.requests[2] ?? expect.fail())).not.toHaveProperty('temperature');
  });

  it('gives the answer, with why it ended, what it used, and who gave it', async () => {
    const chunks = [...says('Let me.'), ...calls('c1', 'lookup', '{"of":"a"}'), used(3, 2), done('tool_use')];
    const { askModel } = callerOn(new ScriptedProvider(chunks));
    await expect(askWith(askModel)).resolves.toEqual({
      message: assistant(text('Let me.'), use('c1', 'lookup', { of: 'a' })),
      stopReason: 'tool_use',
      usage: usage(3, 2),
      model: MODEL,
    });
  });

  it('says when a request begins, and passes on what comes, as it comes', async () => {
    const { heard, listener } = listening();
    const provider = new ScriptedProvider(failing('server-error', ...says('half')), [
      ...says('whole'),
      done(),
    ]);
    const { askModel, clock } = callerOn(provider, { settings: { maxRetriesPerKey: 1 } });
    const answering = askModel(callOf(), listener, NEVER);
    await clock.advance(1_000);
    await answering;
    expect(heard).toEqual(['attempt', 'text_delta', 'attempt', 'text_delta', 'done']);
  });

  it('asks with the conversation, and with what the provider has to know about the model', async () => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    const model = modelOf('thinker', { thinking: 'adaptive' });
    await askWith(callerOn(provider).askModel, { models: [model], toolChoice: 'none' });
    expect(provider.requests).toMatchObject([
      {
        model: { provider: 'anthropic', model: 'thinker' },
        systemPrompt: 'Be brief.',
        messages: [user('go')],
        tools: [LOOKUP],
        toolChoice: 'none',
        cacheKey: SESSION,
        traits: {
          vision: true,
          extendedThinking: true,
          thinking: 'adaptive',
          pricing: { inputPerMillion: 1 },
        },
      },
    ]);
  });

  it('offers no tools to a model that cannot call any', async () => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    const capabilities = { ...MODEL.entry.capabilities, functionCalling: false };
    await askWith(callerOn(provider).askModel, { models: [modelOf('mute', { capabilities })] });
    expect(provider.requests[0]?.tools).toEqual([]);
  });

  it.each([
    ['the setting', 1_000, 100_000, 4_000, 1_000],
    ['what the model can', 8_192, 100_000, 4_000, 4_000],
    ['the room that is left in the window', 8_192, 1_000, 4_000, 982],
    ['a few words at least, even where no room is left', 8_192, 10, 4_000, 256],
  ])('limits the answer by %s', async (_what, maxOutputTokens, contextWindow, ofModel, expected) => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    const models = [modelOf('small', { contextWindow, maxOutputTokens: ofModel })];
    const { askModel } = callerOn(provider, { settings: { maxOutputTokens } });
    await askWith(askModel, {
      models,
      tools: [],
      systemPrompt: '123456789',
      messages: [user('x'.repeat(39))],
    });
    expect(provider.requests[0]?.maxTokens).toBe(expected);
  });

  it('learns from the usage how the model counts', async () => {
    const provider = new ScriptedProvider([...says('ok'), used(1_000, 1), done()]);
    const { askModel, estimator } = callerOn(provider);
    await askWith(askModel);
    expect(estimator.correct(MODEL.modelId, estimateTokens('x'.repeat(300)))).toBe(140);
    expect(estimator.correct('other', estimateTokens('x'.repeat(300)))).toBe(100);
  });

  it('asks each time with the key that may be used', async () => {
    const provider = new ScriptedProvider(failing('auth'), [...says('ok'), done()]);
    const { askModel, apiKeys } = callerOn(provider, { keyIds: ['key-1', 'key-2'] });
    await askWith(askModel);
    expect(apiKeys).toEqual(['anthropic: secret of key-1', 'anthropic: secret of key-2']);
  });

  it('asks a model that does not stream for the whole answer, and hears it all the same', async () => {
    const provider = new ScriptedProvider([
      ...says('Here.'),
      ...calls('c1', 'lookup', '{"of":"a"}'),
      used(3, 2),
      done('tool_use'),
    ]);
    const capabilities = { ...MODEL.entry.capabilities, streaming: false };
    const { askModel, booked } = callerOn(provider);
    const { heard, listener } = listening();
    const models = [modelOf('slow', { capabilities })];
    const answer = await askModel(callOf({ models }), listener, NEVER);
    expect(provider.wholeRequests).toBe(1);
    expect(answer).toMatchObject({
      message: assistant(text('Here.'), use('c1', 'lookup', { of: 'a' })),
      stopReason: 'tool_use',
    });
    expect(heard).toEqual([
      'attempt',
      'text_delta',
      'tool_use_start',
      'tool_input_delta',
      'tool_use_end',
      'usage',
      'done',
    ]);
    expect(booked.map(({ usage: { inputTokens } }) => inputTokens)).toEqual([3]);
  });

  it('streams from a model that streams', async () => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    await askWith(callerOn(provider).askModel);
    expect(provider.wholeRequests).toBe(0);
  });

  it.each([
    ['a stream without an end', says('half'), 'server-error'],
    ['an answer that says nothing', [done()], 'empty-answer'],
    ['a refusal', [...says('I will not'), done('refusal')], 'refusal'],
  ] satisfies readonly (readonly [string, readonly StreamChunk[], string])[])(
    'takes %s for a failure that another model may mend',
    async (_what, chunks, reason) => {
      const provider = new ScriptedProvider(chunks, [...says('ok'), done()]);
      const other = modelOf('other');
      const { askModel, payloads, records } = callerOn(provider);
      await expect(askWith(askModel, { models: [MODEL, other] })).resolves.toMatchObject({ model: other });
      expect(payloads('model:fallback')).toEqual([{ from: MODEL.modelId, to: 'other', reason }]);
      expect(records()).toMatchObject([
        {
          level: 'warn',
          message: expect.stringMatching(
            new RegExp(`^other answered after failures: ${MODEL.modelId}, key key-1, ${reason}, 0 ms: `),
          ) as string,
        },
      ]);
    },
  );

  it('does not ask a provider for a model that is not its own', async () => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    Object.assign(provider, { supportsModel: (id: string) => id !== MODEL.modelId });
    const other = modelOf('other');
    const { askModel, payloads } = callerOn(provider);
    await expect(askWith(askModel, { models: [MODEL, other] })).resolves.toMatchObject({ model: other });
    expect(provider.requests).toHaveLength(1);
    expect(payloads('model:fallback')).toMatchObject([{ reason: 'model-unavailable' }]);
  });

  it('does not try another model for a conversation that is too long', async () => {
    const provider = new ScriptedProvider([done('context_overflow')]);
    await expect(
      askWith(callerOn(provider).askModel, { models: [MODEL, modelOf('other')] }),
    ).rejects.toMatchObject({ fallbackReason: 'context-overflow' });
    expect(provider.requests).toHaveLength(1);
  });

  it('rejects with the reason of the abort, also when the answer was just whole', async () => {
    const controller = new AbortController();
    const reason = new RunAbortedError('stopped');
    const provider = new ScriptedProvider(async function* () {
      yield* says('All of it.');
      yield done();
      controller.abort(reason);
    });
    await expect(callerOn(provider).askModel(callOf(), DEAF, controller.signal)).rejects.toBe(reason);
  });

  it('fails with all failures when nobody answered', async () => {
    const provider = new ScriptedProvider(failing('auth'), failing('timeout'));
    const models = [MODEL, modelOf('other')];
    const { askModel, records } = callerOn(provider);
    await expect(askWith(askModel, { models })).rejects.toMatchObject({
      errors: [{ fallbackReason: 'auth' }, { fallbackReason: 'timeout' }],
    });
    expect(records()).toMatchObject([
      {
        level: 'error',
        message:
          'No model answered: scripted-1, key key-1, auth, 0 ms: it was auth | other, key key-1, timeout, 0 ms: it was timeout',
        sessionKey: SESSION,
      },
    ]);
  });

  it('does not go beyond the failures that the message has left, and counts them down', async () => {
    const provider = new ScriptedProvider(...Array.from({ length: 9 }, () => failing('timeout')));
    const models = ['a', 'b', 'c', 'd'].map((id) => modelOf(id));
    const failures = { left: 3 };
    await expect(askWith(callerOn(provider).askModel, { models, failures })).rejects.toThrow();
    expect(provider.requests).toHaveLength(3);
    expect(failures.left).toBe(0);
  });

  it('makes no more than six requests for one question, whatever may still fail', async () => {
    const provider = new ScriptedProvider(...Array.from({ length: 20 }, () => failing('timeout')));
    const models = Array.from({ length: 12 }, (_, index) => modelOf(`m${index}`));
    await expect(askWith(callerOn(provider).askModel, { models, failures: { left: 100 } })).rejects.toThrow();
    expect(provider.requests).toHaveLength(6);
  });
});

describe('createModelCaller over a limit', () => {
  it.each([
    ['user', 'user-budget'],
    ['all', 'total-budget'],
  ] as const)('asks nobody when the budget (%s) is spent, and says until when', async (scope, reason) => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    const asked: unknown[] = [];
    const { askModel, booked, clock } = callerOn(provider, {
      budget: {
        reserve: async ({ channelId, userId }) => {
          asked.push([channelId, userId]);
          return {
            verdict: 'exceeded',
            scope,
            limitUsd: new Decimal('1'),
            spentUsd: new Decimal('1.25'),
            resetsAt: clock.now().add({ hours: 3 }),
          };
        },
      },
    });
    await expect(askWith(askModel)).rejects.toMatchObject({
      name: 'NoAnswerError',
      reason,
      retryAfterMs: 3 * 3_600_000,
      message: expect.stringContaining('1.25 of 1 USD') as string,
    });
    expect(asked).toEqual([[toolContext.channelId, toolContext.userId]]);
    expect(provider.requests).toEqual([]);
    expect(booked).toEqual([]);
  });

  it('lets what is free of charge answer, also where the budget is spent', async () => {
    const { askModel } = callerOn(new ScriptedProvider([...says('ok'), done()]), {
      budget: { reserve: () => Promise.reject(new Error('asked')) },
    });
    const models = [modelOf('rules', { provider: 'offline' })];
    await expect(askWith(askModel, { models })).resolves.toMatchObject({ stopReason: 'end_turn' });
    await expect(askWith(askModel, { models: [MODEL, ...models] })).rejects.toThrow('asked');
  });

  it('has no more requests under way than the provider may have, and lets the next in when one ends', async () => {
    const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const provider = new ScriptedProvider(
      ...gates.map(
        ({ promise }) =>
          async function* (): AsyncGenerator<StreamChunk> {
            await promise;
            yield* says('ok');
            yield done();
          },
      ),
    );
    const { askModel, clock, limit } = callerOn(provider, { maxConcurrency: 2 });
    const answers = [askWith(askModel), askWith(askModel), askWith(askModel)];
    await clock.advance(0);
    expect(provider.requests).toHaveLength(2);
    expect(limit.waiting).toBe(1);
    gates[0]?.resolve();
    await clock.advance(0);
    expect(provider.requests).toHaveLength(3);
    for (const gate of gates) gate.resolve();
    await Promise.all(answers);
    expect(limit.waiting).toBe(0);
  });

  it.each([
    ['failed', failing('timeout')],
    [
      'was wrong',
      // oxlint-disable-next-line require-yield -- fails before its first chunk
      async function* (): AsyncGenerator<StreamChunk> {
        throw new TypeError('bug');
      },
    ],
  ])('gives the place of a request back that %s', async (_what, answer) => {
    const provider = new ScriptedProvider(answer, [...says('ok'), done()]);
    const { askModel } = callerOn(provider, { maxConcurrency: 1 });
    await expect(askWith(askModel)).rejects.toThrow();
    await expect(askWith(askModel)).resolves.toMatchObject({ stopReason: 'end_turn' });
  });

  it('does not ask, and books nothing, when the run is aborted while it waits for a place', async () => {
    const gate = Promise.withResolvers<void>();
    const provider = new ScriptedProvider(async function* () {
      await gate.promise;
      yield* says('ok');
      yield done();
    });
    const { askModel, clock, booked } = callerOn(provider, { maxConcurrency: 1 });
    const first = askWith(askModel);
    const controller = new AbortController();
    const second = askModel(callOf(), DEAF, controller.signal);
    const rejected = expect(second).rejects.toMatchObject({ kind: 'stopped' });
    await clock.advance(0);
    controller.abort(new RunAbortedError('stopped'));
    await rejected;
    gate.resolve();
    await first;
    expect(provider.requests).toHaveLength(1);
    expect(booked).toHaveLength(1);
  });
});
