import { describe, expect, it } from 'vitest';
import { AnswerBuilder } from '#src/agent/loop/answer-builder.ts';
import { ChatEventReader } from '#src/agent/providers/openai-chat.ts';
import { promptCacheKey, ResponsesEventReader } from '#src/agent/providers/openai-responses.ts';
import type { StreamChunk } from '#src/kernel/agent/model.ts';
import { RESPONSES } from './contract.ts';
import { assistant, failureOf, hear, never, user } from './request.ts';

const bodyOf = async (special: Parameters<typeof RESPONSES.request>[0] = {}) => {
  const { adapter, history } = await RESPONSES.start();
  await hear(adapter, RESPONSES.request(special));
  expect(history[0]).toMatchObject({ outcome: 'answer' });
  return history[0]?.body as Readonly<Record<string, unknown>>;
};

const keyFor = async (cacheKey: string) => (await bodyOf({ cacheKey }))['prompt_cache_key'];

describe('a request to the Responses API', () => {
  it('has the provider store nothing', async () => {
    expect((await bodyOf())['store']).toBe(false);
  });

  it('meets the same cache in every request of a session, and another in another', async () => {
    const key = await keyFor('agent:main:slack:T1:direct:mina');
    expect(await keyFor('agent:main:slack:T1:direct:mina')).toBe(key);
    expect(await keyFor('agent:main:slack:T1:direct:joon')).not.toBe(key);
  });

  it('has a cache key of at most 64 characters that tells nothing of the session', () => {
    const key = promptCacheKey(`agent:main:slack:T1:direct:${'mina'.repeat(100)}`);
    expect(key).toMatch(/^[a-z0-9]{16,64}$/);
    expect(key).not.toContain('mina');
  });

  it('asks for encrypted reasoning of models that reason, and of no other', async () => {
    const { traits } = RESPONSES.request();
    expect((await bodyOf())['include']).toEqual(['reasoning.encrypted_content']);
    expect(await bodyOf({ traits: { ...traits, extendedThinking: false } })).not.toHaveProperty('include');
  });

  it('asks for at least as many tokens as the API demands', async () => {
    expect((await bodyOf({ maxTokens: 1 }))['max_output_tokens']).toBe(16);
  });

  it('leaves out reasoning that nothing follows any more', async () => {
    const { adapter, reply, history, sent } = await RESPONSES.start();
    reply({ kind: 'answer', thinking: 'Hm.', toolCalls: [{ id: 'call_1', name: 'get_price' }] });
    const { blocks } = await hear(adapter, RESPONSES.request());
    const [thought] = blocks;
    if (thought?.type !== 'thinking') throw new Error('there was no thought');
    const messages = [user('Price?'), assistant('I look.', thought), user('And?')];
    await hear(adapter, RESPONSES.request({ messages }));
    expect(history[1]).toMatchObject({ outcome: 'answer' });
    expect(sent()).not.toContainEqual({ thinking: true });
  });

  it('leaves out reasoning without its encrypted content, which nobody would know again', async () => {
    const { adapter, reply, history, sent } = await RESPONSES.start();
    const traits = { ...RESPONSES.request().traits, extendedThinking: false };
    reply({ kind: 'answer', thinking: 'Hm.', text: 'Yes.' });
    const { blocks } = await hear(adapter, RESPONSES.request({ traits }));
    expect(blocks.map(({ type }) => type)).toEqual(['thinking', 'text']);
    const messages = [user('a'), assistant(...blocks), user('b')];
    await hear(adapter, RESPONSES.request({ traits, messages }));
    expect(history[1]).toMatchObject({ outcome: 'answer' });
    expect(sent()).not.toContainEqual({ thinking: true });
  });

  it('fails where the whole answer says that it failed', async () => {
    const { adapter, reply } = await RESPONSES.start();
    reply({ kind: 'stream-error', type: 'response.failed', answer: { text: 'So far' } });
    const failing = failureOf(adapter.chatCompletion(RESPONSES.request(), never()));
    expect(await failing).toMatchObject({ fallbackReason: 'server-error' });
  });

  it('reads the cache in the second request of a session', async () => {
    const { adapter, history } = await RESPONSES.start();
    const systemPrompt = 'You are a careful analyst. '.repeat(200);
    await hear(adapter, RESPONSES.request({ systemPrompt }));
    await hear(adapter, RESPONSES.request({ systemPrompt, toolChoice: 'none' }));
    expect(history[1]?.usage?.cacheRead).toBeGreaterThan(1_024);
  });
});

const read = (...events: readonly object[]): readonly StreamChunk[] => {
  const reader = new ResponsesEventReader('gpt-1');
  return events.flatMap((event) => reader.read(JSON.stringify(event)));
};
const item = (args: string) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'get_price',
  arguments: args,
});

