import { type OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeAnswer, FakeReply } from '#test/fakes/model-reply.ts';
import { collect, clientOf } from './openai/client.ts';
import { type FakeOpenAi, startFakeOpenAi } from './openai/server.ts';

let fake: FakeOpenAi;
let client: OpenAI;
beforeAll(async () => {
  fake = await startFakeOpenAi();
  client = clientOf(fake);
});
afterAll(() => fake.close());

const two = [
  { id: 'call_a', name: 'quote', input: { symbol: 'AAPL' } },
  { id: 'call_b', name: 'news', json: '{"q":"x"}' },
];

const ask = async (reply: FakeReply, more: object = {}) => {
  fake.reply(reply);
  const params = { model: 'gpt-6-luna', input: 'hi', ...more };
  return (await collect(await client.responses.create({ ...params, stream: true }))).events;
};
const askedFor = (answer: FakeAnswer, more: object = {}) => ask({ kind: 'answer', ...answer }, more);
const whole = async (reply: FakeReply, more: object = {}) => {
  fake.reply(reply);
  return client.responses.create({ model: 'gpt-6-luna', input: 'hi', ...more });
};

describe('the Responses API', () => {
  it('says a text with all events around it, numbered', async () => {
    const events = await askedFor({ text: 'hello there you' });
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events[4]).toMatchObject({ delta: 'hello there ', output_index: 0, content_index: 0 });
    expect(events[6]).toMatchObject({ text: 'hello there you' });
  });

  it('cuts no character in two', async () => {
    const events = await askedFor({ text: '👍🏽 오름 📈', pieceChars: 1 });
    const deltas = events.flatMap((event) =>
      event.type === 'response.output_text.delta' ? [event.delta] : [],
    );
    expect(deltas).toHaveLength(7);
    expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
  });

  it('tells the usage at the end only', async () => {
    const events = await askedFor({ text: 'hello there you', thinking: 'hmm hmm' });
    const [first, last] = [events[0], events.at(-1)];
    expect(first).not.toHaveProperty('response.usage');
    expect(last).toMatchObject({
      response: { usage: { output_tokens: 8, output_tokens_details: { reasoning_tokens: 3 } } },
    });
    if (last?.type !== 'response.completed') throw new Error('no end');
    const { input_tokens = 0, output_tokens = 0, total_tokens } = last.response.usage ?? {};
    expect(input_tokens).toBeGreaterThan(0);
    expect(total_tokens).toBe(input_tokens + output_tokens);
    expect(fake.history.at(-1)?.usage).toEqual({
      input: input_tokens,
      output: 8,
      cacheRead: 0,
      cacheWrite: 0,
    });
  });

  it('mixes the pieces of parallel calls, each with its item and index', async () => {
    const events = await askedFor({ text: 'see', toolCalls: two, pieceChars: 5 });
    const deltas = events.flatMap((event) =>
      event.type === 'response.function_call_arguments.delta' ? [event] : [],
    );
    expect(deltas.map((event) => [event.output_index, event.delta])).toEqual([
      [1, '{"sym'],
      [2, '{"q":'],
      [1, 'bol":'],
      [2, '"x"}'],
      [1, '"AAPL'],
      [1, '"}'],
    ]);
    expect(new Set(deltas.map((event) => `${event.item_id} ${String(event.output_index)}`)).size).toBe(2);
    const added = events.flatMap((event) => (event.type === 'response.output_item.added' ? [event] : []));
    expect(added.slice(1).map(({ item }) => item)).toMatchObject([
      { type: 'function_call', call_id: 'call_a', name: 'quote', arguments: '', id: deltas[0]?.item_id },
      { type: 'function_call', call_id: 'call_b', name: 'news', arguments: '', id: deltas[1]?.item_id },
    ]);
    const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
    expect(done).toHaveLength(3);
    const end = events.at(-1);
    expect(end).toMatchObject({
      type: 'response.completed',
      response: {
        output: [
          { type: 'message', status: 'completed' },
          { call_id: 'call_a', arguments: '{"symbol":"AAPL"}', status: 'completed' },
          { call_id: 'call_b', arguments: '{"q":"x"}', status: 'completed' },
        ],
      },
    });
  });

  it('says a thought as a reasoning item, encrypted only when asked', async () => {
    const events = await askedFor({ thinking: 'let me think about it', text: 'ok' });
    expect(events.map(({ type }) => type).slice(2, 9)).toEqual([
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
    ]);
    expect(events[8]).toMatchObject({
      item: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'let me think about it' }] },
    });
    expect(events[8]).not.toHaveProperty('item.encrypted_content');
    const include = ['reasoning.encrypted_content'];
    const again = await askedFor({ thinking: 'hm', text: 'ok' }, { include });
    expect(again.find(({ type }) => type === 'response.output_item.done')).toHaveProperty(
      'item.encrypted_content',
    );
  });

  it.each([
    ['max_tokens', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('ends incomplete for %s', async (stopReason, reason) => {
    const events = await askedFor({ text: 'half', stopReason });
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason },
        output: [{ status: 'incomplete' }],
        usage: { output_tokens: 2 },
      },
    });
  });

  it('refuses in a part of its own', async () => {
    const events = await askedFor({ text: 'I would rather not', stopReason: 'refusal' });
    const types = events.map(({ type }) => type);
    expect(types).toContain('response.refusal.delta');
    expect(types).not.toContain('response.output_text.delta');
    expect(events.find(({ type }) => type === 'response.refusal.done')).toMatchObject({
      refusal: 'I would rather not',
    });
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { output: [{ content: [{ type: 'refusal', refusal: 'I would rather not' }] }] },
    });
    expect(JSON.stringify(await askedFor({ stopReason: 'refusal' }))).toContain('I cannot help');
  });

  it('truncates a call', async () => {
    const events = await ask({ kind: 'truncated-tool', name: 'quote', json: '{"symbol":"AA' });
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ type: 'function_call', arguments: '{"symbol":"AA', status: 'incomplete' }],
      },
    });
    expect(events.at(-2)).toMatchObject({ type: 'response.output_item.done' });
  });

  it('fails in an event that the client does not throw', async () => {
    const events = await ask({ kind: 'stream-error', type: 'response.failed', answer: { text: 'a' } });
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' } },
    });
    expect(events.at(-1)).not.toHaveProperty('response.usage');
    expect(await whole({ kind: 'stream-error', type: 'response.failed' })).toMatchObject({
      status: 'failed',
    });
  });

  it('says the same without a stream', async () => {
    const response = await whole({ kind: 'answer', thinking: 'hm', text: 'see', toolCalls: two });
    expect(response).toMatchObject({ status: 'completed', output_text: 'see', incomplete_details: null });
    expect(response.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'function_call',
    ]);
    expect(await whole({ kind: 'answer', text: 'a', stopReason: 'max_tokens' })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });
});

