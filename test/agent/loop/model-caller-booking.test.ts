import { describe, expect, it } from 'vitest';
import { FailoverError } from '#src/agent/errors.ts';
import type { ModelCall } from '#src/agent/loop/model-request.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { NO_USAGE, type StreamChunk } from '#src/kernel/agent/model.ts';
import type { UsageEntry } from '#src/agent/store/usage.ts';
import {
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
import { user } from './runner-support.ts';

/** Three bytes are a token: 99 of them are the question, and one is the prompt. */
const QUESTION_TOKENS = 100;

const callOf = (special: Partial<ModelCall> = {}): ModelCall => ({
  models: [MODEL],
  systemPrompt: 'sys',
  messages: [user('x'.repeat(3 * 99))],
  tools: [],
  toolChoice: 'auto',
  sessionKey: SESSION,
  channelId: toolContext.channelId,
  userId: toolContext.userId,
  failures: { left: 6 },
  ...special,
});

const NOBODY = { onAttempt: () => undefined, onChunk: () => undefined };
const NEVER = new AbortController().signal;

const failingAfter = (...chunks: readonly StreamChunk[]) =>
  async function* (): AsyncGenerator<StreamChunk> {
    yield* chunks;
    throw new FailoverError('overloaded', 'server-error');
  };

const costOf = ({ costUsd }: UsageEntry): string | undefined => costUsd?.toFixed();

/** What is booked of one request that fails in this way. */
const bookedOf = async (answer: readonly StreamChunk[] | (() => AsyncGenerator<StreamChunk>)) => {
  const { askModel, booked } = callerOn(new ScriptedProvider(answer));
  await askModel(callOf(), NOBODY, NEVER).catch(() => undefined);
  return booked;
};

describe('createModelCaller books', () => {
  it('an answer once, with who asked, by which key, and what it cost', async () => {
    const booked = await bookedOf([used(100, 1), ...says('ok'), used(100, 20), done()]);
    expect(booked).toEqual([
      {
        id: expect.any(String) as string,
        channelId: toolContext.channelId,
        userId: toolContext.userId,
        sessionKey: SESSION,
        provider: 'anthropic',
        model: MODEL.modelId,
        profileId: 'key-1',
        outcome: 'ok',
        usage: usage(100, 20),
        costUsd: expect.anything() as unknown,
        ids: {},
      },
    ]);
    // 100 + 1,000 read + 200 written at a dollar, and 20 at two, for a million.
    expect(booked.map(costOf)).toEqual(['0.00134']);
  });

  it('every request of a question by itself, each under an id of its own', async () => {
    const provider = new ScriptedProvider(failingAfter(used(50, 1), ...says('abc')), failingAfter(), [
      ...says('ok'),
      used(10, 2),
      done(),
    ]);
    const { askModel, booked } = callerOn(provider, { keyIds: ['key-1', 'key-2'] });
    await askModel(callOf({ models: [MODEL, modelOf('other')] }), NOBODY, NEVER);
    expect(booked.map(({ outcome, profileId, model }) => [outcome, profileId, model])).toEqual([
      ['failed', 'key-1', MODEL.modelId],
      ['failed', 'key-2', MODEL.modelId],
      ['ok', 'key-1', 'other'],
    ]);
    expect(new Set(booked.map(({ id }) => id)).size).toBe(3);
  });

  it('the question and the answer of a server that says nothing of its use', async () => {
    const booked = await bookedOf([...says('x'.repeat(30)), done()]);
    expect(booked).toMatchObject([
      { outcome: 'ok', usage: { inputTokens: QUESTION_TOKENS, outputTokens: 10 } },
    ]);
  });

  it('the question of a request that was sent and brought nothing', async () => {
    const booked = await bookedOf(failingAfter());
    expect(booked).toMatchObject([
      { outcome: 'failed', usage: { ...NO_USAGE, inputTokens: QUESTION_TOKENS } },
    ]);
  });

  it.each([
    ['turned away with a status', { status: 529 }],
    ['never sent, for nobody could be reached', { cause: { code: 'ECONNREFUSED', syscall: 'connect' } }],
    ['never sent, for nobody has that name', { cause: { code: 'ENOTFOUND', syscall: 'getaddrinfo' } }],
  ])('nothing for a request that was %s', async (_what, cause) => {
    const booked = await bookedOf(async function* () {
      yield* [];
      throw new FailoverError('overloaded', 'server-error', { cause });
    });
    expect(booked).toMatchObject([{ outcome: 'failed', usage: NO_USAGE }]);
    expect(booked.map(costOf)).toEqual(['0']);
  });

  it('the question where the connection broke after it was sent', async () => {
    const booked = await bookedOf(async function* () {
      yield* [];
      const cause = { code: 'ECONNRESET', syscall: 'read' };
      throw new FailoverError('the connection broke', 'server-error', { cause });
    });
    expect(booked).toMatchObject([{ usage: { inputTokens: QUESTION_TOKENS } }]);
  });

  it('a stream that broke before any report by an estimate of the question and of what came', async () => {
    const booked = await bookedOf(
      failingAfter(
        { type: 'thinking_delta', text: 'x'.repeat(30) },
        ...says('y'.repeat(30)),
        { type: 'tool_use_start', id: 'c1', name: 'lookup' },
        { type: 'tool_input_delta', id: 'c1', delta: 'z'.repeat(31) },
      ),
    );
    expect(booked).toMatchObject([
      { outcome: 'failed', usage: { ...NO_USAGE, inputTokens: QUESTION_TOKENS, outputTokens: 31 } },
    ]);
    expect(booked.map(costOf)).toEqual(['0.000162']);
  });

  it('a stream that broke after a report by the report, and by what came where that is more', async () => {
    const more = await bookedOf(failingAfter(used(70, 1), ...says('y'.repeat(90))));
    expect(more).toMatchObject([{ usage: { ...usage(70, 1), outputTokens: 30 } }]);
    const less = await bookedOf(failingAfter(used(70, 50), ...says('y'.repeat(90))));
    expect(less).toMatchObject([{ usage: usage(70, 50) }]);
  });

  it('a question that was read wholly from the cache without counting it a second time', async () => {
    const report: StreamChunk = { type: 'usage', usage: { ...NO_USAGE, cacheReadTokens: 400 } };
    expect(await bookedOf(failingAfter(report, ...says('abc')))).toMatchObject([
      { usage: { inputTokens: 0, cacheReadTokens: 400, outputTokens: 1 } },
    ]);
  });

  it.each([
    ['a stream without an end', says('abc'), { inputTokens: QUESTION_TOKENS, outputTokens: 1 }],
    ['a refusal', [...says('no'), used(9, 4), done('refusal')], { inputTokens: 9, outputTokens: 4 }],
    ['an empty answer', [used(9, 4), done()], { inputTokens: 9, outputTokens: 4 }],
  ] as const)('%s as failed, with what it used', async (_what, chunks, expected) => {
    expect(await bookedOf(chunks)).toMatchObject([{ outcome: 'failed', usage: expected }]);
  });

  it('the question of an answer that was stopped before its first word', async () => {
    const controller = new AbortController();
    const provider = new ScriptedProvider(async function* () {
      yield* [];
      controller.abort(new RunAbortedError('stopped'));
    });
    const { askModel, booked } = callerOn(provider);
    await expect(askModel(callOf(), NOBODY, controller.signal)).rejects.toMatchObject({ kind: 'stopped' });
    expect(booked).toMatchObject([
      { outcome: 'ok', usage: { inputTokens: QUESTION_TOKENS, outputTokens: 0 } },
    ]);
  });

  it.each([
    ['before any report', [], { inputTokens: QUESTION_TOKENS, outputTokens: 3 }],
    ['after a report', [used(70, 1)], { inputTokens: 70, outputTokens: 3 }],
  ] as const)(
    'an answer that the person stopped %s once, and not as failed',
    async (_what, first, expected) => {
      const controller = new AbortController();
      const provider = new ScriptedProvider(async function* () {
        yield* first;
        yield* says('123456789');
        controller.abort(new RunAbortedError('stopped'));
      });
      const { askModel, booked } = callerOn(provider);
      await expect(askModel(callOf(), NOBODY, controller.signal)).rejects.toMatchObject({ kind: 'stopped' });
      expect(booked).toMatchObject([{ outcome: 'ok', usage: expected }]);
    },
  );

  it('once a provider that does not hear the stop and goes on', async () => {
    const controller = new AbortController();
    const later = Promise.withResolvers<void>();
    const provider = new ScriptedProvider(async function* () {
      yield* says('123');
      await later.promise;
      yield* says('456');
      yield used(500, 500);
      yield done();
    });
    const { askModel, booked, clock } = callerOn(provider);
    const rejected = expect(askModel(callOf(), NOBODY, controller.signal)).rejects.toMatchObject({
      kind: 'timeout',
    });
    await clock.advance(0);
    controller.abort(new RunAbortedError('timeout'));
    await clock.advance(0);
    await rejected;
    later.resolve();
    await clock.advance(0);
    expect(booked).toMatchObject([{ usage: { inputTokens: QUESTION_TOKENS, outputTokens: 1 } }]);
  });

  it('a model without a known price without a cost, and not as free', async () => {
    const provider = new ScriptedProvider([...says('ok'), used(3, 2), done()]);
    const { askModel, booked } = callerOn(provider);
    await askModel(callOf({ models: [modelOf('unpriced', { pricing: null })] }), NOBODY, NEVER);
    expect(booked).toMatchObject([{ costUsd: null, usage: usage(3, 2) }]);
  });

  it('nothing of the offline model', async () => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    const { askModel, booked } = callerOn(provider);
    await askModel(callOf({ models: [modelOf('rules', { provider: 'offline' })] }), NOBODY, NEVER);
    expect(booked).toEqual([]);
  });

  it('nothing of a request that was stopped before it could be sent, and gives its reservation back', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const provider = new ScriptedProvider(async function* () {
      await held;
      yield* [...says('ok'), done()];
    });
    const { askModel, booked, reserved, canceled, clock } = callerOn(provider, { maxConcurrency: 1 });
    const first = askModel(callOf(), NOBODY, NEVER);
    const controller = new AbortController();
    const second = expect(askModel(callOf(), NOBODY, controller.signal)).rejects.toMatchObject({
      kind: 'stopped',
    });
    await clock.advance(0);
    controller.abort(new RunAbortedError('stopped'));
    await second;
    release();
    await first;
    expect([reserved.length, canceled(), booked.length]).toEqual([2, 1, 1]);
  });
});