describe('the events of the Responses API', () => {
  it('may have the arguments of a call only at its end', () => {
    const added = { type: 'response.output_item.added', item: item('') };
    const done = { type: 'response.output_item.done', item: item('{"a":1}') };
    expect(read(added, done)).toEqual([
      { type: 'tool_use_start', id: 'call_1', name: 'get_price' },
      { type: 'tool_input_delta', id: 'call_1', delta: '{"a":1}' },
      { type: 'tool_use_end', id: 'call_1' },
    ]);
  });

  it('have the arguments of a call once, though they come in pieces and again as a whole', () => {
    const chunks = read(
      { type: 'response.output_item.added', item: item('') },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{"a"' },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: ':1}' },
      { type: 'response.function_call_arguments.done', item_id: 'fc_1', arguments: '{"a":1}' },
      { type: 'response.output_item.done', item: item('{"a":1}') },
    );
    const pieces = chunks.flatMap((chunk) => (chunk.type === 'tool_input_delta' ? [chunk.delta] : []));
    expect(pieces.join('')).toBe('{"a":1}');
  });

  it('may have an error one level deeper', () => {
    const error = { type: 'tokens', code: 'rate_limit_exceeded', message: 'slow down' };
    const failing = (): unknown => read({ type: 'error', error });
    expect(failing).toThrow(expect.objectContaining({ fallbackReason: 'rate-limit' }));
    expect(failing).toThrow('openai, in the stream: the rate limit is reached (rate_limit_exceeded)');
  });

  it('may be newer than the program', () => {
    expect(read({ type: 'response.hologram.delta', delta: 'x' })).toEqual([]);
  });

  it('have no tokens where the response reports none', () => {
    expect(read({ type: 'response.completed', response: { incomplete_details: null } })).toMatchObject([
      { usage: { inputTokens: 0, outputTokens: 0 } },
      { type: 'done', stopReason: 'end_turn' },
    ]);
  });
});

const readChat = (...data: readonly (object | string)[]): readonly StreamChunk[] => {
  const reader = new ChatEventReader();
  return data.flatMap((one) =>
    typeof one === 'string' ? reader.end(true) : reader.read(JSON.stringify(one)),
  );
};
const piece = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const toolPiece = (index: number, more: object) => piece({ tool_calls: [{ index, ...more }] });

const usage = (n: number) => ({ choices: [], usage: { prompt_tokens: n, completion_tokens: n } });

describe('the events of chat completions', () => {
  it('have no end where no reason for it was given, though the stream says it is done', () => {
    expect(readChat(piece({ content: 'So f' }), '[DONE]').map(({ type }) => type)).toEqual([
      'message_start',
      'text_delta',
    ]);
  });

  it('give a call an id of its own where the server forgot it', () => {
    const chunks = readChat(
      toolPiece(0, { function: { name: 'a', arguments: '{' } }),
      toolPiece(1, { id: '', function: { name: 'b', arguments: '{' } }),
      toolPiece(0, { function: { arguments: '}' } }),
      toolPiece(1, { function: { arguments: '}' } }),
      piece({}, 'tool_calls'),
      '[DONE]',
    );
    const starts = chunks.flatMap((chunk) => (chunk.type === 'tool_use_start' ? [chunk.id] : []));
    const [first, second] = starts;
    expect(new Set(starts).size).toBe(2);
    const pieces = chunks.flatMap((chunk) => (chunk.type === 'tool_input_delta' ? [chunk.id] : []));
    expect(pieces).toEqual([first, second, first, second]);
    const ends = chunks.flatMap((chunk) => (chunk.type === 'tool_use_end' ? [chunk.id] : []));
    expect(ends).toEqual(starts);
  });

  it('keep calls apart where the server does not number them', () => {
    const unnumbered = (more: object) => piece({ tool_calls: [more] });
    const chunks = readChat(
      unnumbered({ id: 'a', function: { name: 'x', arguments: '{"of"' } }),
      unnumbered({ function: { arguments: ':1}' } }),
      unnumbered({ id: 'b', function: { name: 'y', arguments: '{"of":2}' } }),
      piece({}, 'tool_calls'),
      '[DONE]',
    );
    const builder = new AnswerBuilder();
    for (const chunk of chunks) builder.feed(chunk);
    expect(builder.finish('tool_use')?.content).toMatchObject([
      { name: 'x', input: { of: 1 } },
      { name: 'y', input: { of: 2 } },
    ]);
  });

  it('end for the calls, though the server says that it just stopped', () => {
    const chunks = readChat(
      toolPiece(0, { id: 'a', function: { name: 'x', arguments: '{}' } }),
      piece({}, 'stop'),
      '[DONE]',
    );
    expect(chunks.at(-1)).toEqual({ type: 'done', stopReason: 'tool_use' });
  });

  it('may have no choices at all', () => {
    expect(readChat({ id: 'x', object: 'keepalive' })).toEqual([{ type: 'message_start', responseId: 'x' }]);
  });

  it('take the usage from the last report, be it before the end or behind it', () => {
    const chunks = readChat(usage(1), piece({ content: 'x' }, 'stop'), usage(5), '[DONE]');
    const reports = chunks.flatMap((chunk) => (chunk.type === 'usage' ? [chunk.usage] : []));
    expect(reports.at(-1)).toMatchObject({ inputTokens: 5, outputTokens: 5 });
  });

  it('may have no usage at all', () => {
    expect(readChat(piece({ content: 'x' }, 'stop'), '[DONE]').at(-1)).toEqual({
      type: 'done',
      stopReason: 'end_turn',
    });
  });
});
