import { describe, expect, it } from 'vitest';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { TurnStore } from '#src/kernel/agent/turn-store.ts';
import type { TranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import { createTurns } from '#src/chat/store/turns.ts';
import { calls, done, says, ScriptedProvider, SESSION, testTool } from '#test/agent/support.ts';
import { answering, expectWhole, fact, lookUp, message, setUpAdapter } from './adapter-support.ts';
import { toAnthropicRequest } from '#src/agent/providers/anthropic.ts';
import { problemOf } from '#test/fakes/anthropic/validate.ts';
import { asksFirst, deciding } from './runner-support.ts';

const PICTURE = { kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'file:///charts/a.png' } as const;

/** Runs until the model is asked for the second time, with the tool's result stored, and shuts down there. */
const cutAfterTool = async () => {
  const world = await setUpAdapter();
  const runs: string[] = [];
  const lookup = testTool('lookup', async ({ of }) => {
    runs.push(of ?? '');
    return { content: '304.12', isError: false, facts: [fact], media: [PICTURE] };
  });
  const reached = Promise.withResolvers<void>();
  const provider = new ScriptedProvider(lookUp, async function* (_request, signal) {
    yield* says('It is');
    reached.resolve();
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
  });
  const { execute, controller } = world.boot(provider, [lookup]);
  const reason = new RunAbortedError('shutdown');
  const rejected = expect(execute(message('1', 'Apple?'))).rejects.toBe(reason);
  await reached.promise;
  controller.abort(reason);
  await rejected;
  return { ...world, lookup, runs };
};

describe('createExecutionAdapter after a restart', () => {
  describe('a turn that a shutdown cut', () => {
    it('is left open, with what was stored and nothing more', async () => {
      const { history, turnRows } = await cutAfterTool();
      expect((await history()).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
      expect(await turnRows()).toEqual([{ inbox_id: '1', status: 'open', ended_at: null }]);
    });

    it('is resumed without asking the question or the tool again', async () => {
      const { boot, history, turnRows, transcripts, lookup, runs } = await cutAfterTool();
      const provider = answering('It is 304.');
      const { execute, shown } = boot(provider, [lookup]);
      const resumed = await execute(message('1', 'Apple?'));
      expect(resumed).toMatchObject({ status: 'completed', content: 'It is 304.', facts: [fact] });
      // What was drawn before goes out with it.
      expect(resumed.media).toEqual([PICTURE]);
      expect(runs).toEqual(['AAPL']);
      // Who shows the answer has to mark it: what it rests on is made up.
      expect(shown.filter(({ type }) => type === 'tool_use_end')).toMatchObject([
        { toolUseId: 'c1', isSample: true },
      ]);
      expect(provider.requests).toHaveLength(1);
      const messages = await history();
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
      expectWhole(messages);
      expect(new Set((await transcripts.load(SESSION)).map(({ turnId }) => turnId)).size).toBe(1);
      expect(await turnRows()).toMatchObject([{ inbox_id: '1', status: 'complete' }]);
    });

    it('runs a tool whose result was not stored', async () => {
      const { boot, history, clock } = await setUpAdapter();
      const started = Promise.withResolvers<void>();
      const deaf = testTool('lookup', () => {
        started.resolve();
        return new Promise(() => undefined);
      });
      const first = boot(new ScriptedProvider(lookUp), [deaf]);
      const reason = new RunAbortedError('shutdown');
      const rejected = expect(first.execute(message('1', 'Apple?'))).rejects.toBe(reason);
      await started.promise;
      first.controller.abort(reason);
      await clock.advance(0);
      await rejected;
      expect((await history()).map(({ role }) => role)).toEqual(['user', 'assistant']);

      const second = boot(answering('It is 304.'), [testTool('lookup')]);
      await expect(second.execute(message('1', 'Apple?'))).resolves.toMatchObject({ content: 'It is 304.' });
      expect((await history())[2]).toMatchObject({ content: [{ content: 'lookup(AAPL)', isError: false }] });
    });
  });

  it('takes up a turn whose calls had run in part, and runs only the others', async () => {
    const { boot, clock, history, turnRows } = await setUpAdapter();
    const started = Promise.withResolvers<void>();
    const ran: string[] = [];
    const fast = testTool('fast', async () => {
      ran.push('fast');
      return { content: 'kept', isError: false, facts: [fact] };
    });
    const deaf = testTool('deaf', () => {
      started.resolve();
      return new Promise(() => undefined);
    });
    const asking = new ScriptedProvider([
      ...calls('c1', 'fast', '{}'),
      ...calls('c2', 'deaf', '{}'),
      done('tool_use'),
    ]);
    const first = boot(asking, [fast, deaf]);
    const rejected = expect(first.execute(message('1', 'go'))).rejects.toMatchObject({ kind: 'shutdown' });
    await started.promise;
    first.controller.abort(new RunAbortedError('shutdown'));
    await clock.advance(0);
    await rejected;
    expect(await turnRows()).toMatchObject([{ status: 'open' }]);

    const second = boot(answering('Both.'), [fast, testTool('deaf')]);
    await expect(second.execute(message('1', 'go'))).resolves.toMatchObject({
      content: 'Both.',
      facts: [fact],
    });
    expect(ran).toEqual(['fast']);
    const roles = (await history()).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
    expect(await turnRows()).toMatchObject([{ status: 'complete' }]);
  });

  it('gives a complete turn that was not delivered again without asking the model', async () => {
    const { boot, history, turnRows, clock } = await setUpAdapter();
    const quote = testTool('lookup', async () => ({ content: '304.12', isError: false, facts: [fact] }));
    const provider = new ScriptedProvider(lookUp, [...says('It is 304.'), done()]);
    await boot(provider, [quote]).execute(message('1', 'Apple?'));
    const [before, rows] = [await history(), await turnRows()];
    await clock.advance(60_000);
    const silent = new ScriptedProvider();
    await expect(boot(silent, [quote]).execute(message('1', 'Apple?'))).resolves.toMatchObject({
      status: 'completed',
      content: 'It is 304.',
      facts: [fact],
    });
    expect(silent.requests).toEqual([]);
    expect(await history()).toEqual(before);
    expect(await turnRows()).toEqual(rows);
  });

  it('does not run a call whose arguments were no JSON, however often the turn is taken up', async () => {
    const { boot, clock, history } = await setUpAdapter();
    let sold = 0;
    const sellAll = testTool('sell_all', async () => {
      sold += 1;
      return { content: 'sold', isError: false };
    });
    const started = Promise.withResolvers<void>();
    const deaf = testTool('deaf', () => {
      started.resolve();
      return new Promise(() => undefined);
    });
    const asking = new ScriptedProvider([
      ...calls('c1', 'sell_all', '{"of":"AA'),
      ...calls('c2', 'deaf', '{}'),
      done('tool_use'),
    ]);
    const first = boot(asking, [sellAll, deaf]);
    const reason = new RunAbortedError('shutdown');
    const rejected = expect(first.execute(message('1', 'go'))).rejects.toBe(reason);
    await started.promise;
    first.controller.abort(reason);
    await clock.advance(0);
    await rejected;

    await boot(answering('ok'), [sellAll, testTool('deaf')]).execute(message('1', 'go'));
    expect(sold).toBe(0);
    const messages = await history();
    const stored = messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'));
    expect(stored).toMatchObject([
      { toolUseId: 'c1', isError: true, content: expect.stringContaining('not valid JSON') as unknown },
      { toolUseId: 'c2', isError: false },
    ]);
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'ok' }] });
  });

  it('fails a failed turn again, instead of giving our own closing entry for an answer', async () => {
    const { boot } = await setUpAdapter();
    await expect(boot(new ScriptedProvider([])).execute(message('1', 'hi'))).rejects.toThrow();
    // The process ended before the person was told: the message is still pending and is run again.
    const silent = new ScriptedProvider();
    await expect(boot(silent).execute(message('1', 'hi'))).rejects.toMatchObject({ code: 'TURN_FAILED' });
    expect(silent.requests).toEqual([]);
  });

  it('does not ask the model again in a turn that ran out of turns', async () => {
    const { boot } = await setUpAdapter();
    const tools = [testTool('lookup')];
    const provider = new ScriptedProvider(lookUp, [...says('All I know.'), done()]);
    await boot(provider, tools, { maxTurns: 1 }).execute(message('1', 'go'));
    const silent = new ScriptedProvider();
    await expect(boot(silent, tools, { maxTurns: 1 }).execute(message('1', 'go'))).resolves.toMatchObject({
      content: 'All I know.',
    });
    expect(silent.requests).toEqual([]);
  });

  it('keeps the answer of a turn whose end the database did not take, and gives it again', async () => {
    const { boot, history, storage } = await setUpAdapter();
    const turns = createTurns(storage);
    const locked: TurnStore = { ...turns, finish: () => Promise.reject(new Error('database is locked')) };
    const first = boot(answering('It is 304.'), [], { turns: locked });
    await expect(first.execute(message('1', 'hi'))).rejects.toThrow('database is locked');
    expect((await history()).map(({ role }) => role)).toEqual(['user', 'assistant']);
    const silent = new ScriptedProvider();
    await expect(boot(silent).execute(message('1', 'hi'))).resolves.toMatchObject({ content: 'It is 304.' });
    expect(silent.requests).toEqual([]);
  });
});

