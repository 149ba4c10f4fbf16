import { type OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyRow } from '#test/support/every-row.ts';
import { clientOf, refusalOf } from './openai/client.ts';
import { type FakeOpenAi, startFakeOpenAi } from './openai/server.ts';
import { webpOf } from '#test/support/pictures.ts';

let fake: FakeOpenAi;
let client: OpenAI;
beforeAll(async () => {
  fake = await startFakeOpenAi();
  client = clientOf(fake);
});
afterAll(() => fake.close());

type Json = Readonly<Record<string, unknown>>;
const user = { role: 'user', content: 'hi' };
const callOf = (id: string) => ({ id, type: 'function', function: { name: 'quote', arguments: '{}' } });
const calls = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(callOf),
});
const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'done' });
const tool = { type: 'function', function: { name: 'quote', parameters: { type: 'object' } } };
const image = (url: unknown): Json => ({
  role: 'user',
  content: [{ type: 'image_url', image_url: { url } }],
});
const withCall = (change: Json): readonly Json[] => [
  { role: 'assistant', content: null, tool_calls: [{ ...callOf('a'), ...change }] },
  answer('a'),
];

const unanswered = (ids: string): string =>
  `400 An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`;
const orphan =
  "400 Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";

const post = (change: Json) =>
  refusalOf(client, 'chat/completions', { model: 'llama3.3', messages: [user], ...change });

