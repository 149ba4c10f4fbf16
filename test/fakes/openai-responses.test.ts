import { type OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyRow } from '#test/support/every-row.ts';
import { clientOf, refusalOf } from './openai/client.ts';
import { type FakeOpenAi, startFakeOpenAi } from './openai/server.ts';
import { gifOf, PIXEL_BASE64 } from '#test/support/pictures.ts';

let fake: FakeOpenAi;
let client: OpenAI;
beforeAll(async () => {
  fake = await startFakeOpenAi();
  client = clientOf(fake);
});
afterAll(() => fake.close());

type Json = Readonly<Record<string, unknown>>;
const PNG = `data:image/png;base64,${PIXEL_BASE64}`;
const user = { role: 'user', content: 'hi' };
const call = { type: 'function_call', call_id: 'call_x', name: 'quote', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'call_x', output: 'done' };
const tool = { type: 'function', name: 'quote', strict: false, parameters: { type: 'object' } };
const image = (url: unknown): Json => ({
  role: 'user',
  content: [{ type: 'input_image', image_url: url, detail: 'auto' }],
});

const post = (change: Json) =>
  refusalOf(client, 'responses', { model: 'gpt-6-luna', input: 'hi', ...change });

describe('the Responses API takes', () => {
  it.each<[string, Json]>([
    ['a text as input', {}],
    [
      'every role, as text and as parts',
      {
        input: [
          { role: 'system', content: 's' },
          { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'd' }] },
          { role: 'user', content: [{ type: 'input_text', text: 'u' }] },
          image(PNG),
          image('https://example.com/a.png'),
          { role: 'assistant', content: 'a' },
          {
            type: 'message',
            id: 'msg_1',
            status: 'completed',
            role: 'assistant',
            content: [
              { type: 'output_text', text: 'a', annotations: [] },
              { type: 'refusal', refusal: 'no' },
            ],
          },
        ],
      },
    ],
    [
      'calls with their outputs, also several at once',
      {
        input: [user, call, { ...call, call_id: 'call_y' }, { ...output, call_id: 'call_y' }, output],
        tools: [tool, { ...tool, name: 'news' }],
      },
    ],
    [
      'a strict tool that says all',
      {
        tools: [
          {
            ...tool,
            strict: true,
            parameters: {
              type: 'object',
              properties: { a: {} },
              required: ['a'],
              additionalProperties: false,
            },
          },
        ],
      },
    ],
    [
      'the usual parameters',
      {
        instructions: 'be brief',
        include: ['reasoning.encrypted_content'],
        max_output_tokens: 16,
        parallel_tool_calls: true,
        prompt_cache_key: 'k'.repeat(64),
        reasoning: { effort: 'low', summary: 'auto' },
        store: false,
        tool_choice: 'auto',
        tools: [],
        temperature: null,
      },
    ],
  ])('%s', async (_, change) => {
    expect(await post(change)).toBeUndefined();
  });
});