/** What the strict API says to the requests of a provider. */
const problemsOf = (provider: ScriptedProvider) =>
  provider.requests.map((request) =>
    problemOf(JSON.parse(JSON.stringify(toAnthropicRequest(request))), {
      isCount: false,
      isSigned: () => () => true,
    }),
  );

describe('a new message behind a turn that has an open call', () => {
  it('is accepted while the turn before it is suspended', async () => {
    const { boot } = await setUpAdapter();
    const asks = asksFirst(testTool('lookup'));
    const approvals = deciding(() => 'waiting');
    await boot(new ScriptedProvider(lookUp), [asks], { approvals }).execute(message('1', 'sell'));
    const provider = answering('Hello.');
    await boot(provider, [asks], { approvals }).execute(message('2', 'hi'));
    expect(problemsOf(provider)).toEqual([undefined]);
  });

  it('is accepted after a shutdown in a tool whose message was given up (three crashes, TOO_MANY_ATTEMPTS)', async () => {
    const { boot, clock } = await setUpAdapter();
    const started = Promise.withResolvers<void>();
    const deaf = testTool('lookup', () => {
      started.resolve();
      return new Promise(() => undefined);
    });
    const first = boot(new ScriptedProvider(lookUp), [deaf]);
    const ended = first.execute(message('1', 'go')).catch(() => undefined);
    await started.promise;
    first.controller.abort(new RunAbortedError('shutdown'));
    await clock.advance(0);
    await ended;
    // The router gives message 1 up without the engine; the person writes again.
    const provider = answering('Hello.');
    await boot(provider, [testTool('lookup')]).execute(message('2', 'hi'));
    expect(problemsOf(provider)).toEqual([undefined]);
  });

  it('is accepted after the disk was full between a call and its result', async () => {
    const { boot, transcripts } = await setUpAdapter();
    let left = 2;
    const filling: TranscriptStore = {
      ...transcripts,
      startAppend: (sessionKey, given) => {
        left -= 1;
        return left < 0
          ? { entry: { ...given, at: '' }, stored: Promise.reject(new Error('ENOSPC')) }
          : transcripts.startAppend(sessionKey, given);
      },
    };
    await boot(new ScriptedProvider(lookUp), [testTool('lookup')], { transcripts: filling })
      .execute(message('1', 'go'))
      .catch(() => undefined);
    expect(left).toBeLessThan(0);
    const provider = answering('Hello.');
    await boot(provider, [testTool('lookup')]).execute(message('2', 'hi'));
    expect(problemsOf(provider)).toEqual([undefined]);
  });
});
