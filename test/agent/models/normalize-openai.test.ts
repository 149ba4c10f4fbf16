import { describe, expect, it } from 'vitest';
import {
  chatStopReason,
  normalizeOpenAIResponse,
  openAiToolUse,
  openAiUsage,
  responseStopReason,
} from '#src/agent/models/provider-normalize.ts';
import { NO_USAGE } from '#src/kernel/agent/model.ts';
import { everyRow } from '#test/support/every-row.ts';

const chat = (message: object, finish_reason: string | null = 'stop', special: object = {}) =>
  normalizeOpenAIResponse({
    model: 'llama-3',
    choices: [{ index: 0, finish_reason, message: { role: 'assistant', content: null, ...message } }],
    usage: { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 60 } },
    ...special,
  });

const responses = (output: readonly object[], special: object = {}) =>
  normalizeOpenAIResponse({
    model: 'gpt-1',
    status: 'completed',
    incomplete_details: null,
    output,
    usage: {
      input_tokens: 100,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
    },
    ...special,
  });

const words = (text: string) => ({
  type: 'message',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const called = (args: string) => ({
  type: 'function_call',
  call_id: 'c1',
  name: 'get_price',
  arguments: args,
});

describe('openAiUsage', () => {
  it('takes what was cached, and what was written to the cache, from the input', () => {
    expect(openAiUsage(100, { cached_tokens: 60, cache_write_tokens: 30 }, 5)).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cacheReadTokens: 60,
      cacheWriteTokens: 30,
    });
  });

  it('is zero where nothing is reported, and never below', () => {
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(openAiUsage(undefined, undefined, undefined)).toEqual(none);
    expect(openAiUsage(0, null, 0)).toEqual(none);
    expect(openAiUsage(10, { cached_tokens: 60 }, 0).inputTokens).toBe(0);
  });
});

describe('openAiToolUse', () => {
  it('takes no text for no arguments', () => {
    expect(openAiToolUse('c', 'x', ' \n')).toEqual({ type: 'tool_use', id: 'c', name: 'x', input: {} });
  });

  it('marks a call whose arguments are no JSON', () => {
    expect(openAiToolUse('c', 'get_price', '{"symbol": "AA')).toMatchObject({
      input: {},
      malformed: expect.stringContaining('get_price'),
    });
    expect(openAiToolUse('c', 'x', '{"a":1}')).not.toHaveProperty('malformed');
  });
});

describe('stop reasons', () => {
  everyRow([
    ['stop', false, false, 'end_turn'],
    ['stop', false, true, 'tool_use'],
    ['length', false, false, 'max_tokens'],
    ['length', false, true, 'max_tokens'],
    ['tool_calls', false, true, 'tool_use'],
    ['function_call', false, true, 'tool_use'],
    ['content_filter', false, true, 'refusal'],
    ['something_new', false, false, 'end_turn'],
    [null, false, false, 'end_turn'],
    ['stop', true, true, 'refusal'],
  ])('of chat completions: %s (refused: %s, calls: %s) is %s', (raw, wasRefused, hasCalls, expected) => {
    expect(chatStopReason(raw, wasRefused, hasCalls)).toBe(expected);
  });

  it.each([
    [undefined, false, false, 'end_turn'],
    [undefined, false, true, 'tool_use'],
    [undefined, true, false, 'refusal'],
    ['max_output_tokens', false, true, 'max_tokens'],
    ['content_filter', false, false, 'refusal'],
    ['something_new', false, true, 'tool_use'],
  ])('of responses: %s (refusal: %s, calls: %s) is %s', (reason, refusal, calls, expected) => {
    expect(responseStopReason(reason, { refusal, calls })).toBe(expected);
  });
});

describe('a chat completion', () => {
  it('gives words and what was used', () => {
    expect(chat({ content: 'Hello' })).toMatchObject({
      blocks: [{ type: 'text', text: 'Hello' }],
      stopReason: 'end_turn',
      usage: { inputTokens: 40, cacheReadTokens: 60, outputTokens: 5 },
    });
  });

  it('gives calls behind the words', () => {
    const tool_calls = [
      { id: 'c1', type: 'function', function: { name: 'get_price', arguments: '{"a":1}' } },
    ];
    expect(chat({ content: 'I look.', tool_calls }, 'tool_calls')).toMatchObject({
      blocks: [
        { type: 'text', text: 'I look.' },
        {
          type: 'tool_use',
          id: expect.stringMatching(/^call_\w{1,35}$/),
          name: 'get_price',
          input: { a: 1 },
        },
      ],
      stopReason: 'tool_use',
    });
  });

  it('gives a refusal with its words', () => {
    expect(chat({ refusal: 'No.' })).toMatchObject({ blocks: [{ text: 'No.' }], stopReason: 'refusal' });
  });

  it('may have no usage, as small servers do', () => {
    expect(chat({ content: 'x' }, 'stop', { usage: undefined }).usage).toMatchObject(NO_USAGE);
  });

  it.each<readonly [string, object]>([
    ['no choices', { choices: [] }],
    ['no message', { choices: [{ finish_reason: 'stop' }] }],
    ['no model', { model: undefined }],
    ['a call without a name', { choices: [{ message: { tool_calls: [{ id: 'x', function: {} }] } }] }],
  ])('with %s is refused', (_what, special) => {
    expect(() => chat({}, 'stop', special)).toThrow(expect.objectContaining({ code: 'PROVIDER_BAD_BODY' }));
  });
});

describe('a response', () => {
  it('gives reasoning, words and calls in their order', () => {
    const reasoning = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [
        { type: 'summary_text', text: 'a' },
        { type: 'summary_text', text: 'b' },
      ],
      encrypted_content: 'e',
    };
    const normalized = responses([reasoning, words('Hello'), called('{"a":1}')]);
    expect(normalized.blocks).toEqual([
      { type: 'thinking', model: 'gpt-1', text: 'a\nb', opaque: reasoning },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'c1', name: 'get_price', input: { a: 1 } },
    ]);
    expect(normalized).toMatchObject({
      stopReason: 'tool_use',
      usage: { inputTokens: 10, cacheReadTokens: 60, cacheWriteTokens: 30, outputTokens: 5 },
    });
  });

  it('gives a refusal with its words', () => {
    const refused = { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] };
    expect(responses([refused])).toMatchObject({ blocks: [{ text: 'No.' }], stopReason: 'refusal' });
  });

  it('marks a call that was cut off at the limit', () => {
    const cut = { incomplete_details: { reason: 'max_output_tokens' } };
    expect(responses([called('{"a')], cut)).toMatchObject({
      stopReason: 'max_tokens',
      blocks: [{ malformed: expect.any(String) }],
    });
  });

  it('leaves out items that are newer than the program', () => {
    expect(responses([{ type: 'hologram' }, words('Hello')]).blocks).toHaveLength(1);
  });

  it.each<readonly [string, readonly object[]]>([
    ['an item without a type', [{}]],
    ['a message without content', [{ type: 'message' }]],
    ['a call without its id', [{ type: 'function_call', name: 'x', arguments: '{}' }]],
  ])('with %s is refused', (_what, output) => {
    expect(() => responses(output)).toThrow(expect.objectContaining({ code: 'PROVIDER_BAD_BODY' }));
  });
});
