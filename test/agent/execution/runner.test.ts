import { describe, expect, it } from 'vitest';
import type { StreamChunk } from '#src/core/model.ts';
import {
  AGENT,
  calls,
  done,
  MODEL,
  says,
  ScriptedProvider,
  SESSION,
  testTool,
  usage,
} from '#test/agent/support.ts';
import { assistant, result, runnerOn, text, use, user } from './runner-support.ts';

describe('Runner', () => {
  it('gives the answer of the model, put together from its pieces', async () => {
    const provider = new ScriptedProvider([...says('안녕', '하세요', ' 👋'), done()]);
    const { run, appended } = runnerOn({ provider });
    const finished = await run([user('hi')]);
    expect(finished).toMatchObject({ status: 'completed', turns: 1 });
    expect(appended).toEqual([assistant(text('안녕하세요 👋'))]);
    expect(finished.messages).toEqual([user('hi'), ...appended]);
  });

  it('asks with the model, the prompt, the conversation and the tools', async () => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    const { run } = runnerOn({ provider, tools: [testTool('b'), testTool('a')] });
    await run([user('hi')]);
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]).toMatchObject({
      model: MODEL,
      systemPrompt: 'Be brief.',
      messages: [user('hi')],
      tools: [{ name: 'a' }, { name: 'b' }],
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
      { role: 'tool', content: [result('c1', 'lookup(AAPL)')] },
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
    expect(appended[1]).toEqual({ role: 'tool', content: [result('c1', 'met'), result('c2', 'met')] });
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
      result('c1', 'The arguments of lookup are not valid JSON. Call it again with valid JSON.', true),
      result('c2', 'ran'),
    ]);
    expect(shown.filter(({ type }) => type === 'tool_start')).toHaveLength(1);
    expect(shown.filter(({ type }) => type === 'tool_end')).toEqual([
      { type: 'tool_end', toolName: 'lookup', isError: true },
      { type: 'tool_end', toolName: 'lookup', isError: false },
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
      result('c1', 'There is no tool "get_weather". Available: lookup', true),
    ]);
  });

  it('stops after the last turn it may take, with the tool results stored', async () => {
    const again = [...calls('c', 'lookup', '{}'), done('tool_use')];
    const provider = new ScriptedProvider(again, again, again);
    const { run, appended } = runnerOn({ provider, tools: [testTool('lookup')] });
    await expect(run([user('go')], 2)).resolves.toMatchObject({ status: 'max_turns', turns: 2 });
    expect(provider.requests).toHaveLength(2);
    expect(appended.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant', 'tool']);
  });

  it('does not count an answer in the last turn as too many turns', async () => {
    const provider = new ScriptedProvider([...says('ok'), done()]);
    const { run } = runnerOn({ provider });
    await expect(run([user('go')], 1)).resolves.toMatchObject({ status: 'completed' });
  });

  it.each([
    ['in the middle of a text', says('It is 3')],
    ['behind a whole tool call', calls('c1', 'lookup', '{}')],
    ['before anything came', []],
  ])('throws when the stream is cut %s, and stores nothing of it', async (_where, chunks) => {
    const provider = new ScriptedProvider(chunks);
    const { run, appended } = runnerOn({ provider, tools: [testTool('lookup')] });
    await expect(run([user('go')])).rejects.toMatchObject({ code: 'PROVIDER_STREAM_CUT' });
    expect(appended).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['blanks', says(' ', '\n')],
    ['thoughts', [{ type: 'thinking_delta', text: 'hm' } as const]],
    ['a call that never ended', [{ type: 'tool_use_start', id: 'c', name: 'lookup' } as const]],
  ])('throws when the model answers with %s alone', async (_what, chunks: readonly StreamChunk[]) => {
    const provider = new ScriptedProvider([...chunks, done()]);
    const { run, appended } = runnerOn({ provider });
    await expect(run([user('go')])).rejects.toMatchObject({ code: 'PROVIDER_EMPTY_ANSWER' });
    expect(appended).toEqual([]);
  });

  it('passes the failure of the provider on', async () => {
    const failure = new Error('529 overloaded');
    // oxlint-disable-next-line require-yield -- fails before its first chunk
    const provider = new ScriptedProvider(async function* () {
      throw failure;
    });
    const { run } = runnerOn({ provider });
    await expect(run([user('go')])).rejects.toBe(failure);
  });

  it('adds up what all its calls used', async () => {
    const provider = new ScriptedProvider(
      [...calls('c1', 'lookup', '{}'), { type: 'usage', usage: usage(100, 20) }, done('tool_use')],
      [{ type: 'usage', usage: usage(7, 3) }, ...says('ok'), done()],
    );
    const { run } = runnerOn({ provider, tools: [testTool('lookup')] });
    expect((await run([user('go')])).usage).toEqual({
      inputTokens: 107,
      outputTokens: 23,
      cacheReadTokens: 1_070,
      cacheWriteTokens: 230,
    });
  });

  it('counts a call that reports its usage as it grows by the last report', async () => {
    const provider = new ScriptedProvider([
      { type: 'usage', usage: usage(100, 1) },
      ...says('ok'),
      { type: 'usage', usage: usage(100, 9) },
      done(),
    ]);
    const { run } = runnerOn({ provider });
    expect((await run([user('go')])).usage).toMatchObject({ inputTokens: 100, outputTokens: 9 });
  });

  it('shows text as it comes, and tools when they begin and end', async () => {
    const provider = new ScriptedProvider(
      [...says('Let me ', 'look.'), ...calls('c1', 'lookup', '{"of":"AAPL"}'), done('tool_use')],
      [...says('304'), done()],
    );
    const { run, shown } = runnerOn({ provider, tools: [testTool('lookup')] });
    await run([user('go')]);
    expect(shown).toEqual([
      { type: 'text_delta', text: 'Let me ' },
      { type: 'text_delta', text: 'look.' },
      { type: 'tool_start', toolName: 'lookup', input: { of: 'AAPL' } },
      { type: 'tool_end', toolName: 'lookup', isError: false },
      { type: 'text_delta', text: '304' },
    ]);
  });

  it('reports its start, turns, tools and end', async () => {
    const provider = new ScriptedProvider(
      [...calls('c1', 'lookup', '{}'), { type: 'usage', usage: usage(5, 2) }, done('tool_use')],
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
