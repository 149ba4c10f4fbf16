import { describe, expect, it } from 'vitest';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { StreamChunk } from '#src/kernel/agent/model.ts';
import { calls, done, MODEL, modelOf, says, ScriptedProvider, testTool } from '#test/agent/support.ts';
import {
  assistant,
  expectOneDone,
  interruptedResult,
  note,
  notRunResult,
  result,
  results,
  runnerOn,
  statesOf,
  text,
  use,
  user,
} from './runner-support.ts';

/** A run whose model says `half`, and then what `after` does when the run was aborted in its middle. */
const abortedInside = (reason: RunAbortedError, after: (signal: AbortSignal) => readonly StreamChunk[]) => {
  const provider = new ScriptedProvider(async function* (_request, signal) {
    yield { type: 'text_delta', text: 'half' };
    world.controller.abort(reason);
    yield* after(signal);
  });
  const world = runnerOn({ provider });
  return world;
};

describe('Runner, when it is interrupted', () => {
  it('asks nothing when it was aborted before it began', async () => {
    const provider = new ScriptedProvider([...says('late'), done()]);
    const { run, controller, appended, shown } = runnerOn({ provider });
    const reason = new RunAbortedError('stopped');
    controller.abort(reason);
    await expect(run([user('go')])).resolves.toMatchObject({ status: 'aborted', error: reason });
    expect(provider.requests).toEqual([]);
    expect(appended).toEqual([note('[No answer: the user stopped it.]')]);
    expect(statesOf(shown)).toEqual(['done']);
    expectOneDone(shown);
  });

  it.each([
    ['ends as adapters promise', () => []],
    ['gives the whole answer in spite of it', () => [...says(' and more'), done()]],
    [
      'answers with an error of its own',
      () => {
        throw new DOMException('This operation was aborted', 'AbortError');
      },
    ],
  ])('keeps the words up to the stop when the provider then %s', async (_what, after) => {
    const reason = new RunAbortedError('stopped');
    const { run, appended, shown } = abortedInside(reason, after);
    const finished = await run([user('go')]);
    expect(finished.status).toBe('aborted');
    expect(finished.error).toBe(reason);
    expect(appended).toEqual([note('half\n\n[Ended here: the user stopped it.]')]);
    expect(shown.filter(({ type }) => type === 'text_delta')).toEqual([
      { type: 'text_delta', delta: 'half' },
    ]);
    expectOneDone(shown);
  });

  it('says of an answer that took too long that it did', async () => {
    const { run, appended } = abortedInside(new RunAbortedError('timeout'), () => []);
    await run([user('go')]);
    expect(appended).toEqual([note('half\n\n[Ended here: it took too long.]')]);
  });

  it('stores nothing of an answer that a shutdown cut: it is given again at the next start', async () => {
    const reason = new RunAbortedError('shutdown');
    const { run, appended, shown } = abortedInside(reason, () => []);
    await expect(run([user('go')])).resolves.toMatchObject({ status: 'aborted', error: reason });
    expect(appended).toEqual([]);
    expectOneDone(shown);
  });

  it('does not wait for a provider that does not hear the abort, nor hear what it says later', async () => {
    const reason = new RunAbortedError('stopped');
    const asked = Promise.withResolvers<void>();
    const later = Promise.withResolvers<void>();
    const provider = new ScriptedProvider(async function* () {
      yield { type: 'text_delta', text: 'half' };
      asked.resolve();
      await later.promise;
      yield { type: 'text_delta', text: ' late' };
      yield { type: 'tool_use_start', id: 'c1', name: 'lookup' };
      yield done();
    });
    const { run, controller, appended, shown, clock } = runnerOn({ provider });
    const running = run([user('go')]);
    await asked.promise;
    controller.abort(reason);
    await clock.advance(0);
    await expect(running).resolves.toMatchObject({ status: 'aborted', error: reason });
    later.resolve();
    await clock.advance(0);
    expect(appended).toEqual([note('half\n\n[Ended here: the user stopped it.]')]);
    expectOneDone(shown);
  });

  it('keeps the words of the try that was stopped, and none of the tries before it', async () => {
    const provider = new ScriptedProvider(says('It is 3'), async function* () {
      yield* says('It is 30');
      world.controller.abort(new RunAbortedError('stopped'));
    });
    const world = runnerOn({ provider, maxRetriesPerKey: 1 });
    const running = world.run([user('go')]);
    await world.clock.advance(1_000);
    await expect(running).resolves.toMatchObject({ status: 'aborted' });
    expect(world.appended).toEqual([note('It is 30\n\n[Ended here: the user stopped it.]')]);
  });

  it('hears nothing of a whole answer that comes after the run has ended', async () => {
    const later = Promise.withResolvers<void>();
    const provider = new ScriptedProvider(async function* () {
      await later.promise;
      yield* says('late');
      yield done();
    });
    const capabilities = { ...MODEL.entry.capabilities, streaming: false };
    const { run, controller, clock, shown, appended } = runnerOn({
      provider,
      models: [modelOf('slow', { capabilities })],
    });
    const running = run([user('go')]);
    await clock.advance(0);
    controller.abort(new RunAbortedError('stopped'));
    await clock.advance(0);
    await running;
    later.resolve();
    await clock.advance(0);
    expect(appended).toEqual([note('[No answer: the user stopped it.]')]);
    expectOneDone(shown);
  });

  it('runs nothing of the calls that were under way in the stream', async () => {
    let runs = 0;
    const lookup = testTool('lookup', async () => {
      runs += 1;
      return { content: 'x', isError: false };
    });
    const provider = new ScriptedProvider(async function* () {
      yield* calls('c1', 'lookup', '{}');
      yield { type: 'tool_use_start', id: 'c2', name: 'lookup' };
      world.controller.abort(new RunAbortedError('stopped'));
      yield { type: 'tool_use_end', id: 'c2' };
      yield done('tool_use');
    });
    const world = runnerOn({ provider, tools: [lookup] });
    await expect(world.run([user('go')])).resolves.toMatchObject({ status: 'aborted' });
    expect(runs).toBe(0);
    expect(world.appended).toEqual([note('[No answer: the user stopped it.]')]);
    expect(statesOf(world.shown)).toEqual(['streaming', 'tool_use', 'done']);
  });

  it.each([
    ['stopped', [results(interruptedResult('c1'))], 'the user stopped it'],
    ['timeout', [results(interruptedResult('c1'))], 'it took too long'],
    ['shutdown', [], undefined],
  ] as const)(
    'leaves a tool behind that does not hear the abort, and asks no more (%s)',
    async (kind, answered, why) => {
      const started = Promise.withResolvers<void>();
      const deaf = testTool('deaf', () => {
        started.resolve();
        return new Promise(() => undefined);
      });
      const provider = new ScriptedProvider([...calls('c1', 'deaf', '{}'), done('tool_use')]);
      const { run, controller, clock, appended, shown } = runnerOn({ provider, tools: [deaf] });
      const reason = new RunAbortedError(kind);
      const running = run([user('go')]);
      await started.promise;
      controller.abort(reason);
      await clock.advance(0);
      await expect(running).resolves.toMatchObject({ status: 'aborted', error: reason });
      expect(appended).toEqual([
        assistant(use('c1', 'deaf')),
        ...answered,
        ...(why === undefined ? [] : [note(`[No answer: ${why}.]`)]),
      ]);
      expect(provider.requests).toHaveLength(1);
      expect(statesOf(shown)).toEqual(['streaming', 'tool_use', 'executing', 'done']);
      expectOneDone(shown);
    },
  );

  it.each(['stopped', 'shutdown'] as const)(
    'keeps the result of a call that had ended when the run was aborted (%s)',
    async (kind) => {
      const fast = testTool('fast', async () => {
        queueMicrotask(() => world.controller.abort(new RunAbortedError(kind)));
        return { content: 'kept', isError: false };
      });
      const deaf = testTool('deaf', () => new Promise(() => undefined));
      const provider = new ScriptedProvider([
        ...calls('c1', 'deaf', '{}'),
        ...calls('c2', 'fast', '{}'),
        done('tool_use'),
      ]);
      const world = runnerOn({ provider, tools: [fast, deaf] });
      const running = world.run([user('go')]);
      await world.clock.advance(0);
      await running;
      expect(world.appended.slice(1)).toEqual(
        kind === 'shutdown'
          ? [results(result('c2', 'kept'))]
          : [
              results(interruptedResult('c1'), result('c2', 'kept')),
              note('[No answer: the user stopped it.]'),
            ],
      );
    },
  );

  it.each([
    ['stopped', 'the user stopped it'],
    ['timeout', 'it took too long'],
    ['shutdown', undefined],
  ] as const)('tells a call that was under way from one that was not made (%s)', async (kind, why) => {
    const started = Promise.withResolvers<void>();
    let runs = 0;
    const deaf = testTool('deaf', () => {
      runs += 1;
      started.resolve();
      return new Promise(() => undefined);
    });
    const provider = new ScriptedProvider([
      ...calls('c1', 'deaf', '{}'),
      ...calls('c2', 'deaf', '{}'),
      done('tool_use'),
    ]);
    const { run, controller, clock, appended } = runnerOn({ provider, tools: [deaf], maxParallel: 1 });
    const running = run([user('go')]);
    await started.promise;
    controller.abort(new RunAbortedError(kind));
    await clock.advance(0);
    await running;
    expect(runs).toBe(1);
    expect(appended.slice(1)).toEqual(
      why === undefined
        ? []
        : [results(interruptedResult('c1')), results(notRunResult('c2', why)), note(`[No answer: ${why}.]`)],
    );
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
    const { run, shown, appended } = runnerOn({
      provider,
      tools: [lookup],
      append: () => Promise.reject(new Error('disk full')),
    });
    await expect(run([user('go')])).resolves.toMatchObject({
      status: 'error',
      error: { errors: [{ message: 'disk full' }, { message: 'disk full' }] },
    });
    expect(runs).toBe(0);
    expect(appended).toEqual([]);
    expectOneDone(shown);
  });

  describe('taking up a conversation that was cut', () => {
    const asked = [user('Apple?'), assistant(use('c1', 'lookup', { of: 'AAPL' }))];
    const toldOf = [...asked, results(result('c1', 'stored result'))];

    it('runs the tool call at its end and goes on', async () => {
      const provider = new ScriptedProvider([...says('It is 304.'), done()]);
      const { run, appended, shown } = runnerOn({ provider, tools: [testTool('lookup')] });
      await run(asked);
      expect(appended).toEqual([results(result('c1', 'lookup(AAPL)')), assistant(text('It is 304.'))]);
      expect(statesOf(shown)).toEqual(['executing', 'streaming', 'done']);
    });

    it('runs only the calls that have no result yet', async () => {
      const provider = new ScriptedProvider([...says('Both.'), done()]);
      const { run, appended } = runnerOn({ provider, tools: [testTool('lookup')] });
      await run([
        user('Apple and Tesla?'),
        assistant(use('c1', 'lookup', { of: 'AAPL' }), use('c2', 'lookup', { of: 'TSLA' })),
        results(result('c2', 'stored result')),
      ]);
      expect(appended).toEqual([results(result('c1', 'lookup(AAPL)')), assistant(text('Both.'))]);
    });

    it('does not run a stored call whose arguments were no JSON', async () => {
      const provider = new ScriptedProvider([...says('Sorry.'), done()]);
      const { run, appended } = runnerOn({ provider, tools: [testTool('lookup')] });
      await run([user('go'), assistant(use('c1', 'lookup', {}, 'not valid JSON'))]);
      expect(appended[0]).toEqual(results(result('c1', 'not valid JSON', true, 'invalid-input')));
    });

    it('has a provider that paused go on', async () => {
      const provider = new ScriptedProvider([...says('two'), done()]);
      const { run } = runnerOn({ provider });
      const paused = { ...assistant(text('one')), isPaused: true };
      await expect(run([user('go'), paused])).resolves.toMatchObject({ status: 'completed', turns: 1 });
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
        turns: 0,
        durationMs: 0,
        isCut: false,
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