describe('chat completions take', () => {
  it.each<[string, Json]>([
    ['a text', {}],
    [
      'every role, as text and as parts',
      {
        messages: [
          { role: 'system', content: 's' },
          { role: 'developer', content: [{ type: 'text', text: 'd' }] },
          { role: 'user', content: [{ type: 'text', text: 'u' }], name: 'kim' },
          image(`data:image/webp;base64,${webpOf.lossy(2, 2).toString('base64')}`),
          { role: 'assistant', content: 'a' },
          { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
          { role: 'assistant', refusal: 'no' },
        ],
      },
    ],
    [
      'calls that are answered in any order',
      {
        messages: [user, calls('a', 'b'), answer('b'), answer('a'), user, calls('a'), answer('a')],
        tools: [tool, { type: 'function', function: { name: 'now' } }],
        tool_choice: 'auto',
        parallel_tool_calls: true,
      },
    ],
    [
      'arguments that are no JSON',
      { messages: withCall({ function: { name: 'quote', arguments: '{"a":' } }) },
    ],
    ['the old limit with an old model', { max_tokens: 1 }],
    ['the new limit with a new model', { model: 'gpt-6-luna', max_completion_tokens: 1 }],
    [
      'tools with a new model that does not think',
      { model: 'gpt-6-luna', tools: [tool], reasoning_effort: 'none' },
    ],
    ['tools with the model before', { model: 'gpt-5.3', tools: [tool] }],
  ])('%s', async (_, change) => {
    expect(await post(change)).toBeUndefined();
  });
});

describe('chat completions refuse', () => {
  everyRow<[string, Json, string | null, string?]>([
    ['no model', { model: undefined }, 'model', 'missing_required_parameter'],
    ['an empty model', { model: '' }, 'model', 'missing_required_parameter'],
    ['no messages', { messages: undefined }, 'messages', 'missing_required_parameter'],
    ['an empty list of messages', { messages: [] }, 'messages', 'empty_array'],
    ['the parameters of the other API', { input: 'hi' }, 'input', 'unknown_parameter'],
    ['max_output_tokens', { max_output_tokens: 100 }, 'max_output_tokens', 'unknown_parameter'],
    ['an invented parameter', { facts: [] }, 'facts', 'unknown_parameter'],
    [
      'the old limit with a new model',
      { model: 'gpt-6-luna', max_tokens: 9 },
      'max_tokens',
      'unsupported_parameter',
    ],
    ['stream_options without a stream', { stream_options: { include_usage: true } }, 'stream_options'],
    ['an empty list of tools', { tools: [] }, 'tools', 'empty_array'],
    ['a choice without tools', { tool_choice: 'none' }, 'tool_choice'],
    ['parallel calls without tools', { parallel_tool_calls: true }, 'parallel_tool_calls'],
    [
      'a tool in the shape of the other API',
      { tools: [{ type: 'function', name: 'a', parameters: {} }] },
      'tools[0].name',
      'unknown_parameter',
    ],
    [
      'a tool with a dot in its name',
      { tools: [{ type: 'function', function: { name: 'a.b' } }] },
      'tools[0].function.name',
    ],
    [
      'a tool with a long name',
      { tools: [{ type: 'function', function: { name: 'n'.repeat(65) } }] },
      'tools[0].function.name',
      'string_above_max_length',
    ],
    ['two tools of the same name', { tools: [tool, tool] }, 'tools[1].name'],
    [
      'a strict tool that is open',
      { tools: [{ ...tool, function: { ...tool.function, strict: true } }] },
      'tools[0].function',
      'invalid_function_parameters',
    ],
  ])('%s', async (_, change, param, code) => {
    const refusal = await post(change);
    expect(refusal?.param).toBe(param);
    if (code !== undefined) expect(refusal?.code).toBe(code);
    expect(fake.history.at(-1)).toMatchObject({
      outcome: 'refused',
      problem: refusal?.message.slice('400 '.length),
    });
  });

  it.each(['gpt-5.4', 'gpt-5.6-terra', 'gpt-6-luna', 'gpt-6.1-sol'])('tools with %s', async (model) => {
    const refusal = await post({ model, tools: [tool] });
    expect(refusal?.message).toContain('use /v1/responses');
    expect((await post({ model, tools: [tool], reasoning_effort: 'low' }))?.param).toBe('reasoning_effort');
  });

  everyRow<[string, readonly unknown[], string, string?]>([
    ['an unknown role', [{ role: 'function', content: 'a' }], 'messages[0].role'],
    ['no role', [{ content: 'a' }], 'messages[0].role', 'missing_required_parameter'],
    ['a user without content', [{ role: 'user', content: null }], 'messages[0].content', 'invalid_type'],
    [
      'the part of the other API',
      [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }],
      'messages[0].content[0].type',
    ],
    [
      'a picture from an assistant',
      [{ ...image('https://example.com/a'), role: 'assistant' }],
      'messages[0].content[0].type',
    ],
    [
      'a picture of a wrong type',
      [image('data:image/bmp;base64,AAAA')],
      'messages[0].content[0].image_url.url',
    ],
    ['an invented field', [{ ...user, facts: [] }], 'messages[0].facts', 'unknown_parameter'],
    [
      'an invented field in a call',
      withCall({ malformed: true }),
      'messages[0].tool_calls[0].malformed',
      'unknown_parameter',
    ],
    [
      'arguments that are no text',
      withCall({ function: { name: 'a', arguments: {} } }),
      'messages[0].tool_calls[0].function.arguments',
      'invalid_type',
    ],
    [
      'a call with a colon in its name',
      withCall({ function: { name: 'a:b', arguments: '' } }),
      'messages[0].tool_calls[0].function.name',
    ],
    [
      'a long call id',
      [calls('c'.repeat(41)), answer('c'.repeat(41))],
      'messages[0].tool_calls[0].id',
      'string_above_max_length',
    ],
    [
      'an empty list of calls',
      [{ role: 'assistant', content: 'a', tool_calls: [] }],
      'messages[0].tool_calls',
      'empty_array',
    ],
    [
      'an answer that is no text',
      [calls('a'), { ...answer('a'), content: { a: 1 } }],
      'messages[1].content',
      'invalid_type',
    ],
    [
      'an answer to nothing',
      [calls('a'), { ...answer('a'), tool_call_id: undefined }],
      'messages[1].tool_call_id',
      'missing_required_parameter',
    ],
    ['an assistant who says nothing', [user, { role: 'assistant', content: null }], 'messages.[1].content'],
  ])('%s', async (_, messages, param, code) => {
    const refusal = await post({ messages });
    expect(refusal?.param).toBe(param);
    if (code !== undefined) expect(refusal?.code).toBe(code);
  });

  it.each<[string, readonly unknown[], string]>([
    ['a call without an answer', [user, calls('a')], unanswered('a')],
    ['one of two calls without an answer', [calls('a', 'b'), answer('a'), user], unanswered('b')],
    ['a call whose answer does not follow directly', [calls('a'), user, answer('a')], unanswered('a')],
    ['an answer without a call', [user, answer('a')], orphan],
    ['an answer long after its call', [calls('a'), answer('a'), user, answer('a')], orphan],
    [
      'a second answer',
      [calls('a'), answer('a'), answer('a')],
      "400 Invalid parameter: 'tool_call_id' of 'a' not found in 'tool_calls' of previous message.",
    ],
  ])('%s', async (_, messages, message) => {
    expect((await post({ messages }))?.message).toBe(message);
  });
});