describe('createModelCaller reserves', () => {
  /** The price of a million: a dollar in, two out. */
  it('for every request its whole answer, and a token for every byte that it sends', async () => {
    const provider = new ScriptedProvider(failingAfter(), [...says('ok'), used(10, 2), done()]);
    const { askModel, reserved } = callerOn(provider, { keyIds: ['key-1', 'key-2'] });
    await askModel(callOf(), NOBODY, NEVER);
    expect(reserved.map(({ profileId }) => profileId)).toEqual(['key-1', 'key-2']);
    const [first] = reserved;
    expect(first).toMatchObject({ inputTokens: QUESTION_TOKENS });
    expect(first?.inputUsd?.toFixed()).toBe('0.0001');
    const mostOutput = Math.min(8_192, MODEL.entry.maxOutputTokens);
    expect(first?.mostUsd.times(1_000_000).toNumber()).toBe(300 + 2 * mostOutput);
  });

  it('what writing the input into the cache costs, where that is dearer', async () => {
    const pricing = { inputPerMillion: 1, outputPerMillion: 0, cacheWritePerMillion: 5 };
    const { askModel, reserved } = callerOn(new ScriptedProvider([...says('ok'), used(1, 1), done()]));
    await askModel(callOf({ models: [modelOf('caching', { pricing })] }), NOBODY, NEVER);
    expect(reserved[0]?.mostUsd.times(1_000_000).toNumber()).toBe(1_500);
  });

  it('nothing for a model whose price is not known, and nothing for what is free', async () => {
    const { askModel, reserved } = callerOn(
      new ScriptedProvider([...says('ok'), done()], [...says('ok'), done()]),
    );
    await askModel(callOf({ models: [modelOf('unpriced', { pricing: null })] }), NOBODY, NEVER);
    await askModel(callOf({ models: [modelOf('rules', { provider: 'offline' })] }), NOBODY, NEVER);
    expect(reserved).toMatchObject([{ model: 'unpriced', inputUsd: null }]);
    expect(reserved[0]?.mostUsd.isZero()).toBe(true);
  });
});
