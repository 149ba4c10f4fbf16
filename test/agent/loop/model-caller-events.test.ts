import { describe, expect, it } from 'vitest';
import { FailoverError } from '#src/agent/errors.ts';
import type { ModelCall } from '#src/agent/loop/model-request.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { NO_USAGE, type StreamChunk } from '#src/kernel/agent/model.ts';
import {
  done,
  MODEL,
  modelOf,
  says,
  ScriptedProvider,
  SESSION,
  toolContext,
  used,
} from '#test/agent/support.ts';
import { callerOn } from './caller-support.ts';
import { user } from './runner-support.ts';

const callOf = (special: Partial<ModelCall> = {}): ModelCall => ({
  models: [MODEL],
  systemPrompt: 'sys',
  messages: [user('Hello')],
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

const failing = async function* (): AsyncGenerator<StreamChunk> {
  yield used(50, 1);
  throw new FailoverError('overloaded', 'server-error');
};

describe('a request to a model is reported', () => {
  it('once, with how long it took, what it used and what it cost', async () => {
    const later = Promise.withResolvers<void>();
    const provider = new ScriptedProvider(async function* () {
      yield* says('ok');
      await later.promise;
      yield used(100, 20);
      yield done();
    });
    const { askModel, payloads, clock } = callerOn(provider);
    const asked = askModel(callOf(), NOBODY, NEVER);
    await clock.advance(1_500);
    expect(payloads('model:request')).toEqual([]);
    later.resolve();
    await asked;
    expect(payloads('model:request')).toEqual([
      {
        provider: 'anthropic',
        model: MODEL.modelId,
        outcome: 'ok',
        durationMs: 1_500,
        inputTokens: 100,
        outputTokens: 20,
        cacheReadTokens: 1_000,
        cacheWriteTokens: 200,
        costUsd: 0.00134,
        stopReason: 'end_turn',
      },
    ]);
  });

  it('every time one is made: failed ones, on every key and every model', async () => {
    const provider = new ScriptedProvider(failing, failing, [...says('ok'), used(10, 2), done()]);
    const { askModel, payloads, booked } = callerOn(provider, { keyIds: ['key-1', 'key-2'] });
    await askModel(callOf({ models: [MODEL, modelOf('other')] }), NOBODY, NEVER);
    const requests = payloads('model:request');
    expect(requests.map(({ outcome, model }) => [outcome, model])).toEqual([
      ['failed', MODEL.modelId],
      ['failed', MODEL.modelId],
      ['ok', 'other'],
    ]);
    expect(requests.map(({ inputTokens }) => inputTokens)).toEqual(
      booked.map(({ usage }) => usage.inputTokens),
    );
  });

  it('once when no model answered at all', async () => {
    const { askModel, payloads } = callerOn(new ScriptedProvider(failing));
    await expect(askModel(callOf(), NOBODY, NEVER)).rejects.toThrow('No model answered');
    expect(payloads('model:request')).toMatchObject([{ outcome: 'failed', inputTokens: 50 }]);
  });

  it('as aborted when the person stops it, with what had come by then', async () => {
    const controller = new AbortController();
    const provider = new ScriptedProvider(async function* () {
      yield used(70, 1);
      yield* says('123456789');
      controller.abort(new RunAbortedError('stopped'));
    });
    const { askModel, payloads } = callerOn(provider);
    await expect(askModel(callOf(), NOBODY, controller.signal)).rejects.toMatchObject({ kind: 'stopped' });
    expect(payloads('model:request')).toMatchObject([
      { outcome: 'aborted', inputTokens: 70, outputTokens: 3 },
    ]);
  });

  it('not at all when it was stopped while it still waited for its place', async () => {
    const controller = new AbortController();
    const { askModel, payloads, limit, clock } = callerOn(new ScriptedProvider([...says('ok'), done()]), {
      maxConcurrency: 1,
    });
    const release = await limit.acquire('ann', NEVER);
    const rejected = expect(askModel(callOf(), NOBODY, controller.signal)).rejects.toMatchObject({
      kind: 'stopped',
    });
    await clock.advance(0);
    controller.abort(new RunAbortedError('stopped'));
    await rejected;
    release();
    expect(payloads('model:request')).toEqual([]);
  });

  it('without a cost where the price is not known', async () => {
    const { askModel, payloads } = callerOn(new ScriptedProvider([...says('ok'), used(3, 2), done()]));
    await askModel(callOf({ models: [modelOf('unpriced', { pricing: null })] }), NOBODY, NEVER);
    expect(payloads('model:request')).toHaveLength(1);
    expect(payloads('model:request')[0]).not.toHaveProperty('costUsd');
  });

  it('also where nothing is booked: of the offline model', async () => {
    const offline = callerOn(new ScriptedProvider([...says('ok'), done()]));
    await offline.askModel(callOf({ models: [modelOf('rules', { provider: 'offline' })] }), NOBODY, NEVER);
    expect(offline.payloads('model:request')).toMatchObject([
      { provider: 'offline', model: 'rules', outcome: 'ok', ...NO_USAGE },
    ]);
  });
});