describe('chat completions', () => {
  const params = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'hi' }] };
  const answered = async (answer: FakeAnswer, more: object = {}) => {
    fake.reply({ kind: 'answer', ...answer });
    return (await collect(await client.chat.completions.create({ ...params, ...more, stream: true }))).events;
  };
  const finishes = (chunks: Awaited<ReturnType<typeof answered>>) =>
    chunks.flatMap(({ choices }) => choices).flatMap((choice) => choice.finish_reason ?? []);

  it('says a text in pieces, after the role', async () => {
    const chunks = await answered({ text: 'hello there you', thinking: 'hidden' });
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { content: 'hello there ' },
      { content: 'you' },
      {},
    ]);
    expect(finishes(chunks)).toEqual(['stop']);
    expect(JSON.stringify(chunks)).not.toContain('hidden');
  });

  it('tells the usage in a last chunk without choices, when asked', async () => {
    const chunks = await answered(
      { text: 'hello', thinking: 'hmm' },
      { stream_options: { include_usage: true } },
    );
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: 3, completion_tokens_details: { reasoning_tokens: 1 } },
    });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(fake.history.at(-1)?.usage).toMatchObject({ output: 3 });
    const bare = await answered({ text: 'hello' });
    expect(bare.some((chunk) => 'usage' in chunk)).toBe(false);
    expect(fake.history.at(-1)?.usage).toBeUndefined();
  });

  it('mixes the pieces of parallel calls, with id and name in the first only', async () => {
    const chunks = await answered({ toolCalls: two, pieceChars: 9 });
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])).toEqual([
      { index: 0, id: 'call_a', type: 'function', function: { name: 'quote', arguments: '' } },
      { index: 1, id: 'call_b', type: 'function', function: { name: 'news', arguments: '' } },
      { index: 0, function: { arguments: '{"symbol"' } },
      { index: 1, function: { arguments: '{"q":"x"}' } },
      { index: 0, function: { arguments: ':"AAPL"}' } },
    ]);
    expect(finishes(chunks)).toEqual(['tool_calls']);
  });

  it.each([
    ['max_tokens', 'length'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['end_turn', 'stop'],
    ['tool_use', 'tool_calls'],
    ['something_new', 'something_new'],
  ])('finishes %s with %s', async (stopReason, finish) => {
    expect(finishes(await answered({ text: 'a', stopReason }))).toEqual([finish]);
  });

  it('refuses in a field of its own', async () => {
    const chunks = await answered({ text: 'rather not', stopReason: 'refusal' });
    expect(chunks[1]?.choices[0]?.delta).toEqual({ refusal: 'rather not' });
    expect(finishes(chunks)).toEqual(['stop']);
  });

  it('truncates a call', async () => {
    fake.reply({ kind: 'truncated-tool', name: 'quote', json: '{"symbol":"AA' });
    const { choices, usage } = await client.chat.completions.create(params);
    expect(fake.history.at(-1)?.usage?.output).toBe(usage?.completion_tokens);
    expect(choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { content: null, tool_calls: [{ function: { name: 'quote', arguments: '{"symbol":"AA' } }] },
    });
  });

  it('says the same without a stream, with the usage', async () => {
    fake.reply({ kind: 'answer', text: 'see', toolCalls: two }, { kind: 'answer', stopReason: 'refusal' });
    const completion = await client.chat.completions.create(params);
    expect(completion.choices).toMatchObject([
      {
        finish_reason: 'tool_calls',
        message: { content: 'see', refusal: null, tool_calls: [{ id: 'call_a' }, { id: 'call_b' }] },
      },
    ]);
    expect(completion.usage?.prompt_tokens).toBeGreaterThan(0);
    expect((await client.chat.completions.create(params)).choices[0]?.message).toMatchObject({
      content: null,
      refusal: 'I cannot help with that.',
    });
  });
});
