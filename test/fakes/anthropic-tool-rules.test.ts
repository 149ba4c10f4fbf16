import { BadRequestError } from '@anthropic-ai/sdk';
import { everyRow } from '#test/support/every-row.ts';
import { describe, expect } from 'vitest';
import { ask, setUp } from './anthropic-client.ts';
import {
  type Params,
  EXTRA,
  PNG,
  MARK,
  TOOLS,
  user,
  assistant,
  text,
  image,
  use,
  result,
  talk,
  withTool,
  afterCall,
  withCall,
} from './anthropic-requests.ts';

describe('what the API refuses of tools and breakpoints', () => {
  everyRow<[string, Params, string]>([
    // Calls and results
    [
      'a call without a result',
      talk(user(text('a')), assistant(use('toolu_1')), user(text('b'))),
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
    ],
    [
      'a call at the end',
      talk(user(text('a')), assistant(use('toolu_1'))),
      'without `tool_result` blocks immediately after: toolu_1.',
    ],
    [
      'one of two calls without',
      talk(user(text('a')), assistant(use('toolu_1'), use('toolu_2')), user(result('toolu_1'))),
      'immediately after: toolu_2.',
    ],
    [
      'text before the result',
      afterCall(text('b'), result('toolu_1')),
      'without `tool_result` blocks immediately after: toolu_1.',
    ],
    [
      'a result too late',
      talk(
        user(text('a')),
        assistant(text('b')),
        user(text('c')),
        assistant(use('toolu_1')),
        user(result('toolu_0')),
      ),
      'messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_0.',
    ],
    [
      'a result without a call',
      talk(user(result('toolu_1'))),
      'unexpected `tool_use_id` found in `tool_result` blocks: toolu_1.',
    ],
    [
      'two results for a call',
      afterCall(result('toolu_1'), result('toolu_1')),
      'each tool_use must have a single result',
    ],
    [
      'an id twice',
      talk(user(text('a')), assistant(use('toolu_1'), use('toolu_1')), user(result('toolu_1'))),
      'messages: `tool_use` ids must be unique',
    ],
    [
      'an id twice in two turns',
      talk(user(text('a')), assistant(use('t')), user(result('t')), assistant(use('t')), user(result('t'))),
      'ids must be unique',
    ],
    [
      'an id with a colon',
      withCall({ id: 'call:1' }),
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
    ],
    ['an id of 65 characters', withCall({ id: 'x'.repeat(65) }), 'tool_use.id: String should match pattern'],
    ['an empty id', withCall({ id: '' }), 'tool_use.id: String should match pattern'],
    ['a called name with a dot', withCall({ name: 'a.b' }), 'tool_use.name: String should match pattern'],
    [
      'a call with text for input',
      withCall({ input: '{}' }),
      'tool_use.input: Input should be a valid dictionary',
    ],
    [
      'a call with a list for input',
      withCall({ input: [] }),
      'tool_use.input: Input should be a valid dictionary',
    ],
    ['a call without input', withCall({ input: undefined }), 'tool_use.input: Field required'],
    [
      'an error without words',
      afterCall(result('toolu_1', { is_error: true, content: '' })),
      'content cannot be empty if `is_error` is true',
    ],
    [
      'an error with a picture',
      afterCall(result('toolu_1', { is_error: true, content: [image(PNG)] })),
      'all content must be type `text`',
    ],
    [
      'an error that is no boolean',
      afterCall(result('toolu_1', { is_error: 'yes' })),
      'is_error: Input should be a valid boolean',
    ],
    ['calls without tools', { ...afterCall(result('toolu_1')), tools: undefined }, 'must define tools'],
    ['calls with no tool', { ...afterCall(result('toolu_1')), tools: [] }, 'must define tools'],
    ['a call without an id', withCall({ id: undefined }), 'tool_use.id: Field required'],
    [
      'a result for an id with a colon',
      afterCall(result('call:1')),
      'tool_use_id: String should match pattern',
    ],
    ['a number for a result', afterCall(result('toolu_1', { content: 7 })), 'Input should be a valid list'],
    // Tools
    [
      'a tool name with a dot',
      withTool({ name: 'finance.price' }),
      "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
    ],
    [
      'a tool name of 65 characters',
      withTool({ name: 'x'.repeat(65) }),
      'tools.0.custom.name: String should match',
    ],
    ['a tool twice', { ...ask(), tools: [...TOOLS, ...TOOLS] }, 'tools: Tool names must be unique.'],
    [
      'a tool without a schema',
      withTool({ input_schema: undefined }),
      'tools.0.custom.input_schema: Field required',
    ],
    [
      'a schema without a type',
      withTool({ input_schema: {} }),
      'tools.0.custom.input_schema.type: Field required',
    ],
    [
      'a schema of text',
      withTool({ input_schema: { type: 'string' } }),
      "input_schema.type: Input should be 'object'",
    ],
    [
      'a schema of either or',
      withTool({ input_schema: { type: 'object', anyOf: [] } }),
      'does not support oneOf, allOf, or anyOf',
    ],
    ['a field of a tool', withTool({ execute: 1 }), `tools.0.custom.execute: ${EXTRA}`],
    [
      'a choice without tools',
      { ...ask(), tool_choice: { type: 'auto' } },
      'may only be specified while providing tools',
    ],
    [
      'an unknown choice',
      { ...talk(user(text('x'))), tool_choice: { type: 'required' } },
      'tool_choice.type: Input should be',
    ],
    [
      'a choice with a field of another',
      { ...talk(user(text('x'))), tool_choice: { type: 'none', name: 'x' } },
      `tool_choice.none.name: ${EXTRA}`,
    ],
    [
      'an unknown tool',
      { ...talk(user(text('x'))), tool_choice: { type: 'tool', name: 'x' } },
      "Tool 'x' not found",
    ],
    [
      'any tool on Opus 5.5',
      { ...talk(user(text('x'))), model: 'claude-opus-5-5', tool_choice: { type: 'any' } },
      "'any' is not supported for this model",
    ],
    [
      'one tool on Opus 5.5',
      {
        ...talk(user(text('x'))),
        model: 'claude-opus-5-5',
        tool_choice: { type: 'tool', name: 'get_price' },
      },
      "'tool' is not supported for this model",
    ],
    [
      'a forced tool while thinking',
      { ...talk(user(text('x'))), thinking: { type: 'adaptive' }, tool_choice: { type: 'any' } },
      'Thinking may not be enabled when tool_choice forces',
    ],
    ['tools in one word', { ...ask(), tools: 'all' }, 'tools: Input should be a valid list'],
    ['a tool in one word', { ...ask(), tools: ['a'] }, 'tools.0: Input should be a valid dictionary'],
    ['a tool of the provider', withTool({ type: 'web_search' }), "tools.0.type: Input should be 'custom'"],
    [
      'a number for a description',
      withTool({ description: 7 }),
      'description: Input should be a valid string',
    ],
    [
      'a schema in one word',
      withTool({ input_schema: 'x' }),
      'input_schema: Input should be a valid dictionary',
    ],
    [
      'a choice in one word',
      { ...talk(user(text('x'))), tool_choice: 'auto' },
      'tool_choice: Input should be a valid dictionary',
    ],
    // Breakpoints
    [
      'five breakpoints in one message',
      talk(user(...'abcde'.split('').map((word) => text(word, { cache_control: MARK })))),
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
    [
      'five breakpoints everywhere',
      {
        ...talk(
          user(text('x', { cache_control: MARK })),
          assistant(text('y', { cache_control: MARK })),
          user(text('z')),
        ),
        tools: [{ ...TOOLS[0], cache_control: MARK }],
        system: [text('s', { cache_control: MARK })],
        cache_control: MARK,
      },
      'Found 5.',
    ],
    [
      'a breakpoint on nothing',
      talk(user(text('', { cache_control: MARK }))),
      'cache_control cannot be set for empty text blocks',
    ],
    [
      'an unknown breakpoint',
      talk(user(text('x', { cache_control: { type: 'forever' } }))),
      "cache_control.type: Input should be 'ephemeral'",
    ],
    [
      'an unknown ttl',
      talk(user(text('x', { cache_control: { ...MARK, ttl: '1d' } }))),
      "ttl: Input should be '5m' or '1h'",
    ],
    [
      'a long breakpoint after a short one',
      talk(user(text('a', { cache_control: MARK }), text('b', { cache_control: { ...MARK, ttl: '1h' } }))),
      "a ttl='1h' cache_control block must not come after a ttl='5m'",
    ],
    [
      'a field of a breakpoint',
      talk(user(text('x', { cache_control: { ...MARK, scope: 'x' } }))),
      `cache_control.scope: ${EXTRA}`,
    ],
    [
      'an unknown breakpoint of a tool',
      withTool({ cache_control: { type: 'x' } }),
      'tools.0.custom.cache_control.type: Input',
    ],
    [
      'an unknown breakpoint of the whole',
      { ...ask(), cache_control: { type: 'x' } },
      "cache_control.type: Input should be 'ephemeral'",
    ],
  ])('refuses %s', async (_what, params, problem) => {
    const { fake, failure } = await setUp();
    const error = await failure(params);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error.type).toBe('invalid_request_error');
    expect(error.apiMessage).toContain(problem);
    expect(fake.history).toMatchObject([{ outcome: 'refused', problem: error.apiMessage }]);
    expect(fake.history[0]).not.toHaveProperty('usage');
  });
});