describe('the Responses API refuses', () => {
  everyRow<[string, Json, string, string?]>([
    ['no model', { model: undefined }, 'model', 'missing_required_parameter'],
    ['an empty model', { model: '' }, 'model'],
    ['no input', { input: undefined }, 'input', 'missing_required_parameter'],
    ['an empty list as input', { input: [] }, 'input', 'empty_array'],
    ['an empty text as input', { input: '' }, 'input'],
    ['a number as input', { input: 1 }, 'input', 'invalid_type'],
    ['the parameters of the other API', { messages: [user] }, 'messages', 'unknown_parameter'],
    ['max_tokens', { max_tokens: 100 }, 'max_tokens', 'unknown_parameter'],
    ['an invented parameter', { facts: [] }, 'facts', 'unknown_parameter'],
    ['too few output tokens', { max_output_tokens: 15 }, 'max_output_tokens', 'integer_below_min_value'],
    ['a long cache key', { prompt_cache_key: 'k'.repeat(65) }, 'prompt_cache_key', 'string_above_max_length'],
    ['an unknown include', { include: ['thoughts'] }, 'include[0]', 'invalid_value'],
    ['stream_options without a stream', { stream_options: {} }, 'stream_options'],
    [
      'the stream_options of the other API',
      { stream: true, stream_options: { include_usage: true } },
      'stream_options.include_usage',
      'unknown_parameter',
    ],
    ['instructions that are no text', { instructions: ['be brief'] }, 'instructions', 'invalid_type'],
  ])('%s', async (_, change, param, code) => {
    const refusal = await post(change);
    expect(refusal?.param).toBe(param);
    if (code !== undefined) expect(refusal?.code).toBe(code);
    expect(fake.history.at(-1)).toMatchObject({
      outcome: 'refused',
      problem: refusal?.message.slice('400 '.length),
    });
  });

  everyRow<[string, readonly unknown[], string, string?]>([
    ['an item of no known type', [{ type: 'thought' }], 'input[0].type'],
    ['an unknown role', [{ role: 'tool', content: 'a' }], 'input[0].role'],
    ['a message without content', [{ role: 'user' }], 'input[0].content', 'missing_required_parameter'],
    ['an empty content', [{ role: 'user', content: null }], 'input[0].content', 'invalid_type'],
    [
      'the part of an assistant from a user',
      [{ role: 'user', content: [{ type: 'output_text', text: 'a' }] }],
      'input[0].content[0].type',
    ],
    [
      'the part of a user from an assistant',
      [{ role: 'assistant', content: [{ type: 'input_text', text: 'a' }] }],
      'input[0].content[0].type',
    ],
    [
      'the part of the other API',
      [{ role: 'user', content: [{ type: 'text', text: 'a' }] }],
      'input[0].content[0].type',
    ],
    ['a picture from the system', [{ ...image(PNG), role: 'system' }], 'input[0].content[0].type'],
    ['an invented field in a message', [{ ...user, facts: [] }], 'input[0].facts', 'unknown_parameter'],
    [
      'an invented field in a part',
      [{ role: 'user', content: [{ type: 'input_text', text: 'a', facts: 1 }] }],
      'input[0].content[0].facts',
      'unknown_parameter',
    ],
    [
      'an invented field in a call',
      [{ ...call, malformed: true }, output],
      'input[0].malformed',
      'unknown_parameter',
    ],
    [
      'an invented field in an output',
      [call, { ...output, facts: [] }],
      'input[1].facts',
      'unknown_parameter',
    ],
    [
      'a call without an id',
      [{ ...call, call_id: undefined }, output],
      'input[0].call_id',
      'missing_required_parameter',
    ],
    ['a long call id', [{ ...call, call_id: 'c'.repeat(65) }], 'input[0].call_id', 'string_above_max_length'],
    [
      'a call without a name',
      [{ ...call, name: undefined }, output],
      'input[0].name',
      'missing_required_parameter',
    ],
    ['a name with a colon', [{ ...call, name: 'finance:quote' }, output], 'input[0].name'],
    [
      'arguments that are no text',
      [{ ...call, arguments: {} }, output],
      'input[0].arguments',
      'invalid_type',
    ],
    ['arguments that are no JSON', [{ ...call, arguments: '{"a":' }, output], 'input[0].arguments'],
    ['an output that is no text', [call, { ...output, output: { a: 1 } }], 'input[1].output', 'invalid_type'],
    ['an id of another kind of item', [{ ...call, id: 'call_x' }, output], 'input[0].id'],
    ['a picture on an open line', [image('http://example.com/a.png')], 'input[0].content[0].image_url'],
    ['a picture of a wrong type', [image('data:image/svg+xml;base64,AAAA')], 'input[0].content[0].image_url'],
    ['bytes that are no picture', [image('data:image/png;base64,AAAA')], 'input[0].content[0].image_url'],
    [
      'a picture of another type',
      [image(PNG.replace('image/png', 'image/jpeg'))],
      'input[0].content[0].image_url',
    ],
    [
      'an animated picture',
      [image(`data:image/gif;base64,${gifOf(2, 2, 2).toString('base64')}`)],
      'input[0].content[0].image_url',
    ],
    ['a picture that is not base64', [image('data:image/png;base64,<svg>')], 'input[0].content[0].image_url'],
    [
      'a picture without its address',
      [image(undefined)],
      'input[0].content[0].image_url',
      'missing_required_parameter',
    ],
    [
      'reasoning without an id',
      [{ type: 'reasoning', summary: [] }, call, output],
      'input[0].id',
      'missing_required_parameter',
    ],
    [
      'reasoning without a summary',
      [{ type: 'reasoning', id: 'rs_1' }, call, output],
      'input[0].summary',
      'missing_required_parameter',
    ],
  ])('%s', async (_, input, param, code) => {
    const refusal = await post({ input });
    expect(refusal?.param).toBe(param);
    if (code !== undefined) expect(refusal?.code).toBe(code);
  });

  it.each<[string, readonly unknown[], string]>([
    ['a call without an output', [call, user], 'No tool output found for function call call_x.'],
    ['a call whose output came before', [output, call], 'No tool output found for function call call_x.'],
    [
      'one of two calls without an output',
      [call, { ...call, call_id: 'call_y' }, output],
      'No tool output found for function call call_y.',
    ],
    [
      'an output without a call',
      [user, output],
      'No tool call found for function call output with call_id call_x.',
    ],
    [
      'an item twice',
      [
        { ...call, id: 'fc_1' },
        { ...call, call_id: 'call_y', id: 'fc_1' },
      ],
      'Duplicate item found with id fc_1.',
    ],
  ])('%s', async (_, input, message) => {
    expect((await post({ input }))?.message).toBe(`400 ${message}`);
  });

  it.each<[string, unknown, string, string?]>([
    ['of another kind', { type: 'retrieval', name: 'a', parameters: {} }, 'tools[0].type'],
    [
      'in the shape of the other API',
      { type: 'function', function: tool },
      'tools[0].function',
      'unknown_parameter',
    ],
    ['without a name', { ...tool, name: undefined }, 'tools[0].name', 'missing_required_parameter'],
    ['with a dot in its name', { ...tool, name: 'a.b' }, 'tools[0].name'],
    ['with a long name', { ...tool, name: 'n'.repeat(65) }, 'tools[0].name', 'string_above_max_length'],
    [
      'without parameters',
      { ...tool, parameters: undefined },
      'tools[0].parameters',
      'missing_required_parameter',
    ],
    [
      'with parameters that are no object',
      { ...tool, parameters: [] },
      'tools[0].parameters',
      'invalid_function_parameters',
    ],
    [
      'with a schema of something else',
      { ...tool, parameters: { anyOf: [] } },
      'tools[0].parameters',
      'invalid_function_parameters',
    ],
    ['that is strict and open', { ...tool, strict: true }, 'tools[0]', 'invalid_function_parameters'],
    [
      'that is strict and leaves one open',
      {
        ...tool,
        strict: true,
        parameters: { type: 'object', properties: { a: {} }, additionalProperties: false },
      },
      'tools[0]',
      'invalid_function_parameters',
    ],
  ])('a tool %s', async (_, wrong, param, code) => {
    const refusal = await post({ tools: [wrong] });
    expect(refusal?.param).toBe(param);
    if (code !== undefined) expect(refusal?.code).toBe(code);
  });

  it('two tools of the same name', async () => {
    expect((await post({ tools: [tool, { ...tool, name: 'b' }, tool] }))?.param).toBe('tools[2].name');
  });
});
