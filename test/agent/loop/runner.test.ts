import { describe, expect, it } from 'vitest';
import type { StreamChunk } from '#src/kernel/agent/model.ts';
import {
  AGENT,
  calls,
  done,
  MODEL,
  says,
  ScriptedProvider,
  SESSION,
  testTool,
  used,
} from '#test/agent/support.ts';
import {
  assistant,
  expectOneDone,
  note,
  result,
  results,
  runnerOn,
  statesOf,
  text,
  use,
  user,
} from './runner-support.ts';

/** An answer whose call cannot be read. */
const bad = (id: string): readonly StreamChunk[] => [...calls(id, 'lookup', '{"of":'), done('tool_use')];

describe('Runner', () => {
  it('gives the answer of the model, put together from its pieces', async () => {
    const provider = new ScriptedProvider([...says('안녕', '하세요', ' 👋'), done()]);
    const { run, appended } = runnerOn({ provider });
    const finished = await run([user('hi')]);
    expect(finished).toMatchObject({ status: 'completed', turns: 1 });
    expect(appended).toEqual([assistant(text('안녕하세요 👋'))]);
  });

  it('asks with the model, the prompt, the conversation and the tools', async () => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    const { run } = runnerOn({ provider, tools: [testTool('b'), testTool('a')] });
    await run([user('hi')]);
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]).toMatchObject({
      model: { provider: MODEL.provider, model: MODEL.modelId },
      toolChoice: 'auto',
      systemPrompt: 'Be brief.',
      messages: [user('hi')],
      tools: [{ name: 'a' }, { name: 'b' }, { name: 'call_tool' }, { name: 'find_tools' }],
    });
  });

  it('runs the tool that the model calls and asks again with the result', async () => {
    const provider = new ScriptedProvider(
      [...says('Let me look.'), ...calls('c1', 'lookup', '{"of":"AAPL"}'), done('tool_use')],
      [...says('It is 304.'), done()],
    );
    const { run, appended } = runnerOn({ provider, tools: [testTool('lookup')] });
    const finished = await run([user('Apple?')]);
    expect(appended).toEqual([
      assistant(text('Let me look.'), use('c1', 'lookup', { of: 'AAPL' })),
      results(result('c1', 'lookup(AAPL)')),
      assistant(text('It is 304.')),
    ]);
    expect(provider.requests[1]?.messages).toEqual([user('Apple?'), ...appended.slice(0, 2)]);
    expect(finished).toMatchObject({ status: 'completed', turns: 2 });
  });

  it('runs two calls of one answer side by side and gives both results in one message', async () => {
    const both = Promise.withResolvers<void>();
    let running = 0;
    const meeting = async () => {
      running += 1;
      if (running === 2) both.resolve();
      await both.promise;
      return { content: 'met', isError: false };
    };
    const provider = new ScriptedProvider(
      [...calls('c1', 'left', '{}'), ...calls('c2', 'right', '{}'), done('tool_use')],
      [...says('done'), done()],
    );
    const { run, appended } = runnerOn({
      provider,
      tools: [testTool('left', meeting), testTool('right', meeting)],
    });
    await run([user('go')]);
    expect(appended[1]).toEqual(results(result('c1', 'met'), result('c2', 'met')));
  });

  it('answers a call with malformed arguments with an error and never runs it', async () => {
    const ran: unknown[] = [];
    const lookup = testTool('lookup', async (input) => {
      ran.push(input);
      return { content: 'ran', isError: false };
    });
    const provider = new ScriptedProvider(
      [...calls('c1', 'lookup', '{"of":'), ...calls('c2', 'lookup', '{"of":"b"}'), done('tool_use')],
      [...says('sorry'), done()],
    );
    const { run, appended, shown } = runnerOn({ provider, tools: [lookup] });
    await run([user('go')]);
    expect(ran).toEqual([{ of: 'b' }]);
    expect(appended[1]?.content).toEqual([
      result(
        'c1',
        'The arguments of lookup are not valid JSON. Call it again with valid JSON.',
        true,
        'invalid-input',
      ),
      result('c2', 'ran'),
    ]);
    expect(shown.filter(({ type }) => type === 'tool_use_end')).toEqual([
      { type: 'tool_use_end', toolUseId: 'c1', isSample: false },
      { type: 'tool_use_end', toolUseId: 'c2', isSample: false },
    ]);
  });

  it('tells the model when it calls a tool that does not exist, and goes on', async () => {
    const provider = new ScriptedProvider(
      [...calls('c1', 'get_weather', '{}'), done('tool_use')],
      [...says('I cannot do that.'), done()],
    );
    const { run, appended } = runnerOn({ provider, tools: [testTool('lookup')] });
    await expect(run([user('weather?')])).resolves.toMatchObject({ status: 'completed' });
    expect(appended[1]?.content).toEqual([
      result('c1', 'There is no tool "get_weather". Available: lookup', true, 'unknown-tool'),
    ]);
  });

  it('has the model answer without tools after the last turn it may take', async () => {
    const provider = new ScriptedProvider(
      [...calls('c1', 'lookup', '{}'), done('tool_use')],
      [...calls('c2', 'lookup', '{}'), done('tool_use')],
      [...says('What I know is this.'), done()],
    );
    const { run, appended, shown } = runnerOn({ provider, tools: [testTool('lookup')] });
    await expect(run([user('go')], 2)).resolves.toMatchObject({ status: 'max_turns', turns: 3 });
    expect(provider.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'none']);
    // The list stays: without it the cached part of the prompt would be another one.
    expect(provider.requests[2]?.tools).toEqual(provider.requests[0]?.tools);
    expect(appended.map(({ role }) => role)).toEqual([
      'assistant',
      'tool',
      'assistant',
      'tool',
      'user',
      'assistant',
    ]);
    expect(JSON.stringify(appended[4])).toContain('The limit of steps for this question is reached');
    expect(appended[5]).toEqual(assistant(text('What I know is this.')));
    expectOneDone(shown);
  });

  it.each([
    ['keeps the words beside it', says('Enough.'), assistant(text('Enough.'))],
    ['closes without words', [], note('[No answer: the limit of steps was reached.]')],
  ])('runs no tool that the model calls after the last turn, and %s', async (_what, words, stored) => {
    let runs = 0;
    const lookup = testTool('lookup', async () => {
      runs += 1;
      return { content: 'x', isError: false };
    });
    const provider = new ScriptedProvider(
      [...calls('c1', 'lookup', '{}'), done('tool_use')],
      [...words, ...calls('c2', 'lookup', '{}'), done('tool_use')],
    );
    const { run, appended } = runnerOn({ provider, tools: [lookup] });
    await expect(run([user('go')], 1)).resolves.toMatchObject({ status: 'max_turns' });
    expect(runs).toBe(1);
    expect(appended.at(-1)).toEqual(stored);
  });

  it('does not count an answer in the last turn as too many turns', async () => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    const { run } = runnerOn({ provider });
    await expect(run([user('go')], 1)).resolves.toMatchObject({ status: 'completed' });
  });

  it.each([
    ['in the middle of a text', says('It is 3'), 'It is 3\n\n[Ended here: it failed.]'],
    ['behind a whole tool call', calls('c1', 'lookup', '{}'), '[No answer: it failed.]'],
    ['before anything came', [], '[No answer: it failed.]'],
  ])(
    'fails when the stream is cut %s, and stores what was said with a mark',
    async (_where, chunks, stored) => {
      const provider = new ScriptedProvider(chunks);
      const { run, appended, shown } = runnerOn({ provider, tools: [testTool('lookup')] });
      await expect(run([user('go')])).resolves.toMatchObject({
        status: 'error',
        error: { errors: [{ fallbackReason: 'server-error' }] },
      });
      expect(appended).toEqual([note(stored)]);
      expectOneDone(shown);
    },
  );

  it.each([
    ['nothing', []],
    ['blanks', says(' ', '\n')],
    ['thoughts', [{ type: 'thinking_delta', text: 'hm' } as const]],
    ['a call that never ended', [{ type: 'tool_use_start', id: 'c', name: 'lookup' } as const]],
  ])('fails when the model answers with %s alone', async (_what, chunks: readonly StreamChunk[]) => {
    const provider = new ScriptedProvider([...chunks, done()]);
    const { run, appended } = runnerOn({ provider });
    await expect(run([user('go')])).resolves.toMatchObject({
      status: 'error',
      error: { errors: [{ fallbackReason: 'empty-answer' }] },
    });
    expect(appended).toEqual([note('[No answer: it failed.]')]);
  });

  it('never rejects, and passes the failure of the provider on as it is', async () => {
    const failure = new Error('a bug in our request');
    // oxlint-disable-next-line require-yield -- fails before its first chunk
    const provider = new ScriptedProvider(async function* () {
      throw failure;
    });
    const { run, shown } = runnerOn({ provider });
    const finished = await run([user('go')]);
    expect(finished.status).toBe('error');
    expect(finished.error).toBe(failure);
    expectOneDone(shown);
  });

  it('adds up what all its calls used', async () => {
    const provider = new ScriptedProvider(
      [...calls('c1', 'lookup', '{}'), used(100, 20), done('tool_use')],
      [used(7, 3), ...says('ok'), done()],
    );
    const { run, payloads } = runnerOn({ provider, tools: [testTool('lookup')] });
    await run([user('go')]);
    expect(payloads('execution:complete')).toMatchObject([{ inputTokens: 107, outputTokens: 23 }]);
  });

  it('counts a call that reports its usage as it grows by the last report', async () => {
    const provider = new ScriptedProvider([used(100, 1), ...says('ok'), used(100, 9), done()]);
    const { run, payloads } = runnerOn({ provider });
    await run([user('go')]);
    expect(payloads('execution:complete')).toMatchObject([{ inputTokens: 100, outputTokens: 9 }]);
  });

  it('shows text as it comes, and tools when they begin and end', async () => {
    const provider = new ScriptedProvider(
      [...says('Let me ', 'look.'), ...calls('c1', 'lookup', '{"of":"AAPL"}'), used(5, 2), done('tool_use')],
      [...says('304'), used(7, 3), done()],
    );
    const { run, shown, appended } = runnerOn({ provider, tools: [testTool('lookup')] });
    await run([user('go')]);
    const toolCall = { id: 'c1', name: 'lookup', input: { of: 'AAPL' } };
    expect(shown).toEqual([
      { type: 'state_change', from: 'idle', to: 'streaming' },
      { type: 'text_delta', delta: 'Let me ' },
      { type: 'text_delta', delta: 'look.' },
      { type: 'state_change', from: 'streaming', to: 'tool_use' },
      { type: 'message_complete', message: appended[0] },
      { type: 'state_change', from: 'tool_use', to: 'executing' },
      { type: 'tool_use_start', toolCall: { type: 'tool_use', ...toolCall } },
      { type: 'tool_use_end', toolUseId: 'c1', isSample: false },
      { type: 'state_change', from: 'executing', to: 'streaming' },
      { type: 'text_delta', delta: '304' },
      { type: 'message_complete', message: appended[2] },
      { type: 'state_change', from: 'streaming', to: 'done' },
    ]);
  });

  it('takes back what it showed when another try begins, and stores only the last', async () => {
    const provider = new ScriptedProvider(
      [...says('It is 3'), ...calls('c1', 'lookup', '{}')],
      [...says('It is 304.'), done()],
    );
    const { run, shown, appended, clock } = runnerOn({ provider, maxRetriesPerKey: 1 });
    const running = run([user('go')]);
    await clock.advance(1_000);
    await expect(running).resolves.toMatchObject({ status: 'completed', turns: 1 });
    const words = shown.filter(({ type }) => type === 'text_delta' || type === 'text_reset');
    expect(words).toEqual([
      { type: 'text_delta', delta: 'It is 3' },
      { type: 'text_reset' },
      { type: 'text_delta', delta: 'It is 304.' },
    ]);
    expect(appended).toEqual([assistant(text('It is 304.'))]);
    expect(statesOf(shown)).toEqual(['streaming', 'tool_use', 'streaming', 'done']);
  });

  it('takes nothing back where nothing was shown', async () => {
    const provider = new ScriptedProvider([], [...says('ok'), done()]);
    const { run, shown, clock } = runnerOn({ provider, maxRetriesPerKey: 1 });
    const running = run([user('go')]);
    await clock.advance(1_000);
    await running;
    expect(shown.filter(({ type }) => type === 'text_reset')).toEqual([]);
  });

  it('says that the answer was cut at its length limit, and only then', async () => {
    const cut = runnerOn({ provider: new ScriptedProvider([...says('and then'), done('max_tokens')]) });
    await expect(cut.run([user('go')])).resolves.toMatchObject({ status: 'completed', isCut: true });
    const whole = runnerOn({ provider: new ScriptedProvider([...says('The end.'), done()]) });
    await expect(whole.run([user('go')])).resolves.toMatchObject({ status: 'completed', isCut: false });
  });

  it('runs no call of an answer that was cut at its length limit, and lets the model call again', async () => {
    const ran: unknown[] = [];
    const lookup = testTool('lookup', async (input) => {
      ran.push(input);
      return { content: 'ran', isError: false };
    });
    const provider = new ScriptedProvider(
      [...calls('c1', 'lookup', '{"of":"a"}'), ...calls('c2', 'lookup', '{"of":"b'), done('max_tokens')],
      [...calls('c3', 'lookup', '{"of":"c"}'), done('tool_use')],
      [...says('ok'), done()],
    );
    const { run, appended } = runnerOn({ provider, tools: [lookup] });
    await expect(run([user('go')])).resolves.toMatchObject({ status: 'completed', isCut: false });
    expect(ran).toEqual([{ of: 'c' }]);
    expect(appended[1]?.content).toEqual([
      result('c1', expect.stringContaining('cut off by the length limit') as string, true, 'invalid-input'),
      result('c2', expect.stringContaining('cut off by the length limit') as string, true, 'invalid-input'),
    ]);
  });

  it('stops asking for calls after three answers in a row that could not be read', async () => {
    const provider = new ScriptedProvider(bad('c1'), bad('c2'), bad('c3'), [...says('Sorry.'), done()]);
    const { run, appended } = runnerOn({ provider, tools: [testTool('lookup')] });
    await expect(run([user('go')])).resolves.toMatchObject({ status: 'max_turns', turns: 4 });
    expect(provider.requests.at(-1)?.toolChoice).toBe('none');
    expect(appended.at(-1)).toEqual(assistant(text('Sorry.')));
  });

  it('begins to count anew when a call could be read in between', async () => {
    const mixed = [...calls('m1', 'lookup', '{'), ...calls('m2', 'lookup', '{}'), done('tool_use')];
    const provider = new ScriptedProvider(bad('c1'), bad('c2'), mixed, bad('c3'), bad('c4'), [
      ...says('Got it.'),
      done(),
    ]);
    const { run } = runnerOn({ provider, tools: [testTool('lookup')] });
    await expect(run([user('go')])).resolves.toMatchObject({ status: 'completed', turns: 6 });
  });

  it('has a provider that paused go on with what it said', async () => {
    const provider = new ScriptedProvider(
      [...says('Part one.'), done('pause_turn')],
      [...says('Two.'), done()],
    );
    const { run, appended } = runnerOn({ provider });
    await expect(run([user('go')])).resolves.toMatchObject({ status: 'completed', turns: 2 });
    expect(provider.requests[1]?.messages).toEqual([user('go'), appended[0]]);
    expect(appended).toEqual([{ ...assistant(text('Part one.')), isPaused: true }, assistant(text('Two.'))]);
  });

  it('reports its start, turns, tools and end', async () => {
    const provider = new ScriptedProvider(
      [...calls('c1', 'lookup', '{}'), used(5, 2), done('tool_use')],
      [...says('ok'), done()],
    );
    const { run, names, payloads } = runnerOn({ provider, tools: [testTool('lookup')] });
    await run([user('go')]);
    expect(names().filter((name) => name.startsWith('execution:'))).toEqual([
      'execution:start',
      'execution:turn',
      'execution:tool_use',
      'execution:turn',
      'execution:complete',
    ]);
    const common = { agentId: AGENT, sessionKey: SESSION };
    expect(payloads('execution:start')).toEqual([common]);
    expect(payloads('execution:turn')).toEqual([
      { ...common, turn: 1 },
      { ...common, turn: 2 },
    ]);
    expect(payloads('execution:tool_use')).toEqual([{ agentId: AGENT, toolName: 'lookup', durationMs: 0 }]);
    expect(payloads('execution:complete')).toEqual([
      { ...common, status: 'completed', turns: 2, durationMs: 0, inputTokens: 5, outputTokens: 2 },
    ]);
  });
});

it('says that the last answer (after the last turn) was cut at its length limit', async () => {
  const provider = new ScriptedProvider(
    [...calls('c1', 'lookup', '{}'), done('tool_use')],
    [...says('What I know is'), done('max_tokens')],
  );
  const { run } = runnerOn({ provider, tools: [testTool('lookup')] });
  await expect(run([user('go')], 1)).resolves.toMatchObject({ status: 'max_turns', isCut: true });
});
