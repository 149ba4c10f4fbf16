import { describe, expect, it } from 'vitest';
import { RunAbortedError } from '#src/core/errors.ts';
import { calls, done, says, ScriptedProvider, testTool } from '#test/agent/support.ts';
import { assistant, result, runnerOn, text, use, user } from './runner-support.ts';

describe('Runner, when it is interrupted', () => {
  it('asks nothing when it was aborted before it began', async () => {
    const provider = new ScriptedProvider([...says('late'), done()]);
    const { run, controller } = runnerOn({ provider });
    const reason = new RunAbortedError('stopped');
    controller.abort(reason);
    await expect(run([user('go')])).rejects.toBe(reason);
    expect(provider.requests).toEqual([]);
  });

  it('rejects with the reason when it is aborted during the answer, and stores nothing of it', async () => {
    const reason = new RunAbortedError('stopped');
    const controllerBox: { abort?: () => void } = {};
    const provider = new ScriptedProvider(async function* (_request, signal) {
      yield { type: 'text_delta', text: 'half' };
      controllerBox.abort?.();
      // As adapters promise: on abort the stream just ends.
      if (!signal.aborted) yield done();
    });
    const { run, controller, appended } = runnerOn({ provider });
    controllerBox.abort = () => controller.abort(reason);
    await expect(run([user('go')])).rejects.toBe(reason);
    expect(appended).toEqual([]);
  });

  it('rejects with the reason even when the whole answer came in spite of the abort', async () => {
    const reason = new RunAbortedError('stopped');
    const controllerBox: { abort?: () => void } = {};
    const provider = new ScriptedProvider(async function* () {
      yield { type: 'text_delta', text: 'all of it' };
      controllerBox.abort?.();
      yield done();
    });
    const { run, controller, appended } = runnerOn({ provider });
    controllerBox.abort = () => controller.abort(reason);
    await expect(run([user('go')])).rejects.toBe(reason);
    expect(appended).toEqual([]);
  });

  it('rejects with the reason also when the provider answers the abort with an error of its own', async () => {
    const reason = new RunAbortedError('shutdown');
    const controllerBox: { abort?: () => void } = {};
    const provider = new ScriptedProvider(async function* (_request, signal) {
      yield { type: 'text_delta', text: 'half' };
      controllerBox.abort?.();
      if (signal.aborted) throw new DOMException('This operation was aborted', 'AbortError');
    });
    const { run, controller, appended } = runnerOn({ provider });
    controllerBox.abort = () => controller.abort(reason);
    await expect(run([user('go')])).rejects.toBe(reason);
    expect(appended).toEqual([]);
  });

  it('does not wait for a provider that does not hear the abort', async () => {
    const reason = new RunAbortedError('stopped');
    const asked = Promise.withResolvers<void>();
    const provider = new ScriptedProvider(async function* () {
      yield { type: 'text_delta', text: 'half' };
      asked.resolve();
      await new Promise(() => undefined);
    });
    const { run, controller, appended } = runnerOn({ provider });
    const rejected = expect(run([user('go')])).rejects.toBe(reason);
    await asked.promise;
    controller.abort(reason);
    await rejected;
    expect(appended).toEqual([]);
  });

  it('rejects with the reason when it is aborted while a tool runs, and asks no more', async () => {
    const started = Promise.withResolvers<void>();
    const deaf = testTool('deaf', () => {
      started.resolve();
      return new Promise(() => undefined);
    });
    const provider = new ScriptedProvider([...calls('c1', 'deaf', '{}'), done('tool_use')]);
    const { run, controller, clock, appended } = runnerOn({ provider, tools: [deaf] });
    const reason = new RunAbortedError('stopped');
    const rejected = expect(run([user('go')])).rejects.toBe(reason);
    await started.promise;
    controller.abort(reason);
    await clock.advance(0);
    await rejected;
    expect(appended).toEqual([assistant(use('c1', 'deaf'))]);
    expect(provider.requests).toHaveLength(1);
  });

  it('runs a tool only after the call is stored, and asks again only after the result is', async () => {
    const order: string[] = [];
    const steps: PromiseWithResolvers<void>[] = [];
    const lookup = testTool('lookup', async () => {
      order.push('tool');
      return { content: 'x', isError: false };
    });
    const provider = new ScriptedProvider(
      [...calls('c1', 'lookup', '{}'), done('tool_use')],
      [...says('ok'), done()],
    );
    const { run, clock } = runnerOn({
      provider,
      tools: [lookup],
      append: async (message) => {
        order.push(`storing ${message.role}`);
        const step = Promise.withResolvers<void>();
        steps.push(step);
        await step.promise;
        order.push(`stored ${message.role}`);
      },
    });
    const running = run([user('go')]);
    await clock.advance(0);
    expect(order).toEqual(['storing assistant']);
    steps[0]?.resolve();
    await clock.advance(0);
    expect(order.slice(1)).toEqual(['stored assistant', 'tool', 'storing tool']);
    expect(provider.requests).toHaveLength(1);
    steps[1]?.resolve();
    await clock.advance(0);
    expect(provider.requests).toHaveLength(2);
    steps[2]?.resolve();
    await expect(running).resolves.toMatchObject({ status: 'completed' });
  });

  it('ends when a message cannot be stored, without running the tool', async () => {
    let runs = 0;
    const lookup = testTool('lookup', async () => {
      runs += 1;
      return { content: 'x', isError: false };
    });
    const provider = new ScriptedProvider([...calls('c1', 'lookup', '{}'), done('tool_use')]);
    const { run } = runnerOn({
      provider,
      tools: [lookup],
      append: () => Promise.reject(new Error('disk full')),
    });
    await expect(run([user('go')])).rejects.toThrow('disk full');
    expect(runs).toBe(0);
  });

  describe('taking up a conversation that was cut', () => {
    const asked = [user('Apple?'), assistant(use('c1', 'lookup', { of: 'AAPL' }))];
    const toldOf = [...asked, { role: 'tool' as const, content: [result('c1', 'stored result')] }];

    it('runs the tool call at its end and goes on', async () => {
      const provider = new ScriptedProvider([...says('It is 304.'), done()]);
      const { run, appended } = runnerOn({ provider, tools: [testTool('lookup')] });
      await run(asked);
      expect(appended).toEqual([
        { role: 'tool', content: [result('c1', 'lookup(AAPL)')] },
        assistant(text('It is 304.')),
      ]);
    });

    it('asks the model when the result is there, without running the tool again', async () => {
      let runs = 0;
      const lookup = testTool('lookup', async () => {
        runs += 1;
        return { content: 'again', isError: false };
      });
      const provider = new ScriptedProvider([...says('It is 304.'), done()]);
      const { run, appended } = runnerOn({ provider, tools: [lookup] });
      await run(toldOf);
      expect(runs).toBe(0);
      expect(provider.requests[0]?.messages).toEqual(toldOf);
      expect(appended).toEqual([assistant(text('It is 304.'))]);
    });

    it('is done at once when the answer is there', async () => {
      const provider = new ScriptedProvider();
      const { run, appended } = runnerOn({ provider });
      const history = [...toldOf, assistant(text('It is 304.'))];
      await expect(run(history)).resolves.toEqual({
        status: 'completed',
        messages: history,
        turns: 0,
        usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      });
      expect(provider.requests).toEqual([]);
      expect(appended).toEqual([]);
    });

    it('does not change the conversation it was given', async () => {
      const history = [user('hi')];
      const { run } = runnerOn({ provider: new ScriptedProvider([...says('hello'), done()]) });
      await run(history);
      expect(history).toEqual([user('hi')]);
    });
  });
});
